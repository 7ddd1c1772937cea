"""Finds, checks and loads an entailment model's config, tokenizer and weights."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, get_args

from dfactscore._errors import DFactScoreError, InputError, MissingExtraError
from dfactscore._util.files import check_regular, read_bytes
from dfactscore._util.imports import quiet_transformers
from dfactscore._util.message_text import near_file, near_miss
from dfactscore.engines._nli.entailment_model import NLIModel
from dfactscore.engines._nli.forms import WRITING, Form, Meaning, find_form, find_label

_DOWNLOADED = ["*.json", "*.txt", "*.model", "*.safetensors"]
_TOKENIZER = ("added_tokens.json", "merges.txt", "special_tokens_map.json", "tokenizer.json")
_SAMPLES, _SAMPLE = 64, 4096
_PICKLES = (".bin", ".ckpt", ".pt", ".pth", ".pkl")
_LONGEST_HEADER = 100_000_000  # limit of the safetensors library itself
_CONVERT = (
    "convert them once where you trust their origin (docs/nli.md: Converting), and give that folder"
)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder containing a model that is safe to load."""

    path: Path
    name: str
    # SHA-256 of the config, of the tokenizer, and of the headers and some blocks of the weights;
    # does not depend on the folder's location.
    digest: str
    given: str


def open_folder(model: str | Path) -> ModelFolder:
    """Finds a model in a folder, in the hub's cache, or on the hub."""
    text = str(model)
    if not text.strip():
        raise InputError("NLI model: no name; give a folder or a hub id, as in nli:FOLDER")
    path = Path(text).expanduser()
    if path.is_file():
        raise InputError(f"NLI model {text!r} is a file; {_file_hint(path)}")
    if path.is_dir():
        name = _model_name(Path(os.path.abspath(path)))
    elif _is_path(text):
        raise InputError(
            f"NLI model {text!r}: no such folder{near_file(path, folders='config.json')}"
        )
    else:
        path, name = _fetch(text), text
    _check(path, name)
    return ModelFolder(path, name, _digest(path, name), text)


def _model_name(path: Path) -> str:
    """Returns the folder's name, or the hub id of a snapshot in the hub's cache."""
    if path.parent.name == "snapshots" and path.parent.parent.name.startswith("models--"):
        return _id(path.parent.parent.name)
    return path.name


def _is_path(text: str) -> bool:
    return text.startswith((".", "~", os.sep)) or "\\" in text or text.count("/") > 1


def _fetch(name: str) -> Path:
    """Returns the snapshot for a hub id, downloading missing files (but never pickled weights)."""
    try:
        from huggingface_hub import constants, errors, snapshot_download
    except ImportError as error:
        raise MissingExtraError("A model from the hub", "nli") from error
    try:
        return Path(snapshot_download(name, allow_patterns=_DOWNLOADED, ignore_patterns=["*/*"]))
    except errors.HFValidationError:
        raise InputError(
            f"NLI model {name!r}: no such folder, and not a hub id like organization/name"
            f"{_near(name)}"
        ) from None
    except errors.GatedRepoError:
        raise InputError(
            f"NLI model {name!r}: its terms have to be accepted on the hub first, and a token set "
            "(hf auth login)"
        ) from None
    except errors.RepositoryNotFoundError:
        raise InputError(
            f"NLI model {name!r}: no such folder, and not on the hub, or private there{_near(name)}"
        ) from None
    except Exception as error:
        # The client may raise any exception; the user needs a one-line message.
        cache = Path(constants.HF_HUB_CACHE)
        missing = isinstance(error, errors.LocalEntryNotFoundError)
        why = "the hub cannot be reached" if missing else _first_line(error)
        raise InputError(
            f"NLI model {name!r}: no such folder, not in the cache {cache}, and {why}"
            f"{_near(name) or _cached(cache, name)}"
        ) from None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _near(name: str) -> str:
    """Suggests folders with similar names, if the given name may be a path."""
    path = Path(name)
    return near_file(path, folders="config.json") if path.parent.is_dir() else ""


