-- The entity graph. A name occurs in passages (mentions), and passages relate names (relationships); every row
-- hangs on one passage, so support is a count of passages and goes with them (K8), and a caller reaches a name
-- only through passages they see: there is no row about an entity as such that could tell of somebody else's
-- documents. An entity is a name under its `sense`: '' or what keeps equal names apart, such as the company
-- of one of two people of one name.

CREATE TABLE mentions (
    workspace_id uuid NOT NULL,
    name text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    chunk_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    visibility text NOT NULL CHECK (visibility IN ('private', 'shared', 'workspace', 'public')),
    sense text COLLATE "C" NOT NULL DEFAULT '',
    kind text NOT NULL,
    surface text NOT NULL,
    weight real NOT NULL CHECK (weight > 0),
    PRIMARY KEY (workspace_id, name, chunk_id),
    FOREIGN KEY (workspace_id, chunk_id) REFERENCES chunks ON DELETE CASCADE
);
CREATE INDEX mentions_chunk ON mentions (workspace_id, chunk_id);

-- `alias`: source stands for target (AIS, Advanced Info Service). `narrower`: source is a kind of target
-- (type 2 diabetes, diabetes). Any other kind is in the passage's words, or a model's.
CREATE TABLE relationships (
    workspace_id uuid NOT NULL,
    source text COLLATE "C" NOT NULL CHECK (length(source) BETWEEN 1 AND 80),
    kind text COLLATE "C" NOT NULL CHECK (length(kind) BETWEEN 1 AND 80),
    target text COLLATE "C" NOT NULL CHECK (length(target) BETWEEN 1 AND 80),
    chunk_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    visibility text NOT NULL CHECK (visibility IN ('private', 'shared', 'workspace', 'public')),
    weight real NOT NULL DEFAULT 1 CHECK (weight > 0),
    PRIMARY KEY (workspace_id, source, kind, target, chunk_id),
    FOREIGN KEY (workspace_id, chunk_id) REFERENCES chunks ON DELETE CASCADE
);
CREATE INDEX relationships_chunk ON relationships (workspace_id, chunk_id);
CREATE INDEX relationships_alias ON relationships (workspace_id, target) WHERE kind = 'alias';

