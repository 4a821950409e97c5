-- name: put_feedback(workspace_id, owner_id, message_id, rating, reason)
INSERT INTO feedback (workspace_id, owner_id, message_id, rating, reason) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (workspace_id, message_id) DO UPDATE SET rating = $4, reason = $5, updated_at = now();

-- name: delete_feedback(workspace_id, message_id)
DELETE FROM feedback WHERE workspace_id = $1 AND message_id = $2;
