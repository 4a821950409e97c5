"""The graph of a BERT encoder: exact for the vectors that are kept, in 8 bits for those of a search's second look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from providers.onnx import FLOAT, FLOAT16, INT64, Graph, tensor_info

DIMENSIONS, LAYERS, HEADS, HEAD_SIZE = 384, 6, 12, 32
EPSILON = 1e-12  # layer_norm_eps of the model's config.json
# Seven bits: processors without VNNI add pairs of products in 16 bits, which eight would overflow.
# 21 ms of CPU for 214 tokens against 54 exact; a token's vector keeps a cosine of .989, in eight bits .990.
LARGEST = 63

Weights = Mapping[str, NDArray[np.float32]]
Linear = Callable[[Graph, Weights, str, str], str]
"""Graph, weights, name of the layer, input -> output."""


def write_embedding_graph(weights: Weights, folder: Path, *, name: str) -> None:
    """(input_ids, attention_mask) -> embedding (batch, 384): the mean over the mask, of unit length."""
    with (folder / f"{name}.bin").open("wb") as file:
        graph = Graph(file, weights_name=f"{name}.bin")
        mask = graph.node("Cast", "attention_mask", to=FLOAT)
        pool(graph, encoder(graph, weights, mask, linear), mask)
    save(graph, folder / f"{name}.onnx", tensor_info("embedding", FLOAT, ["batch", DIMENSIONS]))


def write_token_graph(weights: Weights, folder: Path, *, name: str) -> None:
    """(input_ids, attention_mask) -> tokens (batch, tokens, 384): every token's own, of unit length, half floats."""
    with (folder / f"{name}.bin").open("wb") as file:
        graph = Graph(file, weights_name=f"{name}.bin")
        hidden = encoder(graph, weights, graph.node("Cast", "attention_mask", to=FLOAT), small_linear)
        length = graph.node("ReduceL2", hidden, ints(graph, 2), keepdims=1)
        graph.node("Cast", graph.node("Div", hidden, length), output="tokens", to=FLOAT16)
    save(graph, folder / f"{name}.onnx", tensor_info("tokens", FLOAT16, ["batch", "tokens", DIMENSIONS]))


def save(graph: Graph, path: Path, output: bytes) -> None:
    inputs = [tensor_info(name, INT64, ["batch", "tokens"]) for name in ("input_ids", "attention_mask")]
    graph.save(path, inputs=inputs, outputs=[output])


def encoder(graph: Graph, weights: Weights, mask: str, linear: Linear) -> str:
    """(batch, tokens, 384): the last layer's state of every token."""
    hidden = embeddings(graph, weights)
    bias = attention_bias(graph, mask)
    for layer in range(LAYERS):
        hidden = encoder_layer(graph, weights, f"encoder.layer.{layer}.", hidden, bias, linear)
    return hidden


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


def encoder_layer(graph: Graph, weights: Weights, prefix: str, hidden: str, bias: str, linear: Linear) -> str:
    attended = attention(graph, weights, f"{prefix}attention.self.", hidden, bias, linear)
    attended = linear(graph, weights, f"{prefix}attention.output.dense", attended)
    hidden = graph.node("Add", attended, hidden)
    hidden = layer_norm(graph, weights, f"{prefix}attention.output.LayerNorm", hidden)
    inner = graph.node("Gelu", linear(graph, weights, f"{prefix}intermediate.dense", hidden))
    inner = linear(graph, weights, f"{prefix}output.dense", inner)
    return layer_norm(graph, weights, f"{prefix}output.LayerNorm", graph.node("Add", inner, hidden))


def attention(graph: Graph, weights: Weights, prefix: str, hidden: str, bias: str, linear: Linear) -> str:
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


def small_linear(graph: Graph, weights: Weights, name: str, value: str) -> str:
    """The same in whole numbers: the weights by column once and for all, the value as it comes."""
    matrix = weights[f"{name}.weight"].T
    scale = (np.abs(matrix).max(axis=0) / LARGEST).astype(np.float32)
    whole = np.round(matrix / scale).astype(np.int8)
    rounded, step, zero = graph.quantized(value)
    product = graph.node("Cast", graph.node("MatMulInteger", rounded, graph.weight(whole), zero), to=FLOAT)
    product = graph.node("Mul", product, graph.node("Mul", step, graph.constant(scale)))
    return graph.node("Add", product, graph.constant(weights[f"{name}.bias"]))


def layer_norm(graph: Graph, weights: Weights, name: str, value: str) -> str:
    scale, shift = graph.constant(weights[f"{name}.weight"]), graph.constant(weights[f"{name}.bias"])
    return graph.node("LayerNormalization", value, scale, shift, axis=-1, epsilon=EPSILON)


def ints(graph: Graph, *values: int) -> str:
    return graph.constant(np.array(values, np.int64))


def scalar(graph: Graph, value: float) -> str:
    return graph.constant(np.array(value, np.float32))
