"""The OpenAPI document: valid, whole, and true to the routes."""

import re
from typing import Any

import jsonschema
import pytest
from starlette.routing import Route

from server import operations
from server.openapi import document
from server.operations import Who
from server.routes.table import OPERATIONS

DOCUMENT = document(OPERATIONS)


def described() -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, op) for path, by in DOCUMENT["paths"].items() for method, op in by.items()]


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def plain(path: str) -> str:
    return re.sub(r"{(\w+):\w+}", r"{\1}", path)


def test_every_operation_is_described_once() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")
    expected = {(plain(op.path), op.method.lower()) for op in OPERATIONS}
    assert {(path, method) for path, method, _ in described()} == expected
    assert len(expected) == len(OPERATIONS)
    names = [op["operationId"] for _, _, op in described()]
    assert len(set(names)) == len(names)


def test_paths_and_their_parameters_agree() -> None:
    for path, _, op in described():
        named = re.findall(r"{([^}]+)}", path)
        assert all(re.fullmatch(r"\w+", name) for name in named), path
        in_path = [p["name"] for p in op["parameters"] if p["in"] == "path"]
        assert in_path == named, path
        assert all(p["required"] for p in op["parameters"] if p["in"] == "path")


def test_references_lead_somewhere_and_schemas_are_schemas() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    for reference in references(DOCUMENT):
        assert reference.removeprefix("#/components/schemas/") in schemas, reference
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_operation_says_its_errors_and_who_may_call() -> None:
    anybody = {(plain(op.path), op.method.lower()) for op in OPERATIONS if op.who is Who.ANYBODY}
    for path, method, op in described():
        error = op["responses"]["default"]["content"]["application/json"]["schema"]
        assert error == {"$ref": "#/components/schemas/ErrorOut"}
        assert (op["security"] == []) == ((path, method) in anybody), path


def test_what_may_be_called_without_signing_in() -> None:  # A1: an addition here is a decision
    assert {(op.method, op.path) for op in OPERATIONS if op.who is Who.ANYBODY} == {
        ("GET", "/health"),
        ("GET", "/api/openapi.json"),
        ("GET", "/api/setup"),
        ("POST", "/api/session"),
        ("DELETE", "/api/session"),
        ("POST", "/api/invitations/check"),
        ("POST", "/api/invitations/accept"),
        ("GET", "/.well-known/jwks.json"),
    }


def test_settings_and_people_are_for_administrators() -> None:  # N2
    for op in OPERATIONS:
        if op.path.startswith(("/api/settings", "/api/users")) or op.path == "/api/invitations":
            assert op.who is Who.ADMIN, op.path


def test_an_upload_is_a_form_with_files() -> None:
    [form] = [
        op["requestBody"]["content"]
        for path, method, op in described()
        if (path, method) == ("/api/documents", "post")
    ]
    assert list(form) == ["multipart/form-data"]
    assert set(form["multipart/form-data"]["schema"]["properties"]) == {"file", "folder_id"}
    for path, method, op in described():
        body = next((o.body for o in OPERATIONS if (plain(o.path), o.method.lower()) == (path, method)), None)
        assert ("requestBody" in op) == (body is not None or (path, method) == ("/api/documents", "post"))


def test_the_routes_serve_what_is_described() -> None:
    routes: list[Route] = operations.routes(OPERATIONS, None)  # type: ignore[arg-type]
    served = {(plain(r.path), m.lower()) for r in routes for m in r.methods or () if m != "HEAD"}
    assert served == {(path, method) for path, method, _ in described()}


@pytest.mark.parametrize("op", [op for op in OPERATIONS if op.body], ids=lambda op: op.handler.__name__)
def test_bodies_refuse_fields_they_do_not_know(op: operations.Operation) -> None:  # A1: user_id in a body
    assert op.body is not None
    assert op.body.model_config.get("extra") == "forbid"
