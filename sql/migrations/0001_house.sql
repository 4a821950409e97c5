-- The whole house: identity, documents, passages, vectors, jobs, threads, runs, settings.
-- Every table that holds people's data carries workspace_id first in its key (the key to shard by)
-- and has row-level security enabled and forced. Who is asking is set per transaction:
--   ibid.user_id, ibid.workspace_id, ibid.role   a signed-in person (role: owner | admin | member | reader)
--   ibid.role = 'service'                        our own processes, for settings and the job queue only
--   ibid.sign_in_email, ibid.invitation          somebody who knocks: sees one row, their own
-- Nothing set: nothing seen.

CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN encode(
    set_bit(
        set_bit(
            overlay(uuid_send(gen_random_uuid())
                    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                    FROM 1 FOR 6),
            52, 1),
        53, 1),
    'hex')::uuid;

CREATE FUNCTION acting_user() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('ibid.user_id', true), '')::uuid;

CREATE FUNCTION acting_workspace() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('ibid.workspace_id', true), '')::uuid;

CREATE FUNCTION acting_role() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('ibid.role', true), '');

CREATE FUNCTION acting_as_admin() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('ibid.role', true) IN ('owner', 'admin'), false);

-- Text is cut into terms here and nowhere else, so that documents and queries are cut alike: English stems
-- with accents folded, codes in one spelling, and letter pairs where a script writes no spaces.
-- 2,200 abstracts of 1,400 characters a second; the embedded model takes 17 to 60 chunks in that time.
CREATE FUNCTION fold_accents(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN octet_length(value) = length(value) THEN value  -- plain ASCII
    ELSE translate(normalize(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), NFC),
                   'øØłŁđĐı’', 'oOlLdDi''') END;

