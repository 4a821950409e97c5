"""Whether what the server really answered is what its OpenAPI document promises, on which the web's types rest."""

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

import jsonschema
from playwright.sync_api import Error, Response

from server.openapi import document
from server.routes.table import OPERATIONS

DOCUMENT = document(OPERATIONS)
PATHS = [(re.compile(re.sub(r"{\w+}", "[^/]+", path)), by) for path, by in DOCUMENT["paths"].items()]


def departures(answers: Iterable[Response]) -> Iterator[str]:
    """One line for each JSON answer that is not as described."""
    for answer in answers:
        schema = _promised(answer)
        if schema is None:
            continue
        try:
            value = answer.json()
        except Error:  # the page went on, and the browser threw the body away
            continue
        wrong = next(_validator(schema).iter_errors(value), None)
        if wrong:
            yield f"{answer.request.method} {answer.url}: {wrong.json_path}: {wrong.message[:300]}"


def _promised(answer: Response) -> dict[str, Any] | None:
    if not answer.headers.get("content-type", "").startswith("application/json"):
        return None
    path = urlsplit(answer.url).path
    operations = next((by for pattern, by in PATHS if pattern.fullmatch(path)), {})
    operation = operations.get(answer.request.method.lower())
    if operation is None:
        return None
    described = operation["responses"].get(str(answer.status), operation["responses"]["default"])
    found: dict[str, Any] | None = described.get("content", {}).get("application/json", {}).get("schema")
    return found


def _validator(schema: dict[str, Any]) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**schema, "components": DOCUMENT["components"]})
