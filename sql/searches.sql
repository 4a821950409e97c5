-- What was searched for an answer: kept with it, opened from it, replayed.

-- name: insert_search(thread_id, message_id, query, k, filters, explanation, candidates, document_ids)
INSERT INTO searches (workspace_id, owner_id, thread_id, message_id, query, k, filters, explanation, candidates,
                      document_ids)
VALUES ((SELECT acting_workspace()), (SELECT acting_user()), $1, $2, $3, $4, $5, $6, $7, $8)
RETURNING id;

-- name: get_search(id)
SELECT id, thread_id, message_id, query, k, filters, explanation, candidates, created_at
  FROM searches WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;
