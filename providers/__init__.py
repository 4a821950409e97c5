"""Models and what speaks to them: chat, embeddings, reranking, probes, tracing, a scripted server."""
