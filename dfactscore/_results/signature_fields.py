"""The fields of a signature, by command."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from dfactscore._results.judge import judge_name
from dfactscore._scoring import ScoreOptions

DIGEST_LENGTH = 6  # characters
_ROLES = ("decomposer", "grouper", "verifier")
# The place of a model and its retries; the source of FS has a field of its own.
_NOT_THE_ENGINE = frozenset({"endpoint", "fs_scope", "sample", "search"})
_USUAL = {"candidates": "retrieved", **asdict(ScoreOptions())}


@dataclass(frozen=True, slots=True)
class SignatureField:
    """A field of a signature."""

    # Callable that computes the value from a run's manifest; an empty value omits the field.
    value: Callable[[Mapping[str, Any]], str]
    help: str
    of: Mapping[str, str] = field(default_factory=dict)


def _engine(manifest: Mapping[str, Any]) -> str:
    roles = [manifest["settings"].get(role) or {} for role in _ROLES]
    names = dict.fromkeys(str(role.get("name", "?")).partition("-")[0] for role in roles)
    return f"{'+'.join(names)}/{_digest(roles)}"


def _digest(roles: Sequence[Mapping[str, Any]]) -> str:
    """Returns a digest of the settings that can affect an answer."""
    content = json.dumps([_deciding(role) for role in roles], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:DIGEST_LENGTH]


def _deciding(value: Any) -> Any:
    """Returns the settings of a role that can affect an answer."""
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
    content = str(pages.get("sha256") or "")[:DIGEST_LENGTH] or str(pages.get("source") or "")
    source = "/".join(filter(None, (str(pages.get("kind", "?")), content)))
    return f"pages {source} {dates}".rstrip()


def _fs(manifest: Mapping[str, Any]) -> str:
    scope = (manifest["settings"].get("verifier") or {}).get("fs_scope")
    if not isinstance(scope, Mapping):
        return "retrieved"
    index = str(scope.get("index") or "")[:DIGEST_LENGTH]
    return " ".join(filter(None, (f"corpus {scope.get('method')}/{index}", scope.get("snapshot"))))


def _sample(manifest: Mapping[str, Any]) -> str:
    drawn = manifest["settings"].get("sample")
    if not drawn:
        return ""
    each = f" for {drawn['models']} models" if "models" in drawn else ""
    return f"{drawn['n']}{each}/{drawn['of']} seed {drawn['seed']}"


def _setting(name: str) -> Callable[[Mapping[str, Any]], str]:
    """Returns the value of a setting other than a scoring option; empty if there is none."""

    def value(manifest: Mapping[str, Any]) -> str:
        return str(manifest["settings"].get(name) or "")

    return value


def _limit(manifest: Mapping[str, Any]) -> str:
    return _setting("limit")(manifest) or str((manifest.get("input") or {}).get("limit") or "")


def _option(name: str, *, usual: bool = False) -> Callable[[Mapping[str, Any]], str]:
    """Returns the value of a scoring option; the paper's value is shown only if `usual` is true."""

    def value(manifest: Mapping[str, Any]) -> str:
        settings = manifest["settings"]
        chosen = {"candidates": settings.get("candidates"), **(settings.get("scores") or {})}
        found = chosen.get(name)
        if found is None or (found == _USUAL[name] and not usual):
            return ""
        return str(found)

    return value


_VERSION = SignatureField(
    lambda manifest: str((manifest.get("versions") or {}).get("dfactscore", "?")),
    "version of this package that computed the scores",
)
_THRESHOLD = (
    "probability from which a text is supported",
    {
        "own": "the evaluator decides by its own threshold",
        "fitted": "the threshold is fitted on the other folds of the data",
    },
)
_LIMIT = SignatureField(_limit, "only the first items of the input are scored")
_SCORE = {
    "dfactscore": _VERSION,
    "engine": SignatureField(
        _engine,
        "roles that split, group and verify, and a digest of their rules, models and prompts",
    ),
    "judge": SignatureField(_judge, "model that judges, and its form of question"),
    "counts": SignatureField(
        _option("counts", usual=True),
        "what FS and D-FS add up",
        {
            "expected": "FS and D-FS add up calibrated probabilities",
            "verdicts": "FS and D-FS count supported facts",
        },
    ),
    "link": SignatureField(
        _option("link", usual=True),
        "how people of a text are linked to entities",
        {
            "argmax": "each person of a text is linked to the entity that supports most facts",
            "hungarian": "people of a text are linked to different entities, best in total",
        },
    ),
    "evidence": SignatureField(
        _evidence,
        "what facts are judged against, and its date",
        {
            "passages": "facts are judged against the passages of the texts; their date",
            "pages": "facts are judged against pages: kind, digest or source, date",
            "search": "facts are judged against results of this search service",
        },
    ),
    "owners": SignatureField(
        _setting("owners"), "digest of the weights that tell whose the passages are"
    ),
    "fs": SignatureField(
        _fs,
        "where a fact may be supported to count in FS",
        {
            "retrieved": "FS counts facts that any retrieved entity supports",
            "corpus": "FS counts facts that this passage index supports: method, digest, date",
        },
    ),
    "candidates": SignatureField(_option("candidates"), "entities that a person may be linked to"),
    "unreadable": SignatureField(_option("unreadable"), "how unreadable verdicts count"),
    "irrelevant": SignatureField(_option("irrelevant"), "how irrelevant facts count"),
    "threshold": SignatureField(_option("threshold"), *_THRESHOLD),
    "gamma": SignatureField(_option("gamma"), "length penalty of FActScore, in facts"),
    "min_foreign": SignatureField(
        _option("min_foreign"), "facts of a namesake from which a group is mixed, not a share"
    ),
    "keep_repeats": SignatureField(_option("keep_repeats"), "F1@K counts repeated facts each time"),
    "language": SignatureField(_setting("language"), "texts in any language are scored"),
    "sample": SignatureField(_sample, "texts drawn at random, of all, and the seed"),
    "limit": _LIMIT,
}


