-- name: create_thread(workspace_id, owner_id, title)
INSERT INTO threads (workspace_id, owner_id, title) VALUES ($1, $2, $3)
RETURNING id, title, created_at, updated_at;

-- name: list_threads(workspace_id, pattern, most, before, before_id)
SELECT t.id, t.title, t.created_at, t.updated_at FROM threads t
 WHERE t.workspace_id = $1
   AND ($2::text IS NULL OR t.title ILIKE $2
        OR EXISTS (SELECT FROM messages m WHERE m.workspace_id = t.workspace_id AND m.thread_id = t.id
                   AND m.content ILIKE $2))
   AND ($4::timestamptz IS NULL OR (t.updated_at, t.id) < ($4, $5::uuid))
 ORDER BY t.updated_at DESC, t.id DESC LIMIT $3;

-- name: find_thread(workspace_id, id)
SELECT id, title, created_at, updated_at FROM threads WHERE workspace_id = $1 AND id = $2;

-- name: rename_thread(workspace_id, id, title)
UPDATE threads SET title = $3 WHERE workspace_id = $1 AND id = $2
RETURNING id, title, created_at, updated_at;

-- name: title_thread_once(workspace_id, id, title)
UPDATE threads SET title = CASE WHEN title = '' THEN $3 ELSE title END, updated_at = now()
 WHERE workspace_id = $1 AND id = $2;

-- name: delete_thread(workspace_id, id)
DELETE FROM threads WHERE workspace_id = $1 AND id = $2 RETURNING id;

-- name: list_messages(workspace_id, thread_id)
SELECT id, role, kind, content, sources, grounding, trace, model, finish, error, milliseconds AS ms, created_at
  FROM messages WHERE workspace_id = $1 AND thread_id = $2 ORDER BY ordinal;

-- name: insert_question(workspace_id, owner_id, thread_id, content)
INSERT INTO messages (workspace_id, owner_id, thread_id, role, kind, content)
VALUES ($1, $2, $3, 'user', 'question', $4)
RETURNING id;

-- name: insert_answer(workspace_id, owner_id, thread_id, id, kind, content, sources, grounding, trace, usage, error, model, finish, run_id, milliseconds)
INSERT INTO messages (workspace_id, owner_id, thread_id, id, role, kind, content, sources, grounding, trace,
                      usage, error, model, finish, run_id, milliseconds)
VALUES ($1, $2, $3, $4, 'assistant', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
ON CONFLICT (workspace_id, id) DO NOTHING;

-- name: new_id()
SELECT uuid_v7();

-- name: newest_completed_documents(workspace_id, most)
SELECT d.id, d.name, d.title,
       (SELECT array_agg(h.text ORDER BY h.ordinal) FROM
           (SELECT b.text, b.ordinal FROM blocks b
             WHERE b.workspace_id = d.workspace_id AND b.document_id = d.id AND b.kind IN ('heading', 'title')
               AND length(b.text) BETWEEN 8 AND 80
             ORDER BY b.ordinal LIMIT 12) h) AS headings
  FROM documents d
 WHERE d.workspace_id = $1 AND d.status IN ('completed', 'partial')
 ORDER BY d.created_at DESC LIMIT $2;

-- name: find_cited(workspace_id, wanted)
-- A source of the caller's own messages; `wanted` is [{"chunk_id": …}].
SELECT s.value AS source
  FROM messages m CROSS JOIN LATERAL jsonb_array_elements(m.sources) s
 WHERE m.workspace_id = $1 AND m.sources @> $2 AND jsonb_build_array(s.value) @> $2
 ORDER BY m.ordinal DESC LIMIT 1;

-- name: visible_documents(ids)
SELECT id FROM documents WHERE workspace_id = (SELECT acting_workspace()) AND id = ANY ($1::uuid[]);
