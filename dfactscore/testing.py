"""For tests of one's own, in pytest, unittest or plain Python; nothing has to be switched on."""

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
    """Asserts that a text is true of one person to a given degree: its D-FActScore.

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
        >>> assert_dfs("Ann Lee is a poet. She rowed for Canada.", name="Ann Lee", pages=pages)
        Traceback (most recent call last):
        AssertionError: Ann Lee: D-FActScore 0.500 is below 0.9 (FActScore 1.000)
        1 of 2 facts costs points:
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
        yield f"no D-FActScore: {result}"
        return
    scores = f"D-FActScore {result.dfs:.3f} is below {at_least:g} (FActScore {result.fs:.3f})"
    yield f"{result.name}: {scores}"
    lost = [fact for fact in result.facts if fact.standing != "supported"]
    facts = f"{len(lost)} of {len(result.facts)} fact{'' if len(result.facts) == 1 else 's'}"
    yield f"{facts} cost{'s' if len(lost) == 1 else ''} points:"
    yield from (f"  {_line(result, fact)}" for fact in lost)


def _line(result: Result, fact: FactResult) -> str:
    entity = None if fact.group is None else result.groups[fact.group].entity
    said = f"; the page says {fact.conflict!r}" if fact.conflict else ""
    mark, why = {
        "elsewhere": ("≠", f"true of {', '.join(fact.supported_by)}"),
        "unreadable": ("?", "the verdict could not be read"),
    }.get(fact.standing, ("-", f"no page supports it{said}"))
    return f"{mark} {fact.fact.text}  [linked to {entity or 'no page'}; {why}]"
