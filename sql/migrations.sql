-- name: create_roles()
-- ibid_owner owns the tables and cannot sign in; ibid_app and ibid_reader sign in and own nothing.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['ibid_owner', 'ibid_app', 'ibid_reader'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
                EXECUTE format('CREATE ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOLOGIN', name);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- another database of this server was being migrated at the same moment
        END;
    END LOOP;
    -- Since Postgres 16 whoever creates a role administers it and may not yet act as it.
    IF current_setting('server_version_num')::integer < 160000 THEN
        IF NOT pg_has_role(current_user, 'ibid_owner', 'MEMBER') THEN
            GRANT ibid_owner TO CURRENT_USER;
        END IF;
    ELSIF NOT (pg_has_role(current_user, 'ibid_owner', 'SET') AND pg_has_role(current_user, 'ibid_owner', 'USAGE')) THEN
        EXECUTE 'GRANT ibid_owner TO CURRENT_USER WITH SET TRUE, INHERIT TRUE';  -- no syntax of Postgres 15
    END IF;
    CREATE EXTENSION IF NOT EXISTS vector;
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    -- Under row-level security an index serves only operators that are known to leak nothing. Matching a
    -- tsvector is one, but is not marked so; only a superuser may say it. Without, the keyword arm reads the
    -- caller's own passages: 8 ms instead of 1 for 10,000.
    IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
    END IF;
    GRANT USAGE, CREATE ON SCHEMA public TO ibid_owner;
    GRANT USAGE ON SCHEMA public TO ibid_app;
    CREATE TABLE IF NOT EXISTS migrations (
        version integer PRIMARY KEY,
        name text NOT NULL,
        checksum text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
    );
    IF pg_get_userbyid((SELECT relowner FROM pg_class WHERE oid = 'migrations'::regclass)) <> 'ibid_owner' THEN
        ALTER TABLE migrations OWNER TO ibid_owner;
    END IF;
END $$;

-- name: alter_password_statement(role, password)
SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', $1::text, $2::text);

-- name: grant_database_statement(database)
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO ibid_owner, ibid_app', $1::text);

-- name: lock_migrations(lock)
-- For the transaction: behind a pooler a lock of the session's would stay with a connection of somebody else's.
SELECT pg_advisory_xact_lock($1);

-- name: list_migrations()
SELECT version, checksum FROM migrations ORDER BY version;

-- name: record_migration(version, name, checksum)
INSERT INTO migrations (version, name, checksum) VALUES ($1, $2, $3);
