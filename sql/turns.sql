-- name: last_answer(workspace_id, thread_id)
-- The newest answer of a thread, of whatever kind, with its question.
SELECT a.kind, a.content, q.content AS question
  FROM messages a LEFT JOIN messages q ON q.workspace_id = a.workspace_id AND q.id = a.parent_id
 WHERE a.workspace_id = $1 AND a.thread_id = $2 AND a.role = 'assistant' AND a.deleted_at IS NULL
 ORDER BY a.ordinal DESC LIMIT 1;
