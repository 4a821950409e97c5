-- The gates before a passage may be evidence (D14): whose eyes (shares, guests), what for (use), how far it is
-- trusted, and what an audience must not read. With them the filters of a search, what was searched for an
-- answer, and a workspace's golden questions.
--
-- A guest is a transaction with ibid.role = 'guest', a workspace and no user: it reads public documents and
-- their passages, and writes nothing (A9).

CREATE FUNCTION acting_audience() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN current_setting('ibid.role', true) = 'guest' THEN 'public' ELSE 'member' END;

-- Visibility -------------------------------------------------------------------------------------

-- Whom a document of visibility `shared` is shown to. owner_id is the document's, held by the foreign key, so
-- that the policies here read no documents, whose policy reads this.
ALTER TABLE documents ADD UNIQUE (workspace_id, id, owner_id);
CREATE TABLE document_shares (
    workspace_id uuid NOT NULL,
    document_id uuid NOT NULL,
    user_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, document_id, user_id),
    FOREIGN KEY (workspace_id, document_id, owner_id) REFERENCES documents (workspace_id, id, owner_id)
        ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES memberships ON DELETE CASCADE
);
CREATE INDEX document_shares_user ON document_shares (workspace_id, user_id);

CREATE POLICY mine ON document_shares FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (user_id = (SELECT acting_user()) OR owner_id = (SELECT acting_user())));
CREATE POLICY given ON document_shares FOR INSERT
    WITH CHECK (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));
CREATE POLICY taken ON document_shares FOR DELETE
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));

-- The shares are looked up for a shared row only; whoever has no user id is no colleague.
DROP POLICY seen ON documents;
CREATE POLICY seen ON documents FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (owner_id = (SELECT acting_user()) OR visibility = 'public'
            OR visibility = 'workspace' AND (SELECT acting_user()) IS NOT NULL
            OR visibility = 'shared' AND EXISTS (
                SELECT FROM document_shares s
                 WHERE s.workspace_id = documents.workspace_id AND s.document_id = documents.id
                   AND s.user_id = (SELECT acting_user()))));
DROP POLICY seen ON chunks;
CREATE POLICY seen ON chunks FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (owner_id = (SELECT acting_user()) OR visibility = 'public'
            OR visibility = 'workspace' AND (SELECT acting_user()) IS NOT NULL
            OR visibility = 'shared' AND EXISTS (
                SELECT FROM document_shares s
                 WHERE s.workspace_id = chunks.workspace_id AND s.document_id = chunks.document_id
                   AND s.user_id = (SELECT acting_user()))));

-- A guest learns nobody's name; through memberships the policy of users follows.
DROP POLICY own_or_colleague ON memberships;
CREATE POLICY own_or_colleague ON memberships FOR SELECT
    USING (user_id = (SELECT acting_user())
        OR workspace_id = (SELECT acting_workspace()) AND (SELECT acting_role()) IS DISTINCT FROM 'guest');
DROP POLICY of_workspace ON spaces;
CREATE POLICY of_workspace ON spaces FOR SELECT
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_role()) IS NOT NULL);
CREATE POLICY written ON spaces
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_role()) <> 'guest');
DROP POLICY of_workspace ON vectors;
CREATE POLICY of_workspace ON vectors FOR SELECT
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_role()) IS NOT NULL);
CREATE POLICY written ON vectors
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_role()) <> 'guest');

-- Trust ------------------------------------------------------------------------------------------

-- The least trust (documents.trust: -1 in doubt, 0 as usual, 1 approved) that an audience is answered
-- from; 0 where nothing is said. An owner always draws on what is theirs.
CREATE TABLE audiences (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    audience text NOT NULL CHECK (audience IN ('public', 'member')),
    least_trust smallint NOT NULL CHECK (least_trust BETWEEN -1 AND 1),
    PRIMARY KEY (workspace_id, audience)
);
CREATE POLICY applied ON audiences FOR SELECT
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_role()) IS NOT NULL);
CREATE POLICY by_admin ON audiences
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_as_admin()));

CREATE FUNCTION least_trust() RETURNS smallint LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce((SELECT a.least_trust FROM audiences a
                  WHERE a.workspace_id = acting_workspace() AND a.audience = acting_audience()), 0::smallint);

-- What the gates of use and trust keep out is counted from here, without a look at the rest.
CREATE INDEX documents_gated ON documents (workspace_id) WHERE use <> 'evidence' OR trust <> 0;

-- Redaction --------------------------------------------------------------------------------------

