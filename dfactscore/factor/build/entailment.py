"""A sequence classifier that says how likely one text contradicts another (extra ``[nli]``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore.errors import InputError, MissingExtraError

__all__ = ["ContradictionModel"]

_BATCH = 8


class ContradictionModel:
    """A three-way entailment model of the Hugging Face kind.

    Args:
        model: A folder with safetensors, or a hub id.

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        InputError: If it cannot be used, or has no output for a contradiction.
    """

    def __init__(self, model: str | Path) -> None:
        try:
            import transformers
        except ImportError:
            raise MissingExtraError("A filter by an entailment model", "nli") from None
        from dfactscore.engines.nli.folder import open_folder

        folder = open_folder(model)
        self._about = {"model": folder.name, "sha256": folder.digest}
        try:
            tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder.path)
            network: Any = transformers.AutoModelForSequenceClassification.from_pretrained(
                folder.path, use_safetensors=True, trust_remote_code=False
            )
        except (OSError, ValueError) as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
            raise InputError(f"--nli {folder.name}: cannot be loaded: {reason}") from None
        labels = {int(i): str(name).lower() for i, name in network.config.id2label.items()}
        found = [i for i, name in labels.items() if "contradict" in name]
        if len(found) != 1:
            has = ", ".join(labels.values())
            raise InputError(f"--nli {folder.name}: no output for a contradiction (it has {has})")
        self._label = found[0]
        self._tokenizer, self._network = tokenizer, network.eval()

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its name and hash."""
        return self._about

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability that each (first text, second text) is a contradiction."""
        import torch

        found: list[float] = []
        for start in range(0, len(pairs), _BATCH):
            first, second = zip(*pairs[start : start + _BATCH], strict=True)
            inputs = self._tokenizer(
                list(first), list(second), return_tensors="pt", padding=True, truncation=True
            )
            with torch.inference_mode():
                logits = self._network(**inputs).logits
            found += torch.softmax(logits.float(), -1)[:, self._label].tolist()
        return found
