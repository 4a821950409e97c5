"""The embedded model's own parts: protobuf bytes, the safetensors reader, the gate for vectors, errors."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from providers import errors, minilm
from providers.embed import EndpointEmbedder
from providers.errors import ProviderError, UnusableVector
from providers.http import Http
from providers.local import LocalEmbedder
from providers.onnx import FLOAT, PAGE, Graph, attribute, integer, nested, tensor_info, varint
from providers.types import Embedder, Endpoint, SpaceKey
from providers.vectors import unit


def test_varints_are_base_128_with_the_lowest_group_first() -> None:
    assert varint(0) == b"\x00"
    assert varint(127) == b"\x7f"
    assert varint(300) == b"\xac\x02"  # the example of the protobuf documentation


def test_negative_integers_take_ten_bytes() -> None:
    assert integer(1, -1) == b"\x08" + b"\xff" * 9 + b"\x01"


def test_a_nested_message_is_tag_length_payload() -> None:
    assert nested(2, "testing") == b"\x12\x07testing"  # the same documentation


def test_attributes_carry_their_kind() -> None:
    assert attribute("axis", -1).endswith(integer(20, 2))
    assert attribute("perm", [0, 2]).endswith(integer(8, 0) + integer(8, 2) + integer(20, 7))
    assert struct.pack("<f", 0.5) in attribute("epsilon", 0.5)


def test_dimensions_are_numbers_or_names() -> None:
    info = tensor_info("ids", FLOAT, ["batch", 384])
    assert b"batch" in info
    assert integer(1, 384) in info


def test_large_weights_lie_on_pages_of_their_file(tmp_path: Path) -> None:
    weights = io.BytesIO()
    graph = Graph(weights, weights_name="weights.bin")
    graph.weight(np.ones(3, np.float32))
    graph.weight(np.full(2, 2, np.float32))
    graph.save(tmp_path / "model.onnx", inputs=[], outputs=[])
    assert weights.getvalue()[PAGE:] == np.full(2, 2, np.float32).tobytes()
    assert b"weights.bin" in (tmp_path / "model.onnx").read_bytes()


def test_safetensors_are_read_by_name_type_and_offset(tmp_path: Path) -> None:
    header = json.dumps(
        {
            "__metadata__": {"format": "pt"},
            "ids": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]},
            "w": {"dtype": "F32", "shape": [2, 2], "data_offsets": [8, 24]},
        }
    ).encode()
    body = struct.pack("<q4f", 7, 1.0, 2.0, 3.0, 4.0)
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + body)
    tensors = minilm.read_safetensors(path)
    assert list(tensors) == ["w"]
    np.testing.assert_array_equal(tensors["w"], [[1, 2], [3, 4]])


def test_rows_come_out_float32_and_of_unit_length() -> None:
    rows = unit([[3.0, 4.0], [0.0, -2.0]])
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0.0, -1.0]])


@pytest.mark.parametrize(
    "row", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], [1e-9, 0.0], []], ids=str
)
def test_vectors_that_cannot_be_searched_are_refused(row: list[float]) -> None:  # G9
    with pytest.raises(UnusableVector):
        unit([[1.0, 0.0][: len(row)], row])


def test_ragged_and_wordy_vectors_are_refused() -> None:  # G2
    for rows in ([[1.0, 2.0], [1.0]], [["a", "b"]], [[None, 1.0]]):
        with pytest.raises(UnusableVector):
            unit(rows)  # type: ignore[arg-type]


def test_vectors_of_another_length_are_refused() -> None:  # G2
    with pytest.raises(UnusableVector, match="length"):
        unit([[1.0, 0.0]], dimensions=3)


def test_equal_dimensions_are_not_the_same_space() -> None:  # G3
    assert SpaceKey("local", "a", 384) != SpaceKey("local", "b", 384)
    assert SpaceKey("local", "a", 384) != SpaceKey("local", "a", 384, query_prefix="query: ")


def test_both_embedders_are_embedders(tmp_path: Path) -> None:
    key = SpaceKey("host", "m", 3)
    embedders: list[Embedder] = [
        LocalEmbedder(tmp_path),
        EndpointEmbedder(Endpoint("http://127.0.0.1:1/v1", "m"), key, http=Http()),
    ]
    assert [embedder.key.dimensions for embedder in embedders] == [384, 3]


def test_a_key_never_shows_in_a_repr() -> None:  # X15
    assert "sk-qzv" not in repr(Endpoint("https://models.example/v1", "m", "sk-qzv-1"))


def test_every_error_has_its_own_code_and_a_sentence() -> None:
    tree = {cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, ProviderError)}
    assert len({cls.code for cls in tree}) == len(tree)
    for cls in tree:
        message = str(cls())
        assert message.endswith(".")
        assert "\n" not in message
    transient = {cls.__name__ for cls in tree if cls.transient}
    assert {"Unreachable", "Timeout", "CutOff", "RateLimited", "ServerFailed"} <= transient  # E26
    assert not transient & {"Unauthorized", "ModelNotFound", "Refused", "BadResponse"}
