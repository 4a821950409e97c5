-- The graph: names, the passages that mention them, and walks from passage to passage over them. Row-level
-- security shows a caller the mentions in their own passages, so nothing here needs to ask again.

-- name: known_names(keys, fan_out)
-- Of these names, those that passages mention: in how many (counted up to the fan-out and one more), and how
-- many of these are about it: a title weighs more than a mention.
SELECT k.name, found.passages, found.about
  FROM unnest($1::text[]) k (name)
 CROSS JOIN LATERAL (
       SELECT count(*)::integer AS passages, (count(*) FILTER (WHERE m.weight > 1.5))::integer AS about
         FROM (SELECT weight FROM mentions
                WHERE workspace_id = (SELECT acting_workspace()) AND name = k.name LIMIT $2 + 1) m) found
 WHERE found.passages > 0;

-- name: names_alike(names)
-- Other names of the same things: aliases and merges, one step.
SELECT name, other FROM names_alike($1);

-- name: graph_walk(names, masses, seeds, seed_masses, fan_out, frontier, kept, decay, reach, candidates, cap, later_fan_out, filters)
-- Two hops, unrolled: names of the query -> passages -> names -> passages, and seed passages -> names -> passages.
-- A hop spreads a passage's mass over its names by weight and rarity, a name's over its passages by weight; a
-- name in more than `fan_out` passages (`later_fan_out` in the second hop) leads nowhere, and a mention of one sense leads to no other.
-- The mass that the seeds start with is not in their score.
WITH asked AS MATERIALIZED (
    SELECT name, sum(mass) AS mass FROM unnest($1::text[], $2::float8[]) a (name, mass) GROUP BY name
), first_hop AS MATERIALIZED (
    SELECT chunk_id, sum(mass) AS mass
      FROM (SELECT m.chunk_id, a.mass * m.weight / sum(m.weight) OVER (PARTITION BY a.name) AS mass
              FROM asked a
             CROSS JOIN LATERAL (
                   SELECT chunk_id, weight FROM mentions
                    WHERE workspace_id = (SELECT acting_workspace()) AND name = a.name LIMIT $5) m) reached
     GROUP BY chunk_id
), frontier AS MATERIALIZED (
    (SELECT chunk_id, mass FROM first_hop ORDER BY mass DESC, chunk_id LIMIT $6)
    UNION ALL
    SELECT s.chunk_id, s.mass FROM unnest($3::uuid[], $4::float8[]) s (chunk_id, mass)
), held AS MATERIALIZED (
    SELECT f.chunk_id, f.mass, m.name, m.sense, m.weight
      FROM (SELECT chunk_id, sum(mass) AS mass FROM frontier GROUP BY chunk_id) f
     CROSS JOIN LATERAL (
           SELECT name, sense, weight FROM mentions
            WHERE workspace_id = (SELECT acting_workspace()) AND chunk_id = f.chunk_id) m
), named AS MATERIALIZED (
    SELECT name FROM held GROUP BY name ORDER BY sum(mass * weight) DESC, name LIMIT $7
), postings AS MATERIALIZED (
    SELECT n.name, m.chunk_id, m.sense, m.weight, count(*) OVER (PARTITION BY n.name) AS passages,
           sum(m.weight) OVER (PARTITION BY n.name) AS total
      FROM named n
     CROSS JOIN LATERAL (
           SELECT chunk_id, sense, weight FROM mentions
            WHERE workspace_id = (SELECT acting_workspace()) AND name = n.name LIMIT $12 + 1) m
), alike AS MATERIALIZED (
    SELECT a.name, a.other FROM names_alike(ARRAY(SELECT name FROM named)) a
), rare AS MATERIALIZED (
    SELECT name, ln(1 + 10000.0 / passages) AS rarity FROM postings
     GROUP BY name, passages HAVING passages <= $12
       AND (passages > 1 OR name IN (SELECT a.name FROM alike a))
), spread AS MATERIALIZED (
    SELECT h.name, h.sense,
           h.mass * h.weight * r.rarity / sum(h.weight * r.rarity) OVER (PARTITION BY h.chunk_id) AS mass
      FROM held h JOIN rare r ON r.name = h.name
), carried AS MATERIALIZED (
    SELECT name, sense, sum(mass) AS mass FROM spread GROUP BY name, sense
), second_hop AS (
    SELECT p.chunk_id, sum($8 * c.mass * p.weight / p.total) AS mass
      FROM carried c
      JOIN postings p ON p.name = c.name AND (p.sense = c.sense OR p.sense = '' OR c.sense = '')
     GROUP BY p.chunk_id
    UNION ALL
    SELECT m.chunk_id, sum($8 * c.mass * m.weight / m.total) AS mass
      FROM carried c
      JOIN alike a ON a.name = c.name
     CROSS JOIN LATERAL (
           SELECT l.chunk_id, l.weight, sum(l.weight) OVER () AS total
             FROM (SELECT chunk_id, weight FROM mentions
                    WHERE workspace_id = (SELECT acting_workspace()) AND name = a.other LIMIT $12) l) m
     GROUP BY m.chunk_id
), scored AS MATERIALIZED (
    SELECT chunk_id, sum(mass) AS score
      FROM (SELECT chunk_id, mass FROM first_hop UNION ALL SELECT chunk_id, mass FROM second_hop) found
     GROUP BY chunk_id ORDER BY score DESC, chunk_id LIMIT $9
), texts AS (
    SELECT DISTINCT ON (c.content_hash) c.id, c.document_id, c.content_hash, c.priority, s.score
      FROM scored s
     CROSS JOIN LATERAL (
           SELECT c.id, c.document_id, c.content_hash, d.priority
             FROM chunks c
             JOIN searchable_documents($13::jsonb) d
               ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
            WHERE c.workspace_id = (SELECT acting_workspace()) AND c.id = s.chunk_id OFFSET 0) c
     ORDER BY c.content_hash, s.score DESC, c.priority DESC, c.id
), counted AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, content_hash) AS place,
           row_number() OVER (PARTITION BY document_id ORDER BY score DESC, content_hash) AS nth
      FROM texts
), capped AS (
    SELECT *, count(*) FILTER (WHERE nth <= $11) OVER (ORDER BY place) AS capped_place FROM counted
)
SELECT id, document_id, content_hash, priority, score
  FROM capped WHERE place <= $10 OR (nth <= $11 AND capped_place <= $10) ORDER BY place;

