-- name: isolation_gaps()
-- Everything in the catalog that could show one person's rows to another; no row is good news.
SELECT format('table %I has no forced row-level security', c.relname) AS gap
  FROM pg_class c
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'migrations'
   AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
UNION ALL
SELECT format('view %I runs with its owner''s rights', c.relname)
  FROM pg_class c
 WHERE c.relnamespace = 'public'::regnamespace
   AND (c.relkind = 'm' OR c.relkind = 'v'
        AND NOT coalesce('security_invoker=true' = ANY (c.reloptions) OR 'security_invoker=on' = ANY (c.reloptions), false))
UNION ALL
SELECT format('function %I is SECURITY DEFINER', p.proname)
  FROM pg_proc p
 WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
   -- A trigger that nobody but its table may use is no way in: chunks_drop_vectors.
   AND (p.prorettype <> 'trigger'::regtype OR has_function_privilege('ibid_app', p.oid, 'EXECUTE'))
UNION ALL
SELECT format('role %I bypasses row-level security', r.rolname)
  FROM pg_roles r
 WHERE r.rolname IN ('ibid_app', 'ibid_reader')
   AND (r.rolsuper OR r.rolbypassrls OR pg_has_role(r.rolname, 'ibid_owner', 'MEMBER'));

-- name: rows_without_identity()
SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM chunks) + (SELECT count(*) FROM messages)
     + (SELECT count(*) FROM users) + (SELECT count(*) FROM settings);

-- name: vector_version()
SELECT extversion FROM pg_extension WHERE extname = 'vector';

-- name: all_texts()
-- As maintenance, for `ibid bench ingest`: every text once.
SELECT DISTINCT ON (length(text), content_hash) heading_path, text FROM chunks ORDER BY length(text), content_hash;

-- name: vector_hashes()
SELECT content_hash FROM vectors WHERE workspace_id = (SELECT acting_workspace());

-- name: count_passages_holding(word)
SELECT count(*) FROM chunks WHERE workspace_id = (SELECT acting_workspace()) AND strpos(text, $1) > 0;
