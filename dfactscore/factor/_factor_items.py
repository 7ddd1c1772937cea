"""FACTOR items: a prefix, its true completion, false variants, and the files that hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._util.files import read_bytes
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.message_text import near_miss, short_repr
from dfactscore._util.tables import Unreadable, read_table

MOST = 7


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A false completion.

    Attributes:
        text: The text.
        type: The type of change, such as ``"entity"`` or ``"circumstance"``; may be empty.
        kind: In AmbigFACTOR, whether the fact is true of a ``"namesake"`` or a ``"stranger"``;
            otherwise empty.
        of: The title of the page of that namesake or stranger, or empty.
        extra: Other fields of the file.
    """

    text: str
    type: str = ""
    kind: str = ""
    of: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactorItem:
    """A question for a model: which completion is likelier?

    Attributes:
        id: An id that is unique within the file.
        document: The document that the item comes from; intervals are based on resampling
            documents.
        prefix: The text before the completions; may be empty.
        completion: The true completion.
        contradictions: 1 to 7 false completions.
        extra: Other fields of the file, which are copied to the results.
    """

    id: str
    document: str
    prefix: str
    completion: str
    contradictions: tuple[Contradiction, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def completions(self) -> tuple[str, ...]:
        """The true completion, followed by the false ones."""
        return (self.completion, *(contradiction.text for contradiction in self.contradictions))

    @property
    def cluster(self) -> str:
        """The unit of resampling: all items with the same name or document, or the item itself."""
        return str(self.extra.get("name") or self.document or self.id)


def join(prefix: str, completion: str) -> tuple[str, str]:
    r"""Splits a prefix and a completion into the context and the continuation.

    White space at the start of the completion is removed. A space at the end of the prefix is moved
    to the completion, as in FACTOR's script; a line break stays in the context.

    Example:
        >>> join("He was born in ", " Oslo.")
        ('He was born in', ' Oslo.')
        >>> join("Answer:", " Oslo.")
        ('Answer:', 'Oslo.')
        >>> join("He was born.\n", "Oslo was his home.")
        ('He was born.\n', 'Oslo was his home.')
    """
    text = completion.lstrip()
    if prefix.endswith(" "):
        return prefix[:-1], f" {text}"
    return prefix, text


def item_fault(item: FactorItem) -> str:
    """Why an item is unusable; empty if it is usable."""
    texts = [text.strip() for text in item.completions]
    if not texts[0]:
        return "its completion is empty"
    for number, text in enumerate(texts[1:]):
        if not text:
            return f"its contradiction {number} is empty"
    if not 1 <= len(item.contradictions) <= MOST:
        return f"it has {len(item.contradictions)} contradictions; 1 to {MOST} can be used"
    if len(set(texts)) == 1:
        return "all of its completions are equal"
    if texts[0] in texts[1:]:
        return f"its contradiction {texts[1:].index(texts[0])} is the true completion"
    return ""


def item_record(item: FactorItem) -> dict[str, Any]:
    """An item as a line in dfactscore's JSONL format."""
    false = []
    for contradiction in item.contradictions:
        named = {"type": contradiction.type, "kind": contradiction.kind, "of": contradiction.of}
        false.append(
            {
                "text": contradiction.text,
                **{k: v for k, v in named.items() if v},
                **contradiction.extra,
            }
        )
    return {
        "id": item.id,
        "document": item.document,
        "prefix": item.prefix,
        "completion": item.completion,
        "contradictions": false,
        **item.extra,
    }


Prefix = Literal["truncated", "full"]
_PREFIXES: Mapping[str, tuple[str, ...]] = {
    # Spelled as in the released files.
    "truncated": (
        "turncated_prefixes",
        "turncated_prefix",
        "truncated_prefixes",
        "truncated_prefix",
    ),
    "full": ("full_prefix", "full_prefixes"),
}
_FALSE = tuple(f"contradiction_{i}" for i in range(7))
_FIELDS = ("text", "type", "kind", "of")


@dataclass(frozen=True, slots=True)
class BadItem:
    """An unusable record."""

    where: str
    id: str
    problem: str

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}"


@dataclass(frozen=True, slots=True)
class FactorFile:
    """The contents of a file."""

    items: tuple[FactorItem, ...]
    bad: tuple[BadItem, ...]
    column: str


def read_factor(path: Path | str, *, prefix: Prefix = "truncated") -> FactorFile:
    """Reads a file of items.

    Args:
        path: The released CSV (with any common encoding and separator), or JSONL ``{id, document,
            prefix, completion, contradictions: [{text, type?, kind?, of?}], ...}``. Both can be
            compressed (``.gz``).
        prefix: Which of the CSV's prefixes to read: the one truncated for older models, or the full
            one.

    Raises:
        InputError: If the file cannot be read or lacks a column; the message lists the columns.
    """
    path = Path(path)
    kind = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if kind.lower() in (".csv", ".tsv"):
        return _checked(path, *_csv(path, prefix))
    if kind.lower() in (".jsonl", ".ndjson"):
        return _checked(path, _jsonl(path), "prefix")
    # A missing file is reported before an unknown suffix.
    read_bytes(path, error=InputError)
    raise InputError(
        f"{path}: a {kind or 'nameless'} file is not a FACTOR file; give a .csv, .tsv or .jsonl"
    )


