"""The judge of weak evidence: asked once and only there, believed when it is clear, and never in the way."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from providers import degrade
from providers.chat import ChatClient
from providers.local import LocalEmbedder
from providers.scenarios import Reply, refuse, say
from providers.scripted import running, scripted_app
from providers.types import Endpoint
from retrieval.judge import FALLBACK, ChatJudge
from retrieval.passages import SearchRequest, SearchResult
from retrieval.search import search
from server.evaluation.beir import Entry
from server.evaluation.corpus import store
from sql.db import Database, Identity

TEXTS = [
    "The Zzyzx ferry leaves the quay at seven.",
    "Bicycles travel free of charge on the Zzyzx line.",
    "The harbour master of Zzyzx keeps a parrot called Quill.",
]
WEAK = "When does the boat to the islands depart?"  # near to the first text in meaning, and no more
STRONG = "When does the Zzyzx ferry leave the quay?"


class Courtroom:
    """The scripted chat model as a judge of searches in one corpus."""

    def __init__(self, app: Any, base_url: str, database: Database, owner: Identity, embedder: LocalEmbedder):
        self.app, self.base_url = app, base_url
        self.asked = (database, owner, embedder)

    async def search(self, query: str, *replies: Reply) -> SearchResult:
        self.app.state.queue, self.app.state.requests = list(replies), []
        chat = ChatClient(Endpoint(self.base_url, "scripted-json"))
        result = await search(*self.asked, SearchRequest(query, k=3), judge=ChatJudge(chat))
        await chat.close()
        return result


@pytest_asyncio.fixture
async def court(database: Database, owner: Identity, embedder: LocalEmbedder) -> AsyncIterator[Courtroom]:
    await store(database, owner, embedder, [Entry(str(n), "", text) for n, text in enumerate(TEXTS)])
    app = scripted_app()
    async with running(app) as url:
        yield Courtroom(app, url, database, owner, embedder)


def answer(word: str) -> Reply:
    return Reply(say(f'{{"answer": "{word}"}}'))


@pytest.mark.parametrize(
    ("word", "state", "reason"),
    [
        ("yes", "grounded", "judged_answering"),
        ("partly", "partly", "judged_partly"),
        ("no", "none", "judged_unrelated"),
    ],
)
async def test_weak_evidence_is_judged(court: Courtroom, word: str, state: str, reason: str) -> None:  # D6
    result = await court.search(WEAK, answer(word))
    assert (result.grounding, result.reasons) == (state, ("weak_evidence_only", reason))
    assert bool(result.passages) == (state != "none")
    (body,) = court.app.state.requests
    assert TEXTS[0] in str(body["messages"])  # J4


async def test_strong_evidence_needs_no_judge(court: Courtroom) -> None:
    result = await court.search(STRONG, answer("no"))
    assert (result.grounding, result.reasons) == ("grounded", ("strong_evidence",))
    assert court.app.state.requests == []


@pytest.mark.parametrize("reply", [Reply(say("Hard to say, your honour.")), refuse(500, "internal error")])
async def test_a_judge_who_fails_lets_answer(court: Courtroom, reply: Reply) -> None:  # J3, J5
    before = degrade.count(FALLBACK)
    result = await court.search(WEAK, reply)
    assert (result.grounding, result.reasons) == ("partly", ("weak_evidence_only",))
    assert result.passages
    assert degrade.count(FALLBACK) == before + 1
