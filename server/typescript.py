"""The schemas of the OpenAPI document as TypeScript, for the web pages: web/src/api/types.gen.ts."""

import json
from typing import Any

HEADER = "// Generated from the server's schemas by `make types`; never edited.\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript(document: dict[str, Any]) -> str:
    """One exported type a schema, by name; names are those of the schemas."""
    schemas = document["components"]["schemas"]
    types = [f"export type {name} = {_type(schemas[name])};\n" for name in sorted(schemas)]
    return "\n".join([HEADER, *types])


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    match schema.get("type"):
        case "array":
            return _array(schema)
        case "object":
            return _object(schema)
        case str(kind):
            return PLAIN[kind]
    return "unknown"


def _array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    item = _type(schema.get("items", {}))
    return f"({item})[]" if " | " in item else f"{item}[]"


def _object(schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    required = schema.get("required", [])
    lines = [
        f"  {name}{'' if name in required else '?'}: {_type(value)};\n"
        for name, value in schema["properties"].items()
    ]
    return "{\n" + "".join(lines) + "}"
