"""Writes the container of Outlook messages and old Office files ([MS-CFB]), as small as it may be."""

import struct

SECTOR, MINI, CUTOFF = 512, 64, 4096
END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
STORAGE, STREAM, ROOT = 1, 2, 5


def compound(streams: dict[str, bytes]) -> bytes:
    """A compound file with these streams; `a/b` lies in the storage `a`. Up to 60 KB in all."""
    folders = sorted({path.split("/")[0] for path in streams if "/" in path})
    tops = [*folders, *(path for path in streams if "/" not in path)]
    inside = [path for path in streams if "/" in path]
    paths = ["", *tops, *inside]
    mini = b"".join(_padded(data, MINI) for data in streams.values() if len(data) < CUTOFF)
    fat: list[int] = [FAT, END]  # this table, and that of the mini sectors
    mini_fat: list[int] = []
    directory = _chain(fat, -(-len(paths) * 128 // SECTOR))
    container = _chain(fat, -(-len(mini) // SECTOR)) if mini else END
    body = _padded(mini, SECTOR)
    entries = []
    for path in paths:
        data = streams.get(path, b"")
        start = 0
        if path == "":
            start, data = container, mini
        elif path in streams and len(data) < CUTOFF:
            start = _chain(mini_fat, -(-len(data) // MINI)) if data else END
        elif path in streams:
            start = _chain(fat, -(-len(data) // SECTOR))
            body += _padded(data, SECTOR)
        kind = ROOT if path == "" else STREAM if path in streams else STORAGE
        kin = _within(path.split("/")[0], inside) if "/" in path else tops
        after = kin.index(path) + 1 if path else len(kin)
        right = paths.index(kin[after]) if after < len(kin) else FREE
        below = tops if path == "" else _within(path, inside)
        child = paths.index(below[0]) if below and kind != STREAM else FREE
        entries.append(_entry(path.rsplit("/", 1)[-1] or "Root Entry", kind, right, child, start, len(data)))
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, directory, 0, CUTOFF, 1, 1, END, 0, 0, FREE,
    )  # fmt: skip
    assert len(fat) <= SECTOR // 4
    assert len(mini_fat) <= SECTOR // 4
    tables = b"".join(struct.pack("<128I", *table, *[FREE] * (128 - len(table))) for table in (fat, mini_fat))
    return header.ljust(SECTOR, b"\xff") + tables + _padded(b"".join(entries), SECTOR) + body


def _within(folder: str, inside: list[str]) -> list[str]:
    return [path for path in inside if path.split("/")[0] == folder]


def _chain(table: list[int], count: int) -> int:
    start = len(table)
    table.extend([*range(start + 1, start + count), END])
    return start


def _padded(data: bytes, size: int) -> bytes:
    return data + bytes(-len(data) % size)


def _entry(name: str, kind: int, right: int, child: int, start: int, size: int) -> bytes:
    wide = name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16xI16xIQ", wide, len(wide) + 2, kind, 1, FREE, right, child, 0, start, size
    )
