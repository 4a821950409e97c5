-- name: style_samples(most, characters)
-- The beginnings of documents that are for style only, newest first; behind the gates of trust and redaction.
SELECT left(c.text, $2) AS text
  FROM filtered_documents('{}') d
  JOIN chunks c ON c.workspace_id = d.workspace_id AND c.document_id = d.id AND c.version = d.live_version
               AND c.ordinal = 0
 WHERE d.use = 'style'
   AND (d.trust >= (SELECT least_trust()) OR d.owner_id = (SELECT acting_user()))
   AND ((SELECT protected_words()) IS NULL
        OR fold_accents(concat_ws(E'\n', d.name, d.title, c.text)) !~* (SELECT protected_words()))
 ORDER BY d.created_at DESC LIMIT $1;
