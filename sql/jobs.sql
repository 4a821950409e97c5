-- Order of locks everywhere: the document before its job, so that work and deletion cannot deadlock.

-- name: claim_job(worker, running, recent, stale_seconds)
-- The due job of the person who has the fewest running and was served the longest ago (E23, H2). A job that
-- another worker held and did not end counts a crash; one of our own was cut off by the database (E26).
-- `running`: ids this worker is busy with. `recent`: owners it served, the latest last.
WITH busy AS (
    SELECT workspace_id, owner_id, count(*) AS jobs
      FROM jobs WHERE heartbeat_at > now() - make_interval(secs => $4)
     GROUP BY workspace_id, owner_id
), due AS (
    SELECT j.workspace_id, j.id
      FROM jobs j LEFT JOIN busy b USING (workspace_id, owner_id)
     WHERE j.run_at <= now()
       AND (j.locked_by IS NULL OR j.locked_by = $1 OR j.heartbeat_at < now() - make_interval(secs => $4))
       AND j.id <> ALL ($2::uuid[])
     ORDER BY coalesce(b.jobs, 0), array_position($3::uuid[], j.owner_id) NULLS FIRST, j.created_at, j.id
     LIMIT 1
       FOR UPDATE OF j SKIP LOCKED
)
UPDATE jobs j
   SET locked_by = $1, heartbeat_at = clock_timestamp(),
       crashes = j.crashes + (j.locked_by <> $1 AND j.locked_by IS NOT NULL)::integer
  FROM due
 WHERE j.workspace_id = due.workspace_id AND j.id = due.id
RETURNING j.workspace_id, j.id, j.document_id, j.owner_id, j.attempts, j.crashes;

-- name: beat(worker, running)
UPDATE jobs SET heartbeat_at = clock_timestamp()
 WHERE locked_by = $1 AND id = ANY ($2::uuid[])
RETURNING id;

-- name: give_back_jobs(worker, running)
UPDATE jobs SET locked_by = NULL, heartbeat_at = NULL, run_at = now()
 WHERE locked_by = $1 AND id = ANY ($2::uuid[]);

-- name: hold_job(document_id, job_id, worker)
-- In the transaction of every write: true while the work is still this worker's. Takeover, cancel, delete and
-- a newer version wait for the transaction, or the transaction finds no row.
WITH document AS MATERIALIZED (
    SELECT id FROM documents
     WHERE workspace_id = (SELECT acting_workspace()) AND id = $1
       FOR NO KEY UPDATE
)
SELECT true FROM document, jobs j
 WHERE j.workspace_id = (SELECT acting_workspace()) AND j.id = $2 AND j.locked_by = $3
   FOR KEY SHARE OF j;

-- name: share_job(document_id, job_id, worker)
-- As hold_job, for writes that touch no row of the document: several at once, each before whoever changes it.
WITH document AS MATERIALIZED (
    SELECT id FROM documents
     WHERE workspace_id = (SELECT acting_workspace()) AND id = $1
       FOR SHARE
)
SELECT true FROM document, jobs j
 WHERE j.workspace_id = (SELECT acting_workspace()) AND j.id = $2 AND j.locked_by = $3
   FOR KEY SHARE OF j;

-- name: forgive_crashes(job_id)
UPDATE jobs SET crashes = 0 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1 AND crashes > 0;

-- name: delay_job(job_id, seconds)
UPDATE jobs
   SET locked_by = NULL, heartbeat_at = NULL, attempts = attempts + 1,
       run_at = clock_timestamp() + make_interval(secs => $2)
 WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: add_job(document_id)
-- Work for a document, afresh: whoever holds an earlier job of it loses hold.
INSERT INTO jobs (workspace_id, document_id, owner_id)
VALUES (acting_workspace(), $1, acting_user())
    ON CONFLICT (workspace_id, document_id, kind) DO UPDATE
   SET run_at = now(), attempts = 0, crashes = 0, locked_by = NULL, heartbeat_at = NULL, created_at = now();

-- name: release_job(job_id)
-- Before its own worker ends it: the end of a job that somebody holds is a notice to stop at once (notice_job).
UPDATE jobs SET locked_by = NULL WHERE workspace_id = (SELECT acting_workspace()) AND id = $1;

-- name: end_job(document_id)
DELETE FROM jobs WHERE workspace_id = (SELECT acting_workspace()) AND document_id = $1 RETURNING id;
