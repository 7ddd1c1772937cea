"""The signature of a score: what a paper must state so that the score can be repeated."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from dfactscore._errors import InputError
from dfactscore._results.judge import judge_name
from dfactscore._scoring import ScoreOptions
from dfactscore._util.near import near_miss
from dfactscore.measures._table import Column, Table

_BETWEEN = " | "
_DIGITS = 6  # of a digest
_ROLES = ("decomposer", "grouper", "verifier")
# The place of a model and its retries; the source of FS has a field of its own.
_NOT_THE_ENGINE = frozenset({"endpoint", "fs_scope", "sample", "search"})
_USUAL = {"candidates": "retrieved", **asdict(ScoreOptions())}


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a signature.

    Attributes:
        value: Computes the value from a run's manifest; empty if the field is left out.
        help: The meaning, in words.
        of: The meaning of some values, by their first word.
    """

    value: Callable[[Mapping[str, Any]], str]
    help: str
    of: Mapping[str, str] = field(default_factory=dict)


def _engine(manifest: Mapping[str, Any]) -> str:
    roles = {role: manifest["settings"].get(role) or {} for role in _ROLES}
    names = dict.fromkeys(str(one.get("name", "?")).partition("-")[0] for one in roles.values())
    content = json.dumps([_deciding(one) for one in roles.values()], sort_keys=True)
    return f"{'+'.join(names)}/{hashlib.sha256(content.encode()).hexdigest()[:_DIGITS]}"


def _deciding(value: Any) -> Any:
    """The settings of a role that can change an answer."""
    if isinstance(value, Mapping):
        return {k: _deciding(v) for k, v in value.items() if k not in _NOT_THE_ENGINE}
    return value


def _judge(manifest: Mapping[str, Any]) -> str:
    verifier = _deciding(manifest["settings"].get("verifier") or {})
    name = judge_name({"verifier": verifier})
    return "" if name == "builtin" else name


def _evidence(manifest: Mapping[str, Any]) -> str:
    settings = manifest["settings"]
    dates = "/".join((settings.get("snapshots") or {}).get("verification", ()))
    search = (settings.get("verifier") or {}).get("search")
    if search is not None:
        return f"search {search.get('service', '')}".rstrip()
    pages = settings.get("pages")
    if not isinstance(pages, Mapping):
        return f"{settings.get('evidence', '?')} {dates}".rstrip()
    content = str(pages.get("sha256") or "")[:_DIGITS] or str(pages.get("source") or "")
    source = "/".join(filter(None, (str(pages.get("kind", "?")), content)))
    return f"pages {source} {dates}".rstrip()


def _fs(manifest: Mapping[str, Any]) -> str:
    scope = (manifest["settings"].get("verifier") or {}).get("fs_scope")
    if not isinstance(scope, Mapping):
        return "retrieved"
    index = str(scope.get("index") or "")[:_DIGITS]
    return " ".join(filter(None, (f"corpus {scope.get('method')}/{index}", scope.get("snapshot"))))


def _sample(manifest: Mapping[str, Any]) -> str:
    drawn = manifest["settings"].get("sample")
    return f"{drawn['n']}/{drawn['of']} seed {drawn['seed']}" if drawn else ""


def _setting(name: str) -> Callable[[Mapping[str, Any]], str]:
    """The value of a setting outside of the options of scoring; empty if there is none."""

    def value(manifest: Mapping[str, Any]) -> str:
        return str(manifest["settings"].get(name) or "")

    return value


def _option(name: str, *, usual: bool = False) -> Callable[[Mapping[str, Any]], str]:
    """The value of an option of scoring; empty for the paper's value, unless `usual`."""

    def value(manifest: Mapping[str, Any]) -> str:
        settings = manifest["settings"]
        chosen = {"candidates": settings.get("candidates"), **(settings.get("scores") or {})}
        found = chosen.get(name)
        if found is None or (found == _USUAL[name] and not usual):
            return ""
        return str(found)

    return value


