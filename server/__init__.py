"""The service: HTTP, identity, settings, the chat agent, and the command line."""
