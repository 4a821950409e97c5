"""Opening pages over real HTTP: redirects, sizes, types, names that change their address."""

import ipaddress
from collections.abc import AsyncIterator, Sequence

import pytest
import pytest_asyncio

from providers.addresses import Address
from providers.errors import AddressForbidden, BadResponse, ProviderError, Unreachable
from providers.http import Http
from providers.web import Web
from tests.db.web_server import WebServer, web_server

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[WebServer]:
    async with web_server() as seen:
        yield seen


@pytest_asyncio.fixture(loop_scope="module")
async def http() -> AsyncIterator[Http]:
    client = Http()
    yield client
    await client.close()


async def test_a_page_is_read_as_text(server: WebServer, http: Http) -> None:
    page = await Web(http, loopback=True).open(f"{server.base_url}/page")
    assert (page.title, page.text) == ("Zorbal prices", "A zorbal costs 77 crowns in Dunholt.")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("inwards", AddressForbidden),  # leads to cloud metadata
        ("round", Unreachable),
        ("large", BadResponse),
        ("picture", AddressForbidden),
        ("nowhere", ProviderError),
        ("astray/[::1", Unreachable),  # what is no address ends like any page that is not there
        ("astray/a.example%20b", ProviderError),
    ],
)
async def test_what_is_no_open_page_is_not_read(
    server: WebServer, http: Http, path: str, error: type[ProviderError]
) -> None:  # X12
    with pytest.raises(error):
        await Web(http, loopback=True).open(f"{server.base_url}/{path}")


async def test_a_charset_that_is_none_is_read_as_utf_8(server: WebServer, http: Http) -> None:
    assert "77 crowns" in (await Web(http, loopback=True).open(f"{server.base_url}/odd")).text


async def test_an_address_that_no_client_can_call_is_unreachable(http: Http) -> None:  # X12
    for path in ("\x01", "\ud800", "x" * 70_000):
        with pytest.raises(Unreachable):
            await Web(http, loopback=True).open(f"http://127.0.0.1:9/{path}")


async def test_this_machine_is_never_opened(server: WebServer, http: Http) -> None:  # X12
    server.clear()
    with pytest.raises(AddressForbidden):
        await Web(http).open(f"{server.base_url}/page")
    assert server.pages == []


async def test_a_name_that_changes_its_address_is_called_at_the_first_one(
    server: WebServer, http: Http
) -> None:  # X12: DNS rebinding
    answers = [ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("10.0.0.1")]

    async def resolver(_host: str) -> Sequence[Address]:
        return [answers.pop(0)]

    server.clear()
    url = server.base_url.replace("127.0.0.1", "zzyzx-rebinding.example") + "/page"
    page = await Web(http, resolver=resolver, loopback=True).open(url)
    assert "77 crowns" in page.text
    assert server.pages == [url]  # connected to the checked number, and asked for by name
    assert len(answers) == 1
    with pytest.raises(AddressForbidden):
        await Web(http, resolver=resolver, loopback=True).open(url)