-- Codes, versions, dotted numbers and paths lose the marks between their parts, except that digits stay
-- apart: ERR_QZV_4417 and err-qzv-4417 are one term, 3.1.21 and 3.12.1 are two. A plain word in capitals
-- or camelCase counts as a code as well. C++, C# and .NET keep their marks.
CREATE FUNCTION codes(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(
    SELECT regexp_replace(regexp_replace(lower(found[1]), '([0-9])[-_.:/@]+(?=[0-9])', '\1.', 'g'),
                          '[-_:/@]+|(?<![0-9])\.+|\.+(?![0-9])', '', 'g')
      FROM regexp_matches(value, '[[:alnum:]]+(?:[-_.:/@]+[[:alnum:]]+)*', 'g') found
     WHERE found[1] ~ '[0-9_]|[[:upper:]]{4}|[[:lower:]][[:upper:]]' AND length(found[1]) BETWEEN 2 AND 200
    UNION
    SELECT lower(found[1])
      FROM regexp_matches(value, '\m[[:alpha:]]{1,2}(?:\+\+|#)|(?<![[:alnum:].])\.[[:alpha:]]{2,40}\M', 'g') found);

CREATE FUNCTION letter_pairs(run text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT substr(run, i, 2) FROM generate_series(1, length(run) - 1) i);

CREATE FUNCTION search_vector(value text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
    -- Thai, Lao, Burmese, Khmer, Chinese, Japanese, Korean.
    spaceless CONSTANT text := '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u30ff'
                               '\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+';
    folded text := fold_accents(value);
    words text := folded;
    pairs text[] := '{}';
BEGIN
    IF octet_length(folded) > length(folded) AND folded ~ spaceless THEN
        pairs := ARRAY(SELECT DISTINCT unnest(letter_pairs(run[1])) FROM regexp_matches(folded, spaceless, 'g') run);
        words := regexp_replace(folded, spaceless, ' ', 'g');
    END IF;
    IF words ~ '[+#]' THEN  -- C++ is not the word c
        words := regexp_replace(words, '\m[[:alpha:]]{1,2}(\+\+|#)', ' ', 'g');
    END IF;
    -- The parser would take thyroid/metabolic for a path and pain.The for a host: one useless term each.
    RETURN to_tsvector('pg_catalog.english'::regconfig, translate(words, '-_/.:@\', '       '))
        || array_to_tsvector(codes(folded) || pairs);
END $$;

-- Any of these terms, quoted: nothing that a person types reaches the parser of tsquery.
CREATE FUNCTION any_term(terms text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT string_agg('''' || replace(replace(term, '\', '\\'), '''', '''''') || '''', ' | ')
          FROM unnest(terms) term)::tsquery;

-- People -----------------------------------------------------------------------------------------

CREATE TABLE workspaces (
    id uuid PRIMARY KEY DEFAULT uuid_v7(),
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE users (
    id uuid PRIMARY KEY DEFAULT uuid_v7(),
    email text NOT NULL CHECK (email = lower(email)),
    name text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (email)
);

CREATE TABLE memberships (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'reader')),
    disabled_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX memberships_user ON memberships (user_id);

-- Apart from users, so that colleagues can read each other's names and never a password hash.
CREATE TABLE credentials (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    password_hash text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE invitations (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT uuid_v7(),
    token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    kind text NOT NULL CHECK (kind IN ('owner', 'member', 'reset')),
    email text CHECK (email = lower(email)),
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'reader')),
    user_id uuid REFERENCES users ON DELETE CASCADE, -- who exists already: the first owner, who forgot a password
    created_by uuid REFERENCES users ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CHECK ((user_id IS NULL) = (kind = 'member'))
);

-- One row: the workspace that this installation serves, and whether its owner has signed in yet.
CREATE TABLE installation (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces,
    owner_id uuid NOT NULL REFERENCES users,
    claimed_at timestamptz,
    only_one boolean NOT NULL DEFAULT true UNIQUE CHECK (only_one)
);

-- Documents --------------------------------------------------------------------------------------

CREATE TABLE folders (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT uuid_v7(),
    owner_id uuid NOT NULL REFERENCES users,
    parent_id uuid,
    name text NOT NULL CHECK (name <> ''),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, parent_id) REFERENCES folders,
    UNIQUE NULLS NOT DISTINCT (workspace_id, owner_id, parent_id, name)
);

CREATE TABLE documents (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT uuid_v7(),
    owner_id uuid NOT NULL REFERENCES users,
    folder_id uuid,
    name text NOT NULL CHECK (name <> ''),
    content_hash bytea NOT NULL CHECK (octet_length(content_hash) = 32),
    blob_key text NOT NULL,
    media_type text NOT NULL,
    size_bytes bigint NOT NULL CHECK (size_bytes > 0),
    visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shared', 'workspace', 'public')),
    use text NOT NULL DEFAULT 'evidence' CHECK (use IN ('evidence', 'style')),
    trust smallint NOT NULL DEFAULT 0,
    priority real NOT NULL DEFAULT 1 CHECK (priority > 0),
    status text NOT NULL DEFAULT 'pending' CHECK (status IN
        ('pending', 'processing', 'completed', 'partial', 'failed', 'cancelled', 'needs_ocr')),
    stage text NOT NULL DEFAULT 'queued' CHECK (stage IN
        ('queued', 'parsing', 'chunking', 'embedding', 'linking', 'done')),
    progress_done integer,
    progress_total integer,
    progress_unit text CHECK (progress_unit IN ('pages', 'chunks')),
    title text,
    parser text,
    language text,
    page_count integer,
    character_count integer,
    chunk_count integer,
    seconds jsonb NOT NULL DEFAULT '{}',
    warnings jsonb NOT NULL DEFAULT '[]',
    error_class text,
    error_message text,
    error_hint text,
    -- The newest upload, and the one whose passages are searched: null until the first is indexed. A new
    -- version is built beside the old one, which answers until the new one is complete (E18). Whoever
    -- searches joins chunks.version = documents.live_version.
    version integer NOT NULL DEFAULT 1,
    live_version integer,
    -- The file that the live passages were read from; it is kept until the next version is live.
    live_blob_key text,
    live_media_type text,
    live_size_bytes bigint,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, folder_id) REFERENCES folders,
    -- Ten parallel uploads of the same bytes make one document (E20).
    UNIQUE (workspace_id, owner_id, content_hash)
);
CREATE INDEX documents_folder ON documents (workspace_id, folder_id);
CREATE INDEX documents_name ON documents (workspace_id, owner_id, name);

CREATE TABLE pages (
    workspace_id uuid NOT NULL,
    document_id uuid NOT NULL,
    version integer NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    width real NOT NULL,
    height real NOT NULL,
    character_count integer NOT NULL,
    PRIMARY KEY (workspace_id, document_id, version, number),
    FOREIGN KEY (workspace_id, document_id) REFERENCES documents ON DELETE CASCADE
);

CREATE TABLE blocks (
    workspace_id uuid NOT NULL,
    document_id uuid NOT NULL,
    version integer NOT NULL,
    ordinal integer NOT NULL,
    kind text NOT NULL,
    level smallint NOT NULL DEFAULT 0,
    text text NOT NULL,
    page integer,
    bbox real[] CHECK (cardinality(bbox) = 4),
    PRIMARY KEY (workspace_id, document_id, version, ordinal),
    FOREIGN KEY (workspace_id, document_id) REFERENCES documents ON DELETE CASCADE
);
CREATE INDEX blocks_page ON blocks (workspace_id, document_id, version, page);

-- owner_id and visibility are copies of the document's, so that a filter can use them early; the
-- search joins documents as well, so that a stale copy shows nothing (D15).
CREATE TABLE chunks (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT uuid_v7(),
    document_id uuid NOT NULL,
    version integer NOT NULL,
    owner_id uuid NOT NULL,
    visibility text NOT NULL CHECK (visibility IN ('private', 'shared', 'workspace', 'public')),
    ordinal integer NOT NULL,
    content_hash bytea NOT NULL CHECK (octet_length(content_hash) = 32),
    text text NOT NULL CHECK (text <> ''),
    heading_path text[] NOT NULL DEFAULT '{}',
    page_start integer,
    page_end integer,
    block_start integer NOT NULL,
    block_end integer NOT NULL,
    char_start integer NOT NULL,
    char_end integer NOT NULL,
    tsv tsvector NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, document_id) REFERENCES documents ON DELETE CASCADE,
    UNIQUE (workspace_id, document_id, version, ordinal)
);
CREATE INDEX chunks_hash ON chunks (workspace_id, content_hash);
CREATE INDEX chunks_tsv ON chunks USING gin (tsv);
-- Ranking reads every matching tsv: kept in the row and uncompressed, 4,800 of them in 11 ms instead of 45.
ALTER TABLE chunks ALTER tsv SET STORAGE MAIN;

-- What a search may draw on, of what row-level security shows: evidence, indexed, inside the filters (null
-- filters nothing; a folder includes those below it). Inlined, so the filters reach the arms' plans (I13).
CREATE FUNCTION searchable_documents(document_ids uuid[], folder uuid, media_types text[])
RETURNS SETOF documents LANGUAGE sql STABLE AS $$
    SELECT d.* FROM documents d
     WHERE d.use = 'evidence' AND d.live_version IS NOT NULL
       AND (document_ids IS NULL OR d.id = ANY (document_ids))
       AND (media_types IS NULL OR coalesce(d.live_media_type, d.media_type) = ANY (media_types))
       AND (folder IS NULL OR d.folder_id IN (
            WITH RECURSIVE below AS (
                SELECT folder AS id UNION SELECT f.id FROM folders f JOIN below b ON f.parent_id = b.id)
            SELECT b.id FROM below b))
$$;

-- A space is what makes two vectors comparable: equal dimensions are not enough (G3).
CREATE TABLE spaces (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT uuid_v7(),
    provider text NOT NULL,
    model text NOT NULL,
    dimensions integer NOT NULL CHECK (dimensions > 0),
    query_prefix text NOT NULL DEFAULT '',
    document_prefix text NOT NULL DEFAULT '',
    status text NOT NULL CHECK (status IN ('building', 'active', 'retired')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, provider, model, dimensions, query_prefix, document_prefix)
);
CREATE UNIQUE INDEX spaces_one_active ON spaces (workspace_id) WHERE status = 'active';

-- Keyed by content hash inside a workspace: a re-upload finds what exists. No runtime DDL: each
-- dimension in common use has its own partial index; others are searched exactly.
CREATE TABLE vectors (
    workspace_id uuid NOT NULL,
    space_id uuid NOT NULL,
    content_hash bytea NOT NULL CHECK (octet_length(content_hash) = 32),
    dimensions integer NOT NULL CHECK (dimensions = vector_dims(embedding)),
    -- NaN fails this comparison too, so neither a zero nor a NaN vector is ever stored (G9).
    embedding halfvec NOT NULL CHECK (l2_norm(embedding) BETWEEN 0.9 AND 1.1),
    PRIMARY KEY (workspace_id, space_id, content_hash),
    FOREIGN KEY (workspace_id, space_id) REFERENCES spaces ON DELETE CASCADE
);
CREATE INDEX vectors_384 ON vectors USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) WHERE dimensions = 384;
CREATE INDEX vectors_512 ON vectors USING hnsw ((embedding::halfvec(512)) halfvec_cosine_ops) WHERE dimensions = 512;
CREATE INDEX vectors_768 ON vectors USING hnsw ((embedding::halfvec(768)) halfvec_cosine_ops) WHERE dimensions = 768;
CREATE INDEX vectors_1024 ON vectors USING hnsw ((embedding::halfvec(1024)) halfvec_cosine_ops) WHERE dimensions = 1024;
CREATE INDEX vectors_1536 ON vectors USING hnsw ((embedding::halfvec(1536)) halfvec_cosine_ops) WHERE dimensions = 1536;
CREATE INDEX vectors_3072 ON vectors USING hnsw ((embedding::halfvec(3072)) halfvec_cosine_ops) WHERE dimensions = 3072;

