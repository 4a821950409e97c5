"""Named queries: every statement lives in a .sql file under `-- name: some_query(parameter, ...)`."""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
PART = re.compile(r"^ *-- if (?P<part>\w+)\n(?P<lines>.*?)^ *-- end if\n", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^-- name: (?P<name>[a-z_]+)\((?P<parameters>[^)]*)\)\s*$", re.MULTILINE)


class UnknownQuery(LookupError):
    """No .sql file holds a query of this name."""


def query(name: str) -> str:
    """The text of a named query, with native `$1` parameters in the order its heading lists."""
    try:
        return load()[name]
    except KeyError:
        raise UnknownQuery(name) from None


@cache
def query_with(name: str, *parts: str) -> str:
    """The text of a named query with these of its parts, each between `-- if part` and `-- end if`.

    What a plan need not hold is not set up at every run. Raises ValueError for a part that the query has not.
    """
    text = query(name)
    if unknown := set(parts) - {found["part"] for found in PART.finditer(text)}:
        raise ValueError(f"query {name} has no part {', '.join(sorted(unknown))}")
    return PART.sub(lambda found: found["lines"] if found["part"] in parts else "", text)


@cache
def load() -> dict[str, str]:
    """Every named query by name. A name used twice is an error."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.sql")):
        if path.name == "schema.sql":
            continue
        for name, text in read(path).items():
            if name in found:
                raise ValueError(f"query {name} is defined twice, the second time in {path.name}")
            found[name] = text
    return found


def read(path: Path) -> dict[str, str]:
    """The named queries of one file."""
    text = path.read_text(encoding="utf-8")
    headings = list(HEADING.finditer(text))
    found: dict[str, str] = {}
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        if heading["name"] in found:
            raise ValueError(f"query {heading['name']} is defined twice in {path.name}")
        found[heading["name"]] = text[heading.end() : following.start() if following else None].strip()
    return found


def parameters(name: str) -> list[str]:
    """The parameter names of a query, from its heading."""
    for path in sorted(FOLDER.glob("*.sql")):
        for heading in HEADING.finditer(path.read_text(encoding="utf-8")):
            if heading["name"] == name:
                return [part.strip() for part in heading["parameters"].split(",") if part.strip()]
    raise UnknownQuery(name)
