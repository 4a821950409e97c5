"""Example questions made from the headings of the newest documents, for the empty page."""

import re

from sql.db import Database, Identity
from sql.queries import query

DOCUMENTS = 6
QUESTIONS = 3
# Headings that every document of a kind has say nothing about this one.
GENERIC = re.compile(
    r"^(?:\d+[.)\d]*\s+)?(table of contents|contents|introduction|appendix|references|bibliography|abstract|index|"
    r"summary|overview|part \w+\.?|item \d+\w?\.?|exhibits?|signatures?|notes?|page \d+|untitled|chapter \d+)\W*$",
    re.I,
)


async def suggestions(database: Database, identity: Identity) -> list[str]:
    """At most three questions, from different documents where there are several."""
    async with database.as_user(identity) as connection:
        rows = await connection.fetch(query("newest_completed_documents"), identity.workspace_id, DOCUMENTS)
    per_document = [_questions(row["name"], row["headings"] or []) for row in rows]
    found: list[str] = []
    for depth in range(QUESTIONS):
        for questions in per_document:
            if depth < len(questions) and questions[depth] not in found and len(found) < QUESTIONS:
                found.append(questions[depth])
    return found


def _questions(name: str, headings: list[str]) -> list[str]:
    """Questions of one document; its name alone when no heading says anything."""
    useful = [h for h in (" ".join(h.split()).strip(" .:*-–—") for h in headings) if _says_something(h)]
    if not useful:
        return [f"What is {_title(name)} about?"]
    return [f"What does {_title(name)} say about “{heading}”?" for heading in useful[:QUESTIONS]]


def _says_something(heading: str) -> bool:
    letters = sum(c.isalpha() for c in heading)
    return letters >= 6 and letters > 0.6 * len(heading.replace(" ", "")) and not GENERIC.match(heading)


def _title(name: str) -> str:
    stem = name.rsplit(".", 1)[0]
    return stem if len(stem) <= 50 else stem[:49].rstrip() + "…"
