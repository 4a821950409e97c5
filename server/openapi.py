"""The OpenAPI document, made from the table of operations."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic.json_schema import models_json_schema

from server.operations import Operation, Who
from server.schemas import ErrorOut

REF = "#/components/schemas/{model}"
FILES = {
    "type": "object",
    "properties": {
        "file": {
            "type": "array",
            "items": {"type": "string", "contentMediaType": "application/octet-stream"},
        },
        "folder_id": {"type": "string", "format": "uuid"},
    },
    "required": ["file"],
}


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """OpenAPI 3.1 of these operations."""
    inputs = [(op.body, "validation") for op in operations if op.body]
    outputs = [(op.returns, "serialization") for op in operations if op.returns]
    refs, definitions = models_json_schema(
        [*dict.fromkeys([*inputs, *outputs]), (ErrorOut, "serialization")],  # type: ignore[list-item]
        ref_template=REF,
        by_alias=True,
    )
    paths: dict[str, Any] = {}
    for operation in operations:
        path = re.sub(r":\w+}", "}", operation.path)  # {number:int} is the router's way to say it
        paths.setdefault(path, {})[operation.method.lower()] = _operation(operation, refs)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Ibid", "version": "1", "description": "Answers that cite your documents."},
        "paths": paths,
        "components": {
            "schemas": definitions.get("$defs", {}),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "ibid_session"},
            },
        },
    }


def _operation(operation: Operation, refs: Any) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if operation.stream:
        content = {"text/event-stream": {"schema": {"type": "string"}}}
    elif operation.returns:
        content = {"application/json": {"schema": refs[(operation.returns, "serialization")]}}
    success: dict[str, Any] = {"description": operation.summary}
    described: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": operation.handler.__name__,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"{(\w+)", operation.path)
        ],
        "responses": {
            str(operation.status): success | ({"content": content} if content else {}),
            "default": {
                "description": "An error, as a sentence for people",
                "content": {"application/json": {"schema": refs[(ErrorOut, "serialization")]}},
            },
        },
        "security": [] if operation.who is Who.ANYBODY else [{"bearer": []}, {"cookie": []}],
    }
    if operation.files:
        described["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": FILES}}}
    if operation.body:
        schema = refs[(operation.body, "validation")]
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return described
