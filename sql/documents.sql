-- name: lock_owner()
-- Orders the adding and the removing of one person's stored bytes: a blob that a row is about to point to
-- is not swept away.
SELECT pg_advisory_xact_lock(hashtextextended('blobs ' || acting_workspace() || acting_user(), 0));

-- name: insert_document(folder_id, name, content_hash, blob_key, media_type, size_bytes)
-- The owner's lock decides between equal uploads; the unique constraint is what holds if it is ever forgotten.
INSERT INTO documents (workspace_id, owner_id, folder_id, name, content_hash, blob_key, media_type, size_bytes)
VALUES (acting_workspace(), acting_user(), $1, $2, $3, $4, $5, $6)
RETURNING id;

-- name: find_document_by_hash(content_hash)
SELECT id, name, folder_id, status, version, live_version FROM documents
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()) AND content_hash = $1
   FOR UPDATE;

-- name: find_document_by_name(folder_id, name)
SELECT id, name, folder_id, status, version, blob_key FROM documents
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user())
   AND folder_id IS NOT DISTINCT FROM $1 AND name = $2
 ORDER BY created_at DESC LIMIT 1
   FOR UPDATE;

-- name: replace_document(id, content_hash, blob_key, media_type, size_bytes)
-- A new version of the same document: the live one answers until this one is indexed (E18).
UPDATE documents
   SET content_hash = $2, blob_key = $3, media_type = $4, size_bytes = $5, version = version + 1,
       status = 'pending', stage = 'queued', progress_done = NULL, progress_total = NULL, progress_unit = NULL,
       error_class = NULL, error_message = NULL, error_hint = NULL
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1
RETURNING version;

-- name: requeue_document(id, again)
-- `again`: read the same bytes once more, as a version of its own. The diagnosis stays until it is done (E19).
UPDATE documents
   SET status = 'pending', stage = 'queued', progress_done = NULL, progress_total = NULL, progress_unit = NULL,
       version = version + $2::boolean::integer
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: place_document(id, folder_id, name)
UPDATE documents SET folder_id = $2, name = $3 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: lock_document(id)
SELECT id, status, version, live_version, name, blob_key FROM documents
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()) AND id = $1
   FOR UPDATE;

-- name: cancel_document(id)
UPDATE documents
   SET status = 'cancelled', progress_done = NULL, progress_total = NULL, progress_unit = NULL
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: count_parts(document_id)
-- For the receipt, before a document goes. Vectors, entities (names) and edges: those that no other passage that
-- the caller sees relies on.
WITH mine AS MATERIALIZED (
    SELECT id FROM chunks WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1
), mine_mentioned AS MATERIALIZED (
    SELECT m.name FROM mine JOIN mentions m ON m.workspace_id = (SELECT acting_workspace()) AND m.chunk_id = mine.id
)
SELECT (SELECT count(*) FROM chunks c WHERE c.workspace_id = acting_workspace() AND c.document_id = $1) AS chunks,
       (SELECT count(*) FROM blocks b WHERE b.workspace_id = acting_workspace() AND b.document_id = $1) AS blocks,
       (SELECT count(*) FROM jobs j WHERE j.workspace_id = acting_workspace() AND j.document_id = $1) AS jobs,
       (SELECT count(*) FROM mine_mentioned) AS mentions,
       (SELECT count(DISTINCT a.name) FROM mine_mentioned a
         WHERE NOT EXISTS (SELECT FROM mentions m
                            WHERE m.workspace_id = acting_workspace() AND m.name = a.name
                              AND m.chunk_id NOT IN (SELECT id FROM mine))) AS entities,
       (SELECT count(*)
          FROM (SELECT DISTINCT r.source, r.kind, r.target FROM mine
                  JOIN relationships r ON r.workspace_id = acting_workspace() AND r.chunk_id = mine.id) a
         WHERE NOT EXISTS (SELECT FROM relationships o
                            WHERE o.workspace_id = acting_workspace() AND o.source = a.source AND o.kind = a.kind
                              AND o.target = a.target AND o.chunk_id NOT IN (SELECT id FROM mine))) AS edges,
       (SELECT count(*)
          FROM (SELECT DISTINCT content_hash FROM chunks
                 WHERE workspace_id = acting_workspace() AND document_id = $1) mine
          JOIN spaces s ON s.workspace_id = acting_workspace()
          JOIN vectors v ON v.workspace_id = s.workspace_id AND v.space_id = s.id
                        AND v.content_hash = mine.content_hash
         WHERE NOT EXISTS (SELECT FROM chunks c
                            WHERE c.workspace_id = acting_workspace() AND c.content_hash = mine.content_hash
                              AND c.document_id <> $1)) AS vectors;

