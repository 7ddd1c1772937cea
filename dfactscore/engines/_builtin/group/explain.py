"""Explains which person each clause is about: its cues and the rule that decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore.engines._builtin.group.paragraph import read_paragraph
from dfactscore.engines._builtin.group.rules import ELSE, RULES

_SAYS = {rule.id: rule.says for rule in (*RULES, ELSE)} | {
    "in passing": "The clause presents others in passing",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """The person a clause is about, and the reason."""

    text: str
    individual: int  # index of the individual, in order of appearance
    label: str  # individual's name as written in the text, or empty
    rule: str
    says: str
    # Sorted names of the clause's cues and of its relations to the people introduced so far.
    cues: tuple[str, ...]
    passing: tuple[int, ...]


def explain(text: str, name: str = "") -> Sequence[Explanation]:
    """Explains, for each clause in a paragraph, who it is about and which rule decided.

    Example:
        >>> for found in explain("Ann Lee was a nun. Another Ann Lee is a poet.", "Ann Lee"):
        ...     print(found.individual, found.text, "|", found.rule)
        0 Ann Lee was a nun | first person
        1 Another Ann Lee is a poet | another
    """
    paragraph = read_paragraph(text, name)
    return tuple(
        Explanation(
            reading.view.text if reading.view.tokens else "",
            reading.individual,
            paragraph.individuals[reading.individual].label,
            reading.rule,
            _SAYS[reading.rule],
            tuple(sorted(reading.cues)),
            tuple(individual for _, individual in reading.passing),
        )
        for reading in paragraph.clauses
    )
