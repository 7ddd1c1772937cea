"""Loads an entailment model: checks and opens its config, tokenizer and weights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, get_args

from dfactscore._errors import DFactScoreError, InputError, MissingExtraError
from dfactscore._util.quiet import quiet_transformers
from dfactscore.engines._nli.folder import ModelFolder, open_folder
from dfactscore.engines._nli.forms import WRITING, Form, Meaning, find_form, find_label
from dfactscore.engines._nli.model import NLIModel

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
