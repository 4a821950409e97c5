"""Prompts are plain text, and the tools a model is told of are a contract."""

import re
from pathlib import Path

import pytest

import server.chat.prompts as prompts
from server.chat.prompts import prompt
from server.chat.tools import TOOLS

FOLDER = Path(prompts.__file__).parent
EVERY_TOOL = ("search_documents", "analyze_document", "query_structured_data", "search_web")  # B4
NAMES = sorted(path.stem for path in FOLDER.glob("*.md"))


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_names_no_tool(name: str) -> None:  # B6: one text serves turns with and without tools
    text = prompt(name)
    assert text.strip()
    for tool in {*EVERY_TOOL, *TOOLS}:
        assert tool not in text
        assert tool.replace("_", " ") not in text
    assert not re.search(r"\{\w*\}", text)  # a template's hole that nobody filled


def test_the_prompts_used_exist() -> None:  # B11
    code = "".join(path.read_text() for path in FOLDER.parent.rglob("*.py"))
    used = set(re.findall(r'prompt\(\s*"(\w+)"', code)) | set(
        re.findall(r'"(\w+)" if turn\.searches else "(\w+)"', code)[0]
    )
    assert used == set(NAMES)


def test_small_talk_is_told_to_cite_nothing() -> None:  # M5
    assert "cite nothing" in prompt("talk")
    assert "cite" not in prompt("talk").replace("cite nothing", "")


def test_the_contract_of_the_tools() -> None:  # B5
    assert TOOLS == {
        "search_documents": {
            "type": "function",
            "function": {
                "name": "search_documents",
                "description": (
                    "Search the user's own documents. Returns numbered passages. Search again with other words "
                    "when the passages so far do not answer the question."
                ),
                "parameters": {
                    "type": "object",
                    "properties": {
                        "query": {
                            "type": "string",
                            "description": "What to look for: names, numbers, codes and key terms, not a command.",
                        }
                    },
                    "required": ["query"],
                },
            },
        }
    }