-- A vector goes with the last passage of the workspace that has its text, whoever owns that passage:
-- hence SECURITY DEFINER, for a caller sees only their own. It returns nothing and cannot be called but
-- by deleting passages. The lock orders it against passages being added (lock_vectors), which might
-- count on a vector that is about to go.
CREATE FUNCTION drop_unused_vectors() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
DECLARE
    workspace uuid;
    before text := current_setting('ibid.maintenance', true);
BEGIN
    PERFORM set_config('ibid.maintenance', 'on', true);
    FOR workspace IN SELECT DISTINCT g.workspace_id FROM gone g ORDER BY 1 LOOP
        PERFORM pg_advisory_xact_lock(hashtextextended('vectors ' || workspace, 0));
        DELETE FROM vectors v
         USING spaces s, (SELECT DISTINCT g.content_hash FROM gone g WHERE g.workspace_id = workspace) hashes
         WHERE s.workspace_id = workspace AND v.workspace_id = workspace AND v.space_id = s.id
           AND v.content_hash = hashes.content_hash
           AND NOT EXISTS (SELECT FROM chunks c WHERE c.workspace_id = workspace
                              AND c.content_hash = hashes.content_hash);
    END LOOP;
    PERFORM set_config('ibid.maintenance', coalesce(before, ''), true);
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION drop_unused_vectors() FROM PUBLIC;
CREATE TRIGGER chunks_drop_vectors AFTER DELETE ON chunks
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION drop_unused_vectors();

