"""The built web pages: hashed assets for ever, everything else the one page that routes itself."""

import gzip
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from server.errors import NotFound

COMPRESSED = (".html", ".js", ".mjs", ".css", ".svg", ".json", ".wasm", ".webmanifest", ".txt")
NOT_BUILT = "The web pages have not been built. Run `make run`, or `npm ci && npm run build` in web/.\n"


class Pages:
    """Serves server/static; unknown paths without a file ending get index.html."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        await self._respond(request)(scope, receive, send)

    def _respond(self, request: Request) -> Response:
        path = request.url.path.lstrip("/")
        if path.startswith("api/") or request.method not in ("GET", "HEAD"):
            raise NotFound("There is nothing at this address.")
        file = self._find(path)
        if file is None:
            if "." in path.rpartition("/")[2]:
                raise NotFound("There is no such file.")
            file = self._folder / "index.html"
            if not file.is_file():
                return PlainTextResponse(NOT_BUILT, status_code=503)
        return _serve(file, request, immutable=path.startswith("assets/"))

    def _find(self, path: str) -> Path | None:
        if not path or "\0" in path:
            return None
        file = (self._folder / path).resolve()
        return file if file.is_relative_to(self._folder.resolve()) and file.is_file() else None


def _serve(file: Path, request: Request, *, immutable: bool) -> Response:
    stamp = file.stat().st_mtime_ns
    headers = {"cache-control": "public, max-age=31536000, immutable" if immutable else "no-cache"}
    media_type = guess_type(file.name)[0] or "application/octet-stream"
    if file.suffix == ".mjs":
        media_type = "text/javascript"
    etag = f'"{stamp:x}-{file.stat().st_size:x}"'
    headers["etag"] = etag
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    if file.suffix in COMPRESSED:
        headers["vary"] = "accept-encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(
                _gzipped(file, stamp), media_type=media_type, headers=headers | {"content-encoding": "gzip"}
            )
    return Response(file.read_bytes(), media_type=media_type, headers=headers)


@lru_cache(maxsize=64)
def _gzipped(file: Path, _stamp: int) -> bytes:
    """Compressed once per file and change: the largest, the PDF viewer, takes 40 ms."""
    return gzip.compress(file.read_bytes(), compresslevel=6)
