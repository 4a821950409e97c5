"""Every setting there is: its name, default and one sentence of help. The page is drawn from this table."""

import math
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from providers import addresses
from providers.errors import AddressForbidden

Kind = Literal["text", "lines", "url", "secret", "number", "choice", "boolean"]


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    kind: Kind
    default: Any
    label: str
    help: str
    placeholder: str = ""
    least: float | None = None
    most: float | None = None
    choices: tuple[tuple[str, str], ...] = ()  # (value, what the page calls it)
    hidden: bool = False  # kept by the service for itself: not shown, not taken from a request

    @property
    def section(self) -> str:
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    help: str


SECTIONS = (
    Section("chat", "Answers", "The model that writes answers. Without one, answers are quotations."),
    Section("embedding", "Embeddings", "The model that finds passages by meaning."),
    Section("rerank", "Reranking", "A second look at the order of the passages found."),
    Section("retrieval", "Search", "How much is read before an answer."),
    Section(
        "graph", "Names", "Who and what documents name, so that questions over several of them find all."
    ),
    Section("uploads", "Uploads", "What may come in."),
    Section("web", "Web search", "What is looked up outside, and never with words from documents."),
    Section("guests", "Guests", "People without an account. Nothing that they say is stored."),
    Section("safety", "Care", "What is said to people in danger, and what is not talked about here."),
    Section("debug", "Looking into answers", "What the model was really sent."),
    Section("handover", "Hand-over", "Who gets the questions that people want a person to answer."),
)

_KEY_HELP = "Stored encrypted and never shown again. Leave it empty for servers that need none."

FIELDS = (
    Field("chat.base_url", "url", "", "Address", "Any OpenAI-compatible endpoint, up to and including /v1.",
          "http://127.0.0.1:11434/v1"),
    Field("chat.model", "text", "", "Model", "The model's name as the endpoint knows it.", "qwen2.5:7b"),
    Field("chat.key", "secret", None, "Key", _KEY_HELP),
    Field("chat.max_tokens", "number", 1200, "Longest answer", "In tokens; an answer that reaches it says so.",
          least=64, most=32000),
    Field("chat.context_tokens", "number", 8000, "Context", "Tokens that the model can read: passages and history "
          "are cut to fit.", least=1500, most=1000000),
    Field("embedding.base_url", "url", "", "Address", "Empty: the embedded model, which is English. An endpoint "
          "brings other languages; documents are embedded again when it changes.", "http://127.0.0.1:11434/v1"),
    Field("embedding.model", "text", "", "Model", "The model's name as the endpoint knows it.", "bge-m3"),
    Field("embedding.key", "secret", None, "Key", _KEY_HELP),
    Field("embedding.query_prefix", "text", "", "Query prefix", "Put before a question, where the model asks for "
          "one.", "query: "),
    Field("embedding.document_prefix", "text", "", "Document prefix", "Put before a passage, where the model asks "
          "for one.", "passage: "),
    Field("rerank.kind", "choice", "auto", "Who looks", "Automatic: the model at the address below; without one, the "
          "built-in model beside the built-in embeddings.",
          choices=(("auto", "Automatic"), ("embedded", "Built in"), ("endpoint", "The address"), ("off", "Nobody"))),
    Field("rerank.base_url", "url", "", "Address", "A model with “rerank” in its name uses the endpoint's /rerank, any "
          "other is asked in words.", "http://127.0.0.1:8081/v1"),
    Field("rerank.model", "text", "", "Model", "The model's name as the endpoint knows it.", "bge-reranker-v2-m3"),
    Field("rerank.key", "secret", None, "Key", _KEY_HELP),
    Field("retrieval.passages", "number", 8, "Passages read", "How many passages an answer is written from.",
          least=3, most=20),
    Field("graph.enabled", "boolean", True, "Link documents by names", "Finds the names in documents while they come "
          "in, and lets searches go from name to name."),
    Field("graph.extraction", "choice", "rules", "Names are found", "The model that writes answers finds more, and is "
          "asked once for every six passages that come in.",
          choices=(("rules", "By rules"), ("model", "By the model"))),
    Field("uploads.max_megabytes", "number", 25, "Largest file", "In megabytes; larger files are refused while they "
          "arrive.", least=1, most=500),
    Field("web.policy", "choice", "off", "Search the web", "Ask: an answer offers it and waits for a yes. "
          "Automatic: whenever the documents do not answer. The query is always shown.",
          choices=(("off", "Off"), ("ask", "Ask first"), ("automatic", "Automatic"))),
    Field("web.provider", "choice", "searxng", "Provider", "A SearXNG server of your own, or a service that speaks "
          "like Tavily.", choices=(("searxng", "SearXNG"), ("tavily", "Tavily"))),
    Field("web.base_url", "url", "", "Address", "Where /search is found; SearXNG must allow the format JSON.",
          "http://127.0.0.1:8888"),
    Field("web.key", "secret", None, "Key", _KEY_HELP),
    Field("handover.base_url", "url", "", "Webhook", "Handed-over questions are sent here as JSON and nowhere else; "
          "empty: none are.", "https://hooks.example.com/ibid"),
    Field("handover.key", "secret", None, "Key", _KEY_HELP),
    Field("handover.label", "text", "", "Who answers", "How this person or team is called in answers.",
          "the library desk"),
    Field("guests.enabled", "boolean", False, "Let guests ask", "Without signing in, about public documents only. "
          "Their conversations are kept in memory while they last and never stored."),
    Field("safety.crisis", "lines", "", "For people in danger", "One line a language, instead of the built-in text "
          "with helplines: its two letters, a colon, the text. \\n begins a new line.",
          "en: Please call the school nurse, 555 0100, at any hour."),
    Field("safety.declined", "lines", "", "Subjects to decline", "One line a subject: its name, a colon, then a few "
          "ways in which people ask about it, with | between them; “not: …” for what is near and welcome, “say: …” "
          "for the answer. Recognised by meaning, only in what a person says themselves.",
          "salaries: What do you earn? | Is 90k a fair offer? | not: the budget of the project"),
    Field("debug.record_requests", "boolean", False, "Record requests", "While this is on, administrators can see "
          "what the model is sent for anybody's answers. Everybody can always see it for their own last ones."),
)  # fmt: skip

