"""The ``factscore`` package's command, with its flags, figures and output file."""

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
from dfactscore._readers.files import file_rows
from dfactscore._util.jsonl import read_json, write_json
from dfactscore._util.message_text import message_line, short_repr
from dfactscore._util.numbers import percent
from dfactscore._util.stopping import stoppable
from dfactscore.factscorer._arguments import DEFAULT
from dfactscore.factscorer._fact_scorer import DEFAULT_SOURCE, FactScorer
from dfactscore.measures._agreement import rates
from dfactscore.retrieval._errors import RetrievalError

_ANNOTATORS = ("model-atomic-facts", "human-atomic-facts")
_ENDING = "_factscore_output.json"
_OF_SCORER = (
    "model_name", "data_dir", "model_dir", "cache_dir", "openai_key", "cost_estimate",
    "abstain_detection_type", "missing", "evidence", "afg_model", "afv_model", "is_npm",
    "reuse_retrieval", "counts",
)  # fmt: skip


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"factscorer: {message}; see --help\n")


def make_parser() -> argparse.ArgumentParser:
    """Creates the parser for the flags; `main` also accepts hyphens instead of underscores."""
    parser = _Parser(
        prog="python -m dfactscore.factscorer",
        description="FActScore of a file of texts about topics.",
    )
    add = parser.add_argument
    add("--input_path", required=True, help="JSON lines of {topic, output}")
    add("--model_name", default=DEFAULT, help="%(default)s, retrieval+ChatGPT or retrieval+llama")
    add("--gamma", type=float, default=10, help="number of facts below which a text is penalized")
    add("--openai_key", default="api.key", help="file with a key in its first line")
    add("--data_dir", default=".cache/factscore", help="folder of the knowledge sources")
    add("--model_dir", default=".cache/factscore", help="accepted without effect")
    add("--cache_dir", default=".cache/factscore", help="folder of cached answers of models")
    add("--knowledge_source", default=None, help=f"name of the source ({DEFAULT_SOURCE})")
    add(
        "--cost_estimate",
        default="consider_cache",
        help="accepted without effect; see --dry-run",
        choices=("consider_cache", "ignore_cache"),
    )
    add(
        "--abstain_detection_type",
        default=None,
        help="detector of abstentions",
        choices=("none", "generic", "perplexity_ai"),
    )
    add("--use_atomic_facts", action="store_true", help="use the facts of 'annotations'")
    add("--verbose", action="store_true", help="print progress")
    add("--print_rate_limit_error", action="store_true", help="accepted without effect")
    add("--n_samples", type=int, default=None, help="read only the first N lines")
    add("--afg_model", default=None, help="model that decomposes texts")
    add("--afv_model", default=None, help="model that verifies facts")
    add("--is_npm", action="store_true", help="refused: not part of this package")
    add(
        "--af_annotator",
        default=_ANNOTATORS[0],
        choices=_ANNOTATORS,
        help="source of the facts for --use_atomic_facts",
    )
    add("--db_path", default=None, help="database of the source")
    add("--data_path", default=None, help="JSON lines of {title, text} to build the database from")
    add("--redirects", default=None, help="JSON lines {title, target} for a factscore database")
    add(
        "--missing",
        default="error",
        choices=("error", "skip", "unsupported"),
        help="treatment of topics without a page",
    )
    add("--base_url", default=None, help="OpenAI-compatible endpoint, up to /v1")
    add("--model", default=None, help="name of the model at the endpoint")
    add("--evidence", default=None, choices=("page", "top5"), help="evidence of the facts")
    add("--reuse_retrieval", action="store_true", help="read retrieval-NAME.json of --cache_dir")
    add("--text", default="answer", choices=("answer", "raw"), help="part of a text to score")
    add(
        "--counts",
        default=None,
        choices=("expected", "verdicts"),
        help="add up probabilities of support (default of the built-in judge), or count verdicts "
        "as the factscore package does",
    )
    add("--dry_run", action="store_true", help="count calls without calling a model")
    add("--out", default=None, help="file of the result")
    return parser


