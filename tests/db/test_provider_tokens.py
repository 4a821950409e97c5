"""Token vectors of the embedded model: whole passages, kept within bounds, off the loop, and honest about languages."""

import asyncio
import time
from pathlib import Path

import pytest

from providers.tokens import TokenEncoder, maxsim

MODELS = Path("/var/tmp/ibid-test-models")
FERRY = "The ferry to the island leaves the quay at seven."
PARROT = "The harbour master keeps a grey parrot."
LONG = "ship " * 600


async def scores_of(encoder: TokenEncoder, query: str, passages: list[str]) -> list[float]:
    return [float(score) for score in maxsim(await encoder.nearest(query, passages))]


@pytest.fixture(scope="module")
def encoder() -> TokenEncoder:
    return TokenEncoder(MODELS)


async def test_what_answers_is_nearer(encoder: TokenEncoder) -> None:
    near, far = await scores_of(encoder, "When does the boat depart?", [FERRY, PARROT])
    assert 1 >= near > far + 0.1
    assert await scores_of(encoder, "When does the boat depart?", []) == []


async def test_the_end_of_a_long_passage_is_read(encoder: TokenEncoder) -> None:  # J4, F5
    without, with_it = await scores_of(encoder, "grey parrot", [LONG, f"{LONG} {PARROT}"])
    assert with_it > without + 0.2


async def test_an_odd_text_is_a_text(encoder: TokenEncoder) -> None:
    scores = await scores_of(encoder, "\ud800", ["", "\0", FERRY, "北京"])
    assert len(scores) == 4
    assert all(score == score for score in scores)


async def test_passages_are_encoded_once_and_kept_within_bounds() -> None:
    texts = [f"{FERRY} Pier {n}." for n in range(6)]
    encoder = TokenEncoder(MODELS, kept_bytes=6 * 25 * 384 * 2)
    first = await scores_of(encoder, "ferry", texts)
    assert 0 < encoder.kept_bytes <= 6 * 25 * 384 * 2
    assert await scores_of(encoder, "ferry", texts) == first
    small = TokenEncoder(MODELS, kept_bytes=20_000)
    assert await scores_of(small, "ferry", texts) == first
    assert small.kept_bytes <= 20_000


async def test_the_loop_goes_on_meanwhile(encoder: TokenEncoder) -> None:  # H1
    await encoder.warm()
    work = asyncio.create_task(scores_of(encoder, "ferry", [f"{n} {LONG}" for n in range(8)]))
    worst = 0.0
    while not work.done():
        before = time.perf_counter()
        await asyncio.sleep(0.002)
        worst = max(worst, time.perf_counter() - before)
    assert worst < 0.1


@pytest.mark.parametrize(
    ("query", "least", "most"),
    [
        ("How many points did the defence surrender?", 1.0, 1.0),
        ("0-dimensional biomaterials show inductive properties.", 0.4, 1.0),
        ("1.2.3", 1.0, 1.0),
        ("ECONNREFUSED", 0.0, 0.0),
        ("豹队的防守丢了多少分", 0.0, 0.0),
        ("Сколько очков пропустила защита?", 0.0, 0.0),
        ("Berapa banyak poin yang diserahkan pertahanan?", 0.0, 0.7),
    ],
)
async def test_how_far_a_query_is_read(encoder: TokenEncoder, query: str, least: float, most: float) -> None:
    assert least <= await encoder.reads(query) <= most
