"""A verifier's measured accuracy, from the engine card or a user's evaluation."""

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

#: Minimum number of units for which an accuracy is shown.
MIN_UNITS = 100
#: The engine card: the accuracy of the built-in verifier; ``benchmarks/meta.py`` writes it.
CARD = shipped("dfactscore.engines._builtin.verify", "measured.json")
_FACT_LEVEL = "fact"  # the level of the card's labels for facts about people
# Settings that do not affect verdicts.
_WITHOUT_EFFECT = frozenset({"calibration", "fs_scope", "sample"})


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
    """Reads the manifest and the scores in a folder written by ``meta run``."""
    manifest = read_manifest(folder, _Manifest)
    path = folder / "scores.json"
    if manifest["command"] != "meta" or not path.exists():
        raise RunError(f"{folder}: not a finished meta-evaluation; 'dfactscore meta run' makes one")
    content = read_json(path, error=RunError)
    if problem := misfit(_Scores, content):
        raise RunError(f"{path}: damaged ({problem}); run 'dfactscore meta run' again")
    return manifest, content


def evaluator_rows(rows: Iterable[Mapping[str, Any]], evaluator: str) -> list[Mapping[str, Any]]:
    """Returns an evaluator's rows, at the finest level for each block and type of reference."""
    first: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in rows:
        if row["evaluator"] == evaluator and not row["variant"]:
            first.setdefault((row["block"], row["references"]), row)
    return list(first.values())


def checked_line(verifier: object, run: Path | None) -> str:
    """Returns the result of `doctor --judge` in a run folder as a predicate, or an empty string."""
    if run is None or not isinstance(verifier, Mapping):
        return ""
    from dfactscore.engines._llm.roles.judge_check import read_check

    check = read_check(run, verifier)
    return "" if check is None else check.line()


def accuracy_line(
    verifier: object, judged_by: str | Path | None = None, *, run: Path | None = None
) -> str:
    """Returns a verifier's accuracy as a predicate: "is right on 83 % of …"."""
    # `judged_by`: a folder written by `meta run` that contains the accuracy; by default, that is
    # the engine card or the check in the run folder.
    if judged_by is None:
        card = read_json(CARD, error=RunError)
        rows = card["rows"] if _same(card["verifier"], verifier) else []
        source = "dfactscore doctor --judge, or meta run and --judged-by FOLDER"
    else:
        folder = Path(judged_by)
        manifest, scores = read_evaluation(folder)
        evaluators = manifest["settings"]["evaluators"]
        names = [k for k, entry in evaluators.items() if _same(entry.get("verifier"), verifier)]
        rows = evaluator_rows(scores["rows"], names[0]) if names else []
        source = f"{folder.resolve().name} is about {', '.join(evaluators) or 'no evaluator'}"
    large = [r for r in rows if r["balanced_accuracy"] is not None and r["n"] >= MIN_UNITS]
    if judged_by is None:
        large = [row for row in large if row["level"] == _FACT_LEVEL]
    if large:
        shares = ", ".join(map(_share if judged_by else _share_of_people, large))
        hint = "" if judged_by else "; details: engine card"
        return f"is right on {shares} (balanced accuracy, guessing: 50){hint}"
    if rows:
        return f"was measured on fewer than {MIN_UNITS} units"
    if judged_by is None and (line := checked_line(verifier, run)):
        return f"{line} (invented pairs of doctor --judge)"
    return f"is not measured ({source})"


def _share_of_people(row: Mapping[str, Any]) -> str:
    """Formats the built-in judge's accuracy on facts about people."""
    return f"{100 * row['balanced_accuracy']:.0f} % of facts about people"


def _share(row: Mapping[str, Any]) -> str:
    """Formats a judge's accuracy on one set of labels."""
    where = "" if row["references"] == "all" else " with text"
    units = counted(row["n"], row["level"])
    return f"{100 * row['balanced_accuracy']:.1f} % of {units} of {row['block']}{where}"


def level_shift_line(counts: str) -> str:
    """States how far the built-in judge's means are from the paper's pipeline, by model."""
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


def _same(first: object, second: object) -> bool:
    if not (isinstance(first, Mapping) and isinstance(second, Mapping)):
        return False
    deciding = [
        {name: value for name, value in settings.items() if name not in _WITHOUT_EFFECT}
        for settings in (first, second)
    ]
    return deciding[0] == deciding[1]
