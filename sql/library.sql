-- Whole documents for the tools of a conversation. All go through searchable_documents: what may not be
-- evidence may not be summarised either (D14, D16); and a name or title with protected words is not told (D17).

-- name: library_list(most)
SELECT d.id, d.name, d.title, d.media_type, d.page_count, d.character_count, d.updated_at
  FROM searchable_documents('{}') d
 WHERE (SELECT protected_words()) IS NULL
    OR fold_accents(concat_ws(E'\n', d.name, d.title)) !~* (SELECT protected_words())
 ORDER BY d.updated_at DESC, d.id LIMIT $1;

-- name: library_count()
SELECT count(*) FROM searchable_documents('{}') d
 WHERE (SELECT protected_words()) IS NULL
    OR fold_accents(concat_ws(E'\n', d.name, d.title)) !~* (SELECT protected_words());

-- name: library_by_words(words, most)
-- Documents whose name or title holds one of these words, those that hold most first; `held` counts them.
SELECT d.id, d.name, d.title, h.held
  FROM searchable_documents('{}') d
 CROSS JOIN LATERAL (
       SELECT count(*) AS held FROM unnest($1::text[]) w
        WHERE strpos(fold_accents(lower(d.name || ' ' || coalesce(d.title, ''))), fold_accents(lower(w))) > 0) h
 WHERE h.held > 0
   AND ((SELECT protected_words()) IS NULL
        OR fold_accents(concat_ws(E'\n', d.name, d.title)) !~* (SELECT protected_words()))
 ORDER BY h.held DESC, length(d.name), d.id LIMIT $2;

-- name: library_names(most)
SELECT d.name FROM searchable_documents('{}') d
 WHERE (SELECT protected_words()) IS NULL
    OR fold_accents(concat_ws(E'\n', d.name, d.title)) !~* (SELECT protected_words())
 ORDER BY d.updated_at DESC, d.id LIMIT $1;

-- name: document_passages(document_id, most)
-- A whole document in its order, as passages; those with protected words are left out as in a search (D17).
SELECT c.id, c.document_id, c.version, d.name, d.title, c.page_start, c.page_end, c.heading_path, c.text,
       c.block_start, c.block_end, c.char_start, c.char_end
  FROM searchable_documents(jsonb_build_object('document_ids', jsonb_build_array($1::uuid))) d
  JOIN chunks c ON c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.live_version
 WHERE (SELECT protected_words()) IS NULL
    OR fold_accents(concat_ws(E'\n', d.name, d.title, array_to_string(c.heading_path, E'\n'), c.text))
       !~* (SELECT protected_words())
 ORDER BY c.ordinal LIMIT $2;

-- name: sources_of(workspace_id, message_id)
-- The documents that an answer cites, in the order of its numbers.
SELECT s.value ->> 'document_id' AS document_id, m.content
  FROM messages m CROSS JOIN LATERAL jsonb_array_elements(m.sources) WITH ORDINALITY s (value, n)
 WHERE m.workspace_id = $1 AND m.id = $2 ORDER BY s.n;

-- name: library_by_ids(ids)
SELECT d.id, d.name, d.title
  FROM unnest($1::uuid[]) WITH ORDINALITY w (id, n)
  JOIN searchable_documents('{}') d ON d.id = w.id
 WHERE (SELECT protected_words()) IS NULL
    OR fold_accents(concat_ws(E'\n', d.name, d.title)) !~* (SELECT protected_words())
 ORDER BY w.n;
