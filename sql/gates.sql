-- Who may draw on what: the gates of a search, shares, and the rules behind them.

-- name: at_the_gates(filters, chunk_ids)
SELECT use, trust, protected FROM kept_out($1, $2);

-- name: list_redaction_rules()
SELECT id, audience, kind, value, note, created_at FROM redaction_rules
 WHERE workspace_id = (SELECT acting_workspace()) ORDER BY audience, lower(value), id;

-- name: test_expression(expression, sample)
-- An error where Postgres cannot read the expression; true where it would match the sample.
SELECT fold_accents($2) ~* $1::text;

-- name: find_expression(expression, sample, most)
-- Where a rule holds in a text, from and to its characters, with the accents folded as the gate folds them.
SELECT t.folded, f.from_, f.upto
  FROM (SELECT fold_accents($2::text) AS folded) t
  LEFT JOIN LATERAL (
       SELECT regexp_instr(t.folded, $1::text, 1, n, 0, 'i') - 1 AS from_,
              regexp_instr(t.folded, $1, 1, n, 1, 'i') - 1 AS upto
         FROM generate_series(1, least(regexp_count(t.folded, $1, 1, 'i'), $3)) n) f ON true
 ORDER BY f.from_;

-- name: add_redaction_rule(audience, kind, value, expression, note)
INSERT INTO redaction_rules (workspace_id, audience, kind, value, expression, note, created_by)
VALUES ((SELECT acting_workspace()), $1, $2, $3, $4, $5, (SELECT acting_user()))
ON CONFLICT (workspace_id, audience, kind, value) DO UPDATE SET note = excluded.note
RETURNING id, audience, kind, value, note, created_at;

-- name: delete_redaction_rule(id)
DELETE FROM redaction_rules WHERE workspace_id = (SELECT acting_workspace()) AND id = $1 RETURNING id;

-- name: list_audiences()
SELECT audience, least_trust FROM audiences WHERE workspace_id = (SELECT acting_workspace());

-- name: put_audience(audience, least_trust)
INSERT INTO audiences (workspace_id, audience, least_trust)
VALUES ((SELECT acting_workspace()), $1, $2)
ON CONFLICT (workspace_id, audience) DO UPDATE SET least_trust = excluded.least_trust;

-- name: document_gates(id)
-- What a document's gates are, for whoever sees it.
SELECT d.id, d.name, d.owner_id, u.name AS owner_name, d.visibility, d.use, d.trust,
       d.owner_id IS NOT DISTINCT FROM (SELECT acting_user()) AS own
  FROM documents d
  LEFT JOIN users u ON u.id = d.owner_id
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1;

-- name: set_document_gates(id, visibility, use, trust)
UPDATE documents
   SET visibility = coalesce($2, visibility), use = coalesce($3, use), trust = coalesce($4, trust)
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()) AND id = $1
RETURNING id;

-- name: people_with_access(id, most)
-- Everybody who sees a document and why, its owner first; shares are told to its owner alone.
SELECT m.user_id AS id, u.name, u.email, m.role,
       CASE WHEN m.user_id = d.owner_id THEN 'owner'
            WHEN d.visibility = 'shared' THEN 'shared' ELSE d.visibility END AS why
  FROM documents d
  JOIN memberships m ON m.workspace_id = d.workspace_id AND m.disabled_at IS NULL
  JOIN users u ON u.id = m.user_id
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1
   AND (m.user_id = d.owner_id OR d.visibility IN ('workspace', 'public')
        OR d.visibility = 'shared' AND EXISTS (
            SELECT FROM document_shares s WHERE s.workspace_id = d.workspace_id AND s.document_id = d.id
               AND s.user_id = m.user_id))
 ORDER BY m.user_id <> d.owner_id, lower(u.name), u.email
 LIMIT $2;

-- name: list_shares(document_id)
SELECT s.user_id AS id, u.name, u.email FROM document_shares s JOIN users u ON u.id = s.user_id
 WHERE s.workspace_id = (SELECT acting_workspace()) AND s.document_id = $1 ORDER BY lower(u.name), u.email;

-- name: drop_shares(document_id, user_ids)
-- All shares but these.
DELETE FROM document_shares
 WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1 AND user_id <> ALL ($2::uuid[]);

-- name: add_shares(document_id, user_ids)
-- With members of the workspace; returns how many of these there are.
WITH members AS (
    SELECT m.user_id FROM memberships m
     WHERE m.workspace_id = (SELECT acting_workspace()) AND m.user_id = ANY ($2::uuid[])
), added AS (
    INSERT INTO document_shares (workspace_id, document_id, user_id, owner_id)
    SELECT (SELECT acting_workspace()), $1, m.user_id, (SELECT acting_user()) FROM members m
    ON CONFLICT DO NOTHING
)
SELECT count(*) FROM members;

-- name: why_document(id, filters)
-- What keeps a document out of every search of the caller's, null where nothing of that kind does.
SELECT d.name, d.status, d.error_message, d.error_hint, d.live_version IS NOT NULL AS indexed,
       coalesce(d.chunk_count, 0) AS passages, d.use, d.trust,
       d.trust < (SELECT least_trust()) AND d.owner_id IS DISTINCT FROM (SELECT acting_user()) AS distrusted,
       d.owner_id IS NOT DISTINCT FROM (SELECT acting_user()) AS own,
       coalesce(d.live_media_type, d.media_type) AS media_type, d.language, d.doc_type, d.topics,
       coalesce(d.doc_date, (d.created_at AT TIME ZONE coalesce($2::jsonb ->> 'time_zone', 'UTC'))::date) AS day,
       EXISTS (SELECT FROM filtered_documents($2::jsonb) f
                WHERE f.workspace_id = d.workspace_id AND f.id = d.id) AS inside_filters,
       (SELECT count(*) FROM chunks c
         WHERE c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.live_version
           AND (SELECT protected_words()) IS NOT NULL
           AND fold_accents(concat_ws(E'\n', d.name, d.title, array_to_string(c.heading_path, E'\n'), c.text))
               ~* (SELECT protected_words())) AS protected
  FROM documents d
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1;

-- name: list_colleagues(most)
-- Whom a document can be shown to.
SELECT u.id, u.name, u.email FROM memberships m JOIN users u ON u.id = m.user_id
 WHERE m.workspace_id = (SELECT acting_workspace()) AND m.disabled_at IS NULL
   AND m.user_id <> (SELECT acting_user())
 ORDER BY lower(u.name), u.email LIMIT $1;

-- name: documents_named(names)
SELECT id, name FROM documents WHERE workspace_id = (SELECT acting_workspace()) AND name = ANY ($1::text[]);
