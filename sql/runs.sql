-- name: create_run(workspace_id, owner_id, thread_id, question_id)
-- The partial unique index on running runs lets one thread have one at a time.
INSERT INTO runs (workspace_id, owner_id, thread_id, question_id, message_id) VALUES ($1, $2, $3, $4, uuid_v7())
RETURNING id, message_id;

-- name: find_run(workspace_id, id)
-- `complete`: it has ended, and its last event was written (and perhaps pruned since).
SELECT r.id, r.thread_id, r.message_id, r.state, r.stop_requested,
       r.heartbeat_at < now() - interval '20 seconds' AS stale,
       r.state <> 'running'
           AND (r.ended_at < now() - interval '10 minutes'
                OR EXISTS (SELECT FROM run_events e WHERE e.workspace_id = r.workspace_id AND e.run_id = r.id
                              AND e.event IN ('done', 'error'))) AS complete
  FROM runs r WHERE r.workspace_id = $1 AND r.id = $2;

-- name: running_run_of_thread(workspace_id, thread_id)
SELECT id, question_id, message_id, heartbeat_at < now() - interval '20 seconds' AS stale
  FROM runs WHERE workspace_id = $1 AND thread_id = $2 AND state = 'running';

-- name: append_run_events(workspace_id, owner_id, run_ids, seqs, events, datas)
-- Of several runs of one person at once. Nothing is kept of a run that went with its thread.
INSERT INTO run_events (workspace_id, owner_id, run_id, seq, event, data)
SELECT $1, $2, u.run_id, u.seq, u.event, u.data
  FROM unnest($3::uuid[], $4::integer[], $5::text[], $6::text[]) AS u (run_id, seq, event, data)
 WHERE EXISTS (SELECT FROM runs r WHERE r.workspace_id = $1 AND r.id = u.run_id)
ON CONFLICT DO NOTHING; -- written before, by a statement whose answer was lost

-- name: touch_runs(workspace_id, ids)
UPDATE runs SET heartbeat_at = now() WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND state = 'running'
RETURNING id, stop_requested;

-- name: read_run_events(workspace_id, run_id, after, most)
SELECT seq, event, data FROM run_events
 WHERE workspace_id = $1 AND run_id = $2 AND seq > $3
 ORDER BY seq LIMIT $4;

-- name: request_stop(workspace_id, id)
UPDATE runs SET stop_requested = true WHERE workspace_id = $1 AND id = $2 RETURNING state;

-- name: end_run(workspace_id, id, state)
-- The heartbeat counts from here on as the time left for the last events to be written.
UPDATE runs SET state = $3, ended_at = now(), heartbeat_at = now() WHERE workspace_id = $1 AND id = $2 AND state = 'running';

-- name: prune_run_events(workspace_id)
-- The caller's own, ten minutes after the end: an answer is kept with its message.
DELETE FROM run_events e USING runs r
 WHERE e.workspace_id = $1 AND r.workspace_id = $1 AND r.id = e.run_id
   AND r.state <> 'running' AND r.ended_at < now() - interval '10 minutes';

-- name: insert_requests(workspace_id, owner_id, run_id, message_id, bodies, whole, for_admins)
-- Not where a document that was drawn on has gone meanwhile: forget_sent came too early.
INSERT INTO model_requests (workspace_id, owner_id, run_id, message_id, number, body, whole, for_admins)
SELECT $1, $2, $3, $4, b.n, b.body, b.whole, $7
  FROM unnest($5::text[], $6::boolean[]) WITH ORDINALITY AS b (body, whole, n)
 WHERE NOT EXISTS (
       SELECT FROM messages m CROSS JOIN LATERAL jsonb_array_elements(m.sources) s
        WHERE m.workspace_id = $1 AND m.id = $4 AND s.value ->> 'document_id' IS NOT NULL
          AND NOT EXISTS (SELECT FROM documents d
                           WHERE d.workspace_id = $1 AND d.id = (s.value ->> 'document_id')::uuid))
ON CONFLICT DO NOTHING;

-- name: prune_requests(workspace_id, owner_id, most)
-- What one person's newest runs sent is kept, of so many runs.
DELETE FROM model_requests q
 WHERE q.workspace_id = $1 AND q.owner_id = $2
   AND q.run_id IN (SELECT o.run_id FROM model_requests o WHERE o.workspace_id = $1 AND o.owner_id = $2
                     GROUP BY o.run_id ORDER BY max(o.created_at) DESC OFFSET $3);

-- name: list_requests(workspace_id, message_id)
-- By the answer that they led to; whose they are is decided by row-level security.
SELECT q.number, q.body, q.whole, q.for_admins, q.created_at
  FROM model_requests q WHERE q.workspace_id = $1 AND q.message_id = $2
 ORDER BY q.created_at, q.number;
