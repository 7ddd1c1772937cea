"""The signature of a score: what a paper must state for the score to be reproducible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dfactscore._errors import InputError
from dfactscore._results.signature_fields import FIELDS
from dfactscore._util.message_text import near_miss
from dfactscore.measures._table import Column, Table

_BETWEEN = " | "


def signature_of(manifest: Mapping[str, Any]) -> str:
    """Returns the signature of a run: one line that a paper can quote.

    Example:
        >>> roles = dict.fromkeys(("decomposer", "grouper", "verifier"), {"name": "builtin"})
        >>> signature_of({
        ...     "versions": {"dfactscore": "0.3.0"},
        ...     "settings": {**roles, "evidence": "passages", "scores": {"link": "argmax"}},
        ... })
        'dfactscore 0.3.0 | engine builtin/78a699 | link argmax | evidence passages | fs retrieved'
    """
    # `manifest`: the run's manifest, or at least its `settings` and `versions`. If `command` is
    # missing, `score` is assumed.
    fields = FIELDS.get(manifest.get("command", ""), FIELDS["score"])
    values = {name: known.value(manifest) for name, known in fields.items()}
    return _BETWEEN.join(f"{name} {value}" for name, value in values.items() if value)


def explain_signature(signature: str) -> Table:
    """Explains a signature in a table: each field, its value and its meaning."""
    fields = {name: known for one in reversed(FIELDS.values()) for name, known in one.items()}
    rows = []
    for part in signature.removeprefix("signature:").split(_BETWEEN.strip()):
        name, _, value = part.strip().partition(" ")
        known = fields.get(name)
        if known is None or not value:
            raise InputError(
                f"signature: {part.strip()!r} is not a field with a value"
                f"{near_miss(name, fields)}; a signature looks like 'dfactscore 0.3.0 | engine "
                "builtin/910a4b | counts expected'"
            )
        rows.append((name, value, known.of.get(value.split()[0], known.help)))
    return Table(tuple(Column(left=True) for _ in range(3)), tuple(rows), name="signature")


def signature_lines(signatures: Mapping[str, str]) -> list[str]:
    """Returns the distinct signatures of several runs, and the runs that have each of them."""
    runs: dict[str, list[str]] = {}
    for label, signature in signatures.items():
        if signature:
            runs.setdefault(signature, []).append(label)
    if len(runs) == 1 and all(signatures.values()):
        return [f"signature: {signature}" for signature in runs]
    return [f"signature of {', '.join(labels)}: {one}" for one, labels in runs.items()]