-- A passage that holds one of these is not read by that audience (D17). `expression` is matched against
-- the passage with accents folded, whatever the case.
CREATE TABLE redaction_rules (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT uuid_v7(),
    audience text NOT NULL CHECK (audience IN ('public', 'member')),
    kind text NOT NULL CHECK (kind IN ('name', 'pattern')),
    value text NOT NULL CHECK (length(value) BETWEEN 2 AND 200),
    expression text NOT NULL CHECK (expression <> ''),
    note text NOT NULL DEFAULT '',
    created_by uuid REFERENCES users ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, audience, kind, value)
);
CREATE POLICY applied ON redaction_rules FOR SELECT
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_role()) IS NOT NULL);
CREATE POLICY by_admin ON redaction_rules
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_as_admin()));

-- Every rule of the acting audience as one expression, null without rules. Use it in a scalar sub-select:
--   (SELECT protected_words()) IS NULL OR fold_accents(text) !~* (SELECT protected_words())
CREATE FUNCTION protected_words() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT string_agg('(?:' || r.expression || ')', '|' ORDER BY r.id) FROM redaction_rules r
         WHERE r.workspace_id = acting_workspace() AND r.audience = acting_audience());

-- Filters ----------------------------------------------------------------------------------------

CREATE FUNCTION text_list(value jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT jsonb_array_elements_text(value));
CREATE FUNCTION uuid_list(value jsonb) RETURNS uuid[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT jsonb_array_elements_text(value)::uuid);

-- Indexed documents inside the filters, of what row-level security shows. An absent filter filters nothing, a
-- folder includes those below it, one topic of several is enough, and a day is one of the caller's time zone.
DROP FUNCTION searchable_documents(uuid[], uuid, text[]);
SET LOCAL check_function_bodies = off; -- doc_type, topics and doc_date come with 0006
CREATE FUNCTION filtered_documents(filters jsonb)
RETURNS SETOF documents LANGUAGE sql STABLE AS $$
    SELECT d.* FROM documents d
     WHERE d.live_version IS NOT NULL
       AND (filters -> 'document_ids' IS NULL OR d.id = ANY (uuid_list(filters -> 'document_ids')))
       AND (filters -> 'media_types' IS NULL
            OR coalesce(d.live_media_type, d.media_type) = ANY (text_list(filters -> 'media_types')))
       AND (filters -> 'languages' IS NULL OR d.language = ANY (text_list(filters -> 'languages')))
       AND (filters -> 'types' IS NULL OR d.doc_type = ANY (text_list(filters -> 'types')))
       AND (filters -> 'topics' IS NULL OR d.topics && text_list(filters -> 'topics'))
       AND (filters ->> 'since' IS NULL
            OR coalesce(d.doc_date, (d.created_at AT TIME ZONE coalesce(filters ->> 'time_zone', 'UTC'))::date)
               >= (SELECT (filters ->> 'since')::date))
       AND (filters ->> 'until' IS NULL
            OR coalesce(d.doc_date, (d.created_at AT TIME ZONE coalesce(filters ->> 'time_zone', 'UTC'))::date)
               <= (SELECT (filters ->> 'until')::date))
       AND (filters ->> 'folder_id' IS NULL OR d.folder_id IN (
            WITH RECURSIVE below AS (
                SELECT (filters ->> 'folder_id')::uuid AS id
                 UNION SELECT f.id FROM folders f JOIN below b ON f.parent_id = b.id)
            SELECT b.id FROM below b))
$$;

-- Of these, what may be evidence: the gates of use and trust. Both functions are inlined, so the filters reach
-- the arms' plans, and those that are absent are gone from them (I13).
CREATE FUNCTION searchable_documents(filters jsonb)
RETURNS SETOF documents LANGUAGE sql STABLE AS $$
    SELECT d.* FROM filtered_documents(filters) d
     WHERE d.use = 'evidence'
       AND (d.trust >= (SELECT least_trust()) OR d.owner_id = (SELECT acting_user()))
$$;
SET LOCAL check_function_bodies = on;

-- How many passages the gates of use and trust keep out of a search, and which of these passages hold words
-- that the acting audience must not read. Trust 0 is looked at only where an audience asks for more. Planned
-- once a connection: planning takes 4 ms, running it 0.3.
CREATE FUNCTION kept_out(filters jsonb, chunk_ids uuid[], OUT use bigint, OUT trust bigint, OUT protected uuid[])
LANGUAGE plpgsql STABLE SET plan_cache_mode = 'force_generic_plan' AS $$
DECLARE
    least smallint := least_trust();
    words text := protected_words();
    me uuid := acting_user();
