"""Names of columns and fields: those of other formats, in other cases, or by choice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.near import near_miss
from dfactscore._util.tables import parsed

#: Fields that hold what was asked, which contains a name.
QUESTIONS = ("question", "input", "prompt", "user_input", "query")
#: The field that each format uses for the same thing; the first that is there counts.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "text": (
        "text", "output", "response", "generation", "biography",
        "actual_output", "actualoutput", "answer", "result", "data",
    ),
    "name": ("name", "topic", "entity", *QUESTIONS),
    "passages": (
        "passages", "docs", "documents",
        "retrieved_contexts", "retrieval_context", "retrievalcontext", "contexts", "context",
        "source_documents", "source_nodes",
    ),
    "id": ("id",),
    "model": ("model",),
    "facts": ("facts",),
    "groups": ("groups",),
    "links": ("links",),
    "verdicts": ("verdicts",),
    "annotations": ("annotations",),
    "candidates": ("candidates",),
}  # fmt: skip
#: Fields that hold lists or mappings; a table has them as text.
LISTS = frozenset(
    {*FIELDS["passages"], "facts", "groups", "links", "verdicts", "annotations", "candidates"}
)
_KNOWN = frozenset(name for names in FIELDS.values() for name in names)


def field_of(name: str) -> str:
    """The field that a name means in any case and with blanks around it; itself otherwise.

    Example:
        >>> field_of(" Text"), field_of("Docs"), field_of("Born")
        ('text', 'docs', 'Born')
    """
    plain = name.strip().strip("\ufeff").casefold()
    return plain if plain in _KNOWN else name


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns or fields to read instead of the usual ones; None for the usual ones.

    Attributes:
        text: The generated text.
        name: The target name.
        id: Field that identifies records.
        passages: The passages.
        model: Model that wrote the text.
    """

    text: str | None = None
    name: str | None = None
    id: str | None = None
    passages: str | None = None
    model: str | None = None

    def chosen(self) -> dict[str, str]:
        """Field by chosen column."""
        fields = ("text", "name", "id", "passages", "model")
        return {column: f for f in fields if (column := getattr(self, f)) is not None}

    def rename(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record under the usual names, cells with lists read.

        A column that was not chosen does not count as what another one was chosen for.
        """
        chosen = self.chosen()
        taken = {other for field in chosen.values() for other in FIELDS[field]}
        found: dict[str, Any] = {}
        exact: set[str] = set()
        for key, value in record.items():
            key = str(key)
            field = chosen.get(key) or field_of(key)
            if key not in chosen and field in taken:
                field = f"column {key}"  # kept beside the others, as what it was called
            if field in exact and field != key:
                field = key
            if field == key or key in chosen:
                exact.add(field)
            found[field] = parsed(value) if field in LISTS else value
        return found

    def filled(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A table's row without its empty cells; a text or name that is not given is an empty one.

        Args:
            row: Cells by column, None if they are empty.
        """
        chosen = self.chosen()
        found = {column: cell for column, cell in row.items() if cell is not None}
        for field in ("text", "name"):
            own = [column for column, of in chosen.items() if of == field]
            usual = [c for c in row if c not in chosen and field_of(c) in FIELDS[field]]
            there = [column for column in own or usual if column in row]
            if found.keys().isdisjoint(there):
                found |= dict.fromkeys(there[:1], "")
        return found

    def check(self, known: Iterable[str], where: str) -> None:
        """Refuses a choice that no record has.

        Args:
            known: All columns.
            where: Name of the source in the message.

        Raises:
            InputError: Naming the column, what there is and what is near it.
        """
        there = list(known)
        for column, field in self.chosen().items():
            if column not in there:
                raise InputError(
                    f"{where}: no column {column!r} for the {field}; it has "
                    f"{', '.join(there[:12]) or 'none'}{near_miss(column, there)}"
                )
