"""The only reader of the environment: it becomes one frozen Config, and nothing below asks again."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


class BadConfig(Exception):
    """An environment variable has a value that cannot be used."""


@dataclass(frozen=True, slots=True)
class Config:
    """Where things are and who may enter. Secrets are kept out of `repr`."""

    home: Path
    host: str
    port: int
    database_url: str | None = field(repr=False)
    database_app_url: str | None = field(repr=False)
    database_reader_url: str | None = field(repr=False)
    database_direct_url: str | None = field(repr=False)
    settings_keys: tuple[str, ...] = field(repr=False)
    owner_email: str | None
    owner_password: str | None = field(repr=False)
    langsmith_api_key: str | None = field(repr=False)
    langsmith_url: str | None
    blobs: str
    public_url: str | None

    @property
    def address(self) -> str:
        """Where it is reached from this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - compared, not bound
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def base_url(self) -> str:
        """What links begin with that no request asked for."""
        return self.public_url or self.address

    @property
    def pooled(self) -> bool:
        """Behind a transaction pooler, which is why LISTEN was given a direct address."""
        return self.database_direct_url is not None


def load(environ: Mapping[str, str] = os.environ) -> Config:
    """Read the environment. Raises BadConfig with a sentence that names the variable."""
    home = Path(environ.get("IBID_HOME") or _default_home(environ)).expanduser().absolute()
    host = environ.get("HOST") or "127.0.0.1"
    port = _port(environ.get("PORT") or "8000")
    return Config(
        home=home,
        host=host,
        port=port,
        database_url=environ.get("DATABASE_URL") or None,
        database_app_url=environ.get("DATABASE_APP_URL") or None,
        database_reader_url=environ.get("DATABASE_READER_URL") or None,
        database_direct_url=environ.get("DATABASE_DIRECT_URL") or None,
        settings_keys=tuple(
            k.strip() for k in environ.get("SETTINGS_ENCRYPTION_KEY", "").split(",") if k.strip()
        ),
        owner_email=environ.get("IBID_OWNER_EMAIL") or None,
        owner_password=environ.get("IBID_OWNER_PASSWORD") or None,
        langsmith_api_key=environ.get("LANGSMITH_API_KEY") or None,
        langsmith_url=environ.get("LANGSMITH_ENDPOINT") or None,
        blobs=environ.get("IBID_BLOBS") or (home / "blobs").as_uri(),
        public_url=_public_url(environ.get("IBID_PUBLIC_URL") or ""),
    )


def _default_home(environ: Mapping[str, str]) -> Path:
    if os.geteuid() == 0:
        return Path("/var/lib/ibid")
    data = environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "ibid"


def _public_url(text: str) -> str | None:
    if text and not text.startswith(("http://", "https://")):
        raise BadConfig(f"IBID_PUBLIC_URL is {text!r}; it must begin with http:// or https://.")
    return text.rstrip("/") or None


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) < 65536:
        raise BadConfig(f"PORT is {text!r}; it must be a number from 0 to 65535.")
    return int(text)
