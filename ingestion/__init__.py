"""From an upload to searchable chunks: parse, cut, embed, store."""
