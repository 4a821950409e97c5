"""Spreadsheets and delimited files: every cell as it is shown, every row whole, sheets apart."""

from datetime import date, datetime, time
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from ingestion.errors import TooBig
from ingestion.parse.blocks import Parsed
from ingestion.parse.cellformat import shown
from ingestion.parse.delimited import read_delimited, split_delimited
from ingestion.parse.limits import Limits
from ingestion.parse.pieces import pieces
from ingestion.parse.sheets import Cell, Range, Sheet, sheet_blocks
from ingestion.parse.tables import table_blocks
from ingestion.parse.xlsx import read_xlsx

LIMITS = Limits()


def cases(shared: Path, name: str) -> Any:
    return split_delimited(read_text(shared, name))


def read_text(shared: Path, name: str) -> str:
    from ingestion.parse.decode import decode

    return decode((shared / "cases/files" / name).read_bytes()).text


def test_quoted_newlines_and_doubled_quotes(shared: Path) -> None:  # S-TS-01
    found = cases(shared, "S-TS-01/qzv-orders.csv")
    assert found.rows == [
        ["order", "customer", "remark", "amount"],
        ["1", "Teel, Mara", "first line\nsecond line with, comma", "10"],
        ["2", 'Bo "the crane" Lind', "plain", "20"],
        ["3", "Varn", "", "30"],
    ]


def test_codes_stay_text(shared: Path) -> None:  # S-TS-02
    rows = cases(shared, "S-TS-02/qzv-codes.csv").rows
    assert [row[0] for row in rows[1:]] == ["01569", "00501", "02134"]
    assert rows[3][1] == "00042"
    odd = "code,a,b\n1E10,NA,NO\n007,null,-\n"
    assert split_delimited(odd).rows[1:] == [["1E10", "NA", "NO"], ["007", "null", "-"]]


def test_semicolons_with_commas_in_the_cells(shared: Path) -> None:  # S-TS-05
    found = cases(shared, "S-TS-05/qzv-preise.csv")
    assert found.delimiter == ";"
    assert found.rows[2] == ["Tau", "12,25", "je Meter, weiß"]
    sample = (shared / "data/parse/semicolon-delimited.csv").read_text()
    assert split_delimited(sample).rows[0] == ["Lorem, ipsum", "dolor sit", "amet"]


@pytest.mark.parametrize(
    ("text", "delimiter", "row"),
    [
        ("sep=|\na|b\n1|2\n", "|", ["1", "2"]),
        ("a\tb\n1,5\t2,5\n", "\t", ["1,5", "2,5"]),
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";", ["1,5", "2,5"]),
        ("name\nTeel, Mara\nVarn\nLind\n", "\x1f", ["Teel, Mara"]),
        ('size,note\n5" pipe,long\n6" pipe,short\n', ",", ['5" pipe', "long"]),
        ('a, b\n1, "x, y"\n', ",", ["1", "x, y"]),
    ],
)
def test_the_delimiter_is_voted_for(text: str, delimiter: str, row: list[str]) -> None:
    found = split_delimited(text)
    assert (found.delimiter, found.rows[1]) == (delimiter, row)


def test_odd_files_lose_nothing() -> None:
    unclosed = 'a,b\n1,"never closed\n' + "2,x\n" * 500
    found = split_delimited(unclosed)
    assert [note.code for note in found.warnings] == ["quote_unclosed"]
    assert len(found.rows) == 502
    uneven = split_delimited("a,b\n1,2\n1,2,3\n4,5\n")
    assert [note.code for note in uneven.warnings] == ["rows_uneven"]
    parsed = read_delimited(b"Quay report\n\na;b\n1;\n;2\n", "csv", LIMITS)
    assert [block.text for block in parsed.blocks] == ["Quay report", "| a | b |\n| 1 |  |\n|  | 2 |"]
    wide = read_delimited("\ufeffa\tb\nö\t00".encode("utf-16-le"), "tsv", LIMITS)
    assert wide.blocks[0].text == "| a | b |\n| ö | 00 |"
    with pytest.raises(TooBig):
        read_delimited(b"a,b\n" + b"1,2\n" * 100, "csv", Limits(max_characters=100))


def test_long_tables_go_on_under_their_header() -> None:  # F3, F6
    rows = [[f"QZV-{number}", "bar"] for number in range(3_000)]
    blocks = table_blocks([["valve", "unit"], *rows], header=1)
    assert len(blocks) > 2
    assert {block.text.split("\n")[0] for block in blocks} == {"| valve | unit |"}
    assert sum(block.text.count("QZV-") for block in blocks) == 3_000
    before = {block.text for block in blocks}
    after = {block.text for block in table_blocks([["valve", "unit"], ["new", "bar"], *rows], header=1)}
    assert len(after - before) <= 2


def test_pieces_end_at_lines_that_do_not_move() -> None:  # F3
    lines = [f"12:00:{number % 60:02} pump {number} runs" for number in range(2_000)]
    before = {tuple(piece) for piece in pieces(lines)}
    after = {tuple(piece) for piece in pieces(["a new first line", *lines])}
    assert len(after - before) <= 2
    assert [line for piece in pieces(lines) for line in piece] == lines
    assert max(sum(map(len, piece)) for piece in pieces(["x" * 500] * 100)) <= 8_500