def _checked(
    path: Path, records: Sequence[tuple[str, FactorItem | str]], column: str
) -> FactorFile:
    items: list[FactorItem] = []
    bad: list[BadItem] = []
    seen: dict[str, str] = {}
    for where, item in records:
        if isinstance(item, str):
            bad.append(BadItem(where, "", item))
        elif fault := item_fault(item):
            bad.append(BadItem(where, item.id, fault))
        elif item.id in seen:
            bad.append(BadItem(where, item.id, f"its id {item.id!r} is also at {seen[item.id]}"))
        else:
            seen[item.id] = where
            items.append(item)
    if not records:
        raise InputError(f"{path}: has no items")
    return FactorFile(tuple(items), tuple(bad), column)


def _csv(path: Path, prefix: Prefix) -> tuple[list[tuple[str, FactorItem | str]], str]:
    names: list[str] = []
    rows = list(read_table(path, error=InputError, header=names))
    column, by_name = _columns(path, names, prefix)
    false = [by_name[name] for name in _FALSE if name in by_name]
    used = {column, by_name["doc_id"], by_name["completion"], *false}
    found: list[tuple[str, FactorItem | str]] = []
    for number, one in enumerate(rows):
        where, cells = f"{path}:{one.line}", one.cells
        if isinstance(cells, Unreadable):
            found.append((where, str(cells)))
            continue
        if absent := [name for name in names if name in used and name not in cells]:
            found.append((where, f"the row ends before {', '.join(absent)}"))
            continue
        row = {name: cells.get(name) or "" for name in names if name}
        rest = [name for i, name in enumerate(false) if i < 3 or row[name].strip()]
        item = FactorItem(
            str(number),
            row[by_name["doc_id"]],
            row[column],
            row[by_name["completion"]],
            tuple(Contradiction(row[name]) for name in rest),
            {name: text for name, text in row.items() if name not in used},
        )
        found.append((where, item))
    return found, column


def _columns(path: Path, names: Sequence[str], prefix: Prefix) -> tuple[str, dict[str, str]]:
    """The column that contains the prefix, and all columns by lower-case name."""
    by_name = {name.lower(): name for name in names}
    column = next((by_name[name] for name in _PREFIXES[prefix] if name in by_name), None)
    wanted = (column or _PREFIXES[prefix][0], "doc_id", "completion", *_FALSE[:3])
    missing = [name for name in wanted if name.lower() not in by_name]
    if missing or column is None:
        near = "".join(near_miss(name, names) for name in missing[:3])
        raise InputError(
            f"{path}: no column {', '.join(missing)}; it has "
            f"{', '.join(filter(None, names)) or 'none'}{near}"
        )
    return column, by_name


def _jsonl(path: Path) -> list[tuple[str, FactorItem | str]]:
    found: list[tuple[str, FactorItem | str]] = []
    lacking: dict[str, int] = {}
    names: dict[str, None] = {}
    for number, (where, record) in enumerate(read_jsonl(path, error=InputError)):
        if not isinstance(record, Mapping):
            found.append((where, f"expected an object, found {short_repr(record)}"))
            continue
        names |= dict.fromkeys(map(str, record))
        for name in ("prefix", "completion", "contradictions"):
            if name not in record:
                lacking[name] = lacking.get(name, 0) + 1
        found.append((where, _item(record, number)))
    never = [name for name, count in lacking.items() if count == len(found)]
    if found and never:
        near = "".join(near_miss(name, names) for name in never)
        raise InputError(f"{path}: no field {', '.join(never)}; it has {', '.join(names)}{near}")
    return found


def _item(record: Mapping[str, Any], number: int) -> FactorItem | str:
    for name in ("prefix", "completion"):
        if not isinstance(record.get(name), str):
            return f"{name}: expected a text, found {short_repr(record.get(name))}"
    false = record.get("contradictions")
    if not isinstance(false, list):
        return f"contradictions: expected a list, found {short_repr(false)}"
    contradictions = []
    for contradiction in false:
        about = {"text": contradiction} if isinstance(contradiction, str) else contradiction
        if not isinstance(about, Mapping) or not isinstance(about.get("text"), str):
            return (
                f"contradictions: expected objects with a text, found {short_repr(contradiction)}"
            )
        named = {name: str(about.get(name) or "") for name in _FIELDS}
        extra = {k: v for k, v in about.items() if k not in _FIELDS}
        contradictions.append(Contradiction(**named, extra=extra))
    known = ("id", "document", "prefix", "completion", "contradictions")
    return FactorItem(
        str(number if record.get("id") is None else record["id"]),
        str("" if record.get("document") is None else record["document"]),
        record["prefix"],
        record["completion"],
        tuple(contradictions),
        {k: v for k, v in record.items() if k not in known},
    )