-- Work outstanding. A row is a promise: it goes only when its document is in a final state.
CREATE TABLE jobs (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT uuid_v7(),
    kind text NOT NULL DEFAULT 'ingest' CHECK (kind IN ('ingest')),
    document_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    run_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    crashes integer NOT NULL DEFAULT 0,
    locked_by text,
    heartbeat_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, document_id) REFERENCES documents ON DELETE CASCADE,
    UNIQUE (workspace_id, document_id, kind)
);
CREATE INDEX jobs_due ON jobs (run_at);

-- Conversations ----------------------------------------------------------------------------------

CREATE TABLE threads (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT uuid_v7(),
    owner_id uuid NOT NULL REFERENCES users,
    title text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX threads_owner ON threads (workspace_id, owner_id, updated_at DESC);

CREATE TABLE messages (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT uuid_v7(),
    thread_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    ordinal bigint GENERATED ALWAYS AS IDENTITY,
    role text NOT NULL CHECK (role IN ('user', 'assistant')),
    kind text NOT NULL CHECK (kind IN ('question', 'answer', 'refusal', 'error', 'stopped', 'tool', 'note')),
    content text NOT NULL,
    sources jsonb NOT NULL DEFAULT '[]',
    grounding jsonb,
    trace jsonb NOT NULL DEFAULT '[]',
    usage jsonb,
    error jsonb,
    model text,
    finish text,
    run_id uuid,
    milliseconds integer,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, thread_id) REFERENCES threads ON DELETE CASCADE
);
CREATE INDEX messages_thread ON messages (workspace_id, thread_id, ordinal);