_SERVING: tuple[tuple[str, Kind, Any], ...] = (
    ("base_url", "url", ""),
    ("model", "text", ""),
    ("key", "secret", None),
    ("query_prefix", "text", ""),
    ("document_prefix", "text", ""),
    ("dimensions", "number", 0),
)
# The embedding model that made the vectors in use, while another one's are being made.
SERVING = tuple(
    Field(f"serving.{name}", kind, default, "", "", hidden=True) for name, kind, default in _SERVING
)
HIDDEN = (Field("embedding.dimensions", "number", 0, "", "", hidden=True), *SERVING)

BY_NAME = {field.name: field for field in (*FIELDS, *HIDDEN)}


class BadValue(ValueError):
    """A value that its field cannot take; the message says why, for people."""


def parse(field: Field, value: Any) -> Any:
    """The value as it is stored. Raises BadValue."""
    if field.kind == "number":
        return _number(field, value)
    if field.kind == "boolean":
        if not isinstance(value, bool):
            raise BadValue("Choose yes or no.")
        return value
    if field.kind == "choice":
        if value not in {choice for choice, _ in field.choices}:
            raise BadValue("Choose one of the list.")
        return value
    most = 20_000 if field.kind == "lines" else 2000
    if not isinstance(value, str) or len(value) > most or "\0" in value:
        raise BadValue(f"Enter text of at most {most:,} characters.")
    # A prefix may end in a space that matters.
    text = value if field.name.endswith("_prefix") else value.strip()
    return _url(text) if field.kind == "url" else text


def _number(field: Field, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value % 1:
        raise BadValue("Enter a whole number.")
    if (field.least is not None and value < field.least) or (field.most is not None and value > field.most):
        raise BadValue(f"Enter a number from {field.least:,.0f} to {field.most:,.0f}.")
    return int(value)


def _url(text: str) -> str:
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - raises for a port that is not a number
    except ValueError:
        raise BadValue("This is not an address.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadValue("Enter an address that begins with http:// or https://.")
    if parts.username or parts.password:
        raise BadValue("Put the key into its own field, not into the address.")
    _refuse_metadata(text)
    return text.rstrip("/")


def _refuse_metadata(url: str) -> None:
    """Say at once what every call would refuse (X11); names are resolved when they are called."""
    try:
        address = addresses.parse(addresses.host_of(url))
        if address is not None and addresses.forbidden(address):
            raise AddressForbidden
    except AddressForbidden as error:
        raise BadValue(error.message) from None
