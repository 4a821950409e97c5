"""From a question to passages: arms in parallel, fused, spread over documents, judged as evidence."""
