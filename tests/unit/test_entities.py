"""Names in text by the rules, their one spelling, and what a document settles about them."""

from uuid import UUID, uuid4

import pytest

from ingestion.resolve import TITLE_WEIGHT, Linked, resolve
from providers.entities import asked_names, extract
from providers.extraction import batches, estimate, read
from providers.spelling import key_of, keys_of_runs, short_for


def keys(text: str) -> set[str]:
    return {mention.key for mention in extract(text).mentions}


def relations(text: str) -> set[tuple[str, str, str]]:
    return {(r.source, r.kind, r.target) for r in extract(text).relations}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AIS plc", "AIS"),
        ("The Café Müller GmbH", "cafe muller"),
        ("Acme Corp., Inc.", "ACME"),
        ("Dr. Li Wei", "Li Wei"),
        ("J. R. R. Tolkien", "J.R.R. Tolkien"),
        ("U.S. Army", "US Army"),
        ("Johnson & Johnson", "Johnson and Johnson"),
        ("Straße", "STRASSE"),
        ("O’Neill's", "O'Neill"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:  # K4
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("AIS", "AI"), ("C++", "C#"), ("Henry IV", "Henry V"), ("type 2 diabetes", "diabetes"), ("Inc", "Ltd")],
)
def test_names_of_different_things_keep_theirs(one: str, other: str) -> None:  # K4 K6
    assert key_of(one) != key_of(other)


def test_names_are_found_in_the_middle_and_at_the_start_of_sentences() -> None:
    found = keys(
        "Zentro, the company, was founded in Dunholt. Scientists agree. The scientists of Ulm agree."
    )
    assert {"zentro", "dunholt", "ulm"} <= found
    assert "scientists" not in found  # the passage also writes it small


def test_codes_and_names_with_small_words_are_names() -> None:
    found = keys("Ask the Duke of Wexbury about AIS-2026, ERR_QZV_4417 and the retry.limit of Windows 10.")
    assert {"duke of wexbury", "wexbury", "ais 2026", "err_qzv_4417", "retry limit", "windows 10"} <= found


@pytest.mark.parametrize("text", ["", "\0", "東京タワーは東京にある。", "ａ" * 5000, "(((((", "A" * 9000])
def test_any_text_is_read(text: str) -> None:
    assert all(0 < len(mention.key) <= 80 for mention in extract(text).mentions)


@pytest.mark.parametrize(
    "text",
    [
        "Tolvan Mills uses `--` with Merrow Farm.",
        "Tolvan Mills runs `...` at Merrow Farm.",
        f"Tolvan Mills {'ΐ' * 40} Merrow Farm.",  # three times as long when it is casefolded
    ],
)
def test_whatever_stands_between_two_names_can_be_stored(text: str) -> None:  # E22
    found = extract(text)
    assert {"tolvan mills", "merrow farm"} <= {m.key for m in found.mentions}
    assert all(1 <= len(part) <= 80 for r in found.relations for part in (r.source, r.kind, r.target))


def test_names_in_other_scripts_with_capitals_are_found() -> None:
    assert {"сергеи прокофьев"} <= keys("Балет написал Сергей Прокофьев.")
    assert {"ile de france"} <= keys("Elle vit en Île-de-France depuis 1990.")


def test_an_abbreviation_stands_for_the_words_before_it() -> None:  # K4
    assert ("ais", "alias", "advanced info service") in relations("Advanced Info Service (AIS) grew.")
    assert ("pcr", "alias", "polymerase chain reaction") in relations(
        "By polymerase chain reaction (PCR) they"
    )
    assert ("qvx", "alias", "quillon vex exchange") in relations("Quillon Vex Exchange plc (QVX) trades.")
    assert not any(kind == "alias" for _, kind, _ in relations("Many clinics (UK) closed."))
    assert short_for("PCR", ["the", "clinic"]) is None


def test_also_known_as_is_an_alias() -> None:  # K4
    assert ("big blue", "alias", "orlith machines") in relations(
        "Orlith Machines, also known as Big Blue, sells."
    )


