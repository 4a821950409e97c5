-- What a guest reads of a source: behind the gates of a search (D14, D16), and nothing of what a search keeps
-- out for its words (D17). Everything that is closed is as if it were not there.

-- name: get_public_page(document_id, number)
SELECT d.live_version AS version, p.number, p.width, p.height,
       (SELECT count(*) FROM pages a WHERE a.workspace_id = d.workspace_id AND a.document_id = d.id
           AND a.version = d.live_version) AS pages,
       (SELECT count(*) FROM blocks b WHERE b.workspace_id = d.workspace_id AND b.document_id = d.id
           AND b.version = d.live_version) AS blocks
  FROM searchable_documents(jsonb_build_object('document_ids', jsonb_build_array($1::uuid))) d
  LEFT JOIN pages p ON p.workspace_id = d.workspace_id AND p.document_id = d.id
                   AND p.version = d.live_version AND p.number = $2
 WHERE (SELECT protected_words()) IS NULL
    OR fold_accents(concat_ws(E'\n', d.name, d.title)) !~* (SELECT protected_words());

-- name: list_public_blocks(document_id, version, page, first, last)
-- A block is hidden with every passage that a search keeps out, with words of its own, and with words that begin
-- in it and end in the next: two passages may part where a page does not. What is hidden leaves its place.
WITH own AS (
    SELECT b.ordinal, b.text, b.kind, b.level, b.page, b.bbox, fold_accents(b.text) AS folded FROM blocks b
     WHERE b.workspace_id = (SELECT acting_workspace()) AND b.document_id = $1 AND b.version = $2
       AND ($3::integer IS NULL OR b.page = $3) AND b.ordinal BETWEEN $4 AND $5
), near AS (
    SELECT o.*, lag(o.folded) OVER around AS before, lead(o.folded) OVER around AS after
      FROM own o WINDOW around AS (ORDER BY o.ordinal)
), held AS (
    SELECT c.block_start, c.block_end FROM chunks c
     WHERE c.workspace_id = (SELECT acting_workspace())
       AND c.id = ANY ((SELECT k.protected FROM kept_out('{"document_ids": []}', ARRAY(
               SELECT a.id FROM chunks a
                WHERE a.workspace_id = (SELECT acting_workspace()) AND a.document_id = $1 AND a.version = $2
                  AND a.block_end >= (SELECT min(ordinal) FROM own)
                  AND a.block_start <= (SELECT max(ordinal) FROM own))) k)::uuid[])
), judged AS (
    SELECT n.*, coalesce(
               n.folded ~* w.words
               OR EXISTS (SELECT FROM held h WHERE n.ordinal BETWEEN h.block_start AND h.block_end)
               OR n.before !~* w.words AND concat_ws(E'\n', n.before, n.folded) ~* w.words
               OR n.after !~* w.words AND concat_ws(E'\n', n.folded, n.after) ~* w.words, false) AS hidden
      FROM near n, (SELECT protected_words() AS words) w
)
SELECT j.ordinal, CASE WHEN j.hidden THEN '' ELSE j.text END AS text,
       CASE WHEN j.hidden THEN 'hidden' ELSE j.kind END AS kind,
       CASE WHEN j.hidden THEN 0 ELSE j.level END AS level,
       j.page, CASE WHEN NOT j.hidden THEN j.bbox END AS bbox
  FROM judged j ORDER BY j.ordinal;

-- name: get_public_passage(chunk_id)
-- The present version's alone: what was cited from an older one was never looked at again by the gates.
SELECT c.id, c.document_id, c.version, true AS is_live, c.text, c.heading_path,
       c.page_start, c.page_end, c.block_start, c.block_end, d.name,
       coalesce(d.live_media_type, d.media_type) AS media_type
  FROM chunks c
  JOIN searchable_documents('{}') d
    ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
 WHERE c.workspace_id = (SELECT acting_workspace()) AND c.id = $1
   AND ((SELECT protected_words()) IS NULL
        OR fold_accents(concat_ws(E'\n', d.name, d.title, array_to_string(c.heading_path, E'\n'), c.text))
           !~* (SELECT protected_words()));
