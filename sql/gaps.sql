-- name: note_gap(workspace_id, owner_id, thread_id, question, same_as)
-- The same person asking the same again counts; a question that was settled and comes back is open again.
INSERT INTO gaps AS g (workspace_id, owner_id, thread_id, question, same_as) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (workspace_id, owner_id, same_as) DO UPDATE
   SET times = g.times + 1, asked_at = now(), thread_id = excluded.thread_id,
       state = CASE g.state WHEN 'done' THEN 'open' ELSE g.state END;

-- name: list_gaps(workspace_id, state, most)
-- Everybody's, the same question together under its newest wording; what was asked most often comes first.
SELECT (array_agg(id ORDER BY asked_at DESC))[1] AS id, (array_agg(question ORDER BY asked_at DESC))[1] AS question,
       (array_agg(thread_id ORDER BY asked_at DESC) FILTER (WHERE owner_id = (SELECT acting_user())))[1] AS thread_id,
       sum(times)::bigint AS times, count(*) AS people, max(asked_at) AS asked_at,
       CASE WHEN bool_or(state = 'open') THEN 'open' ELSE min(state) END AS state
  FROM gaps WHERE workspace_id = $1
 GROUP BY same_as
HAVING $2::text IS NULL OR CASE WHEN bool_or(state = 'open') THEN 'open' ELSE min(state) END = $2
 ORDER BY sum(times) DESC, max(asked_at) DESC LIMIT $3;

-- name: settle_gap(workspace_id, id, state)
-- For everybody who asked it.
UPDATE gaps SET state = $3
 WHERE workspace_id = $1 AND same_as = (SELECT g.same_as FROM gaps g WHERE g.workspace_id = $1 AND g.id = $2)
RETURNING id;
