-- The keyword arm's own index: BM25 (Robertson and Zaragoza 2009) needs what a tsvector's index does not tell,
-- how often and in how many passages a term occurs. One row holds a term's passages of one slice of a document:
-- 25 rows a passage for long documents instead of 80, and nothing to look up while a document comes in.

-- Cutting text into terms, by language -----------------------------------------------------------

-- What Postgres has a stemmer for. Unknown is taken for English, a known language without one is not stemmed.
CREATE FUNCTION stemmer(language text) RETURNS regconfig LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE coalesce(language, 'en')
    WHEN 'en' THEN 'pg_catalog.english'::regconfig
    WHEN 'ar' THEN 'pg_catalog.arabic'::regconfig
    WHEN 'ca' THEN 'pg_catalog.catalan'::regconfig
    WHEN 'da' THEN 'pg_catalog.danish'::regconfig
    WHEN 'de' THEN 'pg_catalog.german'::regconfig
    WHEN 'el' THEN 'pg_catalog.greek'::regconfig
    WHEN 'es' THEN 'pg_catalog.spanish'::regconfig
    WHEN 'eu' THEN 'pg_catalog.basque'::regconfig
    WHEN 'fi' THEN 'pg_catalog.finnish'::regconfig
    WHEN 'fr' THEN 'pg_catalog.french'::regconfig
    WHEN 'ga' THEN 'pg_catalog.irish'::regconfig
    WHEN 'hi' THEN 'pg_catalog.hindi'::regconfig
    WHEN 'hu' THEN 'pg_catalog.hungarian'::regconfig
    WHEN 'hy' THEN 'pg_catalog.armenian'::regconfig
    WHEN 'id' THEN 'pg_catalog.indonesian'::regconfig
    WHEN 'it' THEN 'pg_catalog.italian'::regconfig
    WHEN 'lt' THEN 'pg_catalog.lithuanian'::regconfig
    WHEN 'ne' THEN 'pg_catalog.nepali'::regconfig
    WHEN 'nl' THEN 'pg_catalog.dutch'::regconfig
    WHEN 'no' THEN 'pg_catalog.norwegian'::regconfig
    WHEN 'pt' THEN 'pg_catalog.portuguese'::regconfig
    WHEN 'ro' THEN 'pg_catalog.romanian'::regconfig
    WHEN 'ru' THEN 'pg_catalog.russian'::regconfig
    WHEN 'sr' THEN 'pg_catalog.serbian'::regconfig
    WHEN 'sv' THEN 'pg_catalog.swedish'::regconfig
    WHEN 'ta' THEN 'pg_catalog.tamil'::regconfig
    WHEN 'tr' THEN 'pg_catalog.turkish'::regconfig
    WHEN 'yi' THEN 'pg_catalog.yiddish'::regconfig
    ELSE 'pg_catalog.simple'::regconfig END;

