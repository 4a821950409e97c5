"""The settings of the workspace: a snapshot in memory, saved all or nothing, reloaded on notice."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from providers.types import Endpoint
from server.errors import Unprocessable
from server.settings.crypto import Sealer
from server.settings.fields import BY_NAME, FIELDS, BadValue, parse
from sql.db import Database, Identity, service
from sql.queries import query


@dataclass(frozen=True, slots=True)
class Settings:
    """One consistent reading. `lost` names secrets whose sealing key is gone."""

    values: dict[str, Any] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict, repr=False)
    lost: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name, BY_NAME[name].default)

    def endpoint(self, section: str) -> Endpoint | None:
        """The endpoint of chat, embedding or rerank; None when it is not connected."""
        base_url, model = self[f"{section}.base_url"], self[f"{section}.model"]
        if not base_url or not model:
            return None
        return Endpoint(base_url=base_url, model=model, api_key=self.secrets.get(f"{section}.key"))

    def changed_by(self, changes: dict[str, Any]) -> "Settings":
        """These settings with unsaved changes on top, already parsed. None means back to the default."""
        values, secrets = dict(self.values), dict(self.secrets)
        for name, value in changes.items():
            target = secrets if BY_NAME[name].kind == "secret" else values
            if value is None or value == "":
                target.pop(name, None)
            else:
                target[name] = value
        return Settings(values, secrets, self.lost - changes.keys())


def parse_changes(current: Settings, changes: dict[str, Any]) -> dict[str, Any]:
    """Changes as they are stored. Raises Unprocessable that names every bad field (all or nothing)."""
    parsed: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for name, value in changes.items():
        if name not in BY_NAME or BY_NAME[name].hidden:
            problems[name] = "There is no such setting."
            continue
        try:
            parsed[name] = None if value is None else parse(BY_NAME[name], value)
        except BadValue as error:
            problems[name] = str(error)
    for section in ("chat", "embedding", "rerank", "web", "handover"):
        problem = _key_problem(current, parsed, section)
        if problem:
            problems[f"{section}.key"] = problem
    if problems:
        raise Unprocessable("Nothing was saved: some values cannot be used.", detail={"fields": problems})
    return parsed


def _key_problem(current: Settings, changes: dict[str, Any], section: str) -> str | None:
    """A stored key never goes to an address that it was not entered for (N9, X11)."""
    name, key = f"{section}.base_url", f"{section}.key"
    # One that cannot be opened now counts: its sealing key may come back.
    if name not in changes or key in changes or not (key in current.secrets or key in current.lost):
        return None
    if _origin(changes[name] or "") == _origin(current[name]):
        return None
    return "The address has changed: enter the key again, or clear it."


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


class SettingsStore:
    """Reads and writes the settings table; `current` is what the process works with."""

    def __init__(self, database: Database, workspace_id: UUID, sealer: Sealer) -> None:
        self._database = database
        self._workspace_id = workspace_id
        self._sealer = sealer
        self.current = Settings()

    async def reload(self) -> Settings:
        async with self._database.transaction(**service(self._workspace_id)) as connection:
            rows = await connection.fetch(query("list_settings"), self._workspace_id)
        values: dict[str, Any] = {}
        secrets: dict[str, str] = {}
        lost = set()
        for row in rows:
            if row["name"] not in BY_NAME:
                continue  # of a newer or older version
            if row["sealed"] is None:
                values[row["name"]] = row["value"]
                continue
            secret = self._sealer.open(row["sealed"])
            if secret is None:
                lost.add(row["name"])
            else:
                secrets[row["name"]] = secret
        self.current = Settings(values, secrets, frozenset(lost))
        return self.current

    async def save(self, identity: Identity, changes: dict[str, Any]) -> Settings:
        """Save parsed changes in one transaction; None or empty goes back to the default."""
        async with self._database.as_user(identity) as connection:
            for name, value in changes.items():
                if value is None or value == "" or value == BY_NAME[name].default:
                    await connection.execute(query("delete_setting"), self._workspace_id, name)
                    continue
                secret = BY_NAME[name].kind == "secret"
                await connection.execute(
                    query("put_setting"),
                    self._workspace_id,
                    name,
                    None if secret else value,
                    self._sealer.seal(value) if secret else None,
                    identity.user_id,
                )
        return await self.reload()

    async def reseal(self, identity: Identity) -> tuple[int, list[str]]:
        """Put every stored secret under the newest key: how many, and names of those whose key is lost."""
        done, lost = 0, []
        async with self._database.as_user(identity) as connection:
            for row in await connection.fetch(query("list_settings"), self._workspace_id):
                if row["sealed"] is None:
                    continue
                sealed = self._sealer.reseal(row["sealed"])
                if sealed is None:
                    lost.append(row["name"])
                elif await connection.fetchval(
                    query("reseal_setting"), self._workspace_id, row["name"], row["sealed"], sealed
                ):
                    done += 1
        return done, lost


def describe(settings: Settings, section: str) -> list[dict[str, Any]]:
    """The fields of a section as the settings page shows them; a secret only ever says whether it is set."""
    shown = []
    for item in FIELDS:
        if item.section != section:
            continue
        entry: dict[str, Any] = {
            "name": item.name, "label": item.label, "help": item.help, "kind": item.kind,
            "placeholder": item.placeholder or None, "min": item.least, "max": item.most,
        }  # fmt: skip
        if item.kind == "secret":
            is_set = item.name in settings.secrets
            entry |= {"default": None, "value": None, "is_set": is_set, "changed": is_set,
                      "lost": item.name in settings.lost}  # fmt: skip
        else:
            entry |= {"default": item.default, "value": settings[item.name],
                      "changed": settings[item.name] != item.default}  # fmt: skip
        if item.choices:
            entry["choices"] = [{"value": value, "label": label} for value, label in item.choices]
        shown.append(entry)
    return shown