@dataclass(frozen=True)
class _Columns:
    topics: list[str]
    texts: list[str]
    facts: list[list[str] | None] | None
    labels: list[list[str]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command; a user error prints one line and exits with status 2."""
    words = [_underscored(word) for word in (sys.argv[1:] if arguments is None else arguments)]
    options = make_parser().parse_args(words)
    warnings.formatwarning = lambda message, *_, **__: f"factscorer: {message}\n"
    with stoppable("factscorer"):
        try:
            _run(options)
        except (DFactScoreError, RetrievalError) as error:
            print(f"factscorer: {message_line(error)}", file=sys.stderr)
            raise SystemExit(2) from None


def _underscored(argument: str) -> str:
    """Replaces hyphens in a flag name: ``--input-path=x`` becomes ``--input_path=x``."""
    if not argument.startswith("--"):
        return argument
    name, equals, value = argument[2:].partition("=")
    return f"--{name.replace('-', '_')}{equals}{value}"


def _run(options: argparse.Namespace) -> None:
    path = Path(options.input_path)
    out = Path(options.out) if options.out else path.with_name(path.stem + _ENDING)
    read = _read(path, options)
    if not options.dry_run:
        _check_out(out, path)
    if options.abstain_detection_type == "perplexity_ai":
        _say("--abstain_detection_type perplexity_ai uses the detector of this package")
    scorer = FactScorer(
        model=_model(options),
        text_as=options.text,
        **{name: getattr(options, name) for name in _OF_SCORER},
    )
    name = options.knowledge_source or DEFAULT_SOURCE
    scorer.register_knowledge_source(
        name, options.db_path, options.data_path, redirects=options.redirects
    )
    if options.dry_run:
        calls = scorer.count_calls(read.topics, read.texts, read.facts, name)
        print(f"{len(read.texts)} texts, {calls} calls, no model was called")
        return
    result = scorer.get_score(
        read.topics, read.texts, options.gamma, read.facts, name, options.verbose
    )
    for line in _figures(result):
        print(line)
    if read.labels:
        for line in _against_people(result, read.labels):
            print(line)
    write_json(out, result, error=InputError, indent=None)
    _say(f"written to {out}")


def _model(options: argparse.Namespace) -> Any:
    if options.base_url:
        os.environ["DFACTSCORE_BASE_URL"] = options.base_url
    if options.model is None:
        return None

    if options.model.endswith(".gguf"):
        return GGUFModel(options.model)
    return OpenAIModel(options.model, base_url=os.environ.get("DFACTSCORE_BASE_URL") or None)


def _read(path: Path, options: argparse.Namespace) -> _Columns:
    columns = _Columns([], [], [] if options.use_atomic_facts else None, [])
    for number, (line, record) in enumerate(file_rows(path)):
        if options.n_samples is not None and number >= options.n_samples:
            break
        for name in ("topic", "output"):
            if not isinstance(record.get(name), str):
                value = short_repr(record.get(name))
                raise InputError(f"{line}: field {name!r}: expected a text, found {value}")
        columns.topics.append(record["topic"])
        columns.texts.append(record["output"])
        if columns.facts is not None:
            facts, labels = _facts(record, line, options.af_annotator)
            columns.facts.append(facts)
            if labels:
                columns.labels.append(labels)
    if not columns.texts:
        raise InputError(f"{path}: contains no records")
    return columns


def _facts(
    record: Mapping[str, Any], line: str, annotator: str
) -> tuple[list[str] | None, list[str]]:
    """The facts in a record (None for an abstention) and their human labels."""
    if "annotations" not in record:
        raise InputError(f"{line}: field 'annotations' is missing; --use_atomic_facts needs it")
    sentences = record["annotations"]
    if sentences is None:
        return None, []
    try:
        facts = [fact for sentence in sentences for fact in sentence.get(annotator) or ()]
        texts = [str(fact["text"]) for fact in facts]
    except (TypeError, KeyError, AttributeError):
        raise InputError(
            f"{line}: field 'annotations': expected sentences with {annotator}: [{{text}}], found "
            f"{short_repr(sentences)}"
        ) from None
    labels = [fact.get("label") for fact, text in zip(facts, texts, strict=True) if text.strip()]
    return texts, [str(label) for label in labels] if None not in labels else []


def _check_out(out: Path, source: Path) -> None:
    """Checks the output file before any text is judged."""
    if out.exists() and source.exists() and out.samefile(source):
        raise InputError(f"{out} is the input; choose another --out")
    if not out.parent.is_dir():
        raise InputError(f"{out}: no folder {out.parent}")
    if not os.access(out.parent, os.W_OK):
        raise InputError(f"{out.parent}: cannot be written; choose another --out")
    if out.exists():
        try:
            old = read_json(out, error=InputError)
        except DFactScoreError:
            old = None
        if not isinstance(old, dict) or not {"score", "respond_ratio", "decisions"} <= set(old):
            raise InputError(f"{out}: exists and is not a result; choose another --out")


def _figures(result: Mapping[str, Any]) -> list[str]:
    lines = [f"FActScore = {percent(result['score'])}%"]
    if result.get("counts") == "expected":
        by_verdicts = percent(result["score_verdicts"])
        lines[0] += f" (expected; by verdicts, as the factscore package counts: {by_verdicts}%)"
    if "init_score" in result:
        lines.append(f"FActScore w/o length penalty = {percent(result['init_score'])}%")
    lines.append(f"Respond ratio = {percent(result['respond_ratio'])}%")
    facts = result["num_facts_per_response"]
    lines.append(f"# Atomic facts per valid response = {'-' if facts is None else f'{facts:.1f}'}")
    return lines


def _against_people(result: Mapping[str, Any], labels: Sequence[Sequence[str]]) -> list[str]:
    """Computes the agreement between the verdicts and human labels for the same facts."""
    import numpy as np

    answered = [decision for decision in result["decisions"] if decision]
    if [len(d) for d in answered] != [len(text_labels) for text_labels in labels]:
        return []
    flagged = np.array([not fact["is_supported"] for decision in answered for fact in decision])
    truth = np.array([label != "S" for text_labels in labels for label in text_labels])
    counts = [
        (flagged & truth).sum(),
        (flagged & ~truth).sum(),
        (~flagged & truth).sum(),
        (~flagged & ~truth).sum(),
    ]
    figures = rates(np.array(counts, dtype=np.float64))
    kappa, balanced = float(figures["kappa"]), float(figures["balanced_accuracy"])
    return [
        f"Against people, {len(truth)} facts: kappa {kappa:.3f}, balanced accuracy "
        f"{percent(balanced)}%"
    ]


def _say(line: str) -> None:
    print(f"factscorer: {line}", file=sys.stderr, flush=True)
