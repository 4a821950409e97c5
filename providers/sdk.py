"""The openai SDK, imported here only and not before it is needed: it costs a second and 44 MB."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from providers.errors import CutOff, Timeout, Unreachable
from providers.rejection import Rejected, read_rejection
from providers.types import Endpoint

CONNECT_SECONDS = 10.0
NO_KEY = "none"  # the SDK insists on one; it is not sent


def open_client(endpoint: Endpoint) -> Any:
    """An AsyncOpenAI without retries and redirects; blocks for the import, so call it in a thread."""
    import openai

    transport = open_transport()
    return openai.AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key or NO_KEY,  # None, here and below, would read the environment
        organization="",
        project="",
        max_retries=0,
        # A redirect could lead a request, and its key, to an address that was never checked (X11).
        http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False, transport=transport),
        timeout=openai.Timeout(None, connect=CONNECT_SECONDS),  # silence is measured by the caller
    )


def open_transport() -> Any:
    """The SDK's own kind of transport and limits over connections of ours; those of a proxy stay as they are."""
    import httpcore2
    import httpx2
    import openai

    from providers.wire import Wires

    wires: Any = Wires()  # as httpcore wants them, without deriving from its classes
    context = httpx2.create_ssl_context()
    transport = httpx2.AsyncHTTPTransport(verify=context)
    transport._pool = httpcore2.AsyncConnectionPool(  # it offers no way to name a network backend
        ssl_context=context,
        max_connections=openai.DEFAULT_CONNECTION_LIMITS.max_connections,
        max_keepalive_connections=openai.DEFAULT_CONNECTION_LIMITS.max_keepalive_connections,
        keepalive_expiry=openai.DEFAULT_CONNECTION_LIMITS.keepalive_expiry,
        network_backend=wires,
    )
    return transport


@asynccontextmanager
async def open_stream(client: Any, body: Mapping[str, Any]) -> AsyncIterator[AsyncIterator[bytes]]:
    """The bytes of a chat completion; leaving the block closes the connection and so ends the generation.

    Raises Rejected, Unreachable and Timeout; reading raises CutOff when the connection breaks.
    """
    import openai

    unsent = [
        "OpenAI-Organization",
        "OpenAI-Project",
        *(["Authorization"] if client.api_key == NO_KEY else []),
    ]
    try:
        request = client.chat.completions.with_streaming_response.create(
            **body, extra_headers=dict.fromkeys(unsent, openai.Omit())
        )
        async with request as response:
            yield read(response)
    # `from None`: the chained exceptions carry what the server sent, and tracebacks end up in logs (X15).
    except openai.APIStatusError as error:
        answer = error.response
        raise Rejected(read_rejection(answer.status_code, answer.headers, answer.text)) from None
    except openai.APITimeoutError:
        raise Timeout from None
    except openai.APIConnectionError:
        raise Unreachable from None


async def read(response: Any) -> AsyncIterator[bytes]:
    import httpx2

    from providers.wire import Wire

    wire, headers = response.http_response.extensions.get("network_stream"), response.headers
    plain = headers.get("transfer-encoding") == "chunked" and "content-encoding" not in headers
    try:
        if plain and isinstance(wire, Wire):
            async for data in wire.chunks():
                yield data
        async for data in response.iter_bytes():  # what is left, or everything
            yield data
    except httpx2.HTTPError:
        raise CutOff from None
