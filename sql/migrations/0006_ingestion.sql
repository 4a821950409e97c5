-- What is known of a document beside its passages: usable as filters (E17), and its report on quality.
ALTER TABLE documents
    ADD COLUMN summary text,
    ADD COLUMN topics text[] NOT NULL DEFAULT '{}',
    ADD COLUMN doc_type text,
    ADD COLUMN doc_date date,
    ADD COLUMN table_count integer,
    -- Pages on which no text was found, in order; the first hundred of them.
    ADD COLUMN blank_pages integer[] NOT NULL DEFAULT '{}',
    -- The versions that were last described, and whose passages were last linked into the graph.
    ADD COLUMN described_version integer,
    ADD COLUMN linked_version integer;
