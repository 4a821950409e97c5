"""Measuring retrieval: the one place that both ingests and searches."""