CREATE TABLE runs (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT uuid_v7(),
    thread_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    message_id uuid NOT NULL,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'stopped', 'failed', 'interrupted')),
    stop_requested boolean NOT NULL DEFAULT false,
    heartbeat_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, thread_id) REFERENCES threads ON DELETE CASCADE
);
CREATE UNIQUE INDEX runs_one_running ON runs (workspace_id, thread_id) WHERE state = 'running';

-- Which answers cite a document or a passage.
CREATE INDEX messages_sources ON messages USING gin (sources jsonb_path_ops);

-- data is text, not jsonb: it is replayed byte for byte and never searched.
CREATE TABLE run_events (
    workspace_id uuid NOT NULL,
    run_id uuid NOT NULL,
    seq integer NOT NULL,
    owner_id uuid NOT NULL,
    event text NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (workspace_id, run_id, seq),
    FOREIGN KEY (workspace_id, run_id) REFERENCES runs ON DELETE CASCADE
);

CREATE TABLE settings (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    name text NOT NULL,
    value jsonb,
    sealed bytea,
    updated_at timestamptz NOT NULL DEFAULT now(),
    updated_by uuid REFERENCES users ON DELETE SET NULL,
    PRIMARY KEY (workspace_id, name),
    CHECK ((value IS NULL) <> (sealed IS NULL))
);

-- Where a document is deleted, its words go from everybody's answers: hence SECURITY DEFINER, for a caller
-- sees only their own. That it was cited stays. It returns nothing and cannot be called but by deleting.
CREATE FUNCTION forget_cited() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
DECLARE
    before text := current_setting('ibid.maintenance', true);
    wanted jsonb := jsonb_build_array(jsonb_build_object('document_id', OLD.id));
BEGIN
    PERFORM set_config('ibid.maintenance', 'on', true);
    UPDATE messages m
       SET sources = (SELECT jsonb_agg(CASE WHEN jsonb_build_array(s.value) @> wanted
                                            THEN s.value - 'text' - 'snippet' - 'heading_path' ELSE s.value END
                                       ORDER BY s.ordinality)
                        FROM jsonb_array_elements(m.sources) WITH ORDINALITY s)
     WHERE m.workspace_id = OLD.workspace_id AND m.sources @> wanted;
    DELETE FROM run_events e USING runs r
     WHERE e.workspace_id = OLD.workspace_id AND r.workspace_id = OLD.workspace_id AND r.id = e.run_id
       AND r.state <> 'running' AND e.event = 'sources' AND position(OLD.id::text IN e.data) > 0;
    PERFORM set_config('ibid.maintenance', coalesce(before, ''), true);
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION forget_cited() FROM PUBLIC;
CREATE TRIGGER documents_forget AFTER DELETE ON documents FOR EACH ROW EXECUTE FUNCTION forget_cited();

-- Notices: ids only; whoever listens reads the row again under its own identity (X5) ---------------

CREATE FUNCTION touch_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.revision := OLD.revision + 1;
    NEW.updated_at := clock_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER documents_touch BEFORE UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION touch_document();

CREATE FUNCTION notice_document() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed documents := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
    PERFORM pg_notify('ibid_events', json_build_object(
        'kind', 'document', 'id', changed.id, 'workspace_id', changed.workspace_id,
        'owner_id', changed.owner_id, 'version', changed.revision,
        -- also when it has just become private: other pages read again and find it gone
        'seen_by_others', changed.visibility <> 'private' OR (TG_OP = 'UPDATE' AND OLD.visibility <> 'private'))::text);
    RETURN NULL;
END $$;
CREATE TRIGGER documents_notice AFTER INSERT OR UPDATE OR DELETE ON documents
    FOR EACH ROW EXECUTE FUNCTION notice_document();

