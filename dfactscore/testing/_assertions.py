"""`assert_dfs`: fails a test if the D-FActScore of a text is too low."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._results.outcomes import FactResult
from dfactscore._results.result import Result
from dfactscore._scorer.options import Pages
from dfactscore._scorer.scorer import Scorer, score
from dfactscore._scoring.biography_scores import counts_differ
from dfactscore.linking import GroupMixing
from dfactscore.mixing._biography import biography_mixing

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds that a text must meet."""

    at_least: float = 0.9  # minimum D-FActScore, as a fraction
    max_mixed: int | None = None
    allow_abstention: bool = False  # whether a text that declines to answer passes the test

    def __post_init__(self) -> None:
        if not 0 <= self.at_least <= 1:
            raise InputError(
                f"assert_dfs: at_least: {self.at_least!r} is not a fraction from 0 to 1"
            )
        if self.max_mixed is not None and self.max_mixed < 0:
            raise InputError(f"assert_dfs: max_mixed: {self.max_mixed!r} must be a number ≥ 0")


def score_text(
    text: str,
    contexts: Any = None,
    *,
    name: str | None = None,
    pages: Any = None,
    question: str | None = None,
    at_least: float = 0.9,
    max_mixed: int | None = None,
    allow_abstention: bool = False,
    **options: Any,
) -> tuple[Result, Bounds]:
    """Scores a text as `assert_dfs` does and returns the bounds without checking them."""
    bounds = Bounds(at_least, max_mixed, allow_abstention)
    if (contexts is None) == (pages is None):
        raise InputError("assert_dfs: give either contexts, as to check, or pages")
    if contexts is None:
        if name is None:
            raise InputError("assert_dfs: pages need a name; contexts do not")
        return score(text, name=name, pages=pages, **options), bounds
    asked = {"name": name} if name else {"question": question} if question else {}
    (result,) = Scorer(**options).score_many([{"text": text, "contexts": contexts, **asked}])
    return result, bounds


def failure_of(result: Result, bounds: Bounds) -> str:
    """Explains a failure, listing the facts that cost points; empty if the text passes."""
    if result.dfs is None:
        passes = bounds.allow_abstention and result.status == "abstained"
        return "" if passes else f"no D-FActScore: {result}"
    heads = []
    if result.dfs < bounds.at_least:
        figures = [] if result.fs is None else [f"FActScore {result.fs:.3f}"]
        by_verdicts = None if result.scores is None else result.scores.dfs_verdicts
        if by_verdicts is not None and counts_differ((result.dfs, by_verdicts)):
            figures.append(f"by verdicts {by_verdicts:.3f}")
        others = f" ({'; '.join(figures)})" if figures else ""
        heads.append(f"D-FActScore {result.dfs:.3f} is below {bounds.at_least:g}{others}")
    mixed = mixed_people(result)
    if bounds.max_mixed is not None and len(mixed) > bounds.max_mixed:
        people = "; ".join(" and ".join(entities) for entities in mixed)
        heads.append(f"mixes {people} (max_mixed={bounds.max_mixed})")
    if not heads:
        return ""
    return "\n".join(_lines(result, "; ".join(heads)))


def mixed_people(result: Result) -> list[tuple[str, ...]]:
    """Returns the entities of each mixed group, ordered by number of facts."""
    mixing = biography_mixing(result.record)
    groups = () if mixing is None else mixing.groups
    return [_names(result, group) for group in groups if group.mixed]


def _names(result: Result, group: GroupMixing) -> tuple[str, ...]:
    counts = Counter(column for column in group.credit if column is not None)
    return tuple(result.record.entities[column].label for column, _ in counts.most_common())


def _lines(result: Result, head: str) -> Iterator[str]:
    yield f"{result.name}: {head}"
    lost = [fact for fact in result.facts if fact.standing != "supported"]
    if not lost and result.facts:
        yield 'Every fact is supported, but not surely; counts="verdicts" counts each as 1.'
        return
    facts = f"{len(lost)} of {len(result.facts)} fact{'' if len(result.facts) == 1 else 's'}"
    yield f"{facts} cost{'s' if len(lost) == 1 else ''} points:"
    yield from (f"  {_line(result, fact)}" for fact in lost)


def _line(result: Result, fact: FactResult) -> str:
    entity = None if fact.group is None else result.groups[fact.group].entity
    conflict = f"; the page says {fact.conflict!r}" if fact.conflict else ""
    mark, why = {
        "elsewhere": ("≠", f"true of {', '.join(fact.supported_by)}"),
        "unreadable": ("?", "the verdict could not be read"),
    }.get(fact.standing, ("-", f"no page supports it{conflict}"))
    return f"{mark} {fact.fact.text}  [linked to {entity or 'no page'}; {why}]"


def assert_dfs(
    text: str,
    contexts: Any = None,
    *,
    name: str | None = None,
    pages: Pages | KnowledgeSource | str | None = None,
    question: str | None = None,
    at_least: float = 0.9,
    max_mixed: int | None = None,
    allow_abstention: bool = False,
    **options: Any,
) -> Result:
    """Asserts that the D-FActScore of a text is high enough.

    Args:
        text: The biography or answer.
        contexts: The evidence of an answer, as for `dfactscore.check`.
        name: The name that the text is about; with contexts, by default the name in the question or
            the first subject of the text.
        pages: The evidence, as for `dfactscore.score`; instead of contexts.
        question: The question of an answer.
        at_least: The minimum D-FActScore, as a fraction.
        max_mixed: Maximum number of people in the text that may have facts about a namesake; None
            disables this check.
        allow_abstention: Whether a text that declines to answer passes the test.
        **options: Options of `dfactscore.score`, with the same defaults; ``counts="verdicts"``
            counts each supported fact as 1.

    Returns:
        The result, for further assertions.

    Raises:
        AssertionError: If the score is lower than `at_least`, the text mixes more people than
            `max_mixed` allows, or the text has no score. The message lists the facts that cost
            points, with the pages that support them.
        InputError: If an argument is invalid.

    Example:
        >>> pages = {"Ann Lee (poet)": "Ann Lee is a poet. Ann Lee was born in 1950.",
        ...          "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada in 1996."}
        >>> answer = "Ann Lee is a poet. She was born in 1950. She rowed for Canada."
        >>> assert_dfs(answer, name="Ann Lee", pages=pages)
        Traceback (most recent call last):
        AssertionError: Ann Lee: D-FActScore 0.666 is below 0.9 (FActScore 0.999)
        1 of 3 facts costs points:
          ≠ Ann Lee rowed for Canada.  [linked to Ann Lee (poet); true of Ann Lee (rower)]
    """
    __tracebackhide__ = True
    result, bounds = score_text(
        text,
        contexts,
        name=name,
        pages=pages,
        question=question,
        at_least=at_least,
        max_mixed=max_mixed,
        allow_abstention=allow_abstention,
        **options,
    )
    message = failure_of(result, bounds)
    if message:
        raise AssertionError(message)
    return result
