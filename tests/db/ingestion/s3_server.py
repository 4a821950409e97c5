"""A small S3: objects of one bucket in memory, by path, over real HTTP. It checks no signature."""

import hashlib
import re
from dataclasses import dataclass, field
from html import escape
from itertools import count
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

MODIFIED = "2021-03-04T05:06:07.000Z"
LAST_MODIFIED = "Thu, 04 Mar 2021 05:06:07 GMT"


@dataclass(slots=True)
class S3:
    """`objects` by key, `requests` as they came, and `broken` for a store that answers 503 to everything."""

    bucket: str = "zzyzx"
    objects: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    broken: bool = False
    _parts: dict[str, dict[int, bytes]] = field(default_factory=dict)
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    def app(self) -> Starlette:
        methods = ["GET", "HEAD", "PUT", "POST", "DELETE"]
        return Starlette(routes=[Route("/{path:path}", self._answer, methods=methods)])

    async def _answer(self, request: Request) -> Response:
        bucket, _, key = unquote(request.path_params["path"]).removeprefix("v1/").partition("/")
        body = await request.body()
        self.requests.append(f"{request.method} {key}?{request.url.query}")
        if self.broken:
            return Response(status_code=503)
        if bucket != self.bucket or "authorization" not in request.headers:
            return Response(status_code=403)
        asked = request.query_params
        if "uploads" in asked or "uploadId" in asked:
            return self._multipart(request.method, key, asked.get("uploadId"), asked.get("partNumber"), body)
        if not key:
            return (
                self._list(asked.get("prefix", ""), asked) if request.method == "GET" else self._delete(body)
            )
        return self._object(request, key, body)

    def _object(self, request: Request, key: str, body: bytes) -> Response:
        if request.method == "PUT":
            self.objects[key] = body
            return Response(headers={"ETag": _etag(body)})
        if request.method == "DELETE":
            self.objects.pop(key, None)
            return Response(status_code=204)
        data = self.objects.get(key)
        if data is None:
            return _xml("<Error><Code>NoSuchKey</Code></Error>", 404)
        headers = {"ETag": _etag(data), "Last-Modified": LAST_MODIFIED}
        part = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
        if part:
            start, end = int(part[1]), int(part[2] or len(data) - 1)
            headers["Content-Range"] = f"bytes {start}-{min(end, len(data) - 1)}/{len(data)}"
            return Response(data[start : end + 1], 206, headers)
        return Response(data, headers=headers)

    def _multipart(
        self, method: str, key: str, upload: str | None, part: str | None, body: bytes
    ) -> Response:
        if upload is None:
            upload = f"upload-{next(self._numbers)}"
            self._parts[upload] = {}
            return _xml(
                f"<InitiateMultipartUploadResult><Bucket>{self.bucket}</Bucket><Key>{escape(key)}</Key>"
                f"<UploadId>{upload}</UploadId></InitiateMultipartUploadResult>"
            )
        if method == "PUT" and part:
            self._parts[upload][int(part)] = body
            return Response(headers={"ETag": _etag(body)})
        parts = self._parts.pop(upload)
        if method == "DELETE":
            return Response(status_code=204)
        self.objects[key] = b"".join(parts[number] for number in sorted(parts))
        return _xml(
            f"<CompleteMultipartUploadResult><Key>{escape(key)}</Key>"
            f"<ETag>{escape(_etag(self.objects[key]))}</ETag></CompleteMultipartUploadResult>"
        )

    def _list(self, prefix: str, asked: object) -> Response:
        found = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>{MODIFIED}</LastModified><Size>{len(data)}</Size>"
            f"<ETag>{escape(_etag(data))}</ETag></Contents>"
            for key, data in sorted(self.objects.items())
            if key.startswith(prefix)
        )
        return _xml(f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>")

    def _delete(self, body: bytes) -> Response:
        keys = re.findall(r"<Key>(.*?)</Key>", body.decode())
        for key in keys:
            self.objects.pop(key, None)
        gone = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        return _xml(f"<DeleteResult>{gone}</DeleteResult>")


def _etag(data: bytes) -> str:
    return f'"{hashlib.md5(data, usedforsecurity=False).hexdigest()}"'


def _xml(text: str, status: int = 200) -> Response:
    return Response(f'<?xml version="1.0"?>{text}', status, media_type="application/xml")