-- name: passages_to_link(document_id, version)
SELECT c.id, c.ordinal, c.text, c.heading_path, d.title
  FROM chunks c JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
 WHERE c.workspace_id = (SELECT acting_workspace()) AND c.document_id = $1 AND c.version = $2
 ORDER BY c.ordinal;

-- name: insert_mentions(document_id, chunk_ids, names, senses, kinds, surfaces, weights)
-- Again after a kill: what is there stays.
INSERT INTO mentions (workspace_id, name, chunk_id, owner_id, visibility, sense, kind, surface, weight)
SELECT d.workspace_id, m.name, m.chunk_id, d.owner_id, d.visibility, m.sense, m.kind, m.surface, m.weight
  FROM documents d, unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::real[])
       m (chunk_id, name, sense, kind, surface, weight)
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1
ON CONFLICT DO NOTHING;

-- name: insert_relationships(document_id, chunk_ids, sources, kinds, targets)
INSERT INTO relationships (workspace_id, source, kind, target, chunk_id, owner_id, visibility)
SELECT d.workspace_id, r.source, r.kind, r.target, r.chunk_id, d.owner_id, d.visibility
  FROM documents d, unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) r (chunk_id, source, kind, target)
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.id = $1
ON CONFLICT DO NOTHING;

-- Entities, for people ------------------------------------------------------------------------------

-- name: count_names(names, prefix, upto, most)
-- The names asked for, or those that begin with a prefix (upto: the first text after all of these), or the ones
-- that most passages mention: by sense, with spellings and support in passages that may be evidence. Names that
-- a rule of redaction keeps from this audience are left out.
SELECT m.name, m.sense, mode() WITHIN GROUP (ORDER BY m.kind) AS kind,
       array_agg(DISTINCT m.surface) AS surfaces, mode() WITHIN GROUP (ORDER BY m.surface) AS surface,
       count(*)::integer AS passages, count(DISTINCT c.document_id)::integer AS documents
  FROM (SELECT * FROM mentions
         WHERE workspace_id = (SELECT acting_workspace())
           AND ($1::text[] IS NULL OR name = ANY ($1))
           AND ($2::text IS NULL OR name >= $2 AND name < $3)
         LIMIT 50000) m
  JOIN chunks c ON c.workspace_id = m.workspace_id AND c.id = m.chunk_id
  JOIN searchable_documents('{}') d
    ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
 WHERE (SELECT protected_words()) IS NULL
    OR fold_accents(m.surface || ' ' || m.name || ' ' || m.sense) !~* (SELECT protected_words())
 GROUP BY m.name, m.sense
 ORDER BY count(*) DESC, m.name, m.sense LIMIT $4;

