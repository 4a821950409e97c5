"""The one place where errors of the layers below become answers of the HTTP API."""

import ingestion.errors as files
from providers.errors import ProviderError
from retrieval.errors import BadEntity, BadQuery, BadRule, EntityNotFound, RetrievalError
from server import errors
from server.errors import HttpError
from sql.db import CONNECTION_LOST, InsufficientPrivilege, NotText
from sql.errors import SqlError

LIBRARY: dict[type[files.LibraryError], type[HttpError]] = {
    files.NotFound: errors.NotFound,
    files.NotAllowed: errors.Forbidden,
    files.TooLarge: errors.TooLarge,
    files.FolderExists: errors.Conflict,
    files.FolderNotEmpty: errors.Conflict,
    files.FolderInsideItself: errors.Conflict,
    files.BlobUnavailable: errors.Unavailable,
}
RETRIEVAL: dict[type[RetrievalError], type[HttpError]] = {
    BadQuery: errors.BadRequest,
    BadRule: errors.BadRequest,
    BadEntity: errors.BadRequest,
    EntityNotFound: errors.NotFound,
}
# In the order of the check: the first that fits.
KNOWN: tuple[type[Exception], ...] = (
    HttpError,
    files.IngestionError,
    files.LibraryError,
    ProviderError,
    RetrievalError,
    SqlError,
    InsufficientPrivilege,
    NotText,
    *CONNECTION_LOST,
)


def as_http_error(error: Exception) -> HttpError:
    """What to tell the caller about an error of a known kind."""
    match error:
        case HttpError():
            return error
        case files.UnsupportedType():
            return errors.UnsupportedType(error.message, detail={"accepted": list(error.accepted)})
        case files.TooBig():
            return errors.TooLarge(error.message)
        case files.IngestionError():
            return errors.BadRequest(f"{error.message} {error.hint}", code=error.code)
        case files.LibraryError():
            return LIBRARY.get(type(error), errors.BadRequest)(error.message, code=error.code)
        case RetrievalError():
            return RETRIEVAL.get(type(error), errors.Unavailable)(str(error), code=error.code)
        case ProviderError():
            return errors.Unavailable(str(error), code=error.code)
        case NotText():
            return errors.BadRequest("The request holds a character that is not text.")
        case InsufficientPrivilege():
            return errors.Forbidden()
        case _:
            return errors.Unavailable("The database cannot be reached just now. Try again in a moment.")
