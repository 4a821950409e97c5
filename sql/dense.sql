-- The dense arm: by comparing with every passage the caller can see, or by walking the approximate index.

-- name: passages_within(filters, documents)
-- How many passages are inside filters, counted over so many documents at most. What follows in this transaction is
-- planned for its own filters.
SELECT coalesce(sum(d.chunk_count), 0)::bigint AS passages, set_config('plan_cache_mode', 'force_custom_plan', true)
  FROM (SELECT chunk_count FROM searchable_documents($1::jsonb) LIMIT $2) d;

-- name: dense_arm_exact(space_id, embedding, reach, candidates, cap, filters)
-- Compares with every passage the caller can see. No cast to a fixed length: the approximate indexes are left out.
WITH near AS MATERIALIZED (
    SELECT c.id, c.document_id, c.content_hash, d.priority, v.embedding <=> $2::halfvec AS distance
      FROM searchable_documents($6::jsonb) d
      JOIN chunks c ON c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.live_version
      JOIN vectors v ON v.workspace_id = c.workspace_id AND v.space_id = $1 AND v.content_hash = c.content_hash
     ORDER BY distance, c.content_hash, c.id LIMIT $3
), texts AS (
    SELECT DISTINCT ON (content_hash) * FROM near ORDER BY content_hash, priority DESC, id
), counted AS (
    SELECT *, row_number() OVER (ORDER BY distance, content_hash) AS place,
           row_number() OVER (PARTITION BY document_id ORDER BY distance, content_hash) AS nth
      FROM texts
), spread AS (
    SELECT *, count(*) FILTER (WHERE nth <= $5) OVER (ORDER BY distance, content_hash ROWS UNBOUNDED PRECEDING)
               AS capped_place FROM counted
)
SELECT id, document_id, content_hash, priority, 1 - distance AS similarity
  FROM spread WHERE place <= $4 OR (nth <= $5 AND capped_place <= $4) ORDER BY place;

-- name: dense_arm_flat(embedding, reach, candidates, cap, flat_vectors, passages, max_scan_tuples, ef_search, filters)
-- The space in use, if any, how many passages the caller can see (`passages` where that is known), and how many vectors
-- the index holds, as of the last statistics: at least one row. Where the vectors are few and at least a quarter of
-- them the caller's to see, compares with each of them, and then looks who may see the nearest. What follows in this
-- transaction may walk the index: without iterating, it stops at its nearest rows, be they all somebody else's (I16).
WITH counts AS MATERIALIZED (
    SELECT s.id AS space_id, s.provider, s.model, s.dimensions, s.query_prefix, s.document_prefix,
           coalesce($6::bigint, (SELECT coalesce(sum(t.passages), 0) FROM passage_totals t
                                  WHERE t.workspace_id = (SELECT acting_workspace()))::bigint) AS passages,
           coalesce((SELECT c.reltuples FROM pg_class c
                      WHERE c.oid = to_regclass('public.vectors_' || s.dimensions)), 0)::bigint AS indexed,
           set_config('hnsw.iterative_scan', 'strict_order', true),
           set_config('hnsw.max_scan_tuples', $7, true),
           set_config('hnsw.ef_search', $8, true)
      FROM (SELECT) always
      LEFT JOIN spaces s ON s.workspace_id = (SELECT acting_workspace()) AND s.status = 'active'
), scope AS MATERIALIZED (
    SELECT *, passages > 0 AND greatest(indexed, passages) <= least($5::bigint, passages * 4)
              AND dimensions = vector_dims($1::halfvec) AS flat,
           $2::bigint * greatest(indexed, passages) / greatest(passages, 1) AS reach
      FROM counts
), nearest AS MATERIALIZED (
    SELECT v.content_hash, v.embedding <=> $1::halfvec AS distance
      FROM vectors v
     WHERE (SELECT flat FROM scope)
       AND v.workspace_id = (SELECT acting_workspace()) AND v.space_id = (SELECT space_id FROM scope)
     ORDER BY v.embedding <=> $1::halfvec LIMIT (SELECT reach FROM scope)
), near AS MATERIALIZED (
    SELECT DISTINCT ON (v.distance, v.content_hash) c.id, c.document_id, v.content_hash, c.priority, v.distance
      FROM nearest v
     CROSS JOIN LATERAL (
           SELECT c.id, c.document_id, d.priority
             FROM chunks c
             JOIN searchable_documents($9::jsonb) d
               ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
            WHERE c.workspace_id = (SELECT acting_workspace()) AND c.content_hash = v.content_hash OFFSET 0) c
     ORDER BY v.distance, v.content_hash, c.priority DESC, c.id
), counted AS (
    SELECT *, row_number() OVER (ORDER BY distance, content_hash) AS place,
           row_number() OVER (PARTITION BY document_id ORDER BY distance, content_hash) AS nth
      FROM near
), spread AS (
    SELECT *, count(*) FILTER (WHERE nth <= $4) OVER (ORDER BY distance, content_hash ROWS UNBOUNDED PRECEDING)
               AS capped_place FROM counted
)
SELECT s.space_id, s.provider, s.model, s.dimensions, s.query_prefix, s.document_prefix, s.passages, s.indexed, s.flat,
       f.id, f.document_id, f.content_hash, f.priority, 1 - f.distance AS similarity
  FROM scope s
  LEFT JOIN spread f ON f.place <= $3 OR (f.nth <= $4 AND f.capped_place <= $3) ORDER BY f.place;

-- name: dense_arm_index(space_id, embedding, reach, candidates, cap, filters)
-- Walks the approximate index until enough visible passages are found. 384 stands for the space's dimensions.
WITH near AS MATERIALIZED (
    SELECT c.id, c.document_id, v.content_hash, c.priority,
           v.embedding::halfvec(384) <=> $2::halfvec(384) AS distance
      FROM vectors v
     CROSS JOIN LATERAL (
           SELECT c.id, c.document_id, d.priority
             FROM chunks c
             JOIN searchable_documents($6::jsonb) d
               ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
            WHERE c.workspace_id = v.workspace_id AND c.content_hash = v.content_hash
            ORDER BY d.priority DESC, c.id LIMIT 1) c
     WHERE v.workspace_id = (SELECT acting_workspace()) AND v.space_id = $1 AND v.dimensions = 384
     ORDER BY v.embedding::halfvec(384) <=> $2::halfvec(384) LIMIT $3
), counted AS (
    SELECT *, row_number() OVER (ORDER BY distance, content_hash) AS place,
           row_number() OVER (PARTITION BY document_id ORDER BY distance, content_hash) AS nth
      FROM near
), spread AS (
    SELECT *, count(*) FILTER (WHERE nth <= $5) OVER (ORDER BY distance, content_hash ROWS UNBOUNDED PRECEDING)
               AS capped_place FROM counted
)
SELECT id, document_id, content_hash, priority, 1 - distance AS similarity
  FROM spread WHERE place <= $4 OR (nth <= $5 AND capped_place <= $4) ORDER BY place;
