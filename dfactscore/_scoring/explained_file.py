"""Explains the people and facts in the biographies in a file, clause by clause."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from dfactscore._errors import InputError
from dfactscore._evidence.owners import OwnerChoice, Owners, owner_lines
from dfactscore._readers import Columns, read_biographies
from dfactscore._readers.shown_text import Cuts, TextChoice, shown_text
from dfactscore._records import Biography
from dfactscore._util.files import read_text
from dfactscore._util.reporting import log_lines
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer, ClauseFacts
from dfactscore.engines._builtin.group.grouper import Explanation, explain

_LOG = logging.getLogger(__name__)


def explain_file(
    path: Path,
    *,
    name: str | None = None,
    columns: Columns | None = None,
    text: TextChoice = "answer",  # part of each text to explain: `"answer"` or `"raw"`
    entities: OwnerChoice = "auto",
    why: bool = False,
) -> Iterator[tuple[Biography, Sequence[tuple[Explanation, ClauseFacts]]]]:
    """Explains the grouping and the facts of the biographies in a file, clause by clause."""
    if path.suffix == ".txt":
        shown = shown_text(raw := read_text(path, error=InputError), name or "", choice=text)
        cuts = Cuts()
        cuts.add(shown)
        notes = [*cuts]
        biographies: Sequence[Biography] = [
            Biography(path.stem, name or "", shown.text, shown.citations, raw=raw)
        ]
    else:
        owners = Owners(entities)
        reading = read_biographies(path, columns=columns, text=text, owners=owners)
        biographies, notes = reading.biographies, [*reading.notes]
        names = list(dict.fromkeys(b.name for b in biographies))
        if name is not None and name not in names:
            known = ", ".join(repr(n) for n in names[:5])
            raise InputError(f"{path}: no biography of {name!r}; it contains {known}")
    log_lines(_LOG, notes)
    for biography in biographies:
        if name is None or biography.name == name:
            log_lines(_LOG, owner_lines(biography))
            clauses = explain(biography.text, biography.name)
            facts = BuiltinDecomposer().by_clause(biography, why=why)
            yield biography, tuple(zip(clauses, facts, strict=True))