def _cached(cache: Path, name: str) -> str:
    """Suggests cached models with similar names."""
    ids = [_id(p.name) for p in sorted(cache.glob("models--*"))] if cache.is_dir() else []
    by_name = {id.rpartition("/")[2]: id for id in ids}
    short_name = name.rpartition("/")[2]
    return near_miss(short_name, by_name, most=3, cutoff=0.5, show=by_name.__getitem__)


def _id(folder: str) -> str:
    return folder.removeprefix("models--").replace("--", "/")


def _file_hint(path: Path) -> str:
    if path.suffix == ".ckpt":
        return (
            "AlignScore's and other .ckpt checkpoints are pickled training states, which can run "
            "code when they are opened and have layers of their own: they are not supported"
        )
    if path.suffix == ".gguf":
        return "a GGUF language model goes with --verifier llm --gguf FILE"
    return "give the folder that contains it with its config.json and tokenizer"


def _check(path: Path, name: str) -> None:
    """Raises an `InputError` if a folder does not contain a model or any safe weights."""
    files = sorted(p.name for p in path.iterdir() if p.is_file())
    if not any(file.endswith(".safetensors") for file in files):
        _refuse_weights(path, name, files)
    if "config.json" not in files:
        problem = (
            "it is an adapter; merge it into its base model first"
            if "adapter_config.json" in files
            else "it has no config.json"
        )
        raise InputError(f"NLI model {name!r}: {problem} ({path})")
    if "tokenizer.json" not in files and (
        pieces := next((file for file in files if file.endswith(".model")), None)
    ):
        _check_sentencepiece(name, pieces)


def _refuse_weights(path: Path, name: str, files: list[str]) -> None:
    pickles = [file for file in files if Path(file).suffix in _PICKLES]
    if checkpoint := next((file for file in pickles if file.endswith(".ckpt")), None):
        raise InputError(f"NLI model {name!r}: {checkpoint}: {_file_hint(Path(checkpoint))}")
    if pickles:
        raise InputError(
            f"NLI model {name!r}: its weights are pickled ({pickles[0]}), which can run code when "
            f"they are opened; only safetensors are loaded: {_CONVERT}"
        )
    inside = ", ".join(files[:5]) or "nothing"
    raise InputError(
        f"NLI model {name!r}: no weights as safetensors in {path} (found {inside}); where the hub "
        f"has only pickled ones, {_CONVERT}"
    )


def _check_sentencepiece(name: str, pieces: str) -> None:

    if find_spec("sentencepiece") is None or not (
        find_spec("google") and find_spec("google.protobuf")
    ):
        raise InputError(
            f"NLI model {name!r}: reading its tokenizer ({pieces}) needs two packages: "
            "pip install sentencepiece protobuf"
        )


def _digest(path: Path, name: str) -> str:
    """Returns the SHA-256 of everything that affects answers (for weights: header, 64 blocks)."""
    total = hashlib.sha256()
    for file in sorted(path.iterdir(), key=lambda p: p.name):
        if file.suffix == ".safetensors":
            total.update(f"{file.name}\0{file.stat().st_size}\0".encode())
            _add_weights(total, file, name)
        elif file.name == "config.json" or _of_tokenizer(file.name):
            total.update(f"{file.name}\0".encode())
            total.update(read_bytes(file, error=InputError))
    return total.hexdigest()


def _of_tokenizer(name: str) -> bool:
    return name in _TOKENIZER or name.startswith("vocab") or name.endswith(".model")


