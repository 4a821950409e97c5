"""The registry of tools: what a model may ask for, in the words it is told."""

from typing import Any

SEARCH_DOCUMENTS: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "search_documents",
        "description": (
            "Search the user's own documents. Returns numbered passages. Search again with other words when the "
            "passages so far do not answer the question."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "description": "What to look for: names, numbers, codes and key terms, not a command.",
                }
            },
            "required": ["query"],
        },
    },
}

TOOLS: dict[str, dict[str, Any]] = {"search_documents": SEARCH_DOCUMENTS}