CREATE FUNCTION notice_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('ibid_jobs', json_build_object(
        'id', coalesce(NEW.id, OLD.id),
        'cancel', CASE TG_OP WHEN 'DELETE' THEN OLD.locked_by IS NOT NULL ELSE false END)::text);
    RETURN NULL;
END $$;
CREATE TRIGGER jobs_notice AFTER INSERT OR DELETE OR UPDATE OF run_at ON jobs
    FOR EACH ROW EXECUTE FUNCTION notice_job();

CREATE FUNCTION notice_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('ibid_events', json_build_object(
        'kind', 'settings', 'workspace_id', coalesce(NEW.workspace_id, OLD.workspace_id))::text);
    RETURN NULL;
END $$;
CREATE TRIGGER settings_notice AFTER INSERT OR UPDATE OR DELETE ON settings
    FOR EACH ROW EXECUTE FUNCTION notice_settings();

-- A space that is put into use concerns every process as a setting does.
CREATE TRIGGER spaces_notice AFTER UPDATE OF status ON spaces
    FOR EACH ROW EXECUTE FUNCTION notice_settings();

CREATE FUNCTION notice_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('ibid_events', json_build_object(
        'kind', 'membership', 'workspace_id', OLD.workspace_id, 'user_id', OLD.user_id)::text);
    RETURN NULL;
END $$;
CREATE TRIGGER memberships_notice AFTER UPDATE OR DELETE ON memberships
    FOR EACH ROW EXECUTE FUNCTION notice_membership();

CREATE FUNCTION notice_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('ibid_runs', json_build_object(
        'id', NEW.id, 'stop', NEW.stop_requested, 'state', NEW.state)::text);
    RETURN NULL;
END $$;
CREATE TRIGGER runs_notice AFTER UPDATE OF stop_requested, state ON runs
    FOR EACH ROW EXECUTE FUNCTION notice_run();

-- A document's reclassification takes effect on its passages in the same transaction (D18).
CREATE FUNCTION reclassify_chunks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chunks SET visibility = NEW.visibility
     WHERE workspace_id = NEW.workspace_id AND document_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER documents_reclassify AFTER UPDATE OF visibility ON documents
    FOR EACH ROW WHEN (OLD.visibility IS DISTINCT FROM NEW.visibility) EXECUTE FUNCTION reclassify_chunks();

-- Who sees what ----------------------------------------------------------------------------------
-- Each function sits in a scalar sub-select: evaluated once a statement, not once a row.

CREATE POLICY of_workspace ON workspaces FOR SELECT
    USING (id = (SELECT acting_workspace())
        OR EXISTS (SELECT FROM memberships m WHERE m.workspace_id = workspaces.id AND m.user_id = (SELECT acting_user()))
        OR EXISTS (SELECT FROM invitations i WHERE i.workspace_id = workspaces.id
                   AND i.token_hash = decode(current_setting('ibid.invitation', true), 'hex')));

CREATE POLICY self_colleague_or_knocking ON users FOR SELECT
    USING (id = (SELECT acting_user())
        OR email = current_setting('ibid.sign_in_email', true)
        OR EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id AND m.workspace_id = (SELECT acting_workspace())));
CREATE POLICY self_in ON users FOR INSERT WITH CHECK (id = (SELECT acting_user()));
CREATE POLICY self_change ON users FOR UPDATE USING (id = (SELECT acting_user()));

CREATE POLICY self ON credentials USING (user_id = (SELECT acting_user()));
CREATE POLICY knocking ON credentials FOR SELECT
    USING (user_id IN (SELECT u.id FROM users u WHERE u.email = current_setting('ibid.sign_in_email', true)));

CREATE POLICY own_or_colleague ON memberships FOR SELECT
    USING (user_id = (SELECT acting_user()) OR workspace_id = (SELECT acting_workspace()));
CREATE POLICY by_admin ON memberships FOR UPDATE
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_as_admin())
        AND (role <> 'owner' OR (SELECT acting_role()) = 'owner'))
    WITH CHECK (role <> 'owner' OR (SELECT acting_role()) = 'owner');
