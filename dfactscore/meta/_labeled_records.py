"""Reads labeled records: FELM, single claims with evidence, and human labels of facts."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from dfactscore._errors import InputError
from dfactscore._readers.files import iter_items
from dfactscore._readers.harness_logs import object_of
from dfactscore._readers.record_fields import BadRecord, RecordError
from dfactscore._records import Document
from dfactscore._util.files import read_bytes
from dfactscore._util.message_text import short_repr
from dfactscore._util.numbers import counted
from dfactscore.measures._agreement import krippendorff_alpha, unanimous
from dfactscore.meta._data_sets import DataSet, Item, LabelLevel, Segment

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


_T = TypeVar("_T")
Notes = Counter[str]
_KINDS: Mapping[type, str] = {str: "a text", list: "a list", bool: "true or false"}


class Records:
    """The records in a file."""

    def __init__(self, digest: str) -> None:
        self.items: list[Item] = []  # items made from the good records, in order
        self.bad: list[BadRecord] = []
        self.notes: Notes = Counter()
        self.digest = digest

    def data(self, kind: str, path: Path, *levels: LabelLevel, **fields: Any) -> DataSet:
        """Returns the good records as a data set."""
        return DataSet(
            kind=kind,
            path=path,
            items=tuple(self.items),
            levels=levels,
            digest=self.digest,
            bad=tuple(self.bad),
            odd=tuple(f"{n} {note}" for note, n in self.notes.items()),
            **fields,
        )


def read_records(
    path: Path,
    make: Callable[[Mapping[str, Any], int, Notes], Item | None],
    *,
    identity: str = "id",  # name of the field that identifies a record; its values must be unique
) -> Records:
    """Converts the records of a JSONL, JSON, CSV or Parquet file into items."""
    data = read_bytes(path, error=InputError)
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf"):
        raise InputError(f"{path}: the file is empty")
    records = Records(hashlib.sha256(data).hexdigest())
    seen: dict[tuple[str, str], int] = {}
    for number, (line, value) in enumerate(iter_items(path, data)):
        identifier = str(number)
        try:
            item = make(object_of(value), number, records.notes)
            if item is None:
                continue
            identifier = item.id
            if (first := seen.get((item.group, item.id))) is not None:
                raise RecordError(identity, f"{item.id!r} is on line {first} already")
        except RecordError as error:
            records.bad.append(BadRecord(str(path), line, identifier, str(error)))
            continue
        seen[item.group, item.id] = line
        records.items.append(item)
    if not records.items:
        if records.bad:
            suffix = f" (and {len(records.bad) - 1} more)" if len(records.bad) > 1 else ""
            raise InputError(f"{records.bad[0]}{suffix}; no usable record is left")
        raise InputError(f"{path}: contains no records")
    return records


def field_of(record: Mapping[str, Any], name: str, kind: type[_T]) -> _T:
    """Returns the value of a required field."""
    if name not in record:
        raise RecordError(name, f"is missing (the record has {', '.join(map(str, record))})")
    value = record[name]
    if not isinstance(value, kind):
        expected = _KINDS.get(kind, kind.__name__)
        raise RecordError(name, f"expected {expected}, found {short_repr(value)}")
    return value


def texts_of(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Returns the non-empty texts of a field that contains a text or a list of texts."""
    value = record.get(name)
    values = [value] if isinstance(value, str) else value or []
    if not isinstance(values, list) or not all(v is None or isinstance(v, str) for v in values):
        raise RecordError(name, f"expected a list of texts, found {short_repr(value)}")
    return tuple(v for v in values if v and v.strip())


_LIST_NUMBER = re.compile(r"(?:\s|\\n)*\d+[.)](?:\s|\\n)*")


def asserts(text: str) -> bool:
    r"""Whether a segment asserts anything, that is, is more than a list number or punctuation.

    Example:
        >>> [asserts(text) for text in ("2.", "3. \\n", "\\]", "$4 * 3 = 17$", "Sure!")]
        [False, False, False, True, True]
    """
    return any(map(str.isalnum, text)) and not _LIST_NUMBER.fullmatch(text)


