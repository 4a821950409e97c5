-- A workspace's golden questions: which documents a search must find for them.

-- name: insert_golden(question)
-- The same question again is the same row.
INSERT INTO golden_questions (workspace_id, owner_id, question)
VALUES ((SELECT acting_workspace()), (SELECT acting_user()), $1)
ON CONFLICT (workspace_id, owner_id, md5(question)) DO UPDATE SET question = excluded.question
RETURNING id;

-- name: replace_golden_documents(question_id, document_ids)
-- Of these, the documents that the caller sees; returns how many.
WITH gone AS (
    DELETE FROM golden_documents
     WHERE workspace_id = (SELECT acting_workspace()) AND question_id = $1 AND document_id <> ALL ($2::uuid[])
), put AS (
    INSERT INTO golden_documents (workspace_id, question_id, document_id)
    SELECT d.workspace_id, $1, d.id FROM documents d
     WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = ANY ($2::uuid[])
    ON CONFLICT DO NOTHING
)
SELECT count(*) FROM documents d
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = ANY ($2::uuid[]);

-- name: list_golden(most)
-- Expected documents by name, as far as the caller sees them; `hidden` counts the others.
SELECT q.id, q.question, q.created_at, q.owner_id IS NOT DISTINCT FROM (SELECT acting_user()) AS own,
       (SELECT count(*) FROM golden_documents e WHERE e.workspace_id = q.workspace_id AND e.question_id = q.id)
       - count(d.id) AS hidden,
       coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) ORDER BY lower(d.name), d.id)
                FILTER (WHERE d.id IS NOT NULL), '[]') AS documents
  FROM golden_questions q
  LEFT JOIN golden_documents g ON g.workspace_id = q.workspace_id AND g.question_id = q.id
  LEFT JOIN documents d ON d.workspace_id = g.workspace_id AND d.id = g.document_id
 WHERE q.workspace_id = (SELECT acting_workspace())
 GROUP BY q.workspace_id, q.id ORDER BY q.created_at, q.id LIMIT $1;

-- name: delete_golden(id)
DELETE FROM golden_questions WHERE workspace_id = (SELECT acting_workspace()) AND id = $1 RETURNING id;
