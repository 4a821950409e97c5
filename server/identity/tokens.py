"""Session tokens: JWTs signed with ES256 and verified strictly, and the key set that verifies them."""

import hashlib
import time
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from cryptography.hazmat.primitives import serialization
from jose import JWTError, jwk, jwt

ISSUER = "ibid"
AUDIENCE = "ibid"
ALGORITHM = "ES256"
LIFETIME_SECONDS = 7 * 24 * 3600
LEEWAY_SECONDS = 60  # settled in requirements.md

# python-jose accepts a token without exp or aud, and an HS256 one signed with the public key, unless
# every one of these is asked for (X1).
STRICT = {
    "require_exp": True,
    "require_aud": True,
    "require_iss": True,
    "require_sub": True,
    "require_iat": True,
    "leeway": LEEWAY_SECONDS,
}


class InvalidToken(Exception):
    """The token was not issued by us, or no longer counts."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a verified token says: a user in a workspace. Nothing more is taken from it (A11)."""

    user_id: UUID
    workspace_id: UUID
    session_id: str
    issued_at: float | None = None  # None: not from a token, so that no change of password ends it


class TokenIssuer:
    """Issues and verifies this installation's tokens.

    External identity providers are to join here: `verify` looks the key up by `kid`, so a second key
    set with its own issuer is one more entry, not another path.
    """

    def __init__(self, private_pem: str) -> None:
        self._private = private_pem
        self._public = _public_jwk(private_pem)
        self.kid: str = self._public["kid"]

    def jwks(self) -> dict[str, Any]:
        """The public key set, as served under /.well-known/jwks.json."""
        return {"keys": [self._public]}

    def issue(self, *, user_id: UUID, workspace_id: UUID, now: float | None = None) -> str:
        issued = (
            time.time() if now is None else now
        )  # with its fraction: a password may change in this second
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": str(user_id),
            "wid": str(workspace_id),
            "iat": issued,
            "exp": int(issued) + LIFETIME_SECONDS,
            "jti": uuid4().hex,
        }
        return str(jwt.encode(claims, self._private, algorithm=ALGORITHM, headers={"kid": self.kid}))

    def verify(self, token: str) -> Claims:
        """The claims of a token that we issued. Raises InvalidToken for anything else."""
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") != ALGORITHM or header.get("kid") != self.kid:
                raise InvalidToken("not signed by a key of ours")
            claims = jwt.decode(
                token, self._public, algorithms=[ALGORITHM], audience=AUDIENCE, issuer=ISSUER, options=STRICT
            )
            return Claims(
                UUID(claims["sub"]), UUID(claims["wid"]), str(claims.get("jti", "")), float(claims["iat"])
            )
        except (JWTError, KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
            raise InvalidToken(str(error)) from error


def _public_jwk(private_pem: str) -> dict[str, Any]:
    private = serialization.load_pem_private_key(private_pem.encode("ascii"), password=None)
    public_pem = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    described = jwk.construct(public_pem.decode("ascii"), ALGORITHM).to_dict()
    plain = {k: v.decode() if isinstance(v, bytes) else v for k, v in described.items()}
    kid = hashlib.sha256(public_pem).hexdigest()[:16]
    return plain | {"kid": kid, "use": "sig", "alg": ALGORITHM}
