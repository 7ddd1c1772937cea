"""One annotator's answers about one paragraph, and the scores derived from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

HumanLabel = Literal["supported", "not_supported", "irrelevant"]
Step = Literal["A", "B", "C", "D"]
IrrelevantFacts = Literal["keep", "drop"]
LABELS: tuple[HumanLabel, ...] = get_args(HumanLabel)


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """One person's answers about a fact.

    Attributes:
        biography: Number of the biography that it belongs to, from 1.
        label: Whether the page of its biography supports it; None if that is open.
        found_in: Title of the page that supports it, or None.
        evidence: The marked sentence as ``{page, start, end, text}``, or None.
        comment: Free text.
        unsure: Whether the person was unsure.
        not_in_paragraph: Whether the fact says something that the paragraph does not.
    """

    biography: int
    label: HumanLabel | None = None
    found_in: str | None = None
    evidence: Mapping[str, Any] | None = None
    comment: str = ""
    unsure: bool = False
    not_in_paragraph: bool = False


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """One person's answers about a paragraph.

    Attributes:
        facts: One answer a fact, in the order of the facts.
        pages: For each biography, from the first, the title of its page, or None for none of them.
        revised_after_pages: Whether the number of biographies was opened again after the pages had
            been seen.
    """

    facts: tuple[FactAnswer, ...]
    pages: tuple[str | None, ...] = ()
    revised_after_pages: bool = field(default=False)

    @property
    def biographies(self) -> tuple[int, ...]:
        """For each fact the biography that it belongs to."""
        return tuple(fact.biography for fact in self.facts)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The facts of each biography in use."""
        found: dict[int, list[int]] = {}
        for position, number in enumerate(self.biographies):
            found.setdefault(number, []).append(position)
        return tuple(tuple(found[number]) for number in sorted(found))

    def link(self, fact: int) -> str | None:
        """Title of the page that the biography of a fact is linked to."""
        number = self.facts[fact].biography
        return self.pages[number - 1] if number <= len(self.pages) else None


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """Scores of a paragraph by one person's answers; shares in [0, 1].

    Attributes:
        fs: Share of facts found in any page; None if no fact is left.
        dfs: Share of facts supported by the page of their biography.
        n_bio: Biographies in use.
        n_ent: Distinct pages that facts were found in.
    """

    fs: float | None
    dfs: float | None
    n_bio: int
    n_ent: int


def score_answer(answer: ItemAnswer, *, irrelevant: IrrelevantFacts = "keep") -> AnswerScores:
    """Scores a paragraph from a person's answers (paper sections 3.1 and 4.2).

    Args:
        answer: The answers; a fact without a label counts as not supported.
        irrelevant: Irrelevant facts stay in the denominator, or leave it.

    Example:
        >>> facts = [FactAnswer(1, "supported", "P"), FactAnswer(1, "not_supported", "Q"),
        ...          FactAnswer(1, "irrelevant")]
        >>> score_answer(ItemAnswer(tuple(facts), ("P",)))
        AnswerScores(fs=0.6666666666666666, dfs=0.3333333333333333, n_bio=1, n_ent=2)
    """
    kept = [f for f in answer.facts if irrelevant == "keep" or f.label != "irrelevant"]
    supported = sum(f.label == "supported" for f in kept)
    found = [f.found_in for f in kept if f.found_in is not None]
    return AnswerScores(
        fs=len(found) / len(kept) if kept else None,
        dfs=supported / len(kept) if kept else None,
        n_bio=len(answer.groups),
        n_ent=len(set(found)),
    )


def number_biographies(given: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Numbers biographies by their first fact, from 1, so that equal groupings look alike.

    Args:
        given: For each fact the number that a person gave its biography.

    Returns:
        For each fact the new number, and the given numbers in the new order.

    Example:
        >>> number_biographies([3, 3, 1, 3])
        ((1, 1, 2, 1), (3, 1))
    """
    order = {old: new for new, old in enumerate(dict.fromkeys(given), 1)}
    return tuple(order[old] for old in given), tuple(order)
