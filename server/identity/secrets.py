"""Secrets that the installation makes for itself, kept in files that only its user can read."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from sql.migrate import Logins


def signing_key(home: Path) -> str:
    """The private key that signs sessions: PEM, P-256, for ES256."""
    return read_or_create(home / "secrets" / "signing.pem", _new_signing_key)


def sealing_key(home: Path) -> str:
    """The Fernet key for provider keys, where SETTINGS_ENCRYPTION_KEY gives none."""
    return read_or_create(home / "secrets" / "settings.key", lambda: Fernet.generate_key().decode())


def database_logins(home: Path) -> Logins:
    """Passwords of the application's own database logins."""
    return Logins(
        app_password=read_or_create(home / "secrets" / "ibid_app.password", _new_password),
        reader_password=read_or_create(home / "secrets" / "ibid_reader.password", _new_password),
    )


def read_or_create(path: Path, make: Callable[[], str]) -> str:
    """The file's text; made at first use. Two processes that start together agree on one value."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)  # fails when another process was first, so the first value stays
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()


def _new_password() -> str:
    return secrets.token_urlsafe(32)


def _new_signing_key() -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode("ascii")
