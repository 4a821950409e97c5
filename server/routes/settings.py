"""The settings page: what can be changed, what it is, whether it works, and what this machine offers."""

from typing import Any

from starlette.responses import Response

import server.settings.schemas as shown_as
from ingestion.rebuild import progress
from providers.embed import open_embedder
from providers.errors import ProviderError
from providers.probe import detect_local_servers, probe_chat, probe_embedding, probe_rerank
from providers.types import Endpoint
from retrieval.rerank import ByModel, ByTokens
from server import schemas
from server.errors import Unprocessable
from server.models import BUILT_IN
from server.operations import Call, Operation, Who, reply
from server.runtime import Runtime
from server.settings.fields import SECTIONS, SERVING
from server.settings.store import describe, parse_changes


async def read_settings(call: Call) -> Response:
    await call.runtime.refresh()
    return reply(await _page(call.runtime))


async def write_settings(call: Call) -> Response:
    runtime = call.runtime
    await runtime.refresh()
    changes = parse_changes(runtime.settings, call.body.values)
    if any(name.startswith("embedding.") for name in changes):
        changes |= await _embedding_changes(runtime, changes)
    await runtime.store.save(call.caller.identity, changes)
    await runtime.refresh()
    return reply(await _page(runtime))


async def _embedding_changes(runtime: Runtime, changes: dict[str, Any]) -> dict[str, Any]:
    """What a change of the embedding model brings along: its dimensions, and the way back to the old one (N8)."""
    current = runtime.settings
    endpoint = current.changed_by(changes).endpoint("embedding")
    learnt: dict[str, Any] = {"embedding.dimensions": None}
    if endpoint is not None:
        try:
            learnt["embedding.dimensions"] = (await open_embedder(endpoint, http=runtime.http)).key.dimensions
        except ProviderError as error:
            raise Unprocessable(
                f"Nothing was saved: {error.message}",
                detail={"fields": {"embedding.base_url": error.message}},
            ) from None
    if not runtime.models.changing:
        in_use = current.values | current.secrets
        learnt |= {f.name: in_use.get(f.name.replace("serving.", "embedding.")) for f in SERVING}
    return learnt


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


def _active_rerank(runtime: Runtime) -> dict[str, str]:
    match runtime.models.reranker:
        case ByModel(model):
            return _active(model.endpoint, model.endpoint.model, "")
        case ByTokens():
            return {"label": "Built in", "detail": "English. Other languages keep the order of the search."}
    return {"label": "Off", "detail": "Passages keep the order of the search."}


async def _page(runtime: Runtime) -> dict[str, Any]:
    active = {
        "chat": _active(runtime.settings.endpoint("chat"), runtime.models.chat_label, "Built in"),
        "embedding": await _active_embedding(runtime),
        "rerank": _active_rerank(runtime),
    }
    return {
        "sections": [
            {
                "id": section.id,
                "title": section.title,
                "help": section.help,
                "active": active.get(section.id),
                "fields": describe(runtime.settings, section.id),
            }
            for section in SECTIONS
        ]
    }


def _active(endpoint: Endpoint | None, label: str, otherwise: str) -> dict[str, str]:
    """What is really in use now, whatever the fields say."""
    if endpoint is None:
        return {"label": label, "detail": otherwise}
    return {"label": endpoint.model, "detail": endpoint.base_url}


async def _active_embedding(runtime: Runtime) -> dict[str, str]:
    models = runtime.models
    key = models.embedder.key
    detail = (
        BUILT_IN if models.embedder is runtime.shelf.local else f"{key.dimensions} dimensions, {key.provider}"
    )
    if models.changing:
        counts = await progress(runtime.database, runtime.workspace_id, models.wanted.key) or (0, 0)
        detail = (
            f"Changing to {models.wanted.key.model}: {counts[0]:,} of about {counts[1]:,} passages are done. "
            "Searches use the old model until then."
        )
    return {"label": key.model, "detail": detail}


OPERATIONS = [
    Operation("GET", "/api/settings", read_settings, Who.ADMIN, "All settings", returns=shown_as.SettingsOut),
    Operation("PUT", "/api/settings", write_settings, Who.ADMIN, "Save settings, all or nothing",
              schemas.SettingsIn, shown_as.SettingsOut),
    Operation("POST", "/api/settings/probe", probe, Who.ADMIN, "Test a model with values not saved yet",
              schemas.ProbeIn, shown_as.ProbeOut),
    Operation("GET", "/api/settings/detected", detected, Who.ADMIN, "Model servers on this machine",
              returns=shown_as.ServersOut),
]  # fmt: skip
