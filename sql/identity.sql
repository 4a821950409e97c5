-- name: find_credentials(email)
-- Runs with the claim sign_in_email, which reveals this one person.
SELECT u.id, u.email, u.name, c.password_hash
  FROM users u JOIN credentials c ON c.user_id = u.id
 WHERE u.email = $1;

-- name: find_membership(user_id)
-- The workspace that a user enters: the oldest membership that is not disabled.
SELECT m.workspace_id, m.role, w.name AS workspace_name
  FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
 WHERE m.user_id = $1 AND m.disabled_at IS NULL
 ORDER BY m.created_at
 LIMIT 1;

-- name: find_caller(user_id, workspace_id)
SELECT u.id, u.email, u.name, m.role, m.workspace_id, w.name AS workspace_name, c.changed_at AS password_changed_at
  FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
  LEFT JOIN credentials c ON c.user_id = u.id
 WHERE m.user_id = $1 AND m.workspace_id = $2 AND m.disabled_at IS NULL;

-- name: find_member_by_email(email, workspace_id)
SELECT u.id, u.email, u.name, m.role, m.workspace_id, w.name AS workspace_name, m.disabled_at IS NOT NULL AS disabled
  FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
 WHERE u.email = $1 AND m.workspace_id = $2;

-- name: find_acting_owner(workspace_id, first_owner_id)
-- Whom commands on the machine act as: the first owner, or one who is still active.
SELECT u.id, u.email, u.name, m.role, m.workspace_id, w.name AS workspace_name, m.disabled_at IS NOT NULL AS disabled
  FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
 WHERE m.workspace_id = $1 AND m.role = 'owner'
 ORDER BY m.disabled_at IS NOT NULL, m.user_id <> $2, m.created_at
 LIMIT 1;

-- name: lock_members(workspace_id)
-- Of two changes at once the second sees the first: otherwise two owners could remove each other.
SELECT user_id FROM memberships WHERE workspace_id = $1 ORDER BY user_id FOR UPDATE;

-- name: list_members(workspace_id)
SELECT u.id, u.email, u.name, m.role, m.disabled_at IS NOT NULL AS disabled, m.created_at
  FROM memberships m JOIN users u ON u.id = m.user_id
 WHERE m.workspace_id = $1
 ORDER BY m.created_at;

-- name: update_member(workspace_id, user_id, role, disabled)
UPDATE memberships
   SET role = coalesce($3, role),
       disabled_at = CASE WHEN $4::boolean IS NULL THEN disabled_at
                          WHEN $4 THEN coalesce(disabled_at, now()) END
 WHERE workspace_id = $1 AND user_id = $2
RETURNING user_id;

-- name: count_active_owners(workspace_id)
SELECT count(*) FROM memberships WHERE workspace_id = $1 AND role = 'owner' AND disabled_at IS NULL;

-- name: find_installation()
SELECT workspace_id, owner_id, claimed_at IS NOT NULL AS claimed FROM installation;

-- name: find_invitation(token_hash)
SELECT i.workspace_id, i.id, i.kind, i.email, i.role, i.user_id, w.name AS workspace_name
  FROM invitations i JOIN workspaces w ON w.id = i.workspace_id
 WHERE i.token_hash = $1 AND i.accepted_at IS NULL AND i.expires_at > now();

-- name: list_invitations(workspace_id)
SELECT id, email, role, created_at, expires_at FROM invitations
 WHERE workspace_id = $1 AND kind = 'member' AND accepted_at IS NULL AND expires_at > now()
 ORDER BY created_at DESC;

-- name: create_invitation(workspace_id, token_hash, kind, email, role, user_id, created_by, expires_at)
INSERT INTO invitations (workspace_id, token_hash, kind, email, role, user_id, created_by, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING id, email, role, expires_at;

-- name: delete_invitation(workspace_id, id)
DELETE FROM invitations WHERE workspace_id = $1 AND id = $2 RETURNING id;

-- name: delete_reset_links(workspace_id, user_id)
DELETE FROM invitations WHERE workspace_id = $1 AND user_id = $2 AND kind = 'reset';

-- name: find_role(workspace_id, user_id)
SELECT role FROM memberships WHERE workspace_id = $1 AND user_id = $2 AND disabled_at IS NULL;

-- name: delete_owner_invitations(workspace_id)
DELETE FROM invitations WHERE workspace_id = $1 AND kind = 'owner';

-- name: accept_invitation(token_hash)
UPDATE invitations SET accepted_at = now()
 WHERE token_hash = $1 AND accepted_at IS NULL AND expires_at > now()
RETURNING id;

-- name: insert_user(id, email, name)
INSERT INTO users (id, email, name) VALUES ($1, $2, $3);

-- name: update_user(id, email, name)
UPDATE users SET email = $2, name = $3 WHERE id = $1;

-- name: insert_membership(workspace_id, user_id, role)
INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3);

-- name: put_credentials(user_id, password_hash, changed_at)
-- The time is the server's, as that of its sessions: those begun before it end.
INSERT INTO credentials (user_id, password_hash, changed_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET password_hash = excluded.password_hash, changed_at = excluded.changed_at;

-- name: claim_installation(workspace_id)
UPDATE installation SET claimed_at = now() WHERE workspace_id = $1 AND claimed_at IS NULL RETURNING owner_id;

-- name: create_workspace(name)
INSERT INTO workspaces (name) VALUES ($1) RETURNING id;

-- name: create_installation(workspace_id, owner_id)
INSERT INTO installation (workspace_id, owner_id) VALUES ($1, $2) ON CONFLICT DO NOTHING;

-- name: create_first_owner(email, name)
INSERT INTO users (email, name) VALUES ($1, $2) RETURNING id;

-- name: lock_installation()
-- Two processes that start together make one workspace.
SELECT pg_advisory_xact_lock(7197);
