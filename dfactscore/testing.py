"""For tests of one's own: a text must be true of one person to a given degree.

Works in pytest, unittest or plain Python; nothing has to be installed or switched on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dfactscore.errors import InputError
from dfactscore.results.result import FactResult, Result
from dfactscore.scorer import Pages, score

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource

__all__ = ["assert_dfs"]


def assert_dfs(
    text: str,
    *,
    name: str,
    pages: Pages | KnowledgeSource | str,
    at_least: float = 0.9,
    **options: Any,
) -> Result:
    """Asserts that a text's D-FActScore is at least so high.

    Args:
        text: The biography.
        name: The name that it is about.
        pages: What is known, as `dfactscore.score` takes it.
        at_least: The lowest D-FActScore that passes, a fraction.
        **options: As `dfactscore.score` takes them.

    Returns:
        The result, for further assertions.

    Raises:
        AssertionError: If it is lower, or the text has none; the message lists the facts that cost
            points, each with the pages that support it.
        InputError: If an argument does not fit.

    Example:
        >>> pages = {"Ann Lee (poet)": "Ann Lee is a poet. Ann Lee was born in 1950.",
        ...          "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada in 1996."}
        >>> text = "Ann Lee is a poet. She was born in 1950. She rowed for Canada."
        >>> assert_dfs(text, name="Ann Lee", pages=pages, at_least=0.6).dfs
        0.6666666666666666
        >>> assert_dfs(text, name="Ann Lee", pages=pages)
        Traceback (most recent call last):
        AssertionError: Ann Lee: D-FActScore 0.667 is below 0.9 (FActScore 1.000)
        1 of 3 facts costs points:
          ≠ Ann Lee rowed for Canada.  [linked to Ann Lee (poet); true of Ann Lee (rower)]
    """
    __tracebackhide__ = True
    if not 0 <= at_least <= 1:
        raise InputError(f"assert_dfs: at_least: {at_least!r} is not a fraction from 0 to 1")
    result = score(text, name=name, pages=pages, **options)
    if result.dfs is None or result.dfs < at_least:
        raise AssertionError("\n".join(_failure(result, at_least)))
    return result


def _failure(result: Result, at_least: float) -> Iterator[str]:
    if result.dfs is None:
        reason = result.reason or (result.scores.dfs_reason if result.scores else "")
        yield f"{result.name}: no D-FActScore: {result.status}{reason and ': '}{reason}"
        return
    yield (
        f"{result.name}: D-FActScore {result.dfs:.3f} is below {at_least:g} "
        f"(FActScore {result.fs:.3f})"
    )
    lost = [fact for fact in result.facts if fact.standing != "supported"]
    total = f"{len(result.facts)} fact{'' if len(result.facts) == 1 else 's'}"
    yield f"{len(lost)} of {total} cost{'s' if len(lost) == 1 else ''} points:"
    for fact in lost:
        yield f"  {_line(result, fact)}"


def _line(result: Result, fact: FactResult) -> str:
    group = None if fact.group is None else result.groups[fact.group]
    linked = (
        "linked to no page" if group is None or not group.entity else f"linked to {group.entity}"
    )
    if fact.standing == "elsewhere":
        return f"≠ {fact.fact.text}  [{linked}; true of {', '.join(fact.supported_by)}]"
    if fact.standing == "unreadable":
        return f"? {fact.fact.text}  [{linked}; the verdict could not be read]"
    said = f"; the page says {fact.conflict!r}" if fact.conflict else ""
    return f"- {fact.fact.text}  [{linked}; no page supports it{said}]"
