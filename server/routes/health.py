"""Whether the service is up, and what its API is."""

from starlette.responses import Response

from providers.degrade import counts
from server.openapi import document
from server.operations import Call, Operation, Who, reply

DATABASE_PATIENCE = 0.5  # seconds; the contract says no wait over 1 s, on a busy machine too


async def health(call: Call) -> Response:
    """200 while the process serves. `database`: whether Postgres answered in time; `degraded`: what the
    process had to do without since it started, by name (J3); `loop_lag_ms`: of the last minute."""
    database = "ok" if await call.runtime.pulse.felt(DATABASE_PATIENCE) else "unreachable"
    return reply(
        {
            "status": "ok",
            "database": database,
            "version": call.runtime.version,
            "degraded": counts(),
            "loop_lag_ms": {"p50": call.runtime.lag.quantile(0.5), "p99": call.runtime.lag.quantile(0.99)},
        }
    )


async def openapi(call: Call) -> Response:
    from server.routes.table import OPERATIONS as ALL

    return reply(document(ALL))


OPERATIONS = [
    Operation("GET", "/health", health, Who.ANYBODY, "Whether the service is up"),
    Operation("GET", "/api/openapi.json", openapi, Who.ANYBODY, "This API as an OpenAPI document"),
]
