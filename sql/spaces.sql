-- name: active_space()
SELECT id, provider, model, dimensions, query_prefix, document_prefix, status
  FROM spaces WHERE workspace_id = (SELECT acting_workspace()) AND status = 'active';

-- name: find_space(provider, model, dimensions, query_prefix, document_prefix)
SELECT id, provider, model, dimensions, query_prefix, document_prefix, status
  FROM spaces
 WHERE workspace_id = (SELECT acting_workspace()) AND provider = $1 AND model = $2 AND dimensions = $3
   AND query_prefix = $4 AND document_prefix = $5;

-- name: create_space(provider, model, dimensions, query_prefix, document_prefix)
-- Active when it is the workspace's first, else building. Nothing comes back when somebody else made it,
-- or another first one, at the same moment: find it, or create again.
INSERT INTO spaces (workspace_id, provider, model, dimensions, query_prefix, document_prefix, status)
SELECT acting_workspace(), $1, $2, $3, $4, $5,
       CASE WHEN EXISTS (SELECT FROM spaces s
                          WHERE s.workspace_id = acting_workspace() AND s.status = 'active')
            THEN 'building' ELSE 'active' END
    ON CONFLICT DO NOTHING
RETURNING id, provider, model, dimensions, query_prefix, document_prefix, status;

-- name: list_members_ids()
-- Whose passages there are to embed; as our own process, which sees ids and nothing else of them.
SELECT user_id, role FROM memberships WHERE workspace_id = (SELECT acting_workspace()) ORDER BY user_id;

-- name: list_texts_without_vector(space_id, most)
-- Of the caller's own searchable passages: each text once that has no vector in this space. Passages of a
-- version that is being worked on are the worker's, which looks when it puts that version into use.
SELECT DISTINCT ON (c.content_hash) c.content_hash, c.heading_path, c.text
  FROM documents d
  JOIN chunks c ON c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.live_version
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.owner_id = (SELECT acting_user())
   AND NOT EXISTS (SELECT FROM vectors v
                    WHERE v.workspace_id = c.workspace_id AND v.space_id = $1
                      AND v.content_hash = c.content_hash OFFSET 0)
 LIMIT $2;

-- name: insert_vectors_of_texts(space_id, dimensions, hashes, embeddings)
-- Only for texts that some passage still has: a document deleted meanwhile leaves nothing behind.
INSERT INTO vectors (workspace_id, space_id, content_hash, dimensions, embedding)
SELECT acting_workspace(), $1, u.hash, $2, u.embedding
  FROM unnest($3::bytea[], $4::halfvec[]) AS u (hash, embedding)
 WHERE EXISTS (SELECT FROM chunks c WHERE c.workspace_id = (SELECT acting_workspace()) AND c.content_hash = u.hash)
ON CONFLICT DO NOTHING;

-- name: lock_spaces()
-- Waits for versions that are just becoming searchable, and keeps others from it: whoever holds this can look
-- whether a space is complete and put it into use.
SELECT pg_advisory_xact_lock(hashtextextended('spaces ' || acting_workspace(), 0));

-- name: activate_space(space_id)
-- From one moment to the next, searches use the new space; the old one is kept for the way back.
WITH retired AS (
    UPDATE spaces SET status = 'retired'
     WHERE workspace_id = (SELECT acting_workspace()) AND status = 'active' AND id <> $1
    RETURNING id
)
UPDATE spaces SET status = 'active'
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1 AND (SELECT count(*) FROM retired) >= 0;

-- name: reopen_space(space_id)
UPDATE spaces SET status = 'building'
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1 AND status = 'retired';

-- name: space_progress(space_id)
SELECT (SELECT count(*) FROM vectors v WHERE v.workspace_id = (SELECT acting_workspace()) AND v.space_id = $1)
           AS done,
       (SELECT count(*) FROM vectors v JOIN spaces s ON s.workspace_id = v.workspace_id AND s.id = v.space_id
         WHERE v.workspace_id = (SELECT acting_workspace()) AND s.status = 'active') AS total;
