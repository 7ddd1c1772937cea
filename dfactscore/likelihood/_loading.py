"""Loads causal language models with transformers: a folder, a hub id or a GGUF file."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._errors import DFactScoreError, InputError, MissingExtraError
from dfactscore._util.files import sha256
from dfactscore._util.near import near_file
from dfactscore._util.quiet import quiet_transformers

_LIMITS = ("max_position_embeddings", "n_positions", "max_seq_len", "n_ctx")
_UNSET = 1_000_000  # tokenizers use a larger number to mean "no limit"


@dataclass(frozen=True)
class CausalModel:
    """A loaded model."""

    network: Any
    tokenizer: Any
    name: str
    digest: str  # SHA-256 of the files that affect its results
    limit: int | None  # maximum number of tokens, or None if unknown


def model_digest(model: str | Path) -> tuple[str, str]:
    """Returns a model's name and hash without loading it."""
    path = Path(model).expanduser()
    if path.is_file():
        if path.suffix.lower() != ".gguf":
            raise InputError(
                f"--hf {model}: is a file, but not a .gguf file; give that, or a model's folder"
            )
        return path.name, sha256(path, error=InputError)
    if path.suffix.lower() == ".gguf":
        raise InputError(f"--hf {model}: no such file{near_file(path, '.gguf')}")
    folder = _folder(model)
    return folder.name, folder.digest


def _folder(model: str | Path) -> Any:
    from dfactscore.engines._nli.folder import open_folder

    try:
        return open_folder(model)
    except InputError as error:
        raise InputError(str(error).replace("NLI model", "--hf", 1)) from None


def load_causal(model: str | Path, *, dtype: str = "float32", device: str = "cpu") -> CausalModel:
    """Loads a model for likelihoods."""
    # `model`: a folder, a hub id, or a GGUF file (which needs the packages gguf and accelerate).
    needed = ["torch", "transformers"]
    path = Path(model).expanduser()
    if path.suffix.lower() == ".gguf":
        needed += ["gguf", "accelerate"]
    if any(importlib.util.find_spec(name) is None for name in needed):
        raise MissingExtraError("Likelihoods with transformers", "likelihood")
    import torch
    import transformers

    name, digest = model_digest(model)
    more: dict[str, Any]
    if path.is_file():
        # A file name without a folder would be read as a hub id.
        where, more = Path(os.path.abspath(path)).parent, {"gguf_file": path.name}
    else:
        where, more = _folder(model).path, {"trust_remote_code": False}
    with quiet_transformers(), _one_line(name):
        tokenizer = transformers.AutoTokenizer.from_pretrained(where, **more)
        network: Any = transformers.AutoModelForCausalLM.from_pretrained(
            where, dtype=getattr(torch, dtype), **more
        )
    return CausalModel(
        network.to(device).eval(), tokenizer, name, digest, _limit(network.config, tokenizer)
    )


def _limit(config: Any, tokenizer: Any) -> int | None:
    text = getattr(config, "text_config", None) or config
    limits = [getattr(text, field, None) for field in _LIMITS]
    limits.append(getattr(tokenizer, "model_max_length", None))
    known = [int(value) for value in limits if value and 0 < value < _UNSET]
    return min(known) if known else None


@contextmanager
def _one_line(name: str) -> Iterator[None]:
    """Converts errors from the library into errors with a one-line message."""
    try:
        yield
    except DFactScoreError:
        raise
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
        raise InputError(f"--hf {name}: cannot be loaded: {reason}") from error
