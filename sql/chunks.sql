-- name: parts_made(document_id, version)
-- Which stages of a version are behind us: blocks and chunks are each stored in one transaction.
SELECT EXISTS (SELECT FROM blocks WHERE workspace_id = (SELECT acting_workspace())
                  AND document_id = $1 AND version = $2) AS blocks,
       EXISTS (SELECT FROM chunks WHERE workspace_id = (SELECT acting_workspace())
                  AND document_id = $1 AND version = $2) AS chunks;

-- name: insert_pages(document_id, version, numbers, widths, heights, character_counts)
INSERT INTO pages (workspace_id, document_id, version, number, width, height, character_count)
SELECT acting_workspace(), $1, $2, p.*
  FROM unnest($3::integer[], $4::real[], $5::real[], $6::integer[]) AS p;

-- name: insert_blocks(document_id, version, ordinals, kinds, levels, texts, pages, x0, y0, x1, y1)
INSERT INTO blocks (workspace_id, document_id, version, ordinal, kind, level, text, page, bbox)
SELECT acting_workspace(), $1, $2, b.ordinal, b.kind, b.level, b.text, b.page,
       CASE WHEN b.x0 IS NOT NULL THEN ARRAY[b.x0, b.y0, b.x1, b.y1] END
  FROM unnest($3::integer[], $4::text[], $5::smallint[], $6::text[], $7::integer[],
              $8::real[], $9::real[], $10::real[], $11::real[])
       AS b (ordinal, kind, level, text, page, x0, y0, x1, y1);

-- name: list_blocks(document_id, version, at_most)
SELECT kind, text, level, page, bbox FROM blocks
 WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1 AND version = $2
 ORDER BY ordinal
 LIMIT $3;

-- name: share_vectors()
-- Before passages are added: see drop_unused_vectors.
SELECT pg_advisory_xact_lock_shared(hashtextextended('vectors ' || acting_workspace(), 0));

-- name: insert_chunks(document_id, version, ordinals, hashes, texts, paths, page_starts, page_ends, block_starts, block_ends, char_starts, char_ends)
-- `paths`: headings joined by the unit separator, which no stored text contains.
INSERT INTO chunks (workspace_id, document_id, version, owner_id, visibility, ordinal, content_hash, text,
                    heading_path, page_start, page_end, block_start, block_end, char_start, char_end, tsv)
SELECT d.workspace_id, d.id, $2, d.owner_id, d.visibility, c.ordinal, c.hash, c.text,
       string_to_array(c.path, E'\x1f'), c.page_start, c.page_end, c.block_start, c.block_end,
       c.char_start, c.char_end,
       search_vector(replace(c.path, E'\x1f', E'\n') || E'\n' || c.text, d.language)
  FROM documents d,
       unnest($3::integer[], $4::bytea[], $5::text[], $6::text[], $7::integer[], $8::integer[],
              $9::integer[], $10::integer[], $11::integer[], $12::integer[])
       AS c (ordinal, hash, text, path, page_start, page_end, block_start, block_end, char_start, char_end)
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1;

-- name: list_chunks_to_embed(document_id, version, space_id)
-- One look-up for all hashes of a version (G6): the passages whose text has no vector in this space.
-- OFFSET 0 keeps it a look-up for each passage. As a join, and before the tables' first statistics, it compared
-- every passage with every vector: 1.4 s for 3,000 passages, and four times that for twice as many.
SELECT DISTINCT ON (length(c.text), c.content_hash) c.content_hash, c.heading_path, c.text
  FROM chunks c
 WHERE c.workspace_id = (SELECT acting_workspace()) AND c.document_id = $1 AND c.version = $2
   AND NOT EXISTS (SELECT FROM vectors v
                    WHERE v.workspace_id = c.workspace_id AND v.space_id = $3
                      AND v.content_hash = c.content_hash OFFSET 0)
 ORDER BY length(c.text), c.content_hash;

-- name: insert_vectors(space_id, dimensions, hashes, embeddings)
-- Nothing is written into a space of other dimensions (G2).
INSERT INTO vectors (workspace_id, space_id, content_hash, dimensions, embedding)
SELECT s.workspace_id, s.id, v.hash, $2, v.embedding
  FROM spaces s, unnest($3::bytea[], $4::halfvec[]) AS v (hash, embedding)
 WHERE s.workspace_id = (SELECT acting_workspace()) AND s.id = $1 AND s.dimensions = $2
    ON CONFLICT DO NOTHING;

-- name: lock_spaces_shared()
-- While a version becomes searchable, no other space is put into use: see lock_spaces.
SELECT pg_advisory_xact_lock_shared(hashtextextended('spaces ' || acting_workspace(), 0));

-- name: awaits_vectors(document_id, version)
-- Whether a passage of this version has no vector in the space that searches use.
SELECT EXISTS (
    SELECT FROM chunks c
     WHERE c.workspace_id = (SELECT acting_workspace()) AND c.document_id = $1 AND c.version = $2
       AND NOT EXISTS (SELECT FROM vectors v
                        WHERE v.workspace_id = c.workspace_id AND v.content_hash = c.content_hash
                          AND v.space_id = (SELECT id FROM spaces WHERE workspace_id = (SELECT acting_workspace())
                                               AND status = 'active') OFFSET 0));

