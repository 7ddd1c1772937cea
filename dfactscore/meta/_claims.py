"""Reads single claims with evidence: WiCE, Factcheck-GPT, and pairs from other data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._readers.problems import RecordError
from dfactscore._records import Document
from dfactscore._util.printable import short_repr
from dfactscore.meta._data_sets import DataSet, Item, LabelLevel, Segment
from dfactscore.meta._record_reading import Notes, field_of, read_records, texts_of

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
