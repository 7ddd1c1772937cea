"""Reads biographies from Inspect logs (extra ``inspect``)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError, MissingExtraError
from dfactscore._readers.json_items import BrokenItem
from dfactscore._text.questions import name_in
from dfactscore._util.input_limits import check_regular, check_zip

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample


_HEAD = 4096


def need_inspect() -> None:
    """Checks that Inspect is installed."""
    try:
        import inspect_ai  # noqa: F401
    except ImportError:
        raise MissingExtraError("Inspect", "inspect") from None


def is_inspect_log(data: bytes) -> bool:
    """Whether JSON data is an Inspect log, judging by its first characters."""
    head = data[:_HEAD]
    return head.lstrip().startswith(b"{") and all(
        key in head for key in (b'"eval"', b'"version"', b'"task_id"')
    )


def read_log(path: Path) -> Iterator[tuple[int, Any]]:
    """Yields the answers in a log as records, along with the number of each sample.

    The id is the sample's id. If a sample has several answers (epochs, choices), the id is
    ``id#epoch.choice``.
    """
    need_inspect()
    check_regular(path, error=InputError)
    check_zip(path, path, error=InputError)
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), resolve_attachments="core")
    except Exception as error:  # Inspect's readers raise many types of errors
        raise InputError(f"{path}: is not a log that Inspect can read ({error})") from None
    if not log.samples:
        raise InputError(f"{path}: contains no samples (status {log.status!r})")
    epochs = max(sample.epoch for sample in log.samples)
    for number, sample in enumerate(log.samples, start=1):
        if sample.error is not None:
            reason = f"sample {sample.id} ended with an error: {sample.error.message}"
            yield number, BrokenItem(reason)
            continue
        for record in _answers(sample, several_epochs=epochs > 1):
            yield number, {**record, "model": log.eval.model}


def _answers(sample: EvalSample, *, several_epochs: bool) -> Iterator[dict[str, Any]]:
    choices = sample.output.choices
    texts = [choice.message.text for choice in choices] or [""]
    question = sample.input if isinstance(sample.input, str) else sample.input[-1].text
    name = sample.metadata.get("name") or name_in(question)
    for number, text in enumerate(texts, start=1):
        place = f"#{sample.epoch}" if several_epochs else ""
        place += f".{number}" if len(texts) > 1 else ""
        record = {**sample.metadata, "id": f"{sample.id}{place}", "text": text}
        yield record if name is None else {**record, "name": name}
