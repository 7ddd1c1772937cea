"""The command of the ``factscore`` package: its flags, its four figures, its output file."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from dfactscore._asking.settings import GGUFModel, OpenAIModel
from dfactscore._errors import DFactScoreError, InputError
from dfactscore._util.jsonl import read_json, read_jsonl, write_json
from dfactscore._util.numbers import percent
from dfactscore._util.printable import message_line, short_repr
from dfactscore._util.stopping import stoppable
from dfactscore.factscorer._fact_scorer import DEFAULT_SOURCE, FactScorer
from dfactscore.factscorer._models import DEFAULT
from dfactscore.measures._error_rates import rates
from dfactscore.retrieval._errors import RetrievalError

_ANNOTATORS = ("model-atomic-facts", "human-atomic-facts")
_ENDING = "_factscore_output.json"
_OF_SCORER = (
    "model_name", "data_dir", "model_dir", "cache_dir", "openai_key", "cost_estimate",
    "abstain_detection_type", "missing", "evidence", "afg_model", "afv_model", "is_npm",
    "reuse_retrieval",
)  # fmt: skip


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"factscorer: {message}; see --help\n")


def make_parser() -> argparse.ArgumentParser:
    """The flags; those with underscores are read with hyphens too."""
    parser = _Parser(
        prog="python -m dfactscore.factscorer",
        description="FActScore of a file of texts about topics.",
    )
    add = parser.add_argument
    add("--input_path", required=True, help="JSON lines of {topic, output}")
    add("--model_name", default=DEFAULT, help="%(default)s, retrieval+ChatGPT or retrieval+llama")
    add("--gamma", type=float, default=10, help="facts below which a text is penalized")
    add("--openai_key", default="api.key", help="file with a key in its first line")
    add("--data_dir", default=".cache/factscore", help="folder of the knowledge sources")
    add("--model_dir", default=".cache/factscore", help="changes nothing")
    add("--cache_dir", default=".cache/factscore", help="folder of the answers of models")
    add("--knowledge_source", default=None, help=f"a source's name ({DEFAULT_SOURCE})")
    add(
        "--cost_estimate",
        default="consider_cache",
        help="changes nothing; see --dry-run",
        choices=("consider_cache", "ignore_cache"),
    )
    add(
        "--abstain_detection_type",
        default=None,
        help="what counts as an abstention",
        choices=("none", "generic", "perplexity_ai"),
    )
    add("--use_atomic_facts", action="store_true", help="take the facts of 'annotations'")
    add("--verbose", action="store_true", help="say how far it is")
    add("--print_rate_limit_error", action="store_true", help="changes nothing")
    add("--n_samples", type=int, default=None, help="read only so many lines")
    add("--afg_model", default=None, help="model that makes the facts")
    add("--afv_model", default=None, help="model that verifies")
    add("--is_npm", action="store_true", help="refused: not part of this package")
    add(
        "--af_annotator",
        default=_ANNOTATORS[0],
        choices=_ANNOTATORS,
        help="whose facts --use_atomic_facts takes",
    )
    add("--db_path", default=None, help="database of the source")
    add("--data_path", default=None, help="JSON lines of {title, text} to build it from")
    add("--redirects", default=None, help="JSON lines {title, target} for an old database")
    add(
        "--missing",
        default="error",
        choices=("error", "skip", "unsupported"),
        help="what a topic without a page is",
    )
    add("--base_url", default=None, help="OpenAI-compatible endpoint, up to /v1")
    add("--model", default=None, help="name of the model at the endpoint")
    add("--evidence", default=None, choices=("page", "top5"), help="what facts are judged by")
    add("--reuse_retrieval", action="store_true", help="read retrieval-NAME.json of --cache_dir")
    add("--text", default="answer", choices=("answer", "raw"), help="what of a text is scored")
    add("--dry_run", action="store_true", help="count calls, and ask no model")
    add("--out", default=None, help="where the result is written")
    return parser


@dataclass(frozen=True)
class _Read:
    topics: list[str]
    texts: list[str]
    facts: list[list[str] | None] | None
    labels: list[list[str]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command; a mistake of the user is one line and exit status 2."""
    given = [_underscored(one) for one in (sys.argv[1:] if arguments is None else arguments)]
    chosen = make_parser().parse_args(given)
    warnings.formatwarning = lambda message, *_, **__: f"factscorer: {message}\n"
    with stoppable("factscorer"):
        try:
            _run(chosen)
        except (DFactScoreError, RetrievalError) as error:
            print(f"factscorer: {message_line(error)}", file=sys.stderr)
            raise SystemExit(2) from None


def _underscored(argument: str) -> str:
    """``--input-path=x`` as ``--input_path=x``."""
    if not argument.startswith("--"):
        return argument
    name, equals, value = argument[2:].partition("=")
    return f"--{name.replace('-', '_')}{equals}{value}"


