"""The web's types: what becomes of a schema, and that the generated file is up to date."""

from pathlib import Path
from typing import Any

import pytest

from server.openapi import document
from server.routes.table import OPERATIONS
from server.typescript import typescript

GENERATED = Path(__file__).parents[2] / "web" / "src" / "api" / "types.gen.ts"


def test_the_generated_types_are_those_of_the_server() -> None:
    assert GENERATED.read_text() == typescript(document(OPERATIONS)), "run `make types`"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer"}, "number"),
        ({"type": "string", "format": "uuid"}, "string"),
        ({"enum": ["a", "b"], "type": "string"}, '"a" | "b"'),
        ({"const": "a", "type": "string"}, '"a"'),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]}, "number | null"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Other"}}, "Other[]"),
        ({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]}, "[number, string]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "Record<string, number>"),
        ({"type": "object", "additionalProperties": True}, "Record<string, unknown>"),
        ({}, "unknown"),
        (
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]},
            "{\n  a: string;\n  b?: unknown;\n}",
        ),
    ],
)
def test_a_schema_becomes_a_type(schema: dict[str, Any], expected: str) -> None:
    text = typescript({"components": {"schemas": {"Thing": schema}}})
    assert text.endswith(f"export type Thing = {expected};\n")
