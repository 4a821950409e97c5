"""What a command says when it cannot go on: a sentence instead of a traceback."""

from server.evaluation.bench_client import Broken
from server.evaluation.bench_house import NotReady
from server.faults import KNOWN, as_http_error
from server.workbench import NoSuchMember
from sql.errors import SqlError

EXPECTED: tuple[type[Exception], ...] = (*KNOWN, NoSuchMember, NotReady, Broken)


def complaint(error: Exception) -> str:
    """The sentence for one of EXPECTED."""
    match error:
        case SqlError() | NoSuchMember() | NotReady() | Broken():
            return str(error)
        case OSError(filename=str(name), strerror=str(reason)):
            return f"{name}: {reason}. Ibid keeps its data in IBID_HOME, which has to be a folder of yours."
        case _:
            return as_http_error(error).message
