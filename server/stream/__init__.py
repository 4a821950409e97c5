"""Server-sent events: framing, runs that outlive their connection, and the hub of document notices."""