_FIELDS = {
    "dfactscore": _Field(
        lambda manifest: str((manifest.get("versions") or {}).get("dfactscore", "?")),
        "version of this package that judged the texts",
    ),
    "engine": _Field(
        _engine,
        "roles that split, group and verify, and a digest of their rules, models and prompts",
    ),
    "judge": _Field(_judge, "model that verifies facts, and its form of question"),
    "counts": _Field(
        _option("counts", usual=True),
        "what FS and D-FS add up",
        {
            "expected": "FS and D-FS add up calibrated probabilities",
            "verdicts": "FS and D-FS count supported facts",
        },
    ),
    "link": _Field(
        _option("link", usual=True),
        "how people of a text are linked to entities",
        {
            "argmax": "each person of a text is linked to the entity that supports most facts",
            "hungarian": "people of a text are linked to different entities, best in total",
        },
    ),
    "evidence": _Field(
        _evidence,
        "what facts are judged against, and its date",
        {
            "passages": "facts are judged against the passages of the texts; their date",
            "pages": "facts are judged against pages: kind, digest or source, date",
            "search": "facts are judged against results of this search service",
        },
    ),
    "fs": _Field(
        _fs,
        "where a fact may be supported to count in FS",
        {
            "retrieved": "FS counts facts that any retrieved entity supports",
            "corpus": "FS counts facts that this passage index supports: method, digest, date",
        },
    ),
    "candidates": _Field(_option("candidates"), "entities that a person may be linked to"),
    "unreadable": _Field(_option("unreadable"), "how unreadable verdicts count"),
    "irrelevant": _Field(_option("irrelevant"), "how irrelevant facts count"),
    "threshold": _Field(_option("threshold"), "probability from which a fact is supported"),
    "gamma": _Field(_option("gamma"), "length penalty of FActScore, in facts"),
    "min_foreign": _Field(
        _option("min_foreign"), "facts of another entity from which a group is mixed"
    ),
    "keep_repeats": _Field(_option("keep_repeats"), "F1@K counts repeated facts each time"),
    "language": _Field(_setting("language"), "texts in any language are scored"),
    "sample": _Field(_sample, "texts drawn at random, of all, and the seed"),
    "limit": _Field(_setting("limit"), "only the first texts of the input are scored"),
}


def signature_of(manifest: Mapping[str, Any]) -> str:
    """The signature of a run: one line that a paper can quote.

    Args:
        manifest: The run's manifest, or at least its ``settings`` and ``versions``.

    Example:
        >>> roles = dict.fromkeys(("decomposer", "grouper", "verifier"), {"name": "builtin"})
        >>> signature_of({
        ...     "versions": {"dfactscore": "0.3.0"},
        ...     "settings": {**roles, "evidence": "passages", "scores": {"link": "argmax"}},
        ... })
        'dfactscore 0.3.0 | engine builtin/78a699 | link argmax | evidence passages | fs retrieved'
    """
    values = {name: one.value(manifest) for name, one in _FIELDS.items()}
    return _BETWEEN.join(f"{name} {value}" for name, value in values.items() if value)


def explain_signature(signature: str) -> Table:
    """A signature as a table: each field, its value and its meaning.

    Raises:
        InputError: If the text is not a signature, or has an unknown field.
    """
    rows = []
    for part in signature.removeprefix("signature:").split(_BETWEEN.strip()):
        name, _, value = part.strip().partition(" ")
        known = _FIELDS.get(name)
        if known is None or not value:
            raise InputError(
                f"signature: {part.strip()!r} is not a field with a value"
                f"{near_miss(name, _FIELDS)}; a signature looks like 'dfactscore 0.3.0 | engine "
                "builtin/910a4b | counts expected'"
            )
        rows.append((name, value, known.of.get(value.split()[0], known.help)))
    return Table(tuple(Column(left=True) for _ in range(3)), tuple(rows), name="signature")


def signature_lines(signatures: Mapping[str, str]) -> list[str]:
    """The signatures of several runs, each once with the runs that have it.

    Args:
        signatures: Signatures by run; empty ones are left out.
    """
    runs: dict[str, list[str]] = {}
    for label, signature in signatures.items():
        if signature:
            runs.setdefault(signature, []).append(label)
    if len(runs) == 1 and all(signatures.values()):
        return [f"signature: {signature}" for signature in runs]
    return [f"signature of {', '.join(labels)}: {one}" for one, labels in runs.items()]
