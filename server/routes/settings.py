"""The settings page: what can be changed, what it is, whether it works, and what this machine offers."""

from typing import Any

from starlette.responses import Response

from providers.probe import detect_local_servers, probe_chat, probe_embedding, probe_rerank
from server import schemas
from server.errors import Unprocessable
from server.operations import Call, Operation, Who, reply
from server.runtime import Runtime
from server.settings.fields import SECTIONS
from server.settings.store import Settings, describe, parse_changes


async def read_settings(call: Call) -> Response:
    await call.runtime.refresh()
    return reply(_page(call.runtime))


async def write_settings(call: Call) -> Response:
    runtime = call.runtime
    await runtime.refresh()
    changes = parse_changes(runtime.settings, call.body.values)
    await runtime.store.save(call.caller.identity, changes)
    await runtime.refresh()
    return reply(_page(runtime))


async def probe(call: Call) -> Response:
    """Test unsaved values; a stored key goes only to the address it was entered for (X11)."""
    body: schemas.ProbeIn = call.body
    await call.runtime.refresh()
    current = call.runtime.settings
    own = {name: value for name, value in body.values.items() if name.startswith(f"{body.section}.")}
    settings = current.changed_by(parse_changes(current, own))
    endpoint = settings.endpoint(body.section)
    if endpoint is None:
        raise Unprocessable(
            "Enter an address and a model first.",
            detail={"fields": {f"{body.section}.base_url": "Enter an address and a model to test."}},
        )
    tests = {"chat": probe_chat, "embedding": probe_embedding, "rerank": probe_rerank}
    result = await tests[body.section](endpoint, http=call.runtime.http)
    return reply(
        {
            "ok": result.ok,
            "message": result.message,
            "latency_ms": result.latency_ms,
            "model": result.model,
            "facts": [{"label": fact.label, "value": fact.value} for fact in result.facts],
        }
    )


async def detected(call: Call) -> Response:
    servers = await detect_local_servers(http=call.runtime.http, own_port=call.runtime.config.port)
    return reply(
        {"servers": [{"name": s.name, "base_url": s.base_url, "models": list(s.models)} for s in servers]}
    )


def _page(runtime: Runtime) -> dict[str, Any]:
    return {
        "sections": [
            {
                "id": section.id,
                "title": section.title,
                "help": section.help,
                "active": _active(runtime, section.id),
                "fields": describe(runtime.settings, section.id),
            }
            for section in SECTIONS
        ]
    }


def _active(runtime: Runtime, section: str) -> dict[str, str] | None:
    """What is really in use now, whatever the fields say."""
    settings: Settings = runtime.settings
    models = runtime.models
    match section:
        case "chat":
            endpoint = settings.endpoint("chat")
            return {"label": models.chat_label, "detail": endpoint.base_url if endpoint else "Built in"}
        case "embedding":
            return {"label": models.embedding_label, "detail": models.embedding_detail}
        case "rerank":
            endpoint = settings.endpoint("rerank")
            return {
                "label": endpoint.model if endpoint else "Off",
                "detail": endpoint.base_url if endpoint else "Passages keep the order of the fused search.",
            }
        case _:
            return None


OPERATIONS = [
    Operation("GET", "/api/settings", read_settings, Who.ADMIN, "All settings", returns=schemas.SettingsOut),
    Operation("PUT", "/api/settings", write_settings, Who.ADMIN, "Save settings, all or nothing",
              schemas.SettingsIn, schemas.SettingsOut),
    Operation("POST", "/api/settings/probe", probe, Who.ADMIN, "Test a model with values not saved yet",
              schemas.ProbeIn, schemas.ProbeOut),
    Operation("GET", "/api/settings/detected", detected, Who.ADMIN, "Model servers on this machine",
              returns=schemas.ServersOut),
]  # fmt: skip