-- name: delete_other_versions(document_id, version)
WITH chunk AS (
    DELETE FROM chunks WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1 AND version <> $2
), block AS (
    DELETE FROM blocks WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1 AND version <> $2
)
DELETE FROM pages WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1 AND version <> $2;

-- name: delete_abandoned_versions(document_id)
-- What an upload left that was replaced before it was searchable.
WITH kept AS (
    SELECT version, coalesce(live_version, version) AS live_version FROM documents
     WHERE workspace_id = (SELECT acting_workspace()) AND id = $1
), chunk AS (
    DELETE FROM chunks USING kept
     WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1
       AND chunks.version NOT IN (kept.version, kept.live_version)
), block AS (
    DELETE FROM blocks USING kept
     WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1
       AND blocks.version NOT IN (kept.version, kept.live_version)
)
DELETE FROM pages USING kept
 WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1
   AND pages.version NOT IN (kept.version, kept.live_version);

-- name: list_chunks(document_id, after, page_size)
SELECT c.id, c.ordinal, c.text, c.heading_path, c.page_start, c.page_end, c.block_start, c.block_end
  FROM chunks c JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
 WHERE c.workspace_id = (SELECT acting_workspace()) AND c.document_id = $1
   AND c.version = coalesce(d.live_version, d.version) AND c.ordinal > $2
 ORDER BY c.ordinal LIMIT $3;

-- name: get_page(document_id, number)
-- One row for a document the caller sees: the page's size, or nulls where there is no such page.
SELECT coalesce(d.live_version, d.version) AS version, p.number, p.width, p.height,
       (SELECT count(*) FROM pages a WHERE a.workspace_id = d.workspace_id AND a.document_id = d.id
           AND a.version = coalesce(d.live_version, d.version)) AS pages,
       (SELECT count(*) FROM blocks b WHERE b.workspace_id = d.workspace_id AND b.document_id = d.id
           AND b.version = coalesce(d.live_version, d.version)) AS blocks
  FROM documents d
  LEFT JOIN pages p ON p.workspace_id = d.workspace_id AND p.document_id = d.id
                   AND p.version = coalesce(d.live_version, d.version) AND p.number = $2
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1;

-- name: list_page_blocks(document_id, version, number)
SELECT ordinal, text, kind, level, bbox FROM blocks
 WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1 AND version = $2 AND page = $3
 ORDER BY ordinal;

-- name: list_block_range(document_id, version, first, last)
SELECT ordinal, text, kind, level, page, bbox FROM blocks
 WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1 AND version = $2
   AND ordinal BETWEEN $3 AND $4
 ORDER BY ordinal;

-- name: get_passage(chunk_id)
SELECT c.id, c.document_id, c.version, c.version = d.live_version AS is_live, c.text, c.heading_path,
       c.page_start, c.page_end, c.block_start, c.block_end, d.name,
       CASE c.version WHEN d.version THEN d.media_type ELSE coalesce(d.live_media_type, d.media_type) END AS media_type
  FROM chunks c JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
 WHERE c.workspace_id = (SELECT acting_workspace()) AND c.id = $1;

-- name: orphan_counts()
-- As maintenance, for `ibid doctor`: what should never exist.
SELECT (SELECT count(*) FROM vectors v
         WHERE NOT EXISTS (SELECT FROM chunks c
                            WHERE c.workspace_id = v.workspace_id AND c.content_hash = v.content_hash)) AS vectors,
       (SELECT count(*) FROM chunks c JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         WHERE c.version NOT IN (d.version, coalesce(d.live_version, d.version))) AS chunks,
       (SELECT count(*) FROM documents d
         WHERE d.status IN ('pending', 'processing')
           AND NOT EXISTS (SELECT FROM jobs j WHERE j.workspace_id = d.workspace_id AND j.document_id = d.id)) AS documents,
       (SELECT count(*) FROM jobs j JOIN documents d ON d.workspace_id = j.workspace_id AND d.id = j.document_id
         WHERE d.status NOT IN ('pending', 'processing')) AS jobs,
       (SELECT count(*) FROM mentions m
         WHERE NOT EXISTS (SELECT FROM chunks c WHERE c.workspace_id = m.workspace_id AND c.id = m.chunk_id)) AS mentions,
       (SELECT count(*) FROM relationships r
         WHERE NOT EXISTS (SELECT FROM chunks c WHERE c.workspace_id = r.workspace_id AND c.id = r.chunk_id)) AS edges,
       (SELECT count(*) FROM merges g
         WHERE NOT EXISTS (SELECT FROM mentions m WHERE m.workspace_id = g.workspace_id AND m.name = g.source)
            OR NOT EXISTS (SELECT FROM mentions m WHERE m.workspace_id = g.workspace_id AND m.name = g.target)) AS merges;

-- name: all_blob_keys()
SELECT DISTINCT key AS blob_key FROM documents, unnest(ARRAY[blob_key, live_blob_key]) key WHERE key IS NOT NULL;
