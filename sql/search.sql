-- The arms of a search. Each returns its nearest candidates, and beyond them the best few of every document
-- (`cap` of each), so that one long document cannot keep the others out (I8, I9). A text that several
-- documents hold is returned once, and equals are ordered by their text, so that the same documents give the
-- same results wherever they are indexed. Everything joins documents: a stale copy of a visibility shows nothing (D15).

-- name: search_scope(document_ids, folder_id, media_types, documents)
-- The space in use, if any, and how many passages the caller can see, counted over so many documents at most.
-- Plans depend on both, so statements of this transaction are planned for their values.
SELECT s.id, s.provider, s.model, s.dimensions, s.query_prefix, s.document_prefix,
       (SELECT coalesce(sum(d.chunk_count), 0)
          FROM (SELECT chunk_count FROM searchable_documents($1::uuid[], $2::uuid, $3::text[]) LIMIT $4) d
       )::bigint AS passages,
       set_config('plan_cache_mode', 'force_custom_plan', true)
  FROM (SELECT) always
  LEFT JOIN spaces s ON s.workspace_id = (SELECT acting_workspace()) AND s.status = 'active';

-- name: dense_arm_exact(space_id, embedding, document_ids, folder_id, media_types, reach, candidates, cap)
-- Compares with every passage the caller can see. No cast to a fixed length: the approximate indexes are left out.
WITH near AS MATERIALIZED (
    SELECT c.id, c.document_id, c.content_hash, d.priority, v.embedding <=> $2::halfvec AS distance
      FROM searchable_documents($3::uuid[], $4::uuid, $5::text[]) d
      JOIN chunks c ON c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.live_version
      JOIN vectors v ON v.workspace_id = c.workspace_id AND v.space_id = $1 AND v.content_hash = c.content_hash
     ORDER BY distance, c.content_hash, c.id LIMIT $6
), texts AS (
    SELECT DISTINCT ON (content_hash) * FROM near ORDER BY content_hash, priority DESC, id
), counted AS (
    SELECT *, row_number() OVER (ORDER BY distance, content_hash) AS place,
           row_number() OVER (PARTITION BY document_id ORDER BY distance, content_hash) AS nth
      FROM texts
), spread AS (
    SELECT *, count(*) FILTER (WHERE nth <= $8) OVER (ORDER BY place) AS capped_place FROM counted
)
SELECT id, document_id, content_hash, priority, 1 - distance AS similarity
  FROM spread WHERE place <= $7 OR (nth <= $8 AND capped_place <= $7) ORDER BY place;

-- name: dense_arm_index(space_id, embedding, document_ids, folder_id, media_types, reach, candidates, cap)
-- Walks the approximate index until enough visible passages are found. 384 stands for the space's dimensions.
WITH near AS MATERIALIZED (
    SELECT c.id, c.document_id, v.content_hash, c.priority,
           v.embedding::halfvec(384) <=> $2::halfvec(384) AS distance
      FROM vectors v
     CROSS JOIN LATERAL (
           SELECT c.id, c.document_id, d.priority
             FROM chunks c
             JOIN searchable_documents($3::uuid[], $4::uuid, $5::text[]) d
               ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
            WHERE c.workspace_id = v.workspace_id AND c.content_hash = v.content_hash
            ORDER BY d.priority DESC, c.id LIMIT 1) c
     WHERE v.workspace_id = (SELECT acting_workspace()) AND v.space_id = $1 AND v.dimensions = 384
     ORDER BY v.embedding::halfvec(384) <=> $2::halfvec(384) LIMIT $6
), counted AS (
    SELECT *, row_number() OVER (ORDER BY distance, content_hash) AS place,
           row_number() OVER (PARTITION BY document_id ORDER BY distance, content_hash) AS nth
      FROM near
), spread AS (
    SELECT *, count(*) FILTER (WHERE nth <= $8) OVER (ORDER BY place) AS capped_place FROM counted
)
SELECT id, document_id, content_hash, priority, 1 - distance AS similarity
  FROM spread WHERE place <= $7 OR (nth <= $8 AND capped_place <= $7) ORDER BY place;

-- name: tune_index_scan(max_scan_tuples, ef_search)
-- Without iterating, the index stops at its nearest rows, be they all somebody else's (I16). A sort would
-- mean that the index is not walked in order.
SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
       set_config('hnsw.max_scan_tuples', $1, true),
       set_config('hnsw.ef_search', $2, true);

-- name: query_terms(query, terms, frequency)
-- The query cut as passages are, so many terms at most (codes and long words first), and in how many of the
-- caller's passages each occurs, counted up to `frequency`.
SELECT t.lexeme AS term, t.code,
       (SELECT count(*) FROM (
            SELECT FROM chunks c WHERE c.tsv @@ any_term(ARRAY[t.lexeme]) LIMIT $3) found) AS frequency
  FROM (SELECT lexeme, lexeme = ANY (codes(fold_accents($1))) AND lexeme !~ '^[0-9]+$' AS code
          FROM unnest(search_vector($1))
         ORDER BY code DESC, length(lexeme) DESC, lexeme LIMIT $2) t;

-- name: keyword_arm(drivers, terms, weights, codes, document_ids, folder_id, media_types, candidates, cap)
-- Passages with any of the drivers, ranked by the weights of all their terms; `weight` is the weight of
-- those that occur, `exact` whether every code of the query does.
WITH wanted AS MATERIALIZED (
    SELECT any_term(ARRAY[term]) AS term, weight, code FROM unnest($2::text[], $3::float8[], $4::boolean[])
        AS t (term, weight, code)
), matched AS MATERIALIZED (
    SELECT DISTINCT ON (c.content_hash)
           c.id, c.document_id, c.content_hash, d.priority, found.score, found.weight, found.exact
      FROM searchable_documents($5::uuid[], $6::uuid, $7::text[]) d
      JOIN chunks c ON c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.live_version
     CROSS JOIN LATERAL (
           SELECT sum(r.weight * r.rank) AS score, sum(r.weight) FILTER (WHERE r.rank > 0) AS weight,
                  coalesce(bool_and(r.rank > 0) FILTER (WHERE r.code), false) AS exact
             FROM (SELECT w.weight, w.code, ts_rank('{1,1,1,1}', c.tsv, w.term) AS rank
                     FROM wanted w OFFSET 0) r) found
     WHERE c.tsv @@ any_term($1::text[])
     ORDER BY c.content_hash, d.priority DESC, c.id
), counted AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, content_hash) AS place,
           row_number() OVER (PARTITION BY document_id ORDER BY score DESC, content_hash) AS nth
      FROM matched
), spread AS (
    SELECT *, count(*) FILTER (WHERE nth <= $9) OVER (ORDER BY place) AS capped_place FROM counted
)
SELECT id, document_id, content_hash, priority, score, weight, exact
  FROM spread WHERE place <= $8 OR (nth <= $9 AND capped_place <= $8) ORDER BY place;

-- name: search_passages(chunk_ids)
-- The passages themselves, asked for again under the same rules: what went in the meantime is left out.
SELECT c.id, c.document_id, c.version, d.name, d.title, c.page_start, c.page_end, c.heading_path, c.text,
       c.block_start, c.block_end
  FROM chunks c
  JOIN searchable_documents(NULL, NULL, NULL) d
    ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
 WHERE c.workspace_id = (SELECT acting_workspace()) AND c.id = ANY ($1::uuid[]);
