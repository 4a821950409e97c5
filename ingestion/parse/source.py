"""Source code and configuration as text: never run or parsed, only cut where a definition begins at its margin."""

import re

from ingestion.parse.blocks import Block, Parsed
from ingestion.parse.decode import decode
from ingestion.parse.pieces import code, sections, starts

_FUNCTION = r"(?:function\b\s*\*?\s*([\w$]+)|(?:class|interface|enum|namespace|module|type)\s+([\w$]+))"
_SCRIPT = (
    rf"(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?{_FUNCTION}"
    r"|(?:export\s+)?(?:const|let|var)\s+([\w$]+)[^=]*=\s*(?:async\b|function\b|\(|\w+\s*=>|class\b)"
)
_MODIFIED = (
    r"(?:(?:public|private|protected|internal|abstract|final|sealed|static|partial|open|data|readonly|inline"
    r"|suspend|override|async|fileprivate|indirect|unsafe|file)\s+)*"
)
_TYPES = (
    r"(?:class|@?interface|enum(?:\s+class)?|record(?:\s+struct)?|struct|object|namespace|protocol|extension)"
)
# A name before brackets on a line that ends without a semicolon: a definition, not a prototype or a call.
_C = (
    r"(?:typedef\s+)?(?:struct|class|enum(?:\s+class)?|union|namespace)\s+([\w:]+)[^;()]*$"
    r"|(?!(?:if|else|for|while|switch|return|case)\b)[A-Za-z_][\w:<>,~&*\[\]]*(?:\s+[\w:<>,~&*\[\]]+)*?[\s*&]+"
    r"([\w:~]+)\s*\([^;]*$"
    r"|#\s*define\s+(\w+)\("
)
# The first group that matches is the name. Only what begins at the left margin counts.
DEFINITIONS: dict[str, re.Pattern[str]] = {
    kind: re.compile(pattern, re.IGNORECASE if kind == "sql" else 0)
    for kind, pattern in {
        "python": r"(?:async\s+)?(?:def|class)\s+(\w+)",
        "javascript": _SCRIPT,
        "typescript": _SCRIPT,
        "java": rf"{_MODIFIED}{_TYPES}\s+(\w+)",
        "kotlin": rf"{_MODIFIED}(?:{_TYPES}\s+(\w+)|fun\s+(?:<[^>]*>\s*)?([\w.]+))",
        "swift": rf"{_MODIFIED}(?:{_TYPES}\s+(\w+)|func\s+(\w+))",
        "csharp": rf"{_MODIFIED}{_TYPES}\s+([\w.]+)",
        "go": r"func\s+(?:\([^)]*\)\s*)?(\w+)|type\s+(\w+)",
        "rust": r"(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|default)\s+)*"
        r"(?:(?:fn|struct|enum|trait|mod|union|macro_rules!)\s+(\w+)|impl\b\s*(?:<[^>]*>)?\s*([^{]+))",
        "c": _C,
        "cpp": _C,
        "ruby": r"(?:def|class|module)\s+([\w.:?!]+)",
        "php": r"(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum|function)\s+(\w+)",
        "shell": r"(?:function\s+)?([\w-]+)\s*\(\)|function\s+([\w-]+)",
        "sql": r"create\s+(?:or\s+replace\s+)?(?:(?:unique|temp|temporary|materialized|unlogged|global)\s+)*"
        r"(?:table|view|function|procedure|trigger|index|type|schema|policy|role|sequence|extension|domain)\s+"
        r"(?:if\s+not\s+exists\s+)?(?:concurrently\s+)?([\w.\"$]+)|--\s*name:\s*([\w-]+)",
        "yaml": r"([A-Za-z_][\w./ -]*|\"[^\"]+\"|'[^']+')\s*:(?:\s|$)",
        "toml": r"\[{1,2}\s*([^\]]+?)\s*\]",
        "ini": r"\[\s*([^\]]+?)\s*\]",
    }.items()
}


def read_source(data: bytes, kind: str) -> Parsed:
    """Read a file of the language `kind`; one without definitions at its margin is cut at blank lines."""
    decoded = decode(data)
    return Parsed(source_blocks(decoded.text, kind), [], f"source {kind}", list(decoded.warnings), None)


def source_blocks(text: str, kind: str) -> list[Block]:
    """Headings named after definitions, and their code."""
    lines = text.expandtabs(4).split("\n")
    pattern = DEFINITIONS.get(kind)
    return sections(lines, starts(lines, pattern)) if pattern else code(lines)
