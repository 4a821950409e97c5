"""Source code, configuration and data files as text: cut at definitions, never run, loaded or expanded."""

import json

import pytest

from ingestion.errors import TooNested
from ingestion.parse.source import DEFINITIONS, source_blocks
from ingestion.parse.structured import layout, read_json, read_json_lines, read_xml
from ingestion.parse.text import read_log, read_rst


def names(kind: str, text: str) -> list[str]:
    return [block.text for block in source_blocks(text, kind) if block.kind == "heading"]


SOURCES = [
    ("python", "@x\ndef one(a):\n  def inner(): ...\n\nasync def two():\n  x\n\nclass C:\n  a", ["one", "two", "C"]),
    ("javascript", "export async function one() {\n}\n\nconst two = (a) => {\n}\nconst N = 3\n", ["one", "two"]),
    ("typescript", "export interface One {\n a: string\n}\n\nexport const two = async () => {\n}\n", ["One", "two"]),
    ("java", "package a;\n\npublic final class One {\n  void m() {}\n}\n", ["One"]),
    ("kotlin", "data class One(\n val a: Int\n)\n\nfun two() {\n}\n", ["One", "two"]),
    ("swift", "public struct One {\n}\n\nfunc two() {\n}\n", ["One", "two"]),
    ("csharp", "namespace A.B\n{\n public class One {}\n}\n", ["A.B"]),
    ("go", "package a\n\nfunc (s *Server) One() {\n}\n\ntype Two struct {\n}\n", ["One", "Two"]),
    ("rust", "pub(crate) async fn one() {\n}\n\nimpl<T> Two for Three {\n}\n", ["one", "Two for Three"]),
    ("c", "static int one(int a)\n{\n  two(a);\n}\n\nint no(void);\n\nstruct two {\n  int a;\n};\n", ["one", "two"]),
    ("cpp", "std::vector<int> One::two(int a) {\n  if (a) {\n  }\n}\n\nnamespace three {\n}\n", ["One::two", "three"]),
    ("ruby", "module One\n  def x\n  end\nend\n\ndef two\n  1\nend\n", ["One", "two"]),
    ("php", "<?php\n\nfinal class One {\n}\n\nfunction two() {\n}\n", ["One", "two"]),
    ("shell", "#!/bin/sh\n\none() {\n  echo\n}\n\nfunction two {\n  echo\n}\n", ["one", "two"]),
    ("sql", "-- name: one(a)\nSELECT 1\nFROM b;\n\ncreate table if not exists two (\n  a int\n);\n", ["one", "two"]),
    ("yaml", "a: 1\nb: 2\nservices:\n  web:\n    image: x\n'q r':\n  - 1\n", ["a … b", "services", "q r"]),
    ("toml", "top = 1\n\n[tool.one]\na = 1\n\n[[two]]\nb = 2\n", ["tool.one", "two"]),
    ("ini", "; note\n[one]\na=1\n\n[two]\nb=2\n", ["one", "two"]),
    ("css", "a { b: c }\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "expected"), SOURCES, ids=[kind for kind, _, _ in SOURCES])
def test_definitions_are_headings(kind: str, text: str, expected: list[str]) -> None:  # E8
    assert names(kind, text) == expected
    kept = "".join(block.text for block in source_blocks(text, kind) if block.kind == "code")
    assert "".join(kept.split()) == "".join(text.split())


def test_what_stands_above_a_definition_belongs_to_it() -> None:
    blocks = source_blocks(
        "import os\n\n# Opens the sluice.\n@cache\ndef sluice():\n    return 1\n", "python"
    )
    assert [block.text for block in blocks] == [
        "import os",
        "sluice",
        "# Opens the sluice.\n@cache\ndef sluice():\n    return 1",
    ]


def test_long_lines_and_files_cost_little() -> None:  # X9
    minified = "function a(){};" * 60_000
    assert sum(len(block.text) for block in source_blocks(minified, "javascript")) == len(minified)
    for kind in DEFINITIONS:
        source_blocks(("a" * 200 + " ") * 2 + "\n" + "public static " * 25 + "\n" + "x " * 190, kind)
    bomb = "a: &a [x,x]\n" + "".join(f"b{n}: &b{n} [*a,*a,*a]\n" for n in range(50))
    assert "*a,*a,*a" in source_blocks(bomb, "yaml")[-1].text


def test_json_by_its_keys() -> None:
    data = {"name": "zzyzx", "tags": ["a", "b"], "rows": [{"id": n, "text": "word " * 20} for n in range(3)]}
    parsed = read_json(json.dumps(data).encode())
    assert [block.text for block in parsed.blocks if block.kind == "heading"] == ["name … tags", "rows"]
    assert '"tags": ["a", "b"]' in parsed.blocks[1].text
    assert parsed.blocks[3].text.count('"id"') == 3


def test_json_keeps_numbers_and_reads_escapes() -> None:
    text = '{"a":1E10,"b":1.10,"c":"caf\\u00e9 \\ud83d\\ude00\\nnext","d":"\\ud800 \\u0000","e":NaN,"f":tru'
    found = "\n".join(block.text for block in read_json(text.encode()).blocks)
    for piece in ("1E10", "1.10", "café 😀\nnext", "NaN", "tru"):
        assert piece in found
    assert "\x00" not in found
    assert "\ud800" not in found
    lines = read_json_lines(b'{"a": 1, "b": "x"}\n\n{"a": 2}\n').blocks
    assert [block.text for block in lines] == ['{"a": 1, "b": "x"}\n{"a": 2}']


def test_json_nesting_is_limited() -> None:  # X9
    assert list(layout("[[1],[2]]"))[1] == "  [1],"
    with pytest.raises(TooNested):
        read_json(b"[" * 100_000)
    with pytest.raises(TooNested):
        read_json(b'{"a":' * 300)
    assert read_json(b"]" * 1000 + b"word").blocks


def test_xml_is_text() -> None:  # X9
    laughs = "<!DOCTYPE l [<!ENTITY a 'ha'>" + "".join(f'<!ENTITY b{n} "{"&a;" * 10}">' for n in range(9))
    parsed = read_xml(f"<?xml version='1.0'?>{laughs}]><l>&b8; R&amp;D</l>".encode())
    found = "\n".join(block.text for block in parsed.blocks)
    assert "&b8; R&D" in found
    assert len(found) < 1_000
    latin = read_xml("<?xml version='1.0' encoding='iso-8859-1'?><a>été</a>".encode("latin-1"))
    assert "été" in latin.blocks[0].text
    one_line = "<r>" + "<row><a>1</a></row>" * 100 + "</r>"
    assert read_xml(one_line.encode()).blocks[0].text.count("\n") > 200


def test_logs_and_rst() -> None:
    log = "".join(f"2024-03-05 12:00:{n % 60:02} pump {n} on\n" for n in range(500)).encode()
    blocks = read_log(log).blocks
    assert len(blocks) > 5
    assert "\n".join(block.text for block in blocks).encode() + b"\n" == log
    source = (
        "=====\nTitle\n=====\n\nIntro.\n\nPart\n----\n\nText::\n\n  code\n\nSub\n~~~\n\nEnd\n\nTwo\n---\n"
    )
    assert [(block.kind, block.level, block.text) for block in read_rst(source.encode()).blocks] == [
        ("heading", 1, "Title"),
        ("paragraph", 0, "Intro."),
        ("heading", 2, "Part"),
        ("paragraph", 0, "Text::"),
        ("paragraph", 0, "code"),
        ("heading", 3, "Sub"),
        ("paragraph", 0, "End"),
        ("heading", 2, "Two"),
    ]
