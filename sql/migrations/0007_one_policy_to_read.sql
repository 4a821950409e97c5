-- Reading goes by one policy a table. Postgres joins the policies that apply to a statement, and what is asked of every
-- row, and set up in every plan, is asked once for each: a search reads 5,000 vectors to compare them.

CREATE FUNCTION shared_with_me() RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 100 AS $$
BEGIN
    RETURN QUERY SELECT s.document_id FROM document_shares s
                  WHERE s.workspace_id = acting_workspace() AND s.user_id = acting_user();
END $$;

-- The shares are read once a statement, and only where a row is shared.
DROP POLICY seen ON documents;
CREATE POLICY seen ON documents FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (owner_id = (SELECT acting_user()) OR visibility = 'public'
            OR visibility = 'workspace' AND (SELECT acting_user()) IS NOT NULL
            OR visibility = 'shared' AND id IN (SELECT shared_with_me())));
DROP POLICY seen ON chunks;
CREATE POLICY seen ON chunks FOR SELECT
    USING (workspace_id = (SELECT acting_workspace())
        AND (owner_id = (SELECT acting_user()) OR visibility = 'public'
            OR visibility = 'workspace' AND (SELECT acting_user()) IS NOT NULL
            OR visibility = 'shared' AND document_id IN (SELECT shared_with_me())));

-- What may be written can be read by another policy in all of these.
DO $$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT p.tablename, p.policyname, p.qual, coalesce(p.with_check, p.qual) AS checked
          FROM pg_policies p
         WHERE p.schemaname = 'public' AND p.cmd = 'ALL' AND p.policyname <> 'maintenance'
           AND p.tablename IN ('vectors', 'spaces', 'chunks', 'mentions', 'relationships', 'blocks', 'pages',
                               'audiences', 'redaction_rules')
    LOOP
        EXECUTE format('DROP POLICY %I ON %I', found.policyname, found.tablename);
        EXECUTE format('CREATE POLICY %I ON %I FOR INSERT WITH CHECK (%s)',
                       found.policyname || '_added', found.tablename, found.checked);
        EXECUTE format('CREATE POLICY %I ON %I FOR UPDATE USING (%s) WITH CHECK (%s)',
                       found.policyname || '_changed', found.tablename, found.qual, found.checked);
        EXECUTE format('CREATE POLICY %I ON %I FOR DELETE USING (%s)',
                       found.policyname || '_removed', found.tablename, found.qual);
    END LOOP;
END $$;

-- One comparison a vector.
DROP POLICY of_workspace ON vectors;
CREATE POLICY of_workspace ON vectors FOR SELECT
    USING (workspace_id = (SELECT CASE WHEN acting_role() IS NOT NULL THEN acting_workspace() END));

-- The readers are found once a transaction, not once for every table of a statement: their policies are asked four times
-- by the keyword arm alone. They are an early filter: whoever reads postings joins documents.
CREATE OR REPLACE FUNCTION acting_readers() RETURNS uuid[] LANGUAGE plpgsql STABLE PARALLEL RESTRICTED AS $$
DECLARE
    me uuid := acting_user();
    whose text := concat(acting_workspace(), ' ', me, ' ');
    known text := current_setting('ibid.readers', true);
    readers uuid[] := ARRAY[reader_of('public', NULL, NULL)];
BEGIN
    IF starts_with(known, whose) THEN
        RETURN substr(known, length(whose) + 1)::uuid[];
    END IF;
    IF me IS NOT NULL THEN
        readers := readers || reader_of('workspace', NULL, NULL) || me || ARRAY(SELECT shared_with_me())
            || ARRAY(SELECT d.id FROM documents d
                      WHERE d.workspace_id = acting_workspace() AND d.owner_id = me AND d.visibility = 'shared');
    END IF;
    PERFORM set_config('ibid.readers', whose || readers::text, true);
    RETURN readers;
END $$;