def _run(chosen: argparse.Namespace) -> None:
    path = Path(chosen.input_path)
    out = Path(chosen.out) if chosen.out else path.with_name(path.stem + _ENDING)
    read = _read(path, chosen)
    if not chosen.dry_run:
        _check_out(out, path)
    if chosen.abstain_detection_type == "perplexity_ai":
        _say("--abstain_detection_type perplexity_ai is this package's own detector")
    scorer = FactScorer(
        model=_model(chosen),
        text_as=chosen.text,
        **{name: getattr(chosen, name) for name in _OF_SCORER},
    )
    name = chosen.knowledge_source or DEFAULT_SOURCE
    scorer.register_knowledge_source(
        name, chosen.db_path, chosen.data_path, redirects=chosen.redirects
    )
    if chosen.dry_run:
        calls = scorer.count_calls(read.topics, read.texts, read.facts, name)
        print(f"{len(read.texts)} texts, {calls} calls, no model was called")
        return
    result = scorer.get_score(
        read.topics, read.texts, chosen.gamma, read.facts, name, chosen.verbose
    )
    for line in _figures(result):
        print(line)
    if read.labels:
        for line in _against_people(result, read.labels):
            print(line)
    write_json(out, result, error=InputError, indent=None)
    _say(f"written to {out}")


def _model(chosen: argparse.Namespace) -> Any:
    if chosen.base_url:
        os.environ["DFACTSCORE_BASE_URL"] = chosen.base_url
    if chosen.model is None:
        return None

    if chosen.model.endswith(".gguf"):
        return GGUFModel(chosen.model)
    return OpenAIModel(chosen.model, base_url=os.environ.get("DFACTSCORE_BASE_URL") or None)


def _read(path: Path, chosen: argparse.Namespace) -> _Read:
    found = _Read([], [], [] if chosen.use_atomic_facts else None, [])
    for number, (where, record) in enumerate(read_jsonl(path, error=InputError)):
        if chosen.n_samples is not None and number >= chosen.n_samples:
            break
        if not isinstance(record, Mapping):
            raise InputError(f"{where}: expected {{topic, output}}, found {short_repr(record)}")
        for name in ("topic", "output"):
            if not isinstance(record.get(name), str):
                value = short_repr(record.get(name))
                raise InputError(f"{where}: field {name!r}: expected a text, found {value}")
        found.topics.append(record["topic"])
        found.texts.append(record["output"])
        if found.facts is not None:
            facts, labels = _facts(record, where, chosen.af_annotator)
            found.facts.append(facts)
            if labels:
                found.labels.append(labels)
    if not found.texts:
        raise InputError(f"{path}: contains no records")
    return found


def _facts(
    record: Mapping[str, Any], where: str, annotator: str
) -> tuple[list[str] | None, list[str]]:
    """The facts of a record, and people's labels of them; None for an abstention."""
    if "annotations" not in record:
        raise InputError(f"{where}: field 'annotations' is missing; --use_atomic_facts needs it")
    sentences = record["annotations"]
    if sentences is None:
        return None, []
    try:
        facts = [fact for one in sentences for fact in one.get(annotator) or ()]
        texts = [str(fact["text"]) for fact in facts]
    except (TypeError, KeyError, AttributeError):
        raise InputError(
            f"{where}: field 'annotations': expected sentences with {annotator}: [{{text}}], found "
            f"{short_repr(sentences)}"
        ) from None
    labels = [fact.get("label") for fact, text in zip(facts, texts, strict=True) if text.strip()]
    return texts, [str(label) for label in labels] if None not in labels else []


def _check_out(out: Path, source: Path) -> None:
    """Refuses what would be harmed, before anything is judged.

    Raises:
        InputError: If the place cannot be written, is the input, or has something else.
    """
    if out.exists() and source.exists() and out.samefile(source):
        raise InputError(f"{out} is the input; choose another --out")
    if not out.parent.is_dir():
        raise InputError(f"{out}: no folder {out.parent}")
    if not os.access(out.parent, os.W_OK):
        raise InputError(f"{out.parent}: cannot be written; name another place with --out")
    if out.exists():
        try:
            old = read_json(out, error=InputError)
        except DFactScoreError:
            old = None
        if not isinstance(old, dict) or not {"score", "respond_ratio", "decisions"} <= set(old):
            raise InputError(f"{out}: there already, and not a result; choose another --out")


def _figures(result: Mapping[str, Any]) -> list[str]:
    lines = [f"FActScore = {percent(result['score'])}%"]
    if "init_score" in result:
        lines.append(f"FActScore w/o length penalty = {percent(result['init_score'])}%")
    lines.append(f"Respond ratio = {percent(result['respond_ratio'])}%")
    facts = result["num_facts_per_response"]
    lines.append(f"# Atomic facts per valid response = {'-' if facts is None else f'{facts:.1f}'}")
    return lines


def _against_people(result: Mapping[str, Any], labels: Sequence[Sequence[str]]) -> list[str]:
    """Agreement of the verdicts with people's labels of the same facts."""
    import numpy as np

    answered = [decision for decision in result["decisions"] if decision]
    if [len(d) for d in answered] != [len(own) for own in labels]:
        return []
    said = np.array([not one["is_supported"] for decision in answered for one in decision])
    truth = np.array([label != "S" for own in labels for label in own])
    counts = [
        (said & truth).sum(),
        (said & ~truth).sum(),
        (~said & truth).sum(),
        (~said & ~truth).sum(),
    ]
    found = rates(np.array(counts, dtype=np.float64))
    kappa, balanced = float(found["kappa"]), float(found["balanced_accuracy"])
    return [
        f"Against people, {len(truth)} facts: kappa {kappa:.3f}, balanced accuracy "
        f"{percent(balanced)}%"
    ]


def _say(line: str) -> None:
    print(f"factscorer: {line}", file=sys.stderr, flush=True)
