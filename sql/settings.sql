-- name: list_settings(workspace_id)
SELECT name, value, sealed FROM settings WHERE workspace_id = $1;

-- name: put_setting(workspace_id, name, value, sealed, updated_by)
INSERT INTO settings (workspace_id, name, value, sealed, updated_by) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (workspace_id, name) DO UPDATE
   SET value = excluded.value, sealed = excluded.sealed, updated_by = excluded.updated_by, updated_at = now();

-- name: reseal_setting(workspace_id, name, before, sealed)
UPDATE settings SET sealed = $4 WHERE workspace_id = $1 AND name = $2 AND sealed = $3 RETURNING name;

-- name: delete_setting(workspace_id, name)
DELETE FROM settings WHERE workspace_id = $1 AND name = $2;