@pytest.mark.parametrize(
    ("raw", "code", "text"),
    [
        ("501", "00000", "00501"),
        ("1.0", "General", "1"),
        ("0.30000000000000004", "", "0.3"),
        ("1234567890123", "", "1234567890123"),
        ("1e20", "", "1E+20"),
        ("1234567.891", "#,##0.00", "1,234,567.89"),
        ("-1234.5", "#,##0.00;[Red](#,##0.00)", "(1,234.50)"),
        ("-5", "0", "-5"),
        ("-0.004", "0.00", "0.00"),
        ("0.155", "0.0%", "15.5%"),
        ("1234.5", "[$€-407] #,##0.00", "€ 1,234.50"),
        ("3", '0 "pcs; all"', "3 pcs; all"),
        ("1234567", "#,##0,", "1,235"),
        ("12345", "0.00E+00", "1.23E+04"),
        ("1234567890", "000-000-0000", "123-456-7890"),
        ("0.5", "# ?/?", "0.5"),
        ("5", ";;;", "5"),
        ("45356", "dd.mm.yyyy", "05.03.2024"),
        ("45356.75", "yyyy-mm-dd hh:mm", "2024-03-05 18:00"),
        ("45356.75", "d/m/yy h:mm AM/PM", "5/3/24 6:00 PM"),
        ("45356", "[$-F800]dddd\\,\\ mmmm\\ dd", "2024-03-05"),
        ("45356", "ddd, mmmm d", "Tue, March 5"),
        ("1.5", "[h]:mm", "36:00"),
        ("-1", "dd.mm.yyyy", "-1"),
        ("59", "yyyy-mm-dd", "1900-02-28"),
        ("NA", "0", "NA"),
    ],
)
def test_numbers_as_they_are_shown(raw: str, code: str, text: str) -> None:
    assert shown(raw, code) == text


def sheet(tmp_path: Path, book: Workbook) -> Parsed:
    stored = BytesIO()
    book.save(stored)
    path = tmp_path / "zzyzx.xlsx"
    path.write_bytes(stored.getvalue())
    return read_xlsx(path, LIMITS)


def test_cells_as_they_are_shown(tmp_path: Path) -> None:  # E8
    book = Workbook()
    page: Any = book.active
    page.title = "Örter"
    page.append(["code", "when", "share", "flag", "note"])
    page.append(["00501", date(2024, 3, 5), 0.155, True, "NA"])
    page.append(["1E10", datetime(2024, 3, 5, 18, 30), 12, False, "NO"])
    page.append([7, time(6, 30), "=1+1", None, "two\nlines | bar"])
    page["A4"].number_format, page["C2"].number_format = "0000", "0.0%"
    hidden: Any = book.create_sheet("Back room")
    hidden.append(["only", "here"])
    hidden.append(["x", 1])
    hidden.sheet_state = "hidden"
    parsed = sheet(tmp_path, book)
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        ("heading", "Örter"),
        (
            "table",
            "| code | when | share | flag | note |\n"
            "| 00501 | 2024-03-05 | 15.5% | TRUE | NA |\n"
            "| 1E10 | 2024-03-05 18:30:00 | 12 | FALSE | NO |\n"
            "| 0007 | 6:30:00 | =1+1 |  | two lines \\| bar |",
        ),
        ("heading", "Back room"),
        ("table", "| only | here |\n| x | 1 |"),
    ]
    assert {note.code for note in parsed.warnings} == {"hidden_sheets", "formulas_uncomputed"}
    assert "Back room" in parsed.warnings[0].message


def test_merged_cells_repeat(tmp_path: Path, shared: Path) -> None:  # S-TS-03
    crew = read_xlsx(shared / "cases/files/S-TS-03/qzv-crew.xlsx", LIMITS).blocks[1].text.split("\n")
    assert crew[3] == "| North | night | 4 |"
    book = Workbook()
    page: Any = book.active
    for row in [["Crew of the quay"], ["dock", "crew"], [None, "day", "night"], ["North", 7, 4]]:
        page.append(row)
    for merged in ("A1:C1", "B2:C2", "A2:A3"):
        page.merge_cells(merged)
    title, table = sheet(tmp_path, book).blocks[1:]
    assert (title.kind, title.text) == ("paragraph", "Crew of the quay")
    assert (table.level, table.text) == (
        2,
        "| dock | crew | crew |\n| dock | day | night |\n| North | 7 | 4 |",
    )


def test_sheets_are_never_mixed(shared: Path) -> None:
    blocks = read_xlsx(shared / "data/parse/stanley-cups.xlsx", LIMITS).blocks
    heads = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    assert [blocks[index].text for index in heads] == ["Stanley Cups", "Stanley Cups Since 67"]
    assert "| Maple Leafs | TOR | 13 |" in blocks[heads[1] - 1].text
    assert "| Maple Leafs | TOR | 0 |" in blocks[-1].text


def test_blank_rows_and_far_cells() -> None:  # X9
    text, figure = Cell("word"), Cell("1", is_text=False)
    rows = {1: {1: text, 2: text}, 2: {1: text, 2: figure}, 4: {1: text, 2: figure}, 9: {5: text, 6: text}}
    kinds = [block.text.count("\n") + 1 for block in sheet_blocks(Sheet("s", rows)) if block.kind == "table"]
    assert kinds == [3, 1]
    far = Sheet("s", {1: {1: text}, 1_048_576: {16_384: text}}, [Range(1, 1, 1_048_576, 16_384)])
    assert len(sheet_blocks(far)) == 3
    staircase = Sheet("s", {number: {number: text, number + 1: figure} for number in range(1, 4_000)})
    with pytest.raises(TooBig):
        sheet_blocks(staircase)
