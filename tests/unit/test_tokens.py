"""Session tokens: only what we issued, for as long as we said, is believed."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from jose import jwt

from server.identity.tokens import LIFETIME_SECONDS, Claims, InvalidToken, TokenIssuer

USER, WORKSPACE = uuid4(), uuid4()
NOW = time.time()


def new_pem() -> str:
    return (
        ec.generate_private_key(ec.SECP256R1())
        .private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        .decode()
    )


PEM = new_pem()
ISSUER = TokenIssuer(PEM)


def public(encoding: serialization.Encoding) -> bytes:
    key = serialization.load_pem_private_key(PEM.encode(), password=None).public_key()
    return key.public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo)


def claims(**changes: Any) -> dict[str, Any]:
    good = {
        "iss": "ibid", "aud": "ibid", "sub": str(USER), "wid": str(WORKSPACE),
        "iat": int(NOW), "exp": int(NOW) + 600, "jti": "j",
    }  # fmt: skip
    return {name: value for name, value in {**good, **changes}.items() if value is not None}


def signed(body: dict[str, Any], *, pem: str = PEM, **header: Any) -> str:
    return str(jwt.encode(body, pem, algorithm="ES256", headers={"kid": ISSUER.kid, **header}))


def part(value: Any) -> bytes:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def by_hand(algorithm: str, sign: Callable[[bytes], bytes], kid: str | None = None) -> str:
    """A token as an attacker writes it, past the checks of a library."""
    header = {"alg": algorithm, "typ": "JWT", "kid": kid or ISSUER.kid}
    text = part(header) + b"." + part(claims())
    return (text + b"." + part(sign(text))).decode()


def hs256(secret: bytes) -> str:
    return by_hand("HS256", lambda text: hmac.new(secret, text, hashlib.sha256).digest())


def swapped(token: str, **header: Any) -> str:
    """The same signature under another header."""
    first, rest = token.split(".", 1)
    old = json.loads(base64.urlsafe_b64decode(first + "=="))
    return part({**old, **header}).decode() + "." + rest


JWK_X = base64.urlsafe_b64decode(ISSUER.jwks()["keys"][0]["x"] + "==")
FORGED = {
    "alg none": by_hand("none", lambda _: b""),
    "alg NONE": by_hand("NONE", lambda _: b""),
    "alg none without the last part": by_hand("none", lambda _: b"").rstrip("."),
    "HS256 over the public key PEM": hs256(public(serialization.Encoding.PEM)),
    "HS256 over the PEM without its line end": hs256(public(serialization.Encoding.PEM).strip()),
    "HS256 over the DER bytes": hs256(public(serialization.Encoding.DER)),
    "HS256 over the published key set": hs256(json.dumps(ISSUER.jwks()["keys"][0]).encode()),
    "HS256 over a coordinate of the key": hs256(JWK_X),
    "HS256 over nothing": hs256(b""),
    "ES256 under the header HS256": swapped(signed(claims()), alg="HS256"),
    "no exp": signed(claims(exp=None)),
    "no aud": signed(claims(aud=None)),
    "no iss": signed(claims(iss=None)),
    "no sub": signed(claims(sub=None)),
    "no iat": signed(claims(iat=None)),
    "no workspace": signed(claims(wid=None)),
    "wrong iss": signed(claims(iss="https://id.qzv.example")),
    "wrong aud": signed(claims(aud="ibid-test")),
    "expired": signed(claims(exp=int(NOW) - 3600)),
    "expired beyond the leeway": signed(claims(exp=int(NOW) - 75)),
    "not valid yet": signed(claims(nbf=int(NOW) + 3600)),
    "sub that is no id": signed(claims(sub="null")),
    "workspace that is no id": signed(claims(wid=7)),
    "kid of no key": signed(claims(), kid="zz"),
    "no kid": str(jwt.encode(claims(), PEM, algorithm="ES256")),
    "another key under our kid": signed(claims(), pem=new_pem()),
    "key in the header": signed(claims(), pem=new_pem(), jwk=ISSUER.jwks()["keys"][0]),
    "last character changed": signed(claims())[:-4] + "AAAA",
    "empty": "",
    "two parts": "a.b",
    "five parts": "a.b.c.d.e",
    "not base64": "ä.ö.ü",
    "a header that is a list": part([]).decode() + ".e30.e30",
    "claims that are a list": part({"alg": "ES256", "kid": ISSUER.kid}).decode()
    + "."
    + part([]).decode()
    + ".e30",
}


@pytest.mark.parametrize("name", FORGED)
def test_what_we_did_not_issue_is_refused(name: str) -> None:  # X1, S-SI-01, A1
    with pytest.raises(InvalidToken):
        ISSUER.verify(FORGED[name])


def test_every_refusal_of_the_case_book_is_here(shared: Path) -> None:  # S-SI-01
    book = json.loads((shared / "cases/files/S-SI-01/tokens.json").read_text())
    assert {row["name"] for row in book["refuse"]} <= set(FORGED)


def test_ours_is_accepted() -> None:
    assert ISSUER.verify(signed(claims(iat=NOW))) == Claims(USER, WORKSPACE, "j", NOW)
    issued = ISSUER.verify(ISSUER.issue(user_id=USER, workspace_id=WORKSPACE))
    assert (issued.user_id, issued.workspace_id) == (USER, WORKSPACE)


def test_clocks_may_differ_by_a_minute() -> None:  # settled 7
    now = time.time()  # not that of the import, which may be a minute ago in a long run
    assert ISSUER.verify(signed(claims(exp=int(now) - 40))).user_id == USER
    old = ISSUER.issue(user_id=USER, workspace_id=WORKSPACE, now=now - LIFETIME_SECONDS - 100)
    with pytest.raises(InvalidToken):
        ISSUER.verify(old)


def test_the_key_set_is_public_and_names_its_key() -> None:
    [key] = ISSUER.jwks()["keys"]
    assert {"kty", "crv", "x", "y", "kid", "use", "alg"} == set(key)
    assert (key["kty"], key["crv"], key["alg"], key["kid"]) == ("EC", "P-256", "ES256", ISSUER.kid)
    assert TokenIssuer(PEM).kid == ISSUER.kid
    assert TokenIssuer(new_pem()).kid != ISSUER.kid


def test_a_token_of_another_installation_is_refused() -> None:
    with pytest.raises(InvalidToken):
        TokenIssuer(new_pem()).verify(ISSUER.issue(user_id=USER, workspace_id=WORKSPACE))