-- What people decided about two names: that they are one (merge), or that they are not although a passage
-- says so (split). An administrator decides for everybody, others for their own searches: nobody's decision
-- joins another person's passages. Undone, the row stays for whoever reviews it.
CREATE TABLE merges (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT uuid_v7(),
    kind text NOT NULL CHECK (kind IN ('merge', 'split')),
    source text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL CHECK (target <> source),
    for_all boolean NOT NULL,
    made_by uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    made_at timestamptz NOT NULL DEFAULT now(),
    undone_by uuid REFERENCES users ON DELETE SET NULL,
    undone_at timestamptz,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX merges_one ON merges (workspace_id, source, target, made_by) WHERE undone_at IS NULL;
CREATE INDEX merges_target ON merges (workspace_id, target) WHERE undone_at IS NULL;

-- A decision goes with the last passage that mentions either name, whoever owns that passage: hence SECURITY
-- DEFINER, for a caller sees only their own. It returns nothing and cannot be called but by deleting mentions.
CREATE FUNCTION drop_unused_merges() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
DECLARE
    before text := current_setting('ibid.maintenance', true);
BEGIN
    PERFORM set_config('ibid.maintenance', 'on', true);
    IF EXISTS (SELECT FROM merges) THEN
        DELETE FROM merges m
         USING (SELECT DISTINCT g.workspace_id, g.name FROM gone g) names
         WHERE m.workspace_id = names.workspace_id AND names.name IN (m.source, m.target)
           AND NOT EXISTS (SELECT FROM mentions o WHERE o.workspace_id = names.workspace_id AND o.name = names.name);
    END IF;
    PERFORM set_config('ibid.maintenance', coalesce(before, ''), true);
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION drop_unused_merges() FROM PUBLIC;
CREATE TRIGGER mentions_drop_merges AFTER DELETE ON mentions
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION drop_unused_merges();

-- The other names of what each of `asked` stands for, one step and never further: no chain of aliases joins two
-- things. An abbreviation that the caller's passages explain in two ways stands for neither.
-- Not inlined: the plan of a walk takes 4 ms without what follows, and 40 with it.
CREATE FUNCTION names_alike(asked text[]) RETURNS TABLE (name text, other text) LANGUAGE plpgsql STABLE
    SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN QUERY
    WITH said AS (
        SELECT r.source AS name, min(r.target) AS other FROM relationships r
         WHERE r.workspace_id = (SELECT acting_workspace()) AND r.source = ANY (asked) AND r.kind = 'alias'
         GROUP BY r.source HAVING count(DISTINCT r.target) = 1
        UNION
        SELECT r.target, r.source FROM relationships r
         WHERE r.workspace_id = (SELECT acting_workspace()) AND r.target = ANY (asked) AND r.kind = 'alias'
           AND NOT EXISTS (SELECT FROM relationships o
                            WHERE o.workspace_id = r.workspace_id AND o.source = r.source AND o.kind = 'alias'
                              AND o.target <> r.target)
    ), decided AS (
        SELECT m.kind, m.source AS name, m.target AS other FROM merges m
         WHERE m.workspace_id = (SELECT acting_workspace()) AND m.source = ANY (asked) AND m.undone_at IS NULL
        UNION
        SELECT m.kind, m.target, m.source FROM merges m
         WHERE m.workspace_id = (SELECT acting_workspace()) AND m.target = ANY (asked) AND m.undone_at IS NULL
    )
    SELECT s.name::text, s.other::text FROM said s
     WHERE NOT EXISTS (SELECT FROM decided d WHERE d.kind = 'split' AND d.name = s.name AND d.other = s.other)
    UNION
    SELECT d.name::text, d.other::text FROM decided d WHERE d.kind = 'merge';
END $$;

-- Whether the caller sees a passage. Not inlined: asked for shared passages only, and planned once a session.
CREATE FUNCTION passage_seen(workspace uuid, passage uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM chunks c WHERE c.workspace_id = workspace AND c.id = passage);
END $$;

-- Reclassified with their document, in the same transaction, as its passages are (D18).
CREATE FUNCTION reclassify_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE mentions m SET visibility = NEW.visibility FROM chunks c
     WHERE c.workspace_id = NEW.workspace_id AND c.document_id = NEW.id
       AND m.workspace_id = c.workspace_id AND m.chunk_id = c.id;
    UPDATE relationships r SET visibility = NEW.visibility FROM chunks c
     WHERE c.workspace_id = NEW.workspace_id AND c.document_id = NEW.id
       AND r.workspace_id = c.workspace_id AND r.chunk_id = c.id;
    RETURN NULL;
END $$;
CREATE TRIGGER documents_reclassify_names AFTER UPDATE OF visibility ON documents
    FOR EACH ROW WHEN (OLD.visibility IS DISTINCT FROM NEW.visibility) EXECUTE FUNCTION reclassify_names();

CREATE POLICY seen ON mentions FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (owner_id = (SELECT acting_user()) OR visibility = 'public'
            OR visibility = 'workspace' AND (SELECT acting_user()) IS NOT NULL
            OR visibility = 'shared' AND passage_seen(workspace_id, chunk_id)));
CREATE POLICY owned ON mentions
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));
CREATE POLICY seen ON relationships FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (owner_id = (SELECT acting_user()) OR visibility = 'public'
            OR visibility = 'workspace' AND (SELECT acting_user()) IS NOT NULL
            OR visibility = 'shared' AND passage_seen(workspace_id, chunk_id)));
CREATE POLICY owned ON relationships
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));

-- A decision names two names: one for everybody is seen by whoever sees a passage with each.
CREATE POLICY seen ON merges FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (made_by = (SELECT acting_user())
            OR for_all
           AND EXISTS (SELECT FROM mentions m WHERE m.workspace_id = merges.workspace_id AND m.name = merges.source)
           AND EXISTS (SELECT FROM mentions m WHERE m.workspace_id = merges.workspace_id AND m.name = merges.target)));
CREATE POLICY made ON merges FOR INSERT
    WITH CHECK (workspace_id = (SELECT acting_workspace()) AND made_by = (SELECT acting_user())
        AND (SELECT acting_role()) IN ('owner', 'admin', 'member')
        AND (NOT for_all OR (SELECT acting_as_admin())));
CREATE POLICY undone ON merges FOR UPDATE
    USING (workspace_id = (SELECT acting_workspace())
        AND (made_by = (SELECT acting_user()) AND NOT for_all OR for_all AND (SELECT acting_as_admin())));

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['mentions', 'relationships', 'merges'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY maintenance ON %I TO ibid_owner '
                       'USING (current_setting(''ibid.maintenance'', true) = ''on'')', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ibid_app', name);
    END LOOP;
END $$;