CREATE POLICY by_invitation ON memberships FOR INSERT
    WITH CHECK (user_id = (SELECT acting_user()) AND EXISTS (
        SELECT FROM invitations i
         WHERE i.workspace_id = memberships.workspace_id AND i.role = memberships.role AND i.kind = 'member'
           AND i.token_hash = decode(current_setting('ibid.invitation', true), 'hex')
           AND i.accepted_at IS NULL AND i.expires_at > now()));

CREATE POLICY by_admin ON invitations
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_as_admin()))
    WITH CHECK (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_as_admin())
        AND (role <> 'owner' OR (SELECT acting_role()) = 'owner')
        -- A link to an account is for a member, in the role they have: an owner's only from an owner.
        AND (user_id IS NULL OR kind = 'reset' AND EXISTS (
            SELECT FROM memberships m
             WHERE m.workspace_id = invitations.workspace_id AND m.user_id = invitations.user_id
               AND m.role = invitations.role)));
CREATE POLICY invited ON invitations FOR SELECT
    USING (token_hash = decode(current_setting('ibid.invitation', true), 'hex'));
CREATE POLICY invited_accepts ON invitations FOR UPDATE
    USING (token_hash = decode(current_setting('ibid.invitation', true), 'hex') AND accepted_at IS NULL)
    WITH CHECK (token_hash = decode(current_setting('ibid.invitation', true), 'hex'));

-- Tells nothing about anybody, and the first page must know it before anybody signs in.
CREATE POLICY anybody ON installation FOR SELECT USING (true);
CREATE POLICY claimed ON installation FOR UPDATE USING (owner_id = (SELECT acting_user()));

CREATE POLICY own ON folders
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));

CREATE POLICY seen ON documents FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (owner_id = (SELECT acting_user()) OR visibility IN ('workspace', 'public')));
CREATE POLICY added ON documents FOR INSERT
    WITH CHECK (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user())
        AND (SELECT acting_role()) IN ('owner', 'admin', 'member'));
CREATE POLICY changed ON documents FOR UPDATE
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));
CREATE POLICY removed ON documents FOR DELETE
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));

CREATE POLICY seen ON chunks FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (owner_id = (SELECT acting_user()) OR visibility IN ('workspace', 'public')));
CREATE POLICY owned ON chunks
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));

CREATE POLICY seen ON pages FOR SELECT
    USING (EXISTS (SELECT FROM documents d WHERE d.workspace_id = pages.workspace_id AND d.id = document_id));
CREATE POLICY owned ON pages
    USING (EXISTS (SELECT FROM documents d WHERE d.workspace_id = pages.workspace_id AND d.id = document_id
                   AND d.owner_id = (SELECT acting_user())));
CREATE POLICY seen ON blocks FOR SELECT
    USING (EXISTS (SELECT FROM documents d WHERE d.workspace_id = blocks.workspace_id AND d.id = document_id));
CREATE POLICY owned ON blocks
    USING (EXISTS (SELECT FROM documents d WHERE d.workspace_id = blocks.workspace_id AND d.id = document_id
                   AND d.owner_id = (SELECT acting_user())));

-- A vector tells nothing without its passage, and passages are guarded above.
CREATE POLICY of_workspace ON spaces
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_role()) IS NOT NULL);
CREATE POLICY of_workspace ON vectors
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_role()) IS NOT NULL);

CREATE POLICY own_or_service ON jobs
    USING ((SELECT acting_role()) = 'service'
        OR (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user())));

CREATE POLICY own ON threads
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));
CREATE POLICY own ON messages
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));
CREATE POLICY own ON runs
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));
CREATE POLICY own ON run_events
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));

CREATE POLICY admin_or_service ON settings
    USING (workspace_id = (SELECT acting_workspace())
        AND ((SELECT acting_as_admin()) OR (SELECT acting_role()) = 'service'))
    WITH CHECK (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_as_admin()));

-- Forced on every table, so that the owner of the tables is bound too. Maintenance (first start,
-- backup, the orphan scan) is an explicit identity of the owner's, per transaction.
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY maintenance ON %I TO ibid_owner '
                       'USING (current_setting(''ibid.maintenance'', true) = ''on'')', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ibid_app', name);
    END LOOP;
END $$;
GRANT SELECT ON migrations TO ibid_app;
