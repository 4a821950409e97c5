-- name: create_run(workspace_id, owner_id, thread_id, message_id)
-- The partial unique index on running runs lets one thread have one at a time.
INSERT INTO runs (workspace_id, owner_id, thread_id, message_id) VALUES ($1, $2, $3, $4) RETURNING id;

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
SELECT id, message_id, heartbeat_at < now() - interval '20 seconds' AS stale
  FROM runs WHERE workspace_id = $1 AND thread_id = $2 AND state = 'running';

-- name: append_run_events(workspace_id, owner_id, run_id, seqs, events, datas)
INSERT INTO run_events (workspace_id, owner_id, run_id, seq, event, data)
SELECT $1, $2, $3, u.seq, u.event, u.data
  FROM unnest($4::integer[], $5::text[], $6::text[]) AS u (seq, event, data)
ON CONFLICT DO NOTHING; -- written before, by a statement whose answer was lost

-- name: touch_run(workspace_id, id)
UPDATE runs SET heartbeat_at = now() WHERE workspace_id = $1 AND id = $2 RETURNING stop_requested;

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
