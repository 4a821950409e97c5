"""From words with boxes to blocks: columns, tables, headings, running lines."""

from ingestion.parse.blocks import Block, Page
from ingestion.parse.columns import rows, segments
from ingestion.parse.grid import Grid, split_rows
from ingestion.parse.layout import lay_out
from ingestion.parse.words import Word, font_named

BODY = font_named("Times", heavy=False)
BOLD = font_named("Times-Bold", heavy=False)
MONO = font_named("ABCDEF+Courier", heavy=False)


def put(text: str, x: float, y: float, *, size: float = 10, font: object = BODY) -> list[Word]:
    """One line of words from (x, y), each character half as wide as it is high."""
    words = []
    for word in text.split(" "):
        words.append(Word(word, x, y, x + len(word) * size / 2, y + size, font))  # type: ignore[arg-type]
        x += (len(word) + 0.6) * size / 2
    return words


def read(*pages: list[Word]) -> list[Block]:
    return lay_out(pages, [Page(number, 600.0, 800.0, 0) for number in range(1, len(pages) + 1)], {})


def test_two_columns_are_read_one_after_the_other() -> None:  # S-PE-06
    left = [
        "The committee of Orlith met in",
        "spring and found that the annual",
        "turbine budget must be cut by",
    ]
    right = [
        "Separately, the harbour office",
        "reported that dredging of the",
        "north basin will begin only in",
    ]
    words = put("One headline spans both of the columns that this page holds below", 60, 60)
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        words += put(a, 60, 100 + 12 * index) + put(b, 320, 100 + 12 * index)
    texts = [block.text for block in read(words)]
    assert texts[-2:] == [" ".join(left), " ".join(right)]


def test_a_row_of_figures_stays_a_row() -> None:  # F6
    words = put("Year ended December 31,", 300, 80) + put("2017", 310, 94) + put("2016", 400, 94)
    for index, (label, a, b) in enumerate(
        [("Revenues", "11,692,713", "8,830,669"), ("Net income", "558,929", "186,678"), ("Other", "—", "(5)")]
    ):
        y = 108 + 14 * index
        words += put(label, 60, y) + put("$", 300, y) + put(a, 320, y) + put("$", 390, y) + put(b, 410, y)
    found = read(words)
    assert [block.kind for block in found] == ["table"]
    assert found[0].level == 2
    assert found[0].text.split("\n")[1:3] == [
        "|  | 2017 | 2016 |",
        "| Revenues | $ 11,692,713 | $ 8,830,669 |",
    ]
    assert "| Net income | $ 558,929 | $ 186,678 |" in found[0].text
    assert found[0].bbox == (60.0, 80.0, 455.0, 146.0)


def test_a_table_under_another_is_another() -> None:  # F6
    words = []
    for top, label in ((100, "Sales"), (180, "Costs")):
        words += put(label, 60, top) + put("North", 300, top) + put("South", 400, top)
        for index in range(4):
            y = top + 13 * (index + 1)
            words += put(f"Quay {index}", 60, y) + put(f"{index}1.5", 300, y) + put(f"{index}2.5", 400, y)
    found = read(words)
    assert [block.text.split("\n")[0] for block in found] == [
        "| Sales | North | South |",
        "| Costs | North | South |",
    ]
    assert [block.text.count("\n") for block in found] == [4, 4]


def test_a_wrapped_label_joins_its_figures() -> None:
    words = put("Preferred stock, ten million shares authorized at the end", 60, 100)
    words += put("of December", 60, 112) + put("1,871", 400, 112) + put("1,599", 460, 112)
    words += put("Retained earnings", 60, 124) + put("1,731", 400, 124) + put("1,128", 460, 124)
    words += put("Total", 60, 136) + put("9,999", 400, 136) + put("8,888", 460, 136)
    start = put("Common stock", 60, 88) + put("1", 400, 88) + put("2", 460, 88)
    found = split_rows(rows(segments(start + words)))
    assert isinstance(found[0], Grid)
    assert (
        "| Preferred stock, ten million shares authorized at the end of December | 1,871 | 1,599 |"
        in found[0].text
    )