def read_felm(path: Path) -> DataSet:
    """Reads JSON lines in FELM's format; `docs/meta.md` lists the fields."""
    records = read_records(
        path, lambda record, _, notes: _item(record, path.stem, notes), identity="index"
    )
    return records.data("felm", path, LabelLevel("segment"), LabelLevel("response", "worst"))


def _item(record: Mapping[str, Any], domain: str, notes: Notes) -> Item:
    index = record.get("index")
    if not isinstance(index, (str, int)) or isinstance(index, bool) or not str(index):
        raise RecordError("index", f"expected a text, found {short_repr(index)}")
    texts, labels = _segments(record)
    group = record.get("domain", domain)
    if not isinstance(group, str):
        raise RecordError("domain", f"expected a text, found {short_repr(group)}")
    response = record.get("response")
    if not isinstance(response, str) or response.strip() == "NaN":
        notes["responses are NaN; their segments are joined instead"] += 1
        response = " ".join(texts)
    links, documents = texts_of(record, "ref"), texts_of(record, "ref_contents")
    if documents and len(links) != len(documents):
        notes["records have different numbers of links and texts; the texts are used"] += 1
    kinds = _types(record, labels, notes)
    return Item(
        id=str(index),
        cluster=str(index),
        segments=tuple(
            Segment(text, not label, kind, asserts(text))
            for text, label, kind in zip(texts, labels, kinds, strict=True)
        ),
        question=field_of(record, "prompt", str),
        response=response,
        documents=tuple(Document("", text) for text in documents),
        links=links,
        search=True,
        group=group,
    )


def _segments(record: Mapping[str, Any]) -> tuple[list[str], list[bool]]:
    """The segments, and whether each is right."""
    texts = field_of(record, "segmented_response", list)
    if not texts or not all(isinstance(text, str) for text in texts):
        raise RecordError(
            "segmented_response", f"expected a list of texts, found {short_repr(texts)}"
        )
    labels = field_of(record, "labels", list)
    for label in labels:
        if not isinstance(label, bool):
            raise RecordError("labels", f"expected true or false, found {short_repr(label)}")
    if len(labels) != len(texts):
        raise RecordError(
            "labels", f"{counted(len(labels), 'label')} for {counted(len(texts), 'segment')}"
        )
    return texts, labels


def _types(record: Mapping[str, Any], labels: list[bool], notes: Notes) -> list[str]:
    """The type of each segment's error; empty if missing, or if the segment is right."""
    value = record.get("type")
    values = value if isinstance(value, list) else []
    if not all(kind is None or isinstance(kind, str) for kind in values):
        raise RecordError("type", f"expected a list of texts, found {short_repr(value)}")
    kinds = [(kind or "").strip() for kind in values[: len(labels)]]
    kinds += [""] * (len(labels) - len(kinds))
    for i, (label, kind) in enumerate(zip(labels, kinds, strict=True)):
        if label and kind:
            notes["segments without an error have an error type, which is ignored"] += 1
            kinds[i] = ""
    return kinds


_WICE = ("supported", "partially_supported", "not_supported")
_STANCES = ("completely-support", "partially-support", "refute", "irrelevant")
_FACTUALITY = {"true": False, "false": True}
_ROW = LabelLevel("row")


def read_wice(path: Path) -> DataSet:
    """Reads WiCE (Kamoi et al. 2023): ``{label, claim, evidence: [sentences], meta}``.

    Each item is a claim with one chunk of evidence. A claim is right if any chunk supports it.
    """

    def item(record: Mapping[str, Any], number: int, notes: Notes) -> Item:
        claim, label = field_of(record, "claim", str), _one_of(record, "label", _WICE)
        evidence = texts_of(record, "evidence")
        kind = "" if label == "supported" else label
        return _claim(str(number), claim, bool(kind), kind, "\n".join(evidence))

    levels = (_ROW, LabelLevel("claim", "best", "cluster"))
    return read_records(path, item).data("wice", path, *levels)


