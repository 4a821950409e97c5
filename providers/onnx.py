"""A writer of ONNX graphs: the few protobuf messages they need, encoded by hand, weights in a file beside.

The `onnx` package would be 27 MB for this one job. Field numbers are those of onnx.proto (IR version 9).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

FLOAT, INT8, INT64, FLOAT16 = 1, 3, 7, 10
IR_VERSION, OPSET = 9, 20  # opset 20 is the first with Gelu as one operator
PAGE = 4096  # weights start on a page, so that the runtime can map them instead of copying them

Tensor = NDArray[np.float32] | NDArray[np.int64] | NDArray[np.int8]
type_codes = {np.dtype(np.float32): FLOAT, np.dtype(np.int8): INT8, np.dtype(np.int64): INT64}


def varint(value: int) -> bytes:
    """The base-128 form of a non-negative integer."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value & (1 << 64) - 1)  # negative numbers are their 64-bit complement


def nested(field: int, payload: bytes | str) -> bytes:
    body = payload.encode() if isinstance(payload, str) else payload
    return varint(field << 3 | 2) + varint(len(body)) + body


def attribute(name: str, value: float | int | list[int]) -> bytes:
    """An AttributeProto: a float, an integer or a list of integers."""
    if isinstance(value, float):
        return nested(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + integer(20, 1)
    if isinstance(value, int):
        return nested(1, name) + integer(3, value) + integer(20, 2)
    return nested(1, name) + b"".join(integer(8, item) for item in value) + integer(20, 7)


def tensor_info(name: str, kind: int, shape: list[str | int]) -> bytes:
    """A ValueInfoProto; a dimension is a number or the name of an unknown one."""
    dims = b"".join(nested(1, nested(2, d) if isinstance(d, str) else integer(1, d)) for d in shape)
    return nested(1, name) + nested(2, nested(1, integer(1, kind) + nested(2, dims)))


class Graph:
    """Collects nodes and weights; every method returns the name of the tensor that it made."""

    def __init__(self, weights: BinaryIO, *, weights_name: str) -> None:
        self._weights = weights
        self._weights_name = weights_name
        self._body = bytearray()
        self._count = 0

    def node(
        self, operator: str, *inputs: str, output: str = "", **attributes: float | int | list[int]
    ) -> str:
        (made,) = self._node(operator, inputs, [output or self._name("t")], attributes)
        return made

    def quantized(self, value: str) -> list[str]:
        """Names of a float tensor's 8-bit form, its scale and its zero, each computed when the graph runs."""
        return self._node("DynamicQuantizeLinear", [value], [self._name("q") for _ in range(3)], {})

    def constant(self, value: Tensor) -> str:
        """A small tensor, kept inside the graph."""
        return self._initializer(value, nested(9, np.ascontiguousarray(value).tobytes()))

    def weight(self, value: NDArray[np.float32] | NDArray[np.int8]) -> str:
        """A large tensor, kept in the weights file and mapped from there."""
        self._weights.write(b"\0" * (-self._weights.tell() % PAGE))
        offset, length = str(self._weights.tell()), str(value.nbytes)
        place = {"location": self._weights_name, "offset": offset, "length": length}
        self._weights.write(np.ascontiguousarray(value).tobytes())
        entries = b"".join(nested(13, nested(1, key) + nested(2, entry)) for key, entry in place.items())
        return self._initializer(value, entries + integer(14, 1))

    def _name(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"

    def _node(
        self,
        operator: str,
        inputs: Sequence[str],
        outputs: list[str],
        attributes: Mapping[str, float | int | list[int]],
    ) -> list[str]:
        body = b"".join(nested(1, name) for name in inputs) + b"".join(nested(2, name) for name in outputs)
        body += nested(3, self._name("n")) + nested(4, operator)
        body += b"".join(nested(5, attribute(name, value)) for name, value in attributes.items())
        self._body += nested(1, body)
        return outputs

    def _initializer(self, value: Tensor, content: bytes) -> str:
        name = self._name("w")
        dims = b"".join(integer(1, size) for size in value.shape)
        self._body += nested(5, dims + integer(2, type_codes[value.dtype]) + nested(8, name) + content)
        return name

    def save(self, path: Path, *, inputs: list[bytes], outputs: list[bytes]) -> None:
        """Write the ModelProto; `inputs` and `outputs` come from `tensor_info`."""
        ends = b"".join(nested(11, info) for info in inputs) + b"".join(nested(12, info) for info in outputs)
        graph = bytes(self._body) + nested(2, path.stem) + ends
        path.write_bytes(integer(1, IR_VERSION) + nested(7, graph) + nested(8, integer(2, OPSET)))
