"""Postgres: the schema, the named queries, and the only code that talks to the driver."""
