"""Searches as the API knows them: their shapes, and what is kept of them with an answer."""
