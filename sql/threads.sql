-- name: create_thread(workspace_id, owner_id, title)
INSERT INTO threads (workspace_id, owner_id, title) VALUES ($1, $2, $3)
RETURNING id, title, created_at, updated_at;

-- name: list_threads(workspace_id, pattern, most, before, before_id)
SELECT t.id, t.title, t.created_at, t.updated_at FROM threads t
 WHERE t.workspace_id = $1
   AND ($2::text IS NULL OR t.title ILIKE $2
        OR EXISTS (SELECT FROM messages m WHERE m.workspace_id = t.workspace_id AND m.thread_id = t.id
                   AND m.deleted_at IS NULL AND m.content ILIKE $2))
   AND ($4::timestamptz IS NULL OR (t.updated_at, t.id) < ($4, $5::uuid))
 ORDER BY t.updated_at DESC, t.id DESC LIMIT $3;

-- name: find_thread(workspace_id, id)
SELECT id, title, created_at, updated_at, leaf_id, summary, summary_covers
  FROM threads WHERE workspace_id = $1 AND id = $2;

-- name: rename_thread(workspace_id, id, title)
UPDATE threads SET title = $3 WHERE workspace_id = $1 AND id = $2
RETURNING id, title, created_at, updated_at;

-- name: note_question(workspace_id, id, title, question_id)
-- The branch that ends in a question is shown; the first one is the title of its thread.
UPDATE threads SET title = CASE WHEN title = '' THEN $3 ELSE title END, updated_at = now(), leaf_id = $4
 WHERE workspace_id = $1 AND id = $2;

-- name: delete_thread(workspace_id, id)
DELETE FROM threads WHERE workspace_id = $1 AND id = $2 RETURNING id;

-- name: list_messages(workspace_id, thread_id, leaf_id)
-- The branch that ends in this leaf, oldest first. `siblings`: what else follows the same message, in order.
WITH RECURSIVE branch AS (
    SELECT m.id, m.parent_id FROM messages m
     WHERE m.workspace_id = $1 AND m.thread_id = $2 AND m.id = $3 AND m.deleted_at IS NULL
    UNION ALL
    SELECT m.id, m.parent_id FROM branch b JOIN messages m ON m.workspace_id = $1 AND m.id = b.parent_id
), families AS (
    SELECT coalesce(m.parent_id, m.thread_id) AS parent, m.role, array_agg(m.id ORDER BY m.ordinal) AS ids
      FROM messages m
     WHERE m.workspace_id = $1 AND m.thread_id = $2 AND m.deleted_at IS NULL
     GROUP BY 1, 2
)
SELECT m.id, m.parent_id, m.role, m.kind, m.content, m.sources, m.grounding, m.trace, m.model, m.finish, m.error,
       m.milliseconds AS ms, m.excluded, m.created_at, s.ids AS siblings, f.rating, f.reason
  FROM branch b
  JOIN messages m ON m.workspace_id = $1 AND m.id = b.id
  JOIN families s ON s.parent = coalesce(m.parent_id, m.thread_id) AND s.role = m.role
  LEFT JOIN feedback f ON f.workspace_id = m.workspace_id AND f.message_id = m.id
 ORDER BY m.ordinal;

-- name: replayable_branch(workspace_id, thread_id, leaf_id)
-- The branch that ends in this message, oldest first, as much of it as memory needs.
WITH RECURSIVE branch AS (
    SELECT m.id, m.parent_id, m.ordinal, m.role, m.kind, m.content, m.excluded FROM messages m
     WHERE m.workspace_id = $1 AND m.thread_id = $2 AND m.id = $3 AND m.deleted_at IS NULL
    UNION ALL
    SELECT m.id, m.parent_id, m.ordinal, m.role, m.kind, m.content, m.excluded
      FROM branch b JOIN messages m ON m.workspace_id = $1 AND m.id = b.parent_id
)
SELECT id, role, kind, content, excluded FROM branch ORDER BY ordinal;

-- name: find_message(workspace_id, id)
SELECT id, thread_id, parent_id, role, kind, content, run_id, sources, deleted_with, owner_id
  FROM messages WHERE workspace_id = $1 AND id = $2;

-- name: insert_question(workspace_id, owner_id, thread_id, parent_id, content)
INSERT INTO messages (workspace_id, owner_id, thread_id, parent_id, role, kind, content)
VALUES ($1, $2, $3, $4, 'user', 'question', $5)
RETURNING id;

-- name: insert_answer(workspace_id, owner_id, thread_id, parent_id, id, kind, content, sources, grounding, trace, usage, error, model, finish, run_id, milliseconds)
-- Of a document that went while the answer was written, its words are not kept either (forget_cited came too early).
INSERT INTO messages (workspace_id, owner_id, thread_id, parent_id, id, role, kind, content, sources, grounding,
                      trace, usage, error, model, finish, run_id, milliseconds)
SELECT $1, $2, $3, $4, $5, 'assistant', $6, $7,
       (SELECT coalesce(jsonb_agg(CASE WHEN s.value ->> 'document_id' IS NULL OR EXISTS (
                                                 SELECT FROM documents d
                                                  WHERE d.workspace_id = $1
                                                    AND d.id = (s.value ->> 'document_id')::uuid)
                                       THEN s.value ELSE s.value - 'text' - 'snippet' - 'heading_path' END
                                  ORDER BY s.n), '[]')
          FROM jsonb_array_elements($8::jsonb) WITH ORDINALITY s (value, n)),
       $9, $10, $11, $12, $13, $14, $15, $16
ON CONFLICT (workspace_id, id) DO NOTHING;