BEGIN
    SELECT coalesce(sum(d.chunk_count) FILTER (WHERE d.use <> 'evidence'), 0),
           coalesce(sum(d.chunk_count) FILTER (WHERE d.use = 'evidence'), 0)
      INTO kept_out.use, kept_out.trust
      FROM filtered_documents(filters) d
     WHERE (d.use <> 'evidence' OR d.trust <> 0)
       AND (d.use <> 'evidence' OR d.trust < least AND d.owner_id IS DISTINCT FROM me);
    IF least > 0 THEN
        kept_out.trust := kept_out.trust + (
            SELECT coalesce(sum(o.chunk_count), 0) FROM (
                SELECT d.chunk_count FROM filtered_documents(filters) d
                 WHERE d.use = 'evidence' AND d.trust = 0 AND d.owner_id IS DISTINCT FROM me LIMIT 10000) o);
    END IF;
    kept_out.protected := '{}';
    IF words IS NOT NULL THEN
        kept_out.protected := ARRAY(
            SELECT c.id FROM chunks c
              JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
             WHERE c.workspace_id = (SELECT acting_workspace()) AND c.id = ANY (chunk_ids)
               AND fold_accents(concat_ws(E'\n', d.name, d.title, array_to_string(c.heading_path, E'\n'), c.text))
                   ~* words);
    END IF;
END $$;

-- What was searched for an answer ------------------------------------------------------------------

-- Ids, ranks and figures; names and words are read again by whoever opens it, as they may be seen then.
-- The answer's message is written when its run ends, so message_id is no foreign key.
CREATE TABLE searches (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT uuid_v7(),
    owner_id uuid NOT NULL REFERENCES users,
    thread_id uuid NOT NULL,
    message_id uuid NOT NULL,
    query text NOT NULL CHECK (length(query) <= 4000),
    k integer NOT NULL,
    filters jsonb NOT NULL,
    explanation jsonb NOT NULL,
    candidates jsonb NOT NULL CHECK (jsonb_array_length(candidates) <= 100),
    document_ids uuid[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, thread_id) REFERENCES threads ON DELETE CASCADE
);
CREATE INDEX searches_thread ON searches (workspace_id, thread_id);
CREATE INDEX searches_message ON searches (workspace_id, message_id);
CREATE INDEX searches_documents ON searches USING gin (document_ids);
CREATE POLICY own ON searches
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));

CREATE FUNCTION forget_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM searches s WHERE s.workspace_id = OLD.workspace_id AND s.message_id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER messages_forget_search AFTER DELETE ON messages FOR EACH ROW EXECUTE FUNCTION forget_search();

-- As forget_cited: a deleted document is gone from everybody's searches.
CREATE FUNCTION forget_searched() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
DECLARE
    before text := current_setting('ibid.maintenance', true);
BEGIN
    PERFORM set_config('ibid.maintenance', 'on', true);
    UPDATE searches s
       SET document_ids = array_remove(s.document_ids, OLD.id),
           candidates = coalesce((SELECT jsonb_agg(c.value ORDER BY c.ordinality)
                                    FROM jsonb_array_elements(s.candidates) WITH ORDINALITY c
                                   WHERE c.value ->> 'document_id' <> OLD.id::text), '[]')
     WHERE s.workspace_id = OLD.workspace_id AND s.document_ids @> ARRAY[OLD.id];
    PERFORM set_config('ibid.maintenance', coalesce(before, ''), true);
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION forget_searched() FROM PUBLIC;
CREATE TRIGGER documents_forget_searched AFTER DELETE ON documents
    FOR EACH ROW EXECUTE FUNCTION forget_searched();

-- Golden questions -------------------------------------------------------------------------------

CREATE TABLE golden_questions (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT uuid_v7(),
    owner_id uuid NOT NULL REFERENCES users,
    question text NOT NULL CHECK (length(question) BETWEEN 1 AND 4000),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX golden_questions_once ON golden_questions (workspace_id, owner_id, md5(question));
CREATE POLICY own_or_admin ON golden_questions
    USING (workspace_id = (SELECT acting_workspace())
        AND (owner_id = (SELECT acting_user()) OR (SELECT acting_as_admin())))
    WITH CHECK (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));

CREATE TABLE golden_documents (
    workspace_id uuid NOT NULL,
    question_id uuid NOT NULL,
    document_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, question_id, document_id),
    FOREIGN KEY (workspace_id, question_id) REFERENCES golden_questions ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, document_id) REFERENCES documents ON DELETE CASCADE
);
CREATE INDEX golden_documents_document ON golden_documents (workspace_id, document_id);
CREATE POLICY of_question ON golden_documents
    USING (EXISTS (SELECT FROM golden_questions q
                    WHERE q.workspace_id = golden_documents.workspace_id AND q.id = question_id));

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['document_shares', 'audiences', 'redaction_rules', 'searches',
                                'golden_questions', 'golden_documents'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY maintenance ON %I TO ibid_owner '
                       'USING (current_setting(''ibid.maintenance'', true) = ''on'')', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ibid_app', name);
    END LOOP;
END $$;
