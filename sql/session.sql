-- name: set_claims(user_id, workspace_id, role, sign_in_email, invitation, plans)
SELECT set_config('ibid.user_id', $1, true),
       set_config('ibid.workspace_id', $2, true),
       set_config('ibid.role', $3, true),
       set_config('ibid.sign_in_email', $4, true),
       set_config('ibid.invitation', $5, true),
       set_config('plan_cache_mode', $6, true);

-- name: role_is_unsafe()
-- True when row-level security would not bind this login: superuser, BYPASSRLS, or an owner of the tables.
SELECT r.rolsuper OR r.rolbypassrls
    OR EXISTS (SELECT FROM pg_class c
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
                  AND pg_has_role(current_user, c.relowner, 'MEMBER'))
  FROM pg_roles r WHERE r.rolname = current_user;

-- name: begin_maintenance()
SELECT set_config('ibid.maintenance', 'on', true);

-- name: become_owner()
SET LOCAL ROLE ibid_owner;