def test_a_narrower_term_is_linked_and_not_merged() -> None:  # K6
    text = "Patients with type 2 diabetes were asked."
    assert {"type 2 diabetes", "diabetes"} <= keys(text)
    assert ("type 2 diabetes", "narrower", "diabetes") in relations(text)


def test_a_persons_company_is_their_sense() -> None:  # K4 S-GE-02
    [first] = [
        m for m in extract("Li Wei is a cardiologist at Harbor Hospital.").mentions if m.key == "li wei"
    ]
    [second] = [
        m for m in extract("Li Wei, chief welder at Kestrel Yard, left.").mentions if m.key == "li wei"
    ]
    assert (first.sense, second.sense) == ("harbor hospital", "kestrel yard")


def test_a_question_written_small_offers_every_run_of_words() -> None:
    asked = {one.key: one.sure for one in asked_names("who directed the polish-russian war?")}
    assert asked["polish russian war"] is False
    assert asked.get("who") is None


def passage(text: str, *, ordinal: int = 0, headings: tuple[str, ...] = ()) -> Linked:
    return Linked(UUID(int=uuid4().int), ordinal, headings, extract(text))


def settled(*texts: str, title: str | None = None) -> list[dict[str, tuple[float, str]]]:
    passages = [passage(text, ordinal=ordinal) for ordinal, text in enumerate(texts)]
    return [
        {m.key: (m.weight, m.sense) for m in one.names.mentions} for one in resolve(passages, title=title)
    ]


def test_a_passage_is_about_the_title_of_its_document() -> None:
    [first, second] = settled("It is a song.", "It was sung.", title="Blue Moon (song)")
    assert first["blue moon"] == (TITLE_WEIGHT, "song")
    assert second["blue moon"][0] < 1
    [none] = settled("It is a song.", title="This is a sentence, and names nothing.")
    assert none == {}


def test_an_abbreviation_is_explained_for_the_whole_document() -> None:  # K4
    [_, second] = settled("Advanced Info Service (AIS) grew.", "Then AIS shrank.")
    assert "advanced info service" in second
    assert second["ais"][1] == "advanced info service"


def test_a_surname_means_the_one_person_who_bears_it() -> None:
    [_, second] = settled("Dr. Mara Teel is chief engineer of Orlith Shipping.", "Later Teel resigned.")
    assert second["mara teel"][1] == "orlith shipping"
    [_, _, third] = settled("Dr. Mara Teel came.", "Dr. Jon Teel came.", "Later Teel resigned.")
    assert "mara teel" not in third


def test_what_a_model_writes_counts_where_a_passage_bears_it_out() -> None:  # N5
    answer = {
        "entities": [
            {"name": "Ilse Varn", "type": "Person"},
            {"name": "Nobody Here"},
            {"name": 3},
            "x",
            None,
        ],
        "relations": [{"source": "Ilse Varn", "target": "Nobody Here", "kind": "knows"}, {"source": None}],
    }
    names = read(answer, "Captain Ilse Varn commands.")
    assert [(m.key, m.kind) for m in names.mentions] == [("ilse varn", "person")]
    assert names.relations == ()
    assert read(None, "x").mentions == read([], "x").mentions == read({"entities": "x"}, "x").mentions == ()


def test_passages_go_to_a_model_in_batches_that_are_counted_beforehand() -> None:
    texts = ["x" * 1000] * 20
    assert [len(places) for places in batches(texts)] == [6, 6, 6, 2]
    assert estimate(20_000)["requests"] == 4


@pytest.mark.parametrize(
    "text",
    [
        "Who directed the Café Müller film of Dr. J. R. R. Tolkien's son?",
        "the U.S. B C programme of AT&T and R & D at X Y",
        "Is A B Ltd a subsidiary of C++ SNPs GmbH",
    ],
)
def test_runs_of_words_have_the_keys_of_their_texts(text: str) -> None:  # K4
    words = text.split()
    found = [(" ".join(run), key) for run, key in keys_of_runs(words, longest=7)]
    assert len(found) == sum(min(7, len(words) - first) for first in range(len(words)))
    assert [key for _, key in found] == [key_of(run) for run, _ in found]
