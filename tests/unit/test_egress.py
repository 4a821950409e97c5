"""What may leave the house, and which addresses are opened."""

import asyncio
import ipaddress
from collections.abc import Sequence

import pytest

from providers.addresses import Address, public_place
from providers.errors import AddressForbidden, Unreachable
from providers.webtext import text_of_html
from server.chat.egress import leaks, web_query


@pytest.mark.parametrize(
    ("own", "query"),
    [
        ("What does a zorbal cost?", "What does a zorbal cost"),
        ("please search the web for zorbal prices", "zorbal prices"),
        ("Can you look up online the price of a zorbal?", "the price of a zorbal"),
        ("Is [1] right about zorbals?", "Is right about zorbals"),
        ("the lease says " + "word " * 100, None),  # pasted
        ("  ", None),
    ],
)
def test_a_query_is_the_persons_own_words(own: str, query: str | None) -> None:  # X14
    assert web_query(own) == query


def test_spans_and_codes_of_private_text_are_held_back() -> None:  # X14
    private = ["The vault code of Orlith is 7719-heron. It was set in 2019 by the warden of the old harbour."]
    assert leaks("who wrote 7719-heron", private)
    assert leaks("it was set in 2019 by the warden", private)
    assert not leaks("what is the vault code of Orlith", private)  # a question shares words with its answer
    assert not leaks("harbour dues in 2019", private)
    assert not leaks("anything", [])


def place(url: str, *addresses: str) -> str:
    asked: list[str] = []

    async def resolver(host: str) -> Sequence[Address]:
        asked.append(host)
        return [ipaddress.ip_address(address) for address in addresses]

    found = asyncio.run(public_place(url, resolver=resolver))
    assert len(asked) <= 1, "a name is resolved once: its second answer may be another (rebinding)"
    return str(found.address)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://localhost.example/", "http://10.1.2.3/", "http://192.168.0.1/",
        "http://172.16.0.1/", "http://169.254.169.254/", "http://100.64.0.1/", "http://0.0.0.0/", "http://[::1]/",
        "http://[::ffff:10.0.0.1]/", "http://[::ffff:8.8.8.8]/", "http://[64:ff9b::a00:1]/", "http://[2002:a00:1::]/",
        "http://[fe80::1]/", "http://[fc00::1]/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/",
        "http://127.1/", "http://0x08080808/", "http://134744072/", "http://224.0.0.1/", "http://240.0.0.1/",
        "http://metadata.google.internal/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/",
        "http://user:pw@example.com/", "http://example.com:22/", "http://example.com:8080/", "http:///x", "http://[::1",
    ],
)  # fmt: skip
def test_addresses_that_no_page_has_are_refused(url: str) -> None:  # X12
    with pytest.raises(AddressForbidden):
        place(url, "127.0.0.1")


@pytest.mark.parametrize("private", ["10.0.0.1", "127.0.0.1", "169.254.169.254", "fd00::1", "::1"])
def test_a_name_with_one_private_address_is_refused(private: str) -> None:  # X12
    with pytest.raises(AddressForbidden):
        place("https://example.com/", "93.184.216.34", private)


def test_an_open_page_is_connected_to_by_its_checked_address() -> None:  # X12
    assert place("https://example.com/a?b#c", "93.184.216.34") == "93.184.216.34"
    assert place("http://8.8.8.8/") == "8.8.8.8"
    assert place("http://[2606:2800:220:1::]/") == "2606:2800:220:1::"
    with pytest.raises(Unreachable):
        place("https://example.com/")


def test_of_a_page_only_its_words_are_read() -> None:  # X13
    title, text = text_of_html(
        "<html><head><title>A &amp; B</title><style>p{}</style></head><body><nav>menu</nav>"
        "<p>One<br>two</p><script>evil()</script><img src=http://x/y><a href='http://z'>three</a>"
        "<div hidden>no</div></body>"
    )
    assert (title, text.split()) == ("A & B", ["One", "two", "three"])


@pytest.mark.timeout(20)
@pytest.mark.parametrize("unit", ["<a ", "<!--", '<a a="', "<nav>", "<![CDATA[", "</x>", "<div></b>"])
def test_a_page_that_is_made_to_be_slow_is_not(unit: str) -> None:  # H1 X12
    title, text = text_of_html(f"<title>T</title><p>one</p>{unit * (200_000 // len(unit))}")
    assert (title, text.split()[:1]) == ("T", ["one"])