-- name: show_branch(workspace_id, thread_id, leaf_id)
UPDATE threads SET leaf_id = $3 WHERE workspace_id = $1 AND id = $2;

-- name: follow_question(workspace_id, thread_id, question_id, answer_id)
-- An answer is shown when it is there, unless another branch was chosen meanwhile.
UPDATE threads SET leaf_id = $4, updated_at = now()
 WHERE workspace_id = $1 AND id = $2 AND leaf_id IS NOT DISTINCT FROM $3;

-- name: newest_leaf_below(workspace_id, message_id)
-- The end of the branch that goes on from a message with the newest of what follows each.
WITH RECURSIVE down AS (
    SELECT m.id, 0 AS depth FROM messages m WHERE m.workspace_id = $1 AND m.id = $2 AND m.deleted_at IS NULL
    UNION ALL
    SELECT newest.id, d.depth + 1 FROM down d CROSS JOIN LATERAL (
        SELECT c.id FROM messages c
         WHERE c.workspace_id = $1 AND c.parent_id = d.id AND c.deleted_at IS NULL
         ORDER BY c.ordinal DESC LIMIT 1) newest
)
SELECT id FROM down ORDER BY depth DESC LIMIT 1;

-- name: nearest_sibling(workspace_id, message_id)
-- What is shown in place of a message that goes: the one before it, else the one after it.
SELECT s.id
  FROM messages m
  JOIN messages s ON s.workspace_id = m.workspace_id AND s.thread_id = m.thread_id AND s.role = m.role
                 AND s.parent_id IS NOT DISTINCT FROM m.parent_id AND s.id <> m.id AND s.deleted_at IS NULL
 WHERE m.workspace_id = $1 AND m.id = $2
 ORDER BY (s.ordinal < m.ordinal) DESC, abs(s.ordinal - m.ordinal) LIMIT 1;

-- name: delete_branch(workspace_id, message_id)
-- A message and all that follows it, as one deletion that can be taken back.
WITH RECURSIVE below AS (
    SELECT m.id FROM messages m WHERE m.workspace_id = $1 AND m.id = $2 AND m.deleted_at IS NULL
    UNION ALL
    SELECT c.id FROM below b JOIN messages c ON c.workspace_id = $1 AND c.parent_id = b.id AND c.deleted_at IS NULL
)
UPDATE messages m SET deleted_at = now(), deleted_with = $2 FROM below
 WHERE m.workspace_id = $1 AND m.id = below.id
RETURNING m.id;

-- name: restore_branch(workspace_id, message_id)
UPDATE messages SET deleted_at = NULL, deleted_with = NULL
 WHERE workspace_id = $1 AND deleted_with = $2 AND deleted_at > now() - interval '10 minutes'
RETURNING id;

-- name: purge_deleted(workspace_id)
-- The caller's own, when nobody can want them back.
DELETE FROM messages WHERE workspace_id = $1 AND deleted_at < now() - interval '10 minutes';

-- name: exclude_message(workspace_id, id, excluded)
UPDATE messages SET excluded = $3 WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL
RETURNING thread_id;

-- name: put_summary(workspace_id, thread_id, summary, covers)
-- Only if what it was made from still stands: a deletion or an exclusion meanwhile leaves none.
UPDATE threads SET summary = $3, summary_covers = $4
 WHERE workspace_id = $1 AND id = $2
   AND (SELECT count(*) FROM messages m
         WHERE m.workspace_id = $1 AND m.thread_id = $2 AND m.id = ANY ($4::uuid[])
           AND m.deleted_at IS NULL AND NOT m.excluded) = cardinality($4::uuid[]);

-- name: drop_summary_with(workspace_id, thread_id, message_ids)
UPDATE threads SET summary = NULL, summary_covers = '{}'
 WHERE workspace_id = $1 AND id = $2 AND summary_covers && $3::uuid[];

-- name: newest_completed_documents(workspace_id, most)
-- Behind the same gates as a search: what is for style only, or holds protected words, is not suggested (D14, D17).
SELECT d.id, d.name, d.title,
       (SELECT array_agg(h.text ORDER BY h.ordinal) FROM
           (SELECT b.text, b.ordinal FROM blocks b
             WHERE b.workspace_id = d.workspace_id AND b.document_id = d.id AND b.kind IN ('heading', 'title')
               AND b.version = d.live_version AND length(b.text) BETWEEN 8 AND 80
               AND ((SELECT protected_words()) IS NULL OR fold_accents(b.text) !~* (SELECT protected_words()))
             ORDER BY b.ordinal LIMIT 12) h) AS headings
  FROM searchable_documents('{}') d
 WHERE d.workspace_id = $1 AND d.status IN ('completed', 'partial')
   AND ((SELECT protected_words()) IS NULL
        OR fold_accents(concat_ws(E'\n', d.name, d.title)) !~* (SELECT protected_words()))
 ORDER BY d.created_at DESC LIMIT $2;

-- name: find_cited(workspace_id, wanted)
-- A source of the caller's own messages; `wanted` is [{"chunk_id": …}].
SELECT s.value AS source
  FROM messages m CROSS JOIN LATERAL jsonb_array_elements(m.sources) s
 WHERE m.workspace_id = $1 AND m.sources @> $2 AND jsonb_build_array(s.value) @> $2 AND m.deleted_at IS NULL
 ORDER BY m.ordinal DESC LIMIT 1;

-- name: visible_documents(ids)
SELECT id FROM documents WHERE workspace_id = (SELECT acting_workspace()) AND id = ANY ($1::uuid[]);
