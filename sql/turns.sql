-- name: answer_before(workspace_id, thread_id)
-- The answer that the question being answered follows, on its branch, of whatever kind, with its own question.
SELECT a.kind, a.content, q.content AS question
  FROM runs r
  JOIN messages asked ON asked.workspace_id = r.workspace_id AND asked.id = r.question_id
  JOIN messages a ON a.workspace_id = r.workspace_id AND a.id = asked.parent_id AND a.role = 'assistant'
                 AND a.deleted_at IS NULL
  LEFT JOIN messages q ON q.workspace_id = a.workspace_id AND q.id = a.parent_id
 WHERE r.workspace_id = $1 AND r.thread_id = $2 AND r.state = 'running';
