"""Provider keys at rest: sealed with Fernet, the newest key first so that older ones can be rotated out."""

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from server.config import BadConfig


class Sealer:
    """Seals with the first key and opens with any of them (N3)."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys])
        except ValueError:
            raise BadConfig(
                "SETTINGS_ENCRYPTION_KEY must be Fernet keys (32 bytes, base64), separated by commas."
            ) from None

    def seal(self, secret: str) -> bytes:
        return self._fernet.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str | None:
        """The secret, or None when the key that sealed it is lost: it has to be entered again."""
        try:
            return self._fernet.decrypt(sealed).decode()
        except InvalidToken:
            return None

    def reseal(self, sealed: bytes) -> bytes | None:
        """The same secret under the newest key, or None when the key that sealed it is lost."""
        try:
            return self._fernet.rotate(sealed)
        except InvalidToken:
            return None
