"""Reads human labels for FActScore's facts and for question-answer pairs (QASemConsistency)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._readers.problems import RecordError
from dfactscore._records import Document
from dfactscore._util.printable import short_repr
from dfactscore.measures._agreement import krippendorff_alpha, unanimous
from dfactscore.meta._data_sets import DataSet, Item, LabelLevel, Segment
from dfactscore.meta._record_reading import Notes, field_of, read_records

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


Irrelevant = Literal["error", "drop"]
_LABELS = ("S", "NS", "IR")


def read_labels(path: Path, pages: KnowledgeSource | None, irrelevant: Irrelevant) -> DataSet:
    """Reads FActScore's released annotations (Min et al. 2023): human facts with labels.

    Biographies without a page are counted but not judged.
    """
    counts: Counter[str] = Counter()

    def item(record: Mapping[str, Any], number: int, notes: Notes) -> Item | None:
        topic, annotations = field_of(record, "topic", str), record.get("annotations")
        counts["topics"] += 1
        if annotations is None:
            counts["abstentions"] += 1
            return None
        segments = tuple(_facts(annotations, irrelevant))
        documents: tuple[Document, ...] = ()
        if pages is not None:
            documents = tuple(Document(p.title, p.text) for p in pages.documents(topic))
            if not documents:
                counts["without a page"] += 1
                return None
        if not segments:
            counts["without labeled facts"] += 1
            return None
        return Item(
            id=topic,
            cluster=topic,
            segments=segments,
            question=str(record.get("input") or ""),
            response=str(record.get("output") or ""),
            name=topic,
            documents=documents,
            group=path.stem,
        )

    records = read_records(path, item, identity="topic")
    needs = "" if pages is not None else "pages: give them with --pages FILE"
    return records.data(
        "factscore-labels", path, LabelLevel("fact"), facts=dict(counts), needs=needs
    )


def _facts(annotations: Any, irrelevant: Irrelevant) -> list[Segment]:
    if not isinstance(annotations, list) or not all(isinstance(s, dict) for s in annotations):
        raise RecordError(
            "annotations", f"expected a list of sentences, found {short_repr(annotations)}"
        )
    facts = []
    for sentence in annotations:
        labeled = sentence.get("human-atomic-facts") or []
        for fact in labeled if isinstance(labeled, list) else [labeled]:
            read = fact if isinstance(fact, Mapping) else {}
            text, label = read.get("text"), read.get("label")
            if label not in _LABELS or not isinstance(text, str):
                raise RecordError(
                    "human-atomic-facts",
                    f"expected a text and S, NS or IR, found {short_repr(fact)}",
                )
            if label != "IR" or irrelevant == "error":
                facts.append(Segment(text, label != "S", {"S": "", "NS": "NS", "IR": "IR"}[label]))
    return facts


def read_qasem(path: Path) -> DataSet:
    """Reads QASemConsistency (Cattan et al. 2024): sentences in which each relation is labeled.

    A sentence is an error if a majority rejects any of its question-answer pairs.
    """
    votes: dict[str, list[list[int]]] = {}

    def item(record: Mapping[str, Any], number: int, notes: Notes) -> Item | None:
        group = str(record.get("dataset") or path.stem)
        sentences = _sentences(field_of(record, "summary", list))
        rejected: dict[int, bool] = {}
        for pair in field_of(record, "qas", list):
            place, labels = _judged(pair, len(sentences))
            votes.setdefault(group, []).append(labels)
            rejected[place] = rejected.get(place, False) or 2 * sum(labels) > len(labels)
        if not rejected:
            notes["responses without a judged sentence are left out"] += 1
            return None
        source, source_id = join_tokens(field_of(record, "source", list)), record.get("source_id")
        model = str(record.get("model") or "")
        return Item(
            id=" ".join(filter(None, (str(source_id), model))),
            cluster=str(source_id),
            segments=tuple(Segment(sentences[i], rejected[i]) for i in sorted(rejected)),
            response=" ".join(sentences),
            name=source_id if isinstance(source_id, str) and source_id in source else "",
            documents=(Document("", source),) if source.strip() else (),
            group=group,
        )

    records = read_records(path, item, identity="source_id")
    facts = {
        group: {
            "pairs": len(labels),
            "unanimous": unanimous(labels),
            "alpha": krippendorff_alpha(labels),
        }
        for group, labels in votes.items()
    }
    levels = (LabelLevel("sentence"), LabelLevel("response", "worst"))
    return records.data("qasem", path, *levels, facts=facts)


def _sentences(summary: Sequence[Any]) -> list[str]:
    """A summary's sentences; a flat list of tokens counts as one sentence."""
    if summary and all(isinstance(token, str) for token in summary):
        return [join_tokens(summary)]
    if not summary or not all(isinstance(sentence, list) for sentence in summary):
        raise RecordError("summary", f"expected lists of tokens, found {short_repr(summary)}")
    return [join_tokens(sentence) for sentence in summary]


def _judged(pair: Any, n_sentences: int) -> tuple[int, list[int]]:
    """The index of the pair's sentence, and the votes on the pair, where 1 means rejection."""
    labels = pair.get("annotations") if isinstance(pair, Mapping) else None
    if not isinstance(labels, list) or not labels or not all(v in (0, 1) for v in labels):
        raise RecordError("qas", f"expected annotations of 0 and 1, found {short_repr(pair)}")
    place = pair.get("sent_id")
    # For a single sentence, the number refers to the longer response that it comes from.
    if n_sentences == 1:
        return 0, labels
    if not isinstance(place, int) or not 0 <= place < n_sentences:
        raise RecordError("qas", f"sent_id {short_repr(place)}, of {n_sentences} sentences")
    return place, labels


_CLOSING = re.compile(r"(?<! )[ ]+(?=[,.;:!?%)\]}’”]|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b)")
_OPENING = re.compile(r"(?<=[(\[{$£“‘])[ ]+")
_QUOTED = re.compile(r'"[ ]+([^"]*?)[ ]+"')


def join_tokens(tokens: Sequence[str]) -> str:
    r"""Joins tokens into a text, without spaces between words and punctuation.

    Example:
        >>> join_tokens(["Ann", "(", "35", ")", "says", "she", "'s", '"', "fine", '"', "."])
        'Ann (35) says she\'s "fine".'
    """
    if not all(isinstance(token, str) for token in tokens):
        raise RecordError("source", f"expected a list of tokens, found {short_repr(list(tokens))}")
    text = _OPENING.sub("", _CLOSING.sub("", " ".join(tokens)))
    return _QUOTED.sub(r'"\1"', text).replace(" - ", "-")
