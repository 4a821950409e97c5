"""What a document is about, told by rules: kind, date, summary and topics (E17)."""

from datetime import date

import pytest

from ingestion.kinds import KINDS, type_of
from ingestion.metadata import SUMMARY_CHARACTERS, describe
from ingestion.parse.blocks import Block

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def told(*blocks: Block, name: str = "zzyzx.txt", media_type: str = "text/plain", language: str = "en"):  # type: ignore[no-untyped-def]
    return describe(blocks, name=name, media_type=media_type, language=language)


@pytest.mark.parametrize(
    ("name", "text", "media_type", "kind"),
    [
        ("q3.csv", "a,b", "text/csv", "spreadsheet"),
        ("zzyzx.eml", "Invoice", "message/rfc822", "email"),
        ("ship.py", "def invoice(): ...", "text/x-python", "code"),
        ("conf.yaml", "a: 1", "application/yaml", "data"),
        ("Rechnung_2021-7.pdf", "Zebras 12", "application/pdf", "invoice"),
        ("scan1.pdf", "Invoice number 7\nAmount due: 12.00\nTotal 12.00", "application/pdf", "invoice"),
        ("Kaufvertrag.docx", "Zwischen A und B", DOCX, "contract"),
        ("a.docx", "This is made by and between A and B, the parties.", DOCX, "contract"),
        ("p.pdf", "On zebras\nAbstract\nWe count.\nA. Zzyzx et al.", "application/pdf", "paper"),
        ("AMCOR_10K.pdf", "Form", "application/pdf", "report"),
        ("Annual report.pdf", "Zebras", "application/pdf", "report"),
        ("user-guide.md", "Press it", "text/markdown", "manual"),
        ("todo.md", "buy zebras", "text/markdown", "notes"),
        ("x.docx", "Dear Ms Zzyzx,\nthe ferry left.\nYours sincerely", DOCX, "letter"),
        ("page.html", "zebras", "text/html", "web_page"),
        ("contractor-list.txt", "names", "text/plain", "document"),
        ("cv.pdf", "Ada Zzyzx", "application/pdf", "resume"),
    ],
)
def test_kinds(name: str, text: str, media_type: str, kind: str) -> None:
    stem = name.rpartition(".")[0].replace("_", " ").replace("-", " ")
    assert type_of(stem, text.splitlines(), media_type=media_type) == kind
    assert kind in KINDS


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Effective 2021-03-04.", date(2021, 3, 4)),
        ("Berlin, den 4. März 2021", date(2021, 3, 4)),
        ("Paris, le 4 mars 2021", date(2021, 3, 4)),
        ("a 4 de marzo de 2021", date(2021, 3, 4)),
        ("March 4th, 2021", date(2021, 3, 4)),
        ("4.3.2021", date(2021, 3, 4)),
        ("2021年3月4日", date(2021, 3, 4)),
        ("03/04/2021", None),  # two days, on two continents
        ("version 12.34.2021", None),
        ("13 zebras 2021", None),
        ("31 February 2021", None),
        ("It was 2021.", None),
    ],
)
def test_the_first_date(line: str, found: date | None) -> None:
    assert told(Block("paragraph", "Zzyzx"), Block("paragraph", line)).date == found


def test_a_summary_is_the_abstract_or_else_the_first_paragraph_that_says_something() -> None:
    long = "The zzyzx ferry crosses the strait twelve times a day in summer and four times a day in winter. "
    head = (Block("title", "Ferries"), Block("paragraph", "Ada Zzyzx"), Block("paragraph", long * 5))
    summary = told(*head).summary
    assert summary is not None
    assert summary == (long * 3).strip()
    assert len(summary) <= SUMMARY_CHARACTERS
    abstract = (Block("heading", "Abstract", 1), Block("paragraph", "We count zebras. " * 6))
    assert told(*head, *abstract).summary == ("We count zebras. " * 6).strip()
    assert told(Block("table", "| a | b |")).summary is None


def test_topics_are_the_words_that_headings_carry_and_the_text_repeats() -> None:
    found = told(
        Block("heading", "Ferry timetable", 1),
        Block("paragraph", "The ferry leaves at noon. Ferries are full. The timetable is printed by zebras."),
        Block("code", "import zebras; zebras(zebras)"),
    ).topics
    assert found[0] == "ferry"
    assert "timetable" in found
    assert "zebras" not in found  # once, beside the code
    assert "ferries" not in found


def test_nothing_is_made_up_of_nothing() -> None:
    found = told(Block("paragraph", "七"), media_type="text/plain")
    assert (found.title, found.summary, found.topics, found.type, found.date) == (
        None, "七", (), "document", None,
    )  # fmt: skip
