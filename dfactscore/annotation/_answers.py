"""An annotator's answers about a paragraph, the scores computed from them, and their storage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.message_text import short_repr
from dfactscore._util.validated import Form, Pair, Text, misfit

HumanLabel = Literal["supported", "not_supported", "irrelevant"]
Step = Literal["A", "B", "C", "D"]
IrrelevantFacts = Literal["keep", "drop"]
LABELS: tuple[HumanLabel, ...] = get_args(HumanLabel)


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """One person's answers about a fact.

    Attributes:
        biography: Number of the fact's biography, starting at 1.
        label: Whether the biography's page supports the fact; None if not answered.
        found_in: Title of the page that supports the fact, or None.
        evidence: The marked sentence as ``{page, start, end, text}``, or None.
        comment: A comment, or empty.
        unsure: Whether the person was unsure.
        not_in_paragraph: Whether the fact states something that the paragraph does not.
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
        facts: The answers about each fact, in order.
        pages: The title of each biography's page, in order; None for no page.
        revised_after_pages: Whether the person reopened step A after seeing the pages.
    """

    facts: tuple[FactAnswer, ...]
    pages: tuple[str | None, ...] = ()
    revised_after_pages: bool = field(default=False)

    @property
    def biographies(self) -> tuple[int, ...]:
        """Number of each fact's biography."""
        return tuple(fact.biography for fact in self.facts)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the facts in each biography."""
        groups: dict[int, list[int]] = {}
        for position, number in enumerate(self.biographies):
            groups.setdefault(number, []).append(position)
        return tuple(tuple(groups[number]) for number in sorted(groups))

    def link(self, fact: int) -> str | None:
        """Title of the page linked to a fact's biography, or None."""
        number = self.facts[fact].biography
        return self.pages[number - 1] if number <= len(self.pages) else None


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """A paragraph's scores, computed from one person's answers; shares are in [0, 1].

    Attributes:
        fs: Share of facts that any page supports; None if there are no facts.
        dfs: Share of facts supported by their biography's page; None if there are no facts.
        n_bio: Number of biographies with facts.
        n_ent: Number of distinct pages that support facts.
    """

    fs: float | None
    dfs: float | None
    n_bio: int
    n_ent: int


def score_answer(answer: ItemAnswer, *, irrelevant: IrrelevantFacts = "keep") -> AnswerScores:
    """Scores a paragraph from one person's answers (sections 3.1 and 4.2 of the paper).

    Args:
        answer: The answers; a fact without a label counts as not supported.
        irrelevant: Whether to keep irrelevant facts in the denominator or drop them.

    Example:
        >>> facts = [FactAnswer(1, "supported", "P"), FactAnswer(1, "not_supported", "Q"),
        ...          FactAnswer(1, "irrelevant")]
        >>> score_answer(ItemAnswer(tuple(facts), ("P",)))
        AnswerScores(fs=0.6666666666666666, dfs=0.3333333333333333, n_bio=1, n_ent=2)
    """
    facts = [f for f in answer.facts if irrelevant == "keep" or f.label != "irrelevant"]
    supported = sum(f.label == "supported" for f in facts)
    titles = [f.found_in for f in facts if f.found_in is not None]
    return AnswerScores(
        fs=len(titles) / len(facts) if facts else None,
        dfs=supported / len(facts) if facts else None,
        n_bio=len(answer.groups),
        n_ent=len(set(titles)),
    )


def number_biographies(numbers: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Numbers biographies from 1 by their first facts, so that equal groupings give equal tuples.

    Example:
        >>> number_biographies([3, 3, 1, 3])
        ((1, 1, 2, 1), (3, 1))
    """
    order = {old: new for new, old in enumerate(dict.fromkeys(numbers), 1)}
    return tuple(order[old] for old in numbers), tuple(order)


class _Place(Form):
    page: int
    start: int
    end: int


class _Answer(Form):
    """The value of the answer to each question; for some questions, None withdraws the answer."""

    step: Step = "A"
    status: Literal["open", "done", "skipped"] = "open"
    revised_after_pages: bool = False
    again: Text = ""
    flag: bool = False
    reason: Text = ""
    biography: int = 1
    page: int | Literal["open"] | None = None
    label: HumanLabel | None = None
    found_in: int | Literal["open"] | None = None
    evidence: _Place | None = None
    comment: Text = ""
    unsure: bool = False
    not_in_paragraph: bool = False


class _Texts(Form):
    sentences: list[Pair]
    automatic: dict[str, Any]
    known: dict[str, Any] | None


def stored(cell: object) -> Any:
    """Parses a JSON value from a study; `Study.read` turns the error into a `RunError`."""
    if not isinstance(cell, str):
        raise JSONError(f"expected a text, found {short_repr(cell)}", 1)
    return parse_json(cell, strict=False)


def stored_answer(question: str, cell: object) -> Any:
    """Parses the stored answer to a question."""
    value = stored(cell)
    _hold(_Answer, {question: value})
    return value


def stored_texts(sentences: object, automatic: object, known: object) -> dict[str, Any]:
    """Parses the sentences, automatic results and known answers of a paragraph."""
    values = {
        "sentences": stored(sentences),
        "automatic": stored(automatic),
        "known": None if known is None else stored(known),
    }
    _hold(_Texts, values)
    return {**values, "sentences": tuple((a, b) for a, b in values["sentences"])}


def _hold(form: type[Form], value: dict[str, Any]) -> None:
    if problem := misfit(form, value):
        raise JSONError(str(problem), 1)
