-- The keyword arm: BM25 over the postings (see 0003_postings.sql), in one statement.

-- name: keyword_arm(query, terms, counted, budget, best, candidates, cap, filters)
-- Passages with the query's rarest terms are collected, rarest first until there are `budget` rows of postings; the
-- `best` of them by these terms are ranked by all terms, in full. So a common term ranks and does not flood, and a
-- rare one that is beside the point silences nothing (I18). A term in more than `counted` rows counts as that common.
-- `score` is BM25 with k1 = .9 and b = .4; `coverage` the share of the query's weight that a passage holds; `exact`
-- whether it holds every code of the query; `complete` whether the best held all that was wanted. Parts: `few`, the
-- passages inside the filters are compared one by one; `narrow`, postings of documents inside the filters only;
-- `capped`, of each document only its best few are ranked.
WITH whole AS MATERIALIZED (
    SELECT greatest(sum(passages), 1)::float8 AS passages,
           greatest(sum(length) / greatest(sum(passages), 1), 1)::float8 AS length
      FROM passage_totals WHERE workspace_id = (SELECT acting_workspace())
), terms AS MATERIALIZED (
    SELECT q.*, found.rows
      FROM (SELECT t.word, t.term, t.code, t.joined, term_number(t.term) AS number
              FROM query_terms($1, (SELECT array_agg(language ORDER BY language) FROM passage_languages
                                     WHERE workspace_id = (SELECT acting_workspace()))) t
             ORDER BY t.code DESC, length(t.term) DESC, t.term LIMIT $2) q
     CROSS JOIN LATERAL (
           SELECT count(*) AS rows
             FROM (SELECT FROM postings p
                    WHERE p.workspace_id = (SELECT acting_workspace()) AND p.term = q.number LIMIT $3) p) found
     WHERE NOT q.joined OR found.rows > 0
), drivers AS MATERIALIZED (
    SELECT number FROM (
        SELECT number, rows, sum(rows) OVER (ORDER BY rows, number) AS upto FROM terms WHERE rows > 0) t
     WHERE upto - rows < $4
     -- if few
       AND false
     -- end if
), collected AS MATERIALIZED (
    SELECT d.number, p.document_id, p.version, p.hits
      FROM drivers d
     CROSS JOIN LATERAL (
           SELECT p.document_id, p.version, p.hits FROM postings p
            WHERE p.workspace_id = (SELECT acting_workspace()) AND p.term = d.number OFFSET 0) p
     -- if narrow
     WHERE p.document_id IN (SELECT id FROM searchable_documents($8::jsonb))
     -- end if
), frequencies AS (
    -- a row of postings holds several passages: of the terms that were not read, 20 rows say how many
    SELECT number, sum(cardinality(hits))::float8 AS passages, true AS driver FROM collected GROUP BY number
     UNION ALL
    SELECT t.number, t.rows * s.passages, false
      FROM terms t
     CROSS JOIN LATERAL (
           SELECT avg(cardinality(p.hits))::float8 AS passages
             FROM (SELECT hits FROM postings p
                    WHERE p.workspace_id = (SELECT acting_workspace()) AND p.term = t.number LIMIT 20) p) s
     WHERE t.rows > 0 AND t.number NOT IN (SELECT number FROM drivers)
), weighted AS MATERIALIZED (
    SELECT word, term, code, number, driver,
           ln(1 + (everything - least(held, everything) + .5::float8) / (least(held, everything) + .5::float8)) AS weight
      FROM (SELECT t.word, t.term, t.code, t.number, f.driver, w.passages AS everything,
                   coalesce(sum(f.passages) OVER (PARTITION BY t.word), 0) AS held
              FROM terms t CROSS JOIN whole w LEFT JOIN frequencies f USING (number)) t
), rest AS MATERIALIZED (
    SELECT any_term(ARRAY[term]) AS sought, weight, code FROM weighted WHERE NOT driver
), query AS MATERIALIZED (
    SELECT (SELECT sum(weight) FROM (SELECT DISTINCT word, weight FROM weighted) w) AS weight,
           nullif(count(*) FILTER (WHERE code), 0) AS codes FROM weighted
), scored AS (
    -- float8 throughout: with a numeric constant in it, a hit costs five times as much
    SELECT document_id, version, hit >> 32 AS ordinal, max(hit >> 16 & 65535) AS length, sum(weight) AS weight,
           count(*) FILTER (WHERE code) AS codes,
           sum(weight * often / (often + offset_ + slope * (hit >> 16 & 65535)::float8)) AS score
      FROM (SELECT c.document_id, c.version, c.weight, c.code, c.slope, c.hit, (c.hit & 65535)::float8 AS often,
                   .54::float8 AS offset_
              FROM (SELECT c.document_id, c.version, w.weight, w.code, .36::float8 / whole.length AS slope,
                           unnest(c.hits) AS hit
                      FROM collected c JOIN weighted w USING (number) CROSS JOIN whole) c) h
     GROUP BY 1, 2, 3
), best AS MATERIALIZED (
    (SELECT document_id, version, ordinal, length, score, weight, codes
       FROM (SELECT *
             -- if capped
                  , row_number() OVER (PARTITION BY document_id ORDER BY score DESC) AS nth
             -- end if
               FROM scored) s
      -- if capped
      WHERE nth <= 2 * $7
      -- end if
      ORDER BY score DESC FETCH FIRST $5 ROWS WITH TIES)
     -- if few
     UNION ALL
    SELECT c.document_id, c.version, c.ordinal, vector_length(c.tsv), 0, 0, 0
      FROM searchable_documents($8::jsonb) d
      JOIN chunks c ON c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.live_version
     WHERE c.tsv @@ (SELECT any_term(array_agg(term)) FROM terms WHERE rows > 0)
     -- end if
), matched AS MATERIALIZED (
    SELECT DISTINCT ON (c.content_hash)
           c.id, c.document_id, c.content_hash, c.priority,
           b.score + more.score AS score, b.weight + more.weight AS weight,
           coalesce(b.codes + more.codes = query.codes, false) AS exact
      FROM best b
     CROSS JOIN query
     CROSS JOIN LATERAL (
           -- setweight unpacks the tsvector once, not once a term
           SELECT c.id, c.document_id, c.content_hash, setweight(c.tsv, 'D') AS tsv, d.priority
             FROM searchable_documents($8::jsonb) d
             JOIN chunks c ON c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.live_version
            WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = b.document_id
              AND d.live_version = b.version AND c.ordinal = b.ordinal OFFSET 0) c
     CROSS JOIN LATERAL (
           SELECT coalesce(sum(r.weight * r.often / (r.often + .54::float8 + .36::float8 * b.length / r.average)), 0)
                      AS score,
                  coalesce(sum(r.weight) FILTER (WHERE r.often > 0), 0) AS weight,
                  count(*) FILTER (WHERE r.code AND r.often > 0) AS codes
             FROM (SELECT rest.weight, rest.code, often_of(c.tsv, rest.sought) AS often, whole.length AS average
                     FROM rest CROSS JOIN whole OFFSET 0) r) more
     ORDER BY c.content_hash, c.priority DESC, c.id
), counted AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, content_hash) AS place,
           row_number() OVER (PARTITION BY document_id ORDER BY score DESC, content_hash) AS nth
      FROM matched
), spread AS (
    SELECT *, count(*) FILTER (WHERE nth <= $7) OVER (ORDER BY place) AS capped_place FROM counted
)
SELECT id, document_id, content_hash, priority, score,
       least(weight / (SELECT weight FROM query), 1) AS coverage, exact,
       (SELECT count(*) < $5 FROM best) OR max(capped_place) OVER () >= $6 AS complete
  FROM spread WHERE place <= $6 OR (nth <= $7 AND capped_place <= $6) ORDER BY place;