def read_stance(path: Path) -> DataSet:
    """Reads stances from Factcheck-GPT (Wang et al. 2023): ``{claim, evidence, stance}``.

    In one block, complete support is contrasted with all other stances; in another, with
    refutation.
    """

    def item(record: Mapping[str, Any], number: int, notes: Notes) -> Item:
        stance = _one_of(record, "stance", _STANCES)
        kind = "" if stance == "completely-support" else stance
        return _claim(
            str(number),
            field_of(record, "claim", str),
            bool(kind),
            kind,
            field_of(record, "evidence", str),
        )

    apart = {"against refuted": ("refute",)}
    return read_records(path, item).data("factcheck-stance", path, _ROW, apart=apart)


def read_claims(path: Path, evidence: Path | None) -> DataSet:
    """Reads claims from Factcheck-GPT, ``{claim, label}``, with evidence from a stance file.

    A claim is judged by its best evidence. Claims labeled ``not_enough_evidence`` are left out.
    """
    texts: dict[str, list[Document]] = {}
    if evidence is not None:
        for stance in read_stance(evidence).items:
            texts.setdefault(stance.cluster, []).extend(stance.documents)

    def item(record: Mapping[str, Any], number: int, notes: Notes) -> Item | None:
        claim, label = field_of(record, "claim", str), str(record.get("label")).lower()
        if label == "not_enough_evidence":
            notes["claims without enough evidence are left out"] += 1
            return None
        if label not in _FACTUALITY:
            known = ", ".join((*_FACTUALITY, "not_enough_evidence"))
            raise RecordError("label", f"expected one of {known}, found {short_repr(label)}")
        error = _FACTUALITY[label]
        return Item(
            id=str(number),
            cluster=claim,
            segments=(Segment(claim, error),),
            response=claim,
            documents=tuple(texts.get(claim, ())),
            each=True,
        )

    needs = "" if evidence else "evidence: give the stance file with --stances FILE"
    records = read_records(path, item)
    return records.data("factcheck-claims", path, LabelLevel("claim"), needs=needs)


def read_pairs(path: Path) -> DataSet:
    """Reads pairs ``{claim, doc, label: 1 or 0, ...}`` in LLM-AggreFact's format.

    A record may also have an ``id``, a ``dataset``, a ``cluster``, the ``title`` of its document,
    and the ``name`` of the person or thing that the claim is about.
    """

    def item(record: Mapping[str, Any], number: int, notes: Notes) -> Item:
        claim, doc = field_of(record, "claim", str), field_of(record, "doc", str)
        label = record.get("label")
        if str(label) not in ("0", "1", "0.0", "1.0"):
            raise RecordError("label", f"expected 1 (supported) or 0, found {short_repr(label)}")
        identity = _text(record, "id") or str(number)
        pair = _claim(identity, claim, float(str(label)) == 0, "", doc, _text(record, "title"))
        return replace(
            pair,
            cluster=_text(record, "cluster") or identity,
            name=_text(record, "name"),
            group=_text(record, "dataset"),
        )

    return read_records(path, item).data("pairs", path, LabelLevel("pair"))


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return "" if value is None or value != value else str(value)


def _claim(id: str, claim: str, error: bool, kind: str, evidence: str, title: str = "") -> Item:
    documents = (Document(title, evidence),) if evidence.strip() else ()
    segments = (Segment(claim, error, kind),)
    return Item(id=id, cluster=claim, segments=segments, response=claim, documents=documents)


def _one_of(record: Mapping[str, Any], name: str, known: tuple[str, ...]) -> str:
    value = field_of(record, name, str)
    if value not in known:
        raise RecordError(name, f"expected one of {', '.join(known)}, found {short_repr(value)}")
    return value


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