def _add_weights(total: hashlib._Hash, file: Path, name: str) -> None:
    check_regular(file, error=InputError)
    size = file.stat().st_size
    with open(file, "rb") as opened:
        first = opened.read(8)
        length = struct.unpack("<Q", first)[0] if len(first) == 8 else size
        header = opened.read(length) if length <= min(size - 8, _LONGEST_HEADER) else b""
        try:
            tensors = json.loads(header)
            stated = max(
                (t["data_offsets"][1] for key, t in tensors.items() if key != "__metadata__"),
                default=0,
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"NLI model {name!r}: {file} is not a safetensors file") from None
        if size != 8 + length + stated:
            raise InputError(
                f"NLI model {name!r}: {file} has {size} bytes instead of {8 + length + stated}: "
                "it was cut off; copy or download it again"
            )
        total.update(first + header)
        for place in range(_SAMPLES):
            opened.seek(8 + length + place * max(0, stated - _SAMPLE) // (_SAMPLES - 1))
            total.update(opened.read(_SAMPLE))


Dtype = Literal["auto", "float32", "bfloat16", "float16"]


def load_model(
    model: str | Path,  # folder or a hub id, with weights as safetensors; code in it is never run
    *,
    form: Form | None = None,
    label: int | None = None,
    meaning: Meaning = "support",
    device: str = "auto",
    dtype: Dtype = "auto",
) -> NLIModel:
    """Loads a sequence classifier or an encoder-decoder."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError("Judging with a Hugging Face model", "nli") from error
    if form is not None and form not in get_args(Form):
        raise InputError(f"--nli form={form!r} is not one of {', '.join(get_args(Form))}")
    if dtype not in get_args(Dtype):
        raise InputError(f"dtype {dtype!r} is not one of {', '.join(get_args(Dtype))}")
    folder = open_folder(model)
    with quiet_transformers(), _one_line_errors(folder):
        config = transformers.AutoConfig.from_pretrained(folder.path, trust_remote_code=False)
    writes = bool(getattr(config, "is_encoder_decoder", False))
    form = find_form(folder.name, config.architectures or [], writes=writes, form=form)
    _check_use(folder.name, form, str(config.model_type), label, dtype)
    output = None
    if form not in WRITING:
        output = find_label(folder.name, form, config.id2label, label, meaning=meaning)
    device = _device(torch) if device == "auto" else device
    kind = _dtype(torch, device) if dtype == "auto" else dtype
    network, tokenizer = _weights(folder, form, getattr(torch, kind))
    return NLIModel(
        network.to(device).eval(),
        tokenizer,
        name=folder.name,
        digest=folder.digest,
        form=form,
        label=output,
        device=device,
        dtype=kind,
    )


def _check_use(name: str, form: Form, kind: str, label: int | None, dtype: Dtype) -> None:
    """Raises an `InputError` for options that do not apply to the model."""
    if form in WRITING and label is not None:
        raise InputError(
            f"NLI model {name!r} writes its answer: --nli label is for sequence classifiers"
        )
    if dtype == "float16" and "t5" in kind:
        raise InputError(
            f"NLI model {name!r} is a T5, which overflows in float16: choose bfloat16 or float32"
        )


def _weights(folder: ModelFolder, form: Form, dtype: Any) -> tuple[Any, Any]:
    """Returns the network and its tokenizer."""
    import transformers

    loader = (
        transformers.AutoModelForSeq2SeqLM
        if form in WRITING
        else transformers.AutoModelForSequenceClassification
    )
    with quiet_transformers(), _one_line_errors(folder):
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder.path, trust_remote_code=False)
        network, report = loader.from_pretrained(
            folder.path,
            dtype=dtype,
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    if report["missing_keys"]:
        lacks = ", ".join(sorted(report["missing_keys"])[:3])
        raise InputError(
            f"NLI model {folder.name!r}: its weights lack {lacks}: it was not trained to judge "
            "entailment, or it was saved without its last layer"
        )
    return network, tokenizer


@contextmanager
def _one_line_errors(folder: ModelFolder) -> Iterator[None]:
    """Converts any exception raised by the library to an `InputError` with a one-line message."""
    try:
        yield
    except DFactScoreError:
        raise
    except Exception as error:
        text = str(error)
        if "trust_remote_code" in text:
            reason = "it needs its own code, which is not run"
        else:
            reason = (text.strip().splitlines() or [type(error).__name__])[0][:300]
        raise InputError(f"NLI model {folder.name!r} cannot be loaded: {reason}") from error


def _device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _dtype(torch: Any, device: str) -> str:
    return "bfloat16" if device.startswith("cuda") and torch.cuda.is_bf16_supported() else "float32"