-- Runs of letters of a script without spaces: Thai, Lao, Burmese, Khmer, Chinese, Japanese, Korean.
CREATE FUNCTION letter_runs(folded text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
    SELECT run[1] FROM regexp_matches(folded, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u30ff'
                                              '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+', 'g') run
     WHERE octet_length(folded) > length(folded)
$$;

-- Every pair of neighbouring letters with its places; and every Chinese character, which is a word of its own.
CREATE FUNCTION letter_terms(folded text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
    SELECT coalesce(string_agg('''' || piece.term || ''':' || least(piece.place, 16383), ' '), '')::tsvector
      FROM (SELECT term, row_number() OVER () AS place
              FROM letter_runs(folded) WITH ORDINALITY AS r (run, n),
                   generate_series(1, length(run)) i,
                   LATERAL (VALUES (substr(run, i, 2)), (substr(run, i, 1))) AS t (term)
             WHERE length(term) = 2 OR term ~ '[\u3400-\u9fff\uf900-\ufaff]' AND i < length(run)
                OR term ~ '[\u3400-\u9fff\uf900-\ufaff]' AND term = substr(run, i, 1)) piece
$$;

-- The text without what is cut otherwise: letter runs, C++ and C#, and the marks that make the parser take
-- thyroid/metabolic for a path and pain.The for a host.
CREATE FUNCTION plain_words(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
    words text := folded;
BEGIN
    IF octet_length(folded) > length(folded) THEN
        words := regexp_replace(words, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u30ff'
                                       '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+', ' ', 'g');
    END IF;
    IF words ~ '[+#]' THEN
        words := regexp_replace(words, '\m[[:alpha:]]{1,2}(\+\+|#)', ' ', 'g');
    END IF;
    RETURN translate(words, '-_/.:@\', '       ');
END $$;

CREATE FUNCTION search_vector(value text, language text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    folded text := fold_accents(value);
    found tsvector := to_tsvector(stemmer(language), plain_words(folded)) || array_to_tsvector(codes(folded));
BEGIN
    IF octet_length(folded) > length(folded) THEN
        RETURN found || letter_terms(folded);
    END IF;
    RETURN found;
END $$;
CREATE OR REPLACE FUNCTION search_vector(value text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN search_vector(value, 'en');

-- A term's number: no dictionary to keep, to lock, or to clean. Two of a million terms share one of 2^64 once
-- in 37 million collections.
CREATE FUNCTION term_number(term text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN hashtextextended(term COLLATE "C", 0);

-- The query cut as the documents of each of these languages are: the forms of one word share its number. A
-- word is dropped that is a stop word in the query's own language, the one that knows most of its words as such.
-- `joined`: neighbours written apart, as in LM3480 5.0, that count only where a document has them as one code.
CREATE FUNCTION query_terms(value text, languages text[])
RETURNS TABLE (word integer, term text, code boolean, joined boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 20 AS $$
DECLARE
    folded text := fold_accents(value);
    plain text := plain_words(folded);
    own_codes text[] := codes(folded);
    pieces text[];
BEGIN
    IF cardinality(languages) = 1 THEN
        RETURN QUERY
        SELECT f.positions[1]::integer, f.lexeme, false, false
          FROM unnest(to_tsvector(stemmer(languages[1]), plain)) f WHERE f.lexeme <> ALL (own_codes);
    ELSE
        RETURN QUERY
        WITH forms AS MATERIALIZED (
            SELECT l.language, f.lexeme, unnest(f.positions) AS place
              FROM unnest(languages) l (language), unnest(to_tsvector(stemmer(l.language), plain)) f
        ), own AS (
            SELECT f.language FROM forms f
             GROUP BY f.language ORDER BY count(*), array_position(languages, f.language) LIMIT 1
        )
        SELECT min(f.place)::integer, f.lexeme, false, false FROM forms f
         WHERE f.place IN (SELECT o.place FROM forms o WHERE o.language = (SELECT own.language FROM own))
           AND f.lexeme <> ALL (own_codes)
         GROUP BY f.lexeme;
    END IF;
    RETURN QUERY
    SELECT 100000 + c.n::integer, c.code, c.code !~ '^[0-9]+$', false
      FROM unnest(own_codes) WITH ORDINALITY c (code, n);
    IF octet_length(folded) > length(folded) THEN
        RETURN QUERY
        SELECT 200000 + p.positions[1], p.lexeme, false, false FROM unnest(letter_terms(folded)) p;
    END IF;
    IF folded ~ '[0-9]' THEN
        pieces := ARRAY(SELECT piece[1] FROM regexp_matches(
            lower(folded), '[[:alnum:]]+(?:[-_.:/@]+[[:alnum:]]+)*', 'g') piece LIMIT 40);
        RETURN QUERY
        SELECT DISTINCT ON (c.code) 300000 + s.i, c.code, true, true
          FROM generate_series(1, cardinality(pieces) - 1) AS s (i), generate_series(1, 2) AS more (n),
               LATERAL (SELECT array_to_string(pieces[s.i:s.i + more.n], '-') AS text) t,
               LATERAL unnest(codes(t.text)) AS c (code)
         WHERE s.i + more.n <= cardinality(pieces) AND t.text ~ '[0-9]' AND length(t.text) <= 40
           AND c.code <> ALL (own_codes)
         ORDER BY c.code;
    END IF;
END $$;

-- Who may read: in the place of an owner, so that one index serves everybody ----------------------

CREATE FUNCTION reader_of(visibility text, owner_id uuid, document_id uuid) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE visibility
    WHEN 'public' THEN '00000000-0000-0000-0000-000000000001'::uuid
    WHEN 'workspace' THEN '00000000-0000-0000-0000-000000000002'::uuid
    WHEN 'shared' THEN document_id  -- a reader of its own: whoever it is shared with
    ELSE owner_id END;

-- What the policies of documents say, as a list: an index of readers is read without a look at the rows.
CREATE FUNCTION acting_readers() RETURNS uuid[] LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
    me uuid := acting_user();
BEGIN
    IF me IS NULL THEN
        RETURN ARRAY[reader_of('public', NULL, NULL)];
    END IF;
    RETURN ARRAY[reader_of('public', NULL, NULL), reader_of('workspace', NULL, NULL), me]
        || ARRAY(SELECT s.document_id FROM document_shares s
                  WHERE s.workspace_id = acting_workspace() AND s.user_id = me)
        || ARRAY(SELECT d.id FROM documents d
                  WHERE d.workspace_id = acting_workspace() AND d.owner_id = me AND d.visibility = 'shared');
END $$;
CREATE INDEX documents_shared ON documents (workspace_id, owner_id) WHERE visibility = 'shared';

-- The postings ------------------------------------------------------------------------------------

-- `hits`: one number a passage, ordinal << 32 | terms in it << 16 | how often this one. A slice is 128 passages,
-- so that a row stays whole in its page. `reader`, like chunks.visibility, is a copy for early filters: whoever
-- searches joins documents.
CREATE TABLE postings (
    workspace_id uuid NOT NULL,
    term bigint NOT NULL,
    reader uuid NOT NULL,
    document_id uuid NOT NULL,
    version integer NOT NULL,
    hits bigint[] NOT NULL
);
ALTER TABLE postings ALTER hits SET STORAGE PLAIN;
ALTER TABLE postings SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX postings_term ON postings (workspace_id, term, reader);
CREATE INDEX postings_document ON postings (workspace_id, document_id);

CREATE POLICY seen ON postings FOR SELECT
    USING (workspace_id = (SELECT acting_workspace()) AND reader = ANY ((SELECT acting_readers())::uuid[]));

-- How many passages there are and how many terms in them, by who may read them. Several rows each: whoever is
-- the second at once takes another one, and nobody waits.
CREATE TABLE passage_totals (
    workspace_id uuid NOT NULL,
    reader uuid NOT NULL,
    id uuid NOT NULL DEFAULT uuid_v7(),
    passages bigint NOT NULL,
    length bigint NOT NULL,
    PRIMARY KEY (workspace_id, reader, id)
);
CREATE POLICY seen ON passage_totals FOR SELECT
    USING (workspace_id = (SELECT acting_workspace()) AND reader = ANY ((SELECT acting_readers())::uuid[]));

-- The languages that passages were ever cut in: a query is cut in each.
CREATE TABLE passage_languages (
    workspace_id uuid NOT NULL,
    language text NOT NULL,
    PRIMARY KEY (workspace_id, language)
);
CREATE POLICY seen ON passage_languages FOR SELECT USING (workspace_id = (SELECT acting_workspace()));

CREATE FUNCTION vector_length(terms tsvector) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT coalesce(sum(coalesce(cardinality(t.positions), 1)), 0) FROM unnest(terms) t);

-- How often a tsvector holds a term: ts_rank of one term with n places is (1 + 1/4 + ... + 1/n^2) / (pi^2 / 6).
CREATE FUNCTION often_of(terms tsvector, form tsquery) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN round(1 / (1.6449340668482264 * (1 - ts_rank('{1,1,1,1}', terms, form))) - .5);

CREATE FUNCTION count_passages(workspace uuid, whose uuid, more_passages bigint, more_length bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE passage_totals t SET passages = t.passages + more_passages, length = t.length + more_length
     WHERE t.workspace_id = workspace AND t.reader = whose AND t.id = (
           SELECT free.id FROM passage_totals free
            WHERE free.workspace_id = workspace AND free.reader = whose LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        INSERT INTO passage_totals (workspace_id, reader, passages, length)
        VALUES (workspace, whose, more_passages, more_length);
    END IF;
END $$;

-- The postings of stored passages of one version: of these, or of all.
CREATE FUNCTION post_passages(workspace uuid, document uuid, of_version integer, ordinals integer[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO postings (workspace_id, term, reader, document_id, version, hits)
    SELECT workspace, p.number, p.reader, document, of_version, array_agg(p.hit)
      FROM (SELECT c.ordinal / 128 AS slice, term_number(t.lexeme) AS number, c.reader,
                   (c.ordinal::bigint << 32) | (c.length << 16) | coalesce(cardinality(t.positions), 1) AS hit
              FROM (SELECT i.ordinal, i.tsv, reader_of(i.visibility, i.owner_id, i.document_id) AS reader,
                           least(vector_length(i.tsv), 65535) AS length
                      FROM chunks i
                     WHERE i.workspace_id = workspace AND i.document_id = document AND i.version = of_version
                       AND (ordinals IS NULL OR i.ordinal = ANY (ordinals)) OFFSET 0) c, unnest(c.tsv) t) p
     GROUP BY p.slice, p.number, p.reader;
    INSERT INTO passage_languages (workspace_id, language)
    SELECT d.workspace_id, coalesce(d.language, 'en') FROM documents d
     WHERE d.workspace_id = workspace AND d.id = document
       AND NOT EXISTS (SELECT FROM passage_languages l
                        WHERE l.workspace_id = workspace AND l.language = coalesce(d.language, 'en'))
        ON CONFLICT DO NOTHING;
END $$;

-- Whoever adds, changes or deletes passages keeps their postings, in the same transaction: SECURITY DEFINER, for
-- the application itself writes none. They return nothing and cannot be called but by changing passages.
CREATE FUNCTION post_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
DECLARE
    before text := current_setting('ibid.maintenance', true);
BEGIN
    PERFORM set_config('ibid.maintenance', 'on', true);
    PERFORM post_passages(s.workspace_id, s.document_id, s.version, s.ordinals)
       FROM (SELECT a.workspace_id, a.document_id, a.version, array_agg(a.ordinal) AS ordinals
               FROM added a GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) s;
    PERFORM count_passages(s.workspace_id, s.reader, s.passages, s.length)
       FROM (SELECT a.workspace_id, reader_of(a.visibility, a.owner_id, a.document_id) AS reader, count(*) AS passages,
                    sum(vector_length(a.tsv))::bigint AS length
               FROM added a GROUP BY 1, 2 ORDER BY 1, 2) s;
    PERFORM set_config('ibid.maintenance', coalesce(before, ''), true);
    RETURN NULL;
END $$;

-- What is left of a version that lost a few of its passages is posted again.
CREATE FUNCTION post_gone() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
DECLARE
    before text := current_setting('ibid.maintenance', true);
BEGIN
    PERFORM set_config('ibid.maintenance', 'on', true);
    DELETE FROM postings p
     USING (SELECT DISTINCT g.workspace_id, g.document_id, g.version FROM gone g) v
     WHERE p.workspace_id = v.workspace_id AND p.document_id = v.document_id AND p.version = v.version;
    PERFORM post_passages(v.workspace_id, v.document_id, v.version, NULL)
       FROM (SELECT DISTINCT g.workspace_id, g.document_id, g.version FROM gone g) v
      WHERE EXISTS (SELECT FROM chunks c WHERE c.workspace_id = v.workspace_id
                       AND c.document_id = v.document_id AND c.version = v.version);
    PERFORM count_passages(s.workspace_id, s.reader, -s.passages, -s.length)
       FROM (SELECT g.workspace_id, reader_of(g.visibility, g.owner_id, g.document_id) AS reader, count(*) AS passages,
                    sum(vector_length(g.tsv))::bigint AS length
               FROM gone g GROUP BY 1, 2 ORDER BY 1, 2) s;
    PERFORM set_config('ibid.maintenance', coalesce(before, ''), true);
    RETURN NULL;
END $$;

-- Another reader of whole versions is written over; whatever else has changed is posted again.
CREATE FUNCTION post_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
DECLARE
    before text := current_setting('ibid.maintenance', true);
    changed record;
BEGIN
    PERFORM set_config('ibid.maintenance', 'on', true);
    FOR changed IN
        SELECT n.workspace_id, n.document_id, n.version,
               bool_and(n.tsv = o.tsv
                        AND (n.document_id, n.version, n.ordinal) = (o.document_id, o.version, o.ordinal)) AS same,
               min(reader_of(n.visibility, n.owner_id, n.document_id)::text)::uuid AS reader,
               count(*) AS passages
          FROM now_so n JOIN was_so o ON o.workspace_id = n.workspace_id AND o.id = n.id
         WHERE n.tsv <> o.tsv
            OR reader_of(n.visibility, n.owner_id, n.document_id)
               <> reader_of(o.visibility, o.owner_id, o.document_id)
            OR (n.document_id, n.version, n.ordinal) <> (o.document_id, o.version, o.ordinal)
         GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    LOOP
        IF changed.same AND NOT EXISTS (
            SELECT FROM chunks c WHERE c.workspace_id = changed.workspace_id AND c.document_id = changed.document_id
                AND c.version = changed.version AND reader_of(c.visibility, c.owner_id, c.document_id) <> changed.reader)
        THEN
            UPDATE postings p SET reader = changed.reader
             WHERE p.workspace_id = changed.workspace_id AND p.document_id = changed.document_id
               AND p.version = changed.version AND p.reader <> changed.reader;
        ELSE
            DELETE FROM postings p
             WHERE p.workspace_id = changed.workspace_id AND p.document_id = changed.document_id
               AND p.version = changed.version;
            PERFORM post_passages(changed.workspace_id, changed.document_id, changed.version, NULL);
        END IF;
    END LOOP;
    PERFORM count_passages(s.workspace_id, s.reader, s.passages::bigint, s.length::bigint)
       FROM (SELECT b.workspace_id, b.reader, sum(b.passages) AS passages, sum(b.length) AS length
               FROM (SELECT n.workspace_id, reader_of(n.visibility, n.owner_id, n.document_id) AS reader, 1 AS passages,
                            vector_length(n.tsv) AS length FROM now_so n
                      UNION ALL
                     SELECT o.workspace_id, reader_of(o.visibility, o.owner_id, o.document_id), -1, -vector_length(o.tsv)
                       FROM was_so o) b
              GROUP BY 1, 2 HAVING sum(b.passages) <> 0 OR sum(b.length) <> 0 ORDER BY 1, 2) s;
    PERFORM set_config('ibid.maintenance', coalesce(before, ''), true);
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION post_added(), post_gone(), post_changed(), post_passages(uuid, uuid, integer, integer[]),
    count_passages(uuid, uuid, bigint, bigint) FROM PUBLIC;

CREATE TRIGGER chunks_post_added AFTER INSERT ON chunks
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION post_added();
CREATE TRIGGER chunks_post_gone AFTER DELETE ON chunks
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION post_gone();

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['postings', 'passage_totals', 'passage_languages'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY maintenance ON %I TO ibid_owner '
                       'USING (current_setting(''ibid.maintenance'', true) = ''on'')', name);
        EXECUTE format('GRANT SELECT ON %I TO ibid_app', name);
    END LOOP;
END $$;

-- What is there already is cut again, with its document's language, and posted.
DO $$
DECLARE
    version record;
BEGIN
    PERFORM set_config('ibid.maintenance', 'on', true);
    UPDATE chunks c SET tsv = search_vector(array_to_string(c.heading_path, E'\n') || E'\n' || c.text, d.language)
      FROM documents d WHERE d.workspace_id = c.workspace_id AND d.id = c.document_id;
    FOR version IN SELECT DISTINCT c.workspace_id, c.document_id, c.version FROM chunks c LOOP
        PERFORM post_passages(version.workspace_id, version.document_id, version.version, NULL);
    END LOOP;
    PERFORM count_passages(s.workspace_id, s.reader, s.passages, s.length)
       FROM (SELECT c.workspace_id, reader_of(c.visibility, c.owner_id, c.document_id) AS reader, count(*) AS passages,
                    sum(vector_length(c.tsv))::bigint AS length
               FROM chunks c GROUP BY 1, 2) s;
    PERFORM set_config('ibid.maintenance', '', true);
END $$;

CREATE TRIGGER chunks_post_changed AFTER UPDATE ON chunks
    REFERENCING OLD TABLE AS was_so NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION post_changed();
