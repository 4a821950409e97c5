"""Which addresses are called: never the metadata services of clouds, by name, number and resolution (X11).

Loopback and private networks are allowed for what an administrator configures, because model servers live
there; what anybody else names must be of the open internet (`public_place`, X12).
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from providers.errors import AddressForbidden, Unauthorized, Unreachable
from providers.types import Endpoint

FORBIDDEN_NAMES = frozenset({"metadata.google.internal", "metadata.goog", "metadata", "instance-data"})
FORBIDDEN_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        (
            "169.254.0.0/16",  # link-local, where nearly every cloud keeps it: 169.254.169.254, 169.254.170.2
            "fe80::/10",
            "fd00:ec2::/32",  # AWS over IPv6
            "fd20:ce::/32",  # Google over IPv6
            "100.100.100.200/32",  # Alibaba
            "168.63.129.16/32",  # Azure's wire server
            "192.0.0.192/32",  # Oracle
            "0.0.0.0/8",
        ),
    )
)
RESOLVE_SECONDS = 10.0
SCHEMES = frozenset({"http", "https"})
PORTS = frozenset(
    {80, 443}
)  # of pages; an open page on another port is rare, an internal service there is not

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolver = Callable[[str], Awaitable[Sequence[Address]]]


@dataclass(frozen=True, slots=True)
class Place:
    """A checked page: its URL and the one address that is connected to, whatever its name says later."""

    url: str
    scheme: str
    host: str
    port: int
    address: Address


async def check_endpoint(endpoint: Endpoint) -> None:
    """What every request begins with: raises as `check_address` does, and Unauthorized for an impossible key."""
    key = endpoint.api_key or ""
    if not (key.isascii() and key.isprintable()):  # HTTP could not carry it
        raise Unauthorized("The key holds characters that no key has. Enter it again in Settings.")
    await check_address(endpoint.base_url)


async def check_address(url: str) -> None:
    """Raises AddressForbidden for a metadata address or none of the web, Unreachable for an unknown name."""
    host = host_of(url)
    literal = parse(host)
    addresses = [literal] if literal else await resolve(host)
    if any(forbidden(address) for address in addresses):
        raise AddressForbidden


def host_of(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = (parts.hostname or "").rstrip(".").lower(), parts.port
    except ValueError as error:
        raise AddressForbidden("This is not an address. It looks like https://host/v1.") from error
    if parts.scheme not in SCHEMES or not host:
        raise AddressForbidden("This is not an address. It looks like https://host/v1.")
    if host in FORBIDDEN_NAMES:
        raise AddressForbidden
    return host


def parse(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is written as, in every form that resolvers accept (2852039166, 0xa9fea9fe)."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def forbidden(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or embedded_ipv4(address)
        if inner is not None and forbidden(inner):
            return True
    return any(address in network for network in FORBIDDEN_NETWORKS if network.version == address.version)


def embedded_ipv4(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address inside a NAT64 (64:ff9b::/96) address."""
    return ipaddress.IPv4Address(address.packed[12:]) if address.packed[:12] == NAT64 else None


NAT64 = ipaddress.IPv6Address("64:ff9b::").packed[:12]


async def resolve(host: str) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    try:
        async with asyncio.timeout(RESOLVE_SECONDS):
            found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:  # a TimeoutError is an OSError
        raise Unreachable from error
    return [address for *_, place in found if (address := parse(str(place[0])))]


async def public_place(
    url: str, *, resolver: Resolver = resolve, ports: frozenset[int] = PORTS, loopback: bool = False
) -> Place:
    """Where a page lies, its name resolved once; raises AddressForbidden and Unreachable (X12).

    Every address of the name must be public: a name with one private address is refused, or which of them is
    checked and which is called would be luck. `loopback` is for pages on this machine, in tests.
    """
    host = host_of(url)
    parts = urlsplit(url)
    literal = parse(host)
    if literal is not None and str(literal) != host:
        raise AddressForbidden(
            "An address written as a number is not opened."
        )  # 0x7f000001, 017700000001, 127.1
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if parts.username is not None or parts.password is not None or (port not in ports and not loopback):
        raise AddressForbidden("Only pages of the open web are opened.")
    addresses = [literal] if literal else await resolver(host)
    if not addresses:
        raise Unreachable
    for address in addresses:
        if not (public(address) or (loopback and address.is_loopback)):
            raise AddressForbidden("Only pages of the open web are opened.")
    return Place(url, parts.scheme, host, port, addresses[0])


def public(address: Address) -> bool:
    """Whether an address is of the open internet; one that carries an IPv4 address inside is not."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or embedded_ipv4(address) or address.teredo
        if inner is not None or address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or forbidden(address))
