-- name: active_space()
SELECT id, provider, model, dimensions, query_prefix, document_prefix, status
  FROM spaces WHERE workspace_id = (SELECT acting_workspace()) AND status = 'active';

-- name: find_space(provider, model, dimensions, query_prefix, document_prefix)
SELECT id, provider, model, dimensions, query_prefix, document_prefix, status
  FROM spaces
 WHERE workspace_id = (SELECT acting_workspace()) AND provider = $1 AND model = $2 AND dimensions = $3
   AND query_prefix = $4 AND document_prefix = $5;

-- name: create_space(provider, model, dimensions, query_prefix, document_prefix)
-- Active when it is the workspace's first, else building. Nothing comes back when somebody else made it,
-- or another first one, at the same moment: find it, or create again.
INSERT INTO spaces (workspace_id, provider, model, dimensions, query_prefix, document_prefix, status)
SELECT acting_workspace(), $1, $2, $3, $4, $5,
       CASE WHEN EXISTS (SELECT FROM spaces s
                          WHERE s.workspace_id = acting_workspace() AND s.status = 'active')
            THEN 'building' ELSE 'active' END
    ON CONFLICT DO NOTHING
RETURNING id, provider, model, dimensions, query_prefix, document_prefix, status;
