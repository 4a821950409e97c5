"""Prompts are plain text, and the tools a model is told of are a contract."""

import hashlib
import json
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
    named = set(re.findall(r'"(\w+)"', code))
    assert set(NAMES) <= named


def test_small_talk_is_told_to_cite_nothing() -> None:  # M5
    assert "cite nothing" in prompt("talk")
    assert "cite" not in prompt("talk").replace("cite nothing", "")


def test_the_contract_of_the_tools() -> None:  # B4, B5: a change here is a change of behaviour
    contracts = {name: tool.contract()["function"] for name, tool in TOOLS.items()}
    assert {name: sorted(c["parameters"]["properties"]) for name, c in contracts.items()} == {
        "search_documents": ["language", "query", "since", "type", "until"],
        "analyze_document": ["document", "instruction", "other_document", "task"],
        "list_documents": [],
        "read_document": ["document", "from_line", "to_line"],
        "send_document": ["document"],
        "search_web": [],  # no word of a model's leaves the house (X14)
        "fetch_page": ["n"],
        "hand_over": ["message"],
    }
    assert {name: c["parameters"]["required"] for name, c in contracts.items()} == {
        "search_documents": ["query"],
        "analyze_document": ["document", "task"],
        "list_documents": [],
        "read_document": ["document"],
        "send_document": ["document"],
        "search_web": [],
        "fetch_page": ["n"],
        "hand_over": ["message"],
    }
    assert contracts["analyze_document"]["parameters"]["properties"]["task"] == {
        "type": "string",
        "enum": ["summarise", "compare", "classify", "extract"],
    }
    digest = hashlib.sha256(json.dumps(contracts, sort_keys=True).encode()).hexdigest()
    assert digest[:16] == "5703c384996c2418", (
        "the words that models are told have changed: evaluate, then note it here"
    )


def test_no_description_names_another_tool() -> None:  # B6: the other may not be offered
    for name, tool in TOOLS.items():
        said = json.dumps(tool.contract()["function"] | {"name": ""})
        assert not [other for other in {*EVERY_TOOL, *TOOLS} - {name} if other in said]