-- name: delete_document(id)
DELETE FROM documents
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()) AND id = $1
RETURNING name, ARRAY[blob_key, live_blob_key] AS blob_keys;

-- name: used_blob_keys(keys)
SELECT DISTINCT key
  FROM documents, unnest(ARRAY[blob_key, live_blob_key]) key
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user())
   AND (blob_key = ANY ($1::text[]) OR live_blob_key = ANY ($1)) AND key IS NOT NULL;

-- name: get_original(id)
-- The file that the searched passages were read from; before the first is searchable, the one uploaded.
SELECT name, coalesce(live_blob_key, blob_key) AS blob_key,
       coalesce(live_media_type, media_type) AS media_type, coalesce(live_size_bytes, size_bytes) AS size_bytes
  FROM documents
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: get_document(id)
SELECT d.*, f.id AS seen_folder_id, u.name AS owner_name
  FROM documents d
  LEFT JOIN folders f ON f.workspace_id = d.workspace_id AND f.id = d.folder_id
  LEFT JOIN users u ON u.id = d.owner_id
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1;

-- name: count_seen(ids)
SELECT count(*) FROM documents
 WHERE workspace_id = (SELECT acting_workspace()) AND id = ANY ($1::uuid[]);

-- name: list_documents(folder_id, unfiled, status, pattern, sort, descending, after_key, after_id, page_size)
-- Keyset pages: `after_key` and `after_id` are sort_key and id of the last row seen, or null.
WITH listed AS (
    SELECT d.*, f.id AS seen_folder_id, u.name AS owner_name,
           CASE $5 WHEN 'name' THEN lower(d.name)
                   WHEN 'pages' THEN lpad(coalesce(d.page_count, 0)::text, 12, '0')
                   WHEN 'chunks' THEN lpad(coalesce(d.chunk_count, 0)::text, 12, '0')
                   WHEN 'size_bytes' THEN lpad(d.size_bytes::text, 15, '0')
                   WHEN 'status' THEN d.status
                   WHEN 'updated_at' THEN to_char(d.updated_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS')
                   ELSE to_char(d.created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS')
           END COLLATE "C" AS sort_key
      FROM documents d
      LEFT JOIN folders f ON f.workspace_id = d.workspace_id AND f.id = d.folder_id
      LEFT JOIN users u ON u.id = d.owner_id
     WHERE d.workspace_id = (SELECT acting_workspace())
       AND ($1::uuid IS NULL OR f.id = $1)
       AND (NOT $2::boolean OR f.id IS NULL)
       AND ($3::text[] IS NULL OR d.status = ANY ($3))
       AND ($4::text IS NULL OR fold_accents(d.name) ILIKE fold_accents($4))
)
SELECT * FROM listed
 WHERE $8::uuid IS NULL
    OR CASE WHEN $6::boolean THEN (sort_key, id) < ($7::text COLLATE "C", $8)
            ELSE (sort_key, id) > ($7::text COLLATE "C", $8) END
 ORDER BY CASE WHEN NOT $6 THEN sort_key END, CASE WHEN NOT $6 THEN id END,
          CASE WHEN $6 THEN sort_key END DESC, CASE WHEN $6 THEN id END DESC
 LIMIT $9;

-- name: count_documents(folder_id, unfiled, pattern)
SELECT d.status, count(*) AS documents
  FROM documents d
  LEFT JOIN folders f ON f.workspace_id = d.workspace_id AND f.id = d.folder_id
 WHERE d.workspace_id = (SELECT acting_workspace())
   AND ($1::uuid IS NULL OR f.id = $1)
   AND (NOT $2::boolean OR f.id IS NULL)
   AND ($3::text IS NULL OR fold_accents(d.name) ILIKE fold_accents($3))
 GROUP BY d.status;

-- name: patch_document(id, name, folder_id, visibility, set_folder)
UPDATE documents
   SET name = coalesce($2, name), visibility = coalesce($4, visibility),
       folder_id = CASE WHEN $5::boolean THEN $3::uuid ELSE folder_id END
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()) AND id = $1
RETURNING id;

-- The worker's writes, each after hold_job in the same transaction ---------------------------------

-- name: start_document(id, clear_error)
UPDATE documents
   SET status = 'processing', stage = CASE stage WHEN 'queued' THEN 'parsing' ELSE stage END,
       error_class = CASE WHEN $2::boolean THEN NULL ELSE error_class END,
       error_message = CASE WHEN $2::boolean THEN NULL ELSE error_message END,
       error_hint = CASE WHEN $2::boolean THEN NULL ELSE error_hint END
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1
RETURNING version, name, media_type, blob_key, live_blob_key,
          described_version IS NOT DISTINCT FROM version AS described,
          linked_version IS NOT DISTINCT FROM version AS linked;

-- name: set_progress(id, stage, done, total, unit)
UPDATE documents SET stage = $2, progress_done = $3, progress_total = $4, progress_unit = $5
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: report_parsed(id, title, parser, language, page_count, blank_pages, table_count, character_count, dated, warnings, seconds)
UPDATE documents
   SET stage = 'chunking', title = $2, parser = $3, language = $4, page_count = $5, blank_pages = $6,
       table_count = $7, character_count = $8, doc_date = $9, warnings = $10, seconds = $11,
       progress_done = NULL, progress_total = NULL, progress_unit = NULL
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: add_seconds(id, stage, seconds)
UPDATE documents SET stage = $2, seconds = seconds || $3::jsonb
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: describe_document(id, title, summary, topics, doc_type, doc_date)
-- What the file says of itself comes before what was concluded from its text.
UPDATE documents
   SET title = coalesce(title, $2), summary = $3, topics = $4, doc_type = $5, doc_date = coalesce(doc_date, $6),
       described_version = version
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: set_linked(id, seconds)
UPDATE documents SET linked_version = version, seconds = seconds || $2::jsonb
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: add_warning(id, code, message)
-- Once for each code, however often it is tried.
UPDATE documents SET warnings = warnings || jsonb_build_array(jsonb_build_object('code', $2::text, 'message', $3::text))
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1
   AND NOT warnings @> jsonb_build_array(jsonb_build_object('code', $2::text));

-- name: complete_document(id, status, seconds)
-- An earlier failure stays readable among the warnings (E19).
UPDATE documents d
   SET status = $2, stage = 'done', seconds = d.seconds || $3::jsonb, live_version = d.version,
       live_blob_key = d.blob_key, live_media_type = d.media_type, live_size_bytes = d.size_bytes,
       chunk_count = (SELECT count(*) FROM chunks c
                       WHERE c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.version),
       warnings = d.warnings || CASE WHEN d.error_message IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(
           jsonb_build_object('code', 'earlier_failure', 'message',
                              'An earlier attempt failed: ' || d.error_message)) END,
       error_class = NULL, error_message = NULL, error_hint = NULL,
       progress_done = NULL, progress_total = NULL, progress_unit = NULL
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1
RETURNING d.chunk_count;

-- name: stop_document(id, status, error_class, error_message, error_hint)
-- Failed, needs OCR, or waiting for its next attempt: what was made stays for that attempt.
UPDATE documents
   SET status = $2, error_class = $3, error_message = $4, error_hint = $5,
       progress_done = NULL, progress_total = NULL, progress_unit = NULL
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: warning_codes(id)
SELECT coalesce(array_agg(DISTINCT w ->> 'code'), '{}')
  FROM documents d, jsonb_array_elements(d.warnings) w
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1;