def test_headings_by_style_and_levels_by_size() -> None:
    words = put("Harbour manual", 60, 60, size=20, font=BOLD)
    words += put("Opening hours", 60, 120, size=14, font=BOLD)
    for index in range(6):
        words += put(
            "the desk is open every day from nine until the tide turns at five", 60, 150 + 12 * index
        )
    words += put("1.1 Exceptions", 60, 240, font=BOLD)
    words += put("it is closed on the day of the regatta and on", 60, 256) + put(
        "all other days of rest.", 60, 268
    )
    found = read(words)
    headings = [(block.text, block.level) for block in found if block.kind == "heading"]
    assert headings == [("Harbour manual", 1), ("Opening hours", 2), ("1.1 Exceptions", 3)]
    assert found[-1].text == "it is closed on the day of the regatta and on all other days of rest."
    assert found[-1].bbox == (60.0, 256.0, 265.0, 278.0)


def test_the_outline_gives_levels() -> None:
    words = put("3.1 Payment Schedule", 60, 100) + put("plain words follow here", 60, 130)
    found = lay_out([words], [Page(1, 600.0, 800.0, 0)], {"31paymentschedule": (3, 1)})
    assert [(block.kind, block.level) for block in found] == [("heading", 3), ("paragraph", 0)]


def test_a_page_set_wider_than_the_rest_keeps_its_paragraphs() -> None:
    tight = [word for row in range(60) for word in put(f"Label {row} of the table", 60, 60 + 10.2 * row)]
    wide = [
        "The company announced updates to its financials and to the guidance that",
        "2023 brings, which reflect its operations as one that is focused on tides,",
        "Bittern said. A webinar for investors explains what is behind the figures",
        "that were published, and where the harbour of Orlith stands among the rest",
        "of them in the coming year, as far as anybody can tell at this early time.",
    ]
    page = [word for row, text in enumerate(wide) for word in put(text, 60, 60 + 13.7 * row)]
    assert read(tight, page)[-1].text == " ".join(wide)


def test_a_line_that_ends_a_broken_off_one_is_no_heading() -> None:
    words = put(
        "The board of the harbour expects a growth of 7.0% in the year of 2023, and", 60, 60, font=BOLD
    )
    words += put("Adjusted Growth of Sales", 60, 72, font=BOLD)
    words += [
        w
        for row in range(9)
        for w in put("A body line of plain text that is long enough here.", 60, 100 + 12 * row)
    ]
    assert [b.kind for b in read(words)].count("heading") <= 1


def test_hyphens_lists_and_code() -> None:
    words = (
        put("a self\u00ad", 60, 100) + put("locking nut is the eir\u00ad", 60, 112) + put("mod kind", 60, 124)
    )
    words += put("• first item of", 60, 150) + put("the list", 70, 162) + put("• second", 60, 174)
    words += (
        put("if (x) {", 60, 220, font=MONO)
        + put("stop();", 80, 232, font=MONO)
        + put("}", 60, 244, font=MONO)
    )
    assert [(block.kind, block.text) for block in read(words)] == [
        ("paragraph", "a self-locking nut is the eirmod kind"),
        ("list_item", "first item of the list"),
        ("list_item", "second"),
        ("code", "if (x) {\n    stop();\n}"),
    ]


def test_running_lines_are_kept_once() -> None:  # S-CH-06
    pages = []
    for number in range(1, 13):
        words = put("Orlith Harbour - Confidential", 60, 20) + put(f"Page {number} of 12", 60, 770)
        pages.append(words + put(f"Chapter {number}: crane {number} is greased.", 60, 130))
    found = read(*pages)
    assert sum("Confidential" in block.text for block in found) == 1
    assert not any("of 12" in block.text for block in found)
    assert sum("Chapter" in block.text for block in found) == 12


def test_running_section_names_are_kept_once_each() -> None:
    pages = []
    for number in range(1, 9):
        section = "Item 7" if number < 5 else "Item 8"
        pages.append(put(section, 280, 30) + put(f"Words of page {number} about the harbour.", 60, 130))
    texts = [block.text for block in read(*pages)]
    assert (texts.count("Item 7"), texts.count("Item 8")) == (1, 1)


def test_single_lines_near_the_top_survive() -> None:
    found = read(put("This is a page about France", 60, 20), put("This is a page about Denmark", 60, 20))
    assert len(found) == 2
    covers = read(*[put("Cover of the port book.", 60, 20) for _ in range(6)])  # S-CI-02
    assert [block.page for block in covers] == [1, 2, 3, 4, 5, 6]


def test_right_to_left_lines_keep_their_order() -> None:  # E25
    words = [
        Word("تحسين", 200, 100, 230, 110, BODY),
        Word("الإنتاجية", 150, 100, 196, 110, BODY),
        Word("Python", 110, 100, 146, 110, BODY),
    ]
    assert read(words)[0].text == "تحسين الإنتاجية Python"