-- name: name_passages(names, most)
-- The passages that mention any of these names, those that are about them first.
SELECT c.id, c.document_id, d.name AS document_name, d.title, c.ordinal, c.page_start, c.heading_path,
       left(c.text, 300) AS text, m.sense, m.name, m.weight
  FROM (SELECT name, sense, chunk_id, weight FROM mentions
         WHERE workspace_id = (SELECT acting_workspace()) AND name = ANY ($1::text[]) LIMIT 2000) m
  JOIN chunks c ON c.workspace_id = (SELECT acting_workspace()) AND c.id = m.chunk_id
  JOIN searchable_documents('{}') d
    ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
 WHERE (SELECT protected_words()) IS NULL
    OR fold_accents(concat_ws(E'\n', d.name, d.title, array_to_string(c.heading_path, E'\n'), c.text))
       !~* (SELECT protected_words())
 ORDER BY m.weight DESC, d.name, c.ordinal LIMIT $2;

-- name: name_neighbours(names, chunk_ids, most)
-- What these passages relate to these names, as they spell it, with the number of passages that say so.
SELECT n.name, n.kind, n.outgoing, n.support,
       (SELECT m.surface FROM mentions m
         WHERE m.workspace_id = (SELECT acting_workspace()) AND m.name = n.name AND m.chunk_id = ANY ($2)
         ORDER BY m.weight DESC, m.surface LIMIT 1) AS spelling
  FROM (SELECT CASE WHEN r.source = ANY ($1::text[]) THEN r.target ELSE r.source END AS name, r.kind,
               r.source = ANY ($1) AS outgoing, count(DISTINCT r.chunk_id)::integer AS support
          FROM relationships r
         WHERE r.workspace_id = (SELECT acting_workspace()) AND r.chunk_id = ANY ($2::uuid[])
           AND (r.source = ANY ($1)) <> (r.target = ANY ($1)) AND r.kind <> 'alias'
           AND ((SELECT protected_words()) IS NULL
                OR fold_accents(r.source || ' ' || r.kind || ' ' || r.target) !~* (SELECT protected_words()))
         GROUP BY 1, 2, 3) n
 ORDER BY n.support DESC, n.name, n.kind LIMIT $3;

-- name: list_merges(most)
-- Without those of protected names, except for administrators, who keep the rules and the decisions.
SELECT m.id, m.kind, m.source, m.target, m.for_all, m.made_at, m.undone_at, u.name AS made_by
  FROM merges m LEFT JOIN users u ON u.id = m.made_by
 WHERE m.workspace_id = (SELECT acting_workspace())
   AND ((SELECT protected_words()) IS NULL OR (SELECT acting_as_admin())
        OR fold_accents(m.source || E'\n' || m.target) !~* (SELECT protected_words()))
 ORDER BY m.made_at DESC, m.id LIMIT $1;

-- name: insert_merge(kind, source, target)
INSERT INTO merges (workspace_id, kind, source, target, for_all, made_by)
VALUES (acting_workspace(), $1, $2, $3, acting_as_admin(), acting_user())
RETURNING id;

-- name: undo_merge(id)
UPDATE merges SET undone_at = now(), undone_by = (SELECT acting_user())
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1 AND undone_at IS NULL
RETURNING id, kind, source, target;

-- name: undo_decisions(source, target)
-- A new decision about two names takes the place of those in force that the caller may undo.
UPDATE merges SET undone_at = now(), undone_by = (SELECT acting_user())
 WHERE workspace_id = (SELECT acting_workspace()) AND undone_at IS NULL
   AND (source, target) IN (($1::text, $2::text), ($2, $1));

-- Documents of before the graph ---------------------------------------------------------------------

-- name: list_unlinked(most, after)
-- The caller's own documents that are searched, are not being worked on and are not linked, of those after an id.
SELECT d.id, d.live_version FROM documents d
 WHERE d.workspace_id = (SELECT acting_workspace()) AND d.owner_id = (SELECT acting_user())
   AND d.live_version = d.version AND d.linked_version IS DISTINCT FROM d.live_version
   AND d.status IN ('completed', 'partial') AND d.id > $2
 ORDER BY d.id LIMIT $1;

-- name: claim_unlinked(document_id, version)
-- Still the version that was read; whoever links it now holds the row.
UPDATE documents SET linked_version = $2
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()) AND id = $1
   AND live_version = $2 AND version = $2 AND linked_version IS DISTINCT FROM $2
RETURNING true;
