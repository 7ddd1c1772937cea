"""Counts calls, tokens and cost by stage and model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from typing import Any

FAULTS = (
    "lost_sentences",
    "not_in_text",
    "repeated",
    "moved",
    "repaired",
    "by_sentence",
    "apart",
    "unknown_end",
)
"""The counts of `Tally` that are faults of a model's answers."""


@dataclass(slots=True)
class Tally:
    """Counts of one stage with one model.

    Attributes:
        answers: Answers used, from the server or the cache.
        calls: Requests that the server answered.
        cached: Answers from the cache.
        repairs: Second calls after an unusable answer.
        retries: Attempts repeated after a transport error.
        failed: Requests without a usable answer after all attempts.
        prompt_tokens: Prompt tokens of the calls.
        completion_tokens: Answer tokens of the calls.
        cached_tokens: Prompt tokens from the server's prefix cache; varies between runs, so only
            the total of a command has it.
        cost: Cost of the calls, in the price list's currency; None if the price is unknown.
        lost_sentences: Sentences with a statement but without a fact.
        not_in_text: Facts dropped because the text does not state them, or lacks their name,
            number or nationality.
        repeated: Facts dropped as repetitions.
        moved: Facts moved to the sentence that states them.
        repaired: Groupings completed by rules.
        by_sentence: Texts read sentence by sentence, because answers about paragraphs were
            unreadable.
        apart: Calls about several items that were replaced by one call per item.
        unknown_end: Answers with an unknown finish reason.
    """

    answers: int = 0
    calls: int = 0
    cached: int = 0
    repairs: int = 0
    retries: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = 0.0
    lost_sentences: int = 0
    not_in_text: int = 0
    repeated: int = 0
    moved: int = 0
    repaired: int = 0
    by_sentence: int = 0
    apart: int = 0
    unknown_end: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Returns the counts by name, without faults and cached tokens that are 0."""
        rare = {*FAULTS, "cached_tokens"}
        return {k: v for k, v in asdict(self).items() if v != 0 or k not in rare}

    def add(self, **counts: float | None) -> None:
        """Adds numbers to counts, by name."""
        for name, value in counts.items():
            old = getattr(self, name)
            new = None if value is None or old is None else old + value
            setattr(self, name, round(new, 9) if isinstance(new, float) else new)


@dataclass(slots=True)
class Usage:
    """All counts of a run.

    Attributes:
        tallies: The counts by stage and model.
        problems: The reasons for missing answers, with their numbers.
        found: The times of the first and the last search result used.
    """

    tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)
    problems: Counter[str] = field(default_factory=Counter)
    found: dict[str, str] = field(default_factory=dict)

    def tally(self, stage: str, model: str) -> Tally:
        """Returns the tally of a stage and a model, created if missing."""
        return self.tallies.setdefault((stage, model), Tally())

    def total(self) -> Tally:
        """Returns the sum over stages and models."""
        total = Tally()
        for tally in self.tallies.values():
            total.add(**asdict(tally))
        return total

    def since(self, before: Usage) -> Usage:
        """Returns the difference to an earlier copy."""
        difference = Usage(problems=self.problems - before.problems, found=self.found)
        for key, tally in self.tallies.items():
            old = before.tallies.get(key, Tally())
            negative = {n: None if v is None else -v for n, v in asdict(old).items()}
            difference.tally(*key).add(**asdict(tally))
            difference.tally(*key).add(**negative)
        return difference

    def note_found(self, times: Iterable[str]) -> None:
        """Adds the times of search results (ISO 8601, in UTC)."""
        ordered = sorted({*self.found.values(), *filter(None, times)})
        if ordered:
            self.found = {"first": ordered[0], "last": ordered[-1]}

    def merge(self, other: Mapping[str, Any]) -> None:
        """Adds the counts of another `to_dict`."""
        for stage, models in other.items():
            for model, counts in models.items():
                self.tally(stage, model).add(**counts)

    def to_dict(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Returns the counts by stage and model, sorted, as in the manifest."""
        result: dict[str, dict[str, dict[str, Any]]] = {}
        for (stage, model), tally in sorted(self.tallies.items()):
            result.setdefault(stage, {})[model] = tally.to_dict()
        return result


_current: ContextVar[Usage | None] = ContextVar("dfactscore_llm_usage", default=None)


@contextmanager
def collect_usage() -> Iterator[Usage]:
    """Collects the usage of answers in the block, including tasks that it starts.

    Cached answers count with the tokens of their calls, so that the sum does not depend on
    interruptions of a run.
    """
    usage = Usage()
    token = _current.set(usage)
    try:
        yield usage
    finally:
        _current.reset(token)


def current_usage() -> Usage | None:
    """Returns the collector of the surrounding block, or None."""
    return _current.get()


def take_usage(*stages: str, without: str = "") -> dict[str, Any]:
    """Returns and removes the usage collected in the surrounding block; empty without one.

    Args:
        *stages: The stages to return; all by default.
        without: A stage to skip.
    """
    usage = _current.get()
    if usage is None:
        return {}
    wanted = [
        key
        for key in sorted(usage.tallies)
        if (not stages or key[0] in stages) and key[0] != without
    ]
    collected: dict[str, Any] = {}
    for stage, model in wanted:
        counts = asdict(usage.tallies.pop((stage, model)))
        collected.setdefault(stage, {})[model] = {k: v for k, v in counts.items() if v != 0}
    return collected