def _entailer(manifest: Mapping[str, Any]) -> str:
    settings = {k: v for k, v in manifest["settings"].items() if k != "precision"}
    name = str(settings.get("name") or settings.get("entailer", "?")).partition("-")[0]
    return f"{name}/{_digest([settings])}" if len(settings) > 1 else name


def _entailment_model(manifest: Mapping[str, Any]) -> str:
    settings = manifest["settings"]
    if "model" not in settings:
        return ""
    name = settings.get("name") or settings.get("entailer")
    return _judge({"settings": {"verifier": {**settings, "name": name}}})


_CITATIONS = {
    "dfactscore": _VERSION,
    "entailer": SignatureField(
        _entailer, "judge of entailment, and a digest of its rules, model and prompts"
    ),
    "judge": SignatureField(_entailment_model, "model that judges, and its form of question"),
    "limit": _LIMIT,
}


def _items(manifest: Mapping[str, Any]) -> str:
    source = manifest.get("input") or {}
    return "/".join(
        filter(None, (source.get("file"), str(source.get("sha256", ""))[:DIGEST_LENGTH]))
    )


def _column(manifest: Mapping[str, Any]) -> str:
    column = _setting("column")(manifest)
    return "" if column == "prefix" else column  # the only column of a .jsonl file


def _model(manifest: Mapping[str, Any]) -> str:
    model = manifest["settings"].get("model")
    return f"{model.get('model', '?')}/{_digest([model])}" if isinstance(model, Mapping) else ""


def _retrieval(manifest: Mapping[str, Any]) -> str:
    settings = manifest["settings"]
    index = settings.get("index") or (settings.get("retrieval") or {}).get("index")
    return str(index or "")[:DIGEST_LENGTH]


_FACTOR = {
    "dfactscore": _VERSION,
    "items": SignatureField(_items, "file of items, and its digest"),
    "prefix": SignatureField(_column, "column that the prefixes come from"),
    "model": SignatureField(
        _model, "model that completions are scored by, and a digest of its settings"
    ),
    "normalize": SignatureField(_setting("normalize"), "divisor of log-probabilities"),
    "policy": SignatureField(_setting("policy"), "how items without a number count"),
    "before": SignatureField(
        lambda manifest: "+".join(manifest["settings"].get("contexts") or ()),
        "texts before the prefix",
    ),
    "index": SignatureField(_retrieval, "digest of the index that passages come from"),
    "limit": _LIMIT,
}


def _evaluator(manifest: Mapping[str, Any]) -> str:
    evaluator = dict(manifest["settings"]["evaluator"])
    name = str(evaluator.pop("name"))
    if name.startswith("nli:"):  # the field `judge` names the model
        name = "nli"
    return f"{name}/{_digest([evaluator])}"


def _evaluator_model(manifest: Mapping[str, Any]) -> str:
    evaluator = manifest["settings"]["evaluator"]
    verifier = evaluator.get("verifier") or (evaluator if "model" in evaluator else None)
    return _judge({"settings": {"verifier": verifier}}) if verifier else ""


_META = {
    "dfactscore": _VERSION,
    "evaluator": SignatureField(
        _evaluator, "evaluator, and a digest of its rules, models and prompts"
    ),
    "judge": SignatureField(_evaluator_model, "model that judges, and its form of question"),
    "unit": SignatureField(
        lambda manifest: str(manifest["settings"]["evaluator"].get("unit") or ""),
        "text that is judged at once",
        {"segment": "whole segments are judged", "claim": "each claim of a segment is judged"},
    ),
    "labels": SignatureField(
        _setting("labels"), "labeled data, and a digest of its texts and labels"
    ),
    "threshold": SignatureField(_setting("threshold"), *_THRESHOLD),
    "limit": _LIMIT,
}

FIELDS = {"score": _SCORE, "citations": _CITATIONS, "factor score": _FACTOR, "meta": _META}
"""The fields by command, in their order; other commands have those of ``score``."""
