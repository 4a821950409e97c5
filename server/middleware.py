"""What every response carries: a request id, security headers, and errors in one shape without internals."""

import logging
from uuid import uuid4

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.errors import HttpError
from server.faults import as_http_error
from server.operations import reply

log = logging.getLogger("ibid.http")

# A page that renders what a model wrote must not be able to call out (X13). WebAssembly is for pdf.js, which
# decodes JPEG 2000 and JBIG2, the formats of scans, in it; eval stays forbidden.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; "
    "style-src 'self' 'unsafe-inline'; font-src 'self' data:; "
    "worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)
SECURITY_HEADERS = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


class Envelope:
    """Adds the request id and the security headers; a response's own headers win.

    Around the whole application: Starlette answers what nobody expected outside of its middleware.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = uuid4().hex[:16]
        state = scope.setdefault("state", {})
        state["request_id"] = request_id

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                extra = [pair for pair in SECURITY_HEADERS if pair[0] not in present]
                message["headers"] = [*message["headers"], *extra, (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except Exception:
            if not state.get("reported"):  # else answered and logged; Starlette raises it once more
                raise


def error_response(request: Request, error: HttpError) -> Response:
    body: dict[str, object] = {
        "code": error.error_code,
        "message": error.message,
        "request_id": getattr(request.state, "request_id", ""),
    }
    if error.detail is not None:
        body["detail"] = error.detail
    response = reply({"error": body}, status=error.status)
    if error.status in (429, 503):
        response.headers["retry-after"] = "30" if error.status == 429 else "3"
    return response


async def on_known_error(request: Request, error: Exception) -> Response:
    """An error that belongs to the API, or one of the layers below that has a place in it."""
    return error_response(request, as_http_error(error))


async def on_routing_error(request: Request, error: Exception) -> Response:
    """404 and 405 of the router, in the same shape."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    known = HttpError(
        {404: "There is nothing at this address.", 405: "This address does not take this method."}.get(
            status, "The request cannot be served."
        ),
        code={404: "not_found", 405: "method_not_allowed"}.get(status, "bad_request"),
    )
    response = error_response(request, known)
    response.status_code = status
    return response


async def on_unexpected_error(request: Request, error: Exception) -> Response:
    """Anything else: logged with its traceback under the request id, told without internals (E13, X15)."""
    request_id = getattr(request.state, "request_id", "")
    log.error("request %s failed", request_id, exc_info=error)
    request.state.reported = True
    return error_response(
        request, HttpError("Something went wrong on our side. Quote the request id if you report it.")
    )
