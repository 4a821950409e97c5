-- What benchmarks store as the owner of the tables, without a file, a job or a parser.

-- name: bench_member(workspace_id, email)
WITH person AS (INSERT INTO users (email, name) VALUES ($2, $2) RETURNING id)
INSERT INTO memberships (workspace_id, user_id, role) SELECT $1, id, 'member' FROM person RETURNING user_id;

-- name: bench_index()
SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname = 'vectors_384';

-- name: bench_memory(amount)
SELECT set_config('maintenance_work_mem', $1, true);

-- name: bench_documents(workspace_id, owner_id, ids, chunk_counts)
INSERT INTO documents (workspace_id, owner_id, id, name, content_hash, blob_key, media_type, size_bytes,
                       status, stage, language, live_version, chunk_count)
SELECT $1, $2::uuid, d.id, d.id::text, sha256(d.id::text::bytea), d.id::text, 'text/plain', 1,
       'completed', 'done', 'en', 1, d.chunks
  FROM unnest($3::uuid[], $4::integer[]) AS d (id, chunks);

-- name: bench_chunks(workspace_id, owner_id, document_ids, ordinals, hashes, texts)
INSERT INTO chunks (workspace_id, owner_id, document_id, version, visibility, ordinal, content_hash, text,
                    block_start, block_end, char_start, char_end, tsv)
SELECT $1, $2::uuid, c.document_id, 1, 'private', c.ordinal, c.hash, c.text, c.ordinal, c.ordinal, 0, 0,
       search_vector(c.text, 'en')
  FROM unnest($3::uuid[], $4::integer[], $5::bytea[], $6::text[]) AS c (document_id, ordinal, hash, text);

-- name: bench_vectors(workspace_id, space_id, dimensions, hashes, embeddings)
INSERT INTO vectors (workspace_id, space_id, content_hash, dimensions, embedding)
SELECT $1, $2, v.hash, $3, v.embedding FROM unnest($4::bytea[], $5::halfvec[]) AS v (hash, embedding);

-- name: bench_mentions(workspace_id, owner_id, document_ids, ordinals, names, kinds, surfaces, weights)
INSERT INTO mentions (workspace_id, name, chunk_id, owner_id, visibility, kind, surface, weight)
SELECT $1, m.name, c.id, $2::uuid, 'private', m.kind, m.surface, m.weight
  FROM unnest($3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::real[])
       AS m (document_id, ordinal, name, kind, surface, weight)
  JOIN chunks c ON c.workspace_id = $1 AND c.document_id = m.document_id AND c.version = 1 AND c.ordinal = m.ordinal;

-- name: bench_nearest(space_id, embedding, passages)
-- The passages that are nearest of those that the caller sees, by comparing with each: no index is used.
SELECT c.id FROM chunks c
  JOIN vectors v ON v.workspace_id = c.workspace_id AND v.space_id = $1 AND v.content_hash = c.content_hash
 WHERE c.workspace_id = (SELECT acting_workspace())
 ORDER BY v.embedding <=> $2::halfvec, c.id LIMIT $3;
