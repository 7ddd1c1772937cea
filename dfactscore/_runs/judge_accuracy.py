"""Accuracy of a verifier, from a user's evaluation or its engine card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from dfactscore._errors import RunError
from dfactscore._runs.run_manifest import read_manifest
from dfactscore._util.files import shipped
from dfactscore._util.jsonl import read_json
from dfactscore._util.numbers import counted, with_sign
from dfactscore._util.validated import Form, Text, misfit

#: With fewer units than these a figure says too little to be shown.
LEAST = 100
#: The accuracy of the package's own verifier; ``benchmarks/meta.py`` writes it.
CARD = shipped("dfactscore.engines._builtin.verify", "measured.json")
_OF_PEOPLE = "fact"  # the level of the card's labels of facts about people
# Settings of fact sources, retries and the reading of probabilities: no verdict changes.
_APART = frozenset({"calibration", "fs_scope", "sample"})


class _MeasuredRow(Form):
    block: Text
    references: Text
    level: Text
    evaluator: Text
    variant: Text
    n: int
    f1: float | None = None
    balanced_accuracy: float | None = None
    kappa: float | None = None
    auc: float | None = None
    coverage: float | None = None


class _Scores(Form):
    rows: list[_MeasuredRow]
    signatures: dict[Text, Text] = Field(default_factory=dict)


class _Evaluator(Form):
    verifier: dict[Text, Any] | None = None


class _EvaluationSettings(Form):
    evaluators: dict[Text, _Evaluator]


class _Manifest(Form):
    command: Text
    status: Text
    settings: _EvaluationSettings


def read_evaluation(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The manifest and the scores of a folder of ``meta run``.

    Raises:
        RunError: If it is not a finished meta-evaluation.
    """
    manifest = read_manifest(folder, _Manifest)
    path = folder / "scores.json"
    if manifest["command"] != "meta" or not path.exists():
        raise RunError(f"{folder}: not a finished meta-evaluation; 'dfactscore meta run' makes one")
    content = read_json(path, error=RunError)
    if problem := misfit(_Scores, content):
        raise RunError(f"{path}: damaged ({problem}); run 'dfactscore meta run' again")
    return manifest, content


def evaluator_rows(rows: Iterable[Mapping[str, Any]], evaluator: str) -> list[Mapping[str, Any]]:
    """Rows that measure an evaluator: for each block its smallest units."""
    first: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in rows:
        if row["evaluator"] == evaluator and not row["variant"]:
            first.setdefault((row["block"], row["references"]), row)
    return list(first.values())


def accuracy_line(verifier: object, judged_by: str | Path | None = None) -> str:
    """Returns a verifier's accuracy: a line without its subject, "is right on 83 % of …".

    Args:
        verifier: Its settings, as manifests have them; anything else is not known.
        judged_by: A folder of ``meta run`` that says it; the package's own card by default.

    Raises:
        RunError: If the folder is not a finished meta-evaluation.
    """
    if judged_by is None:
        card = read_json(CARD, error=RunError)
        rows = card["rows"] if _same(card["verifier"], verifier) else []
        source = "dfactscore meta run; --judged-by FOLDER"
    else:
        folder = Path(judged_by)
        manifest, scores = read_evaluation(folder)
        known = manifest["settings"]["evaluators"]
        names = [name for name, one in known.items() if _same(one.get("verifier"), verifier)]
        rows = evaluator_rows(scores["rows"], names[0]) if names else []
        source = f"{folder.resolve().name} is about {', '.join(known) or 'no evaluator'}"
    known = [r for r in rows if r["balanced_accuracy"] is not None and r["n"] >= LEAST]
    if judged_by is None:
        known = [row for row in known if row["level"] == _OF_PEOPLE]
    if known:
        shares = ", ".join(map(_share if judged_by else _of_people, known))
        more = "" if judged_by else "; details: engine card"
        return f"is right on {shares} (balanced accuracy, guessing: 50){more}"
    if rows:
        return f"was measured on fewer than {LEAST} units"
    return f"is not measured ({source})"


def _of_people(row: Mapping[str, Any]) -> str:
    """Returns the built-in judge's accuracy on the package's own task."""
    return f"{100 * row['balanced_accuracy']:.0f} % of facts about people"


def _share(row: Mapping[str, Any]) -> str:
    """Returns a judge's accuracy on one set of labels."""
    where = "" if row["references"] == "all" else " with text"
    of = counted(row["n"], row["level"])
    return f"{100 * row['balanced_accuracy']:.1f} % of {of} of {row['block']}{where}"


def level_shift_line(counts: str) -> str:
    """Returns the built-in judge's distance from the means of the paper's pipeline, by model.

    Args:
        counts: Kind of counts.

    Raises:
        RunError: If the card cannot be read.
    """
    rows = [row for row in read_json(CARD, error=RunError)["levels"] if row["counts"] == counts]
    shifts = ", ".join(
        f"{with_sign(100 * row['fs'])} and {with_sign(100 * row['dfs'])} ({row['model']})"
        for row in rows
    )
    by = "calibrated probabilities" if counts == "expected" else "verdicts"
    return (
        f"On texts not used for training, FS and D-FS of the built-in judge by {by} deviate "
        f"from the paper's pipeline by {shifts} points"
    )


def _same(one: object, other: object) -> bool:
    if not (isinstance(one, Mapping) and isinstance(other, Mapping)):
        return False
    first, second = ({k: v for k, v in own.items() if k not in _APART} for own in (one, other))
    return first == second
