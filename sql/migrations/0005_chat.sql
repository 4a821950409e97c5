-- Conversations that branch: a message follows another, a thread has one branch that is shown and replayed.
-- With them what belongs to a conversation: its summary, what people think of an answer, what the model was sent.

SELECT set_config('ibid.maintenance', 'on', true);  -- the rows of every thread get their parents here

-- Branches ---------------------------------------------------------------------------------------

ALTER TABLE messages
    ADD COLUMN parent_id uuid,
    ADD COLUMN excluded boolean NOT NULL DEFAULT false,  -- shown to people, never replayed (C4)
    ADD COLUMN deleted_at timestamptz,                   -- gone for everybody; restored or purged within minutes
    ADD COLUMN deleted_with uuid,                        -- the message whose deletion took this one along
    DROP CONSTRAINT messages_kind_check,
    ADD CONSTRAINT messages_kind_check CHECK (kind IN
        ('question', 'answer', 'refusal', 'error', 'stopped', 'tool', 'note', 'crisis', 'declined'));

UPDATE messages m SET parent_id = chain.previous
  FROM (SELECT workspace_id, id,
               lag(id) OVER (PARTITION BY workspace_id, thread_id ORDER BY ordinal) AS previous
          FROM messages) chain
 WHERE chain.workspace_id = m.workspace_id AND chain.id = m.id AND chain.previous IS NOT NULL;

-- Whoever a message follows is of the same thread, and what follows a message goes with it.
ALTER TABLE messages
    ADD CONSTRAINT messages_of_thread UNIQUE (workspace_id, thread_id, id),
    ADD CONSTRAINT messages_parent FOREIGN KEY (workspace_id, thread_id, parent_id)
        REFERENCES messages (workspace_id, thread_id, id) ON DELETE CASCADE;
CREATE INDEX messages_children ON messages (workspace_id, parent_id);
CREATE INDEX messages_deleted ON messages (workspace_id, owner_id, deleted_at) WHERE deleted_at IS NOT NULL;

-- The summary is of the oldest exchanges of one branch: it counts only where exactly these are replayed.
ALTER TABLE threads
    ADD COLUMN leaf_id uuid,
    ADD COLUMN summary text,
    ADD COLUMN summary_covers uuid[] NOT NULL DEFAULT '{}';

UPDATE threads t SET leaf_id = (
    SELECT m.id FROM messages m WHERE m.workspace_id = t.workspace_id AND m.thread_id = t.id
     ORDER BY m.ordinal DESC LIMIT 1);

-- The question that a run answers; its answer follows it.
ALTER TABLE runs ADD COLUMN question_id uuid;

UPDATE runs r SET question_id = t.leaf_id FROM threads t
 WHERE t.workspace_id = r.workspace_id AND t.id = r.thread_id AND r.state = 'running';

-- What people think of an answer ------------------------------------------------------------------

CREATE TABLE feedback (
    workspace_id uuid NOT NULL,
    message_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    rating text NOT NULL CHECK (rating IN ('up', 'down')),
    reason text NOT NULL DEFAULT '',
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, message_id),
    FOREIGN KEY (workspace_id, message_id) REFERENCES messages ON DELETE CASCADE
);

-- What the model was sent ------------------------------------------------------------------------
-- Bodies as they went out, without the key, which travels in a header. `body` is text: it is shown as it was.

CREATE TABLE model_requests (
    workspace_id uuid NOT NULL,
    run_id uuid NOT NULL,
    number integer NOT NULL,
    message_id uuid NOT NULL,  -- the answer that it led to
    owner_id uuid NOT NULL,
    body text NOT NULL,
    whole boolean NOT NULL DEFAULT true,        -- false: cut at the most that is kept of one
    for_admins boolean NOT NULL DEFAULT false,  -- sent while the administrators' switch was on
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, run_id, number),
    FOREIGN KEY (workspace_id, run_id) REFERENCES runs ON DELETE CASCADE
);
CREATE INDEX model_requests_message ON model_requests (workspace_id, message_id);
CREATE INDEX model_requests_owner ON model_requests (workspace_id, owner_id, created_at DESC);

-- A deleted document's words go from what was sent in every conversation that drew on it: hence SECURITY
-- DEFINER, as for the words in stored sources. It returns nothing and cannot be called but by deleting.
CREATE FUNCTION forget_sent() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
DECLARE
    before text := current_setting('ibid.maintenance', true);
BEGIN
    PERFORM set_config('ibid.maintenance', 'on', true);
    DELETE FROM model_requests q USING runs r
     WHERE q.workspace_id = OLD.workspace_id AND r.workspace_id = OLD.workspace_id AND r.id = q.run_id
       AND r.thread_id IN (
           SELECT m.thread_id FROM messages m
            WHERE m.workspace_id = OLD.workspace_id
              AND m.sources @> jsonb_build_array(jsonb_build_object('document_id', OLD.id)));
    PERFORM set_config('ibid.maintenance', coalesce(before, ''), true);
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION forget_sent() FROM PUBLIC;
CREATE TRIGGER documents_forget_sent AFTER DELETE ON documents FOR EACH ROW EXECUTE FUNCTION forget_sent();

-- Who sees what ----------------------------------------------------------------------------------

-- Of one's own messages only: the sub-select is bound by their own policy.
CREATE POLICY own ON feedback
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()))
    WITH CHECK (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user())
        AND EXISTS (SELECT FROM messages m WHERE m.workspace_id = feedback.workspace_id AND m.id = message_id));

CREATE POLICY own ON model_requests
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()))
    WITH CHECK (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user())
        AND EXISTS (SELECT FROM runs r WHERE r.workspace_id = model_requests.workspace_id AND r.id = run_id));
CREATE POLICY shown_to_admins ON model_requests FOR SELECT
    USING (workspace_id = (SELECT acting_workspace()) AND for_admins AND (SELECT acting_as_admin()));

-- >>> gaps (questions that the documents did not answer)
-- One row for a person's question; administrators see them together as the list of what to upload.
CREATE TABLE gaps (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id uuid NOT NULL DEFAULT uuid_v7(),
    owner_id uuid NOT NULL REFERENCES users,
    thread_id uuid,
    question text NOT NULL CHECK (length(question) <= 500),
    same_as text NOT NULL,  -- the question's words in lower case: what makes two questions the same
    times integer NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'ignored')),
    asked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, owner_id, same_as),
    FOREIGN KEY (workspace_id, thread_id) REFERENCES threads ON DELETE SET NULL (thread_id)
);
CREATE INDEX gaps_same ON gaps (workspace_id, same_as);
CREATE INDEX gaps_thread ON gaps (workspace_id, thread_id);
CREATE POLICY own ON gaps
    USING (workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()));
CREATE POLICY seen_by_admins ON gaps FOR SELECT
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_as_admin()));
CREATE POLICY settled_by_admins ON gaps FOR UPDATE
    USING (workspace_id = (SELECT acting_workspace()) AND (SELECT acting_as_admin()));
-- <<< gaps

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['feedback', 'model_requests', 'gaps'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY maintenance ON %I TO ibid_owner '
                       'USING (current_setting(''ibid.maintenance'', true) = ''on'')', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ibid_app', name);
    END LOOP;
END $$;

SELECT set_config('ibid.maintenance', '', true);
