"""What a caller of the HTTP API can be told, and the one place where inner errors become that.

HttpError                  status, code, a sentence for people, optional detail
├── BadRequest      400
├── Unauthorized    401
├── Forbidden       403
├── NotFound        404    also for what exists and may not be seen
├── Conflict        409
├── TooLarge        413
├── UnsupportedType 415
├── Unprocessable   422
├── TooMany         429
└── Unavailable     503
"""

from typing import Any, ClassVar


class HttpError(Exception):
    """Something went wrong."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal"

    def __init__(self, message: str | None = None, *, code: str | None = None, detail: Any = None) -> None:
        self.message = message or self.__doc__ or ""
        self.error_code = code or self.code
        self.detail = detail
        super().__init__(self.message)


class BadRequest(HttpError):
    """The request cannot be understood."""

    status, code = 400, "bad_request"


class Unauthorized(HttpError):
    """Sign in to go on."""

    status, code = 401, "unauthorized"


class Forbidden(HttpError):
    """Your role does not allow this. Ask an administrator of this workspace."""

    status, code = 403, "forbidden"


class NotFound(HttpError):
    """There is nothing here, or it is not yours to see."""

    status, code = 404, "not_found"


class Conflict(HttpError):
    """This is at odds with what is already there."""

    status, code = 409, "conflict"


class TooLarge(HttpError):
    """This is larger than the limit."""

    status, code = 413, "too_large"


class UnsupportedType(HttpError):
    """This type of file is not accepted."""

    status, code = 415, "unsupported_type"


class Unprocessable(HttpError):
    """Some values cannot be used."""

    status, code = 422, "invalid"


class TooMany(HttpError):
    """Too many attempts. Wait a minute, then try again."""

    status, code = 429, "too_many"


class Unavailable(HttpError):
    """The service cannot answer just now. Try again in a moment."""

    status, code = 503, "unavailable"
