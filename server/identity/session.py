"""From a request to its caller: the session cookie of a browser or a bearer token of the API."""

from starlette.requests import Request
from starlette.responses import Response

from server.errors import Forbidden, Unauthorized
from server.identity.accounts import Caller, current
from server.identity.guests import is_nobody
from server.identity.tokens import LIFETIME_SECONDS, InvalidToken, TokenIssuer
from sql.db import Database

COOKIE = "ibid_session"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


async def caller_of(request: Request, database: Database, tokens: TokenIssuer) -> Caller:
    """The verified caller. Raises Unauthorized; nothing that a client says about itself is believed (A1)."""
    token = _bearer(request) or request.cookies.get(COOKIE, "")
    if not token:
        raise Unauthorized
    try:
        claims = tokens.verify(token)
    except InvalidToken:
        raise Unauthorized("Your session has ended. Sign in to go on.") from None
    return await current(database, claims)


def claims_somebody(request: Request) -> bool:
    """Whether a request carries a session, good or not; "null" and the like stand for nobody (A8)."""
    return bool(_bearer(request) or not is_nobody(request.cookies.get(COOKIE, "")))


def refuse_cross_site(request: Request) -> None:
    """What another site's page asks for changes nothing: a cookie travels by itself, and nobody is to be
    signed in as somebody else unawares. A bearer token is no page's by accident. Raises Forbidden."""
    if request.method in SAFE_METHODS or _bearer(request):
        return
    if request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise Forbidden("This request came from another site.", code="cross_site")


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and not is_nobody(token) else ""


def set_cookie(response: Response, token: str, *, secure: bool) -> None:
    response.set_cookie(
        COOKIE, token, max_age=LIFETIME_SECONDS, httponly=True, samesite="strict", secure=secure, path="/"
    )


def clear_cookie(response: Response) -> None:
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
