-- The arms of a search. Each returns its nearest candidates, and beyond them the best few of every document
-- (`cap` of each), so that one long document cannot keep the others out (I8, I9). A text that several
-- documents hold is returned once, and equals are ordered by their text, so that the same documents give the
-- same results wherever they are indexed. Everything joins documents: a stale copy of a visibility shows nothing (D15).

-- name: past_the_gates(filters, chunk_ids, wanted)
-- What the gates keep out of a search, as at_the_gates tells it, and beside it the wanted passages, as
-- search_passages reads them; one row without a passage where there is none.
SELECT gates.use, gates.trust, gates.protected, p.*
  FROM kept_out($1, $2) gates
  LEFT JOIN (
       SELECT c.id, c.document_id, c.version, d.name, d.title, c.page_start, c.page_end, c.heading_path, c.text,
              c.block_start, c.block_end
         FROM chunks c
         JOIN searchable_documents('{}') d
           ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
        WHERE c.workspace_id = (SELECT acting_workspace()) AND c.id = ANY ($3::uuid[])
          AND ((SELECT protected_words()) IS NULL
               OR fold_accents(concat_ws(E'\n', d.name, d.title, array_to_string(c.heading_path, E'\n'), c.text))
                  !~* (SELECT protected_words()))) p ON true;

-- name: search_passages(chunk_ids)
-- The passages themselves, asked for again under the same rules: what went in the meantime is left out.
SELECT c.id, c.document_id, c.version, d.name, d.title, c.page_start, c.page_end, c.heading_path, c.text,
       c.block_start, c.block_end
  FROM chunks c
  JOIN searchable_documents('{}') d
    ON d.workspace_id = c.workspace_id AND d.id = c.document_id AND d.live_version = c.version
 WHERE c.workspace_id = (SELECT acting_workspace()) AND c.id = ANY ($1::uuid[])
   AND ((SELECT protected_words()) IS NULL
        OR fold_accents(concat_ws(E'\n', d.name, d.title, array_to_string(c.heading_path, E'\n'), c.text))
           !~* (SELECT protected_words()));
