-- The yardstick of the search benchmark: no part of the product, and prepared only where these tables are.

-- name: make_schema()
-- Whoever mentions a vector has its settings known; the index is walked as far as the product does.
SELECT '[1]'::vector;
CREATE SCHEMA bare;
GRANT ALL ON SCHEMA bare TO ibid_owner;
GRANT USAGE ON SCHEMA bare TO ibid_app;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET hnsw.ef_search = {ef_search}', current_database()); END $$;

-- name: make_tables()
CREATE TABLE bare.rows (
    n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid, content text, embedding halfvec({dimensions}));
ALTER TABLE bare.rows ALTER embedding SET STORAGE PLAIN;
CREATE TABLE bare.postings (term text, n int, tf real, len real);
CREATE TABLE bare.df (term text PRIMARY KEY, idf real);
INSERT INTO bare.rows (id, content, embedding)
SELECT c.id, c.text, v.embedding FROM chunks c JOIN vectors v USING (workspace_id, content_hash)
 WHERE v.space_id = '{space}' AND c.owner_id = '{owner}';
INSERT INTO bare.postings
SELECT lexeme, n, cardinality(positions), sum(cardinality(positions)) OVER (PARTITION BY n)
  FROM bare.rows, unnest(to_tsvector('english', content));
CREATE INDEX ON bare.postings (term) INCLUDE (n, tf, len);
INSERT INTO bare.df
SELECT term, ln(1 + ((SELECT count(*) FROM bare.rows) - count(*) + .5) / (count(*) + .5))
  FROM bare.postings GROUP BY term;
CREATE INDEX ON bare.rows USING hnsw (embedding halfvec_cosine_ops);
GRANT SELECT ON ALL TABLES IN SCHEMA bare TO ibid_app;

-- name: average_length()
SELECT avg(l)::real FROM (SELECT max(len) AS l FROM bare.postings GROUP BY n) x

-- name: count_rows()
SELECT count(*)::int FROM bare.rows

-- name: dense()
SELECT n FROM bare.rows ORDER BY embedding <=> $1::halfvec LIMIT 50

-- name: dense_flat()
-- Compares with every row, where the product does.
SELECT n FROM bare.rows ORDER BY (embedding <=> $1::halfvec) + 0 LIMIT 50

-- name: keyword()
SELECT p.n FROM unnest(tsvector_to_array(to_tsvector('english', $1))) q (term)
  JOIN bare.df t USING (term) JOIN bare.postings p USING (term)
 GROUP BY p.n ORDER BY sum(t.idf * p.tf * 1.9 / (p.tf + .9 * (.6 + .4 * p.len / {average}))) DESC LIMIT 50

-- name: fused()
WITH d AS (SELECT n, row_number() OVER () AS r FROM ({dense}) x),
     f AS (SELECT n, row_number() OVER () AS r FROM ({keyword}) x),
     u AS (SELECT n, sum(1.0 / (60 + r)) AS s FROM (SELECT * FROM d UNION ALL SELECT * FROM f) y
            GROUP BY n ORDER BY s DESC LIMIT $3)
SELECT id, content, s FROM u JOIN bare.rows USING (n) ORDER BY s DESC
