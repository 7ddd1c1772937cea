"""Accounting of calls, tokens and cost by stage and model."""

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
"""Faults of a model's answers, in `Tally`: counted when seen or repaired."""


@dataclass(slots=True)
class Tally:
    """Counts of one stage with one model.

    Attributes:
        answers: Answers used, from the server or the cache.
        calls: Requests that reached the server and were answered.
        cached: Answers that came from the cache.
        repairs: Second calls after an unusable answer.
        retries: Attempts repeated after a transport fault.
        failed: Requests given up.
        prompt_tokens: Of the calls.
        completion_tokens: Of the calls.
        cached_tokens: Of the prompt tokens, those that the server had in its prefix cache; what it
            says of them changes from run to run, so it is counted for a command only.
        cost: Of the calls, in the price list's currency; None if the price is not known.
        lost_sentences: Sentences that state something and got no fact.
        not_in_text: Facts that were dropped, for the text says nothing of the kind, or has no such
            name, number or nationality.
        repeated: Facts that were dropped, for the text has them already.
        moved: Facts that were listed under another sentence than theirs.
        repaired: Groupings that were made whole without the model.
        by_sentence: Texts read sentence by sentence, for answers about paragraphs were unreadable.
        apart: Calls about several things at once that were replaced by one for each.
        unknown_end: Answers that ended, in the server's words, in a way that is not known.
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
        """The counts by name; those of faults and cached tokens only where there are any."""
        rare = {*FAULTS, "cached_tokens"}
        return {k: v for k, v in asdict(self).items() if v != 0 or k not in rare}

    def add(self, **counts: float | None) -> None:
        """Adds to the counts by name."""
        for name, value in counts.items():
            old = getattr(self, name)
            new = None if value is None or old is None else old + value
            setattr(self, name, round(new, 9) if isinstance(new, float) else new)


@dataclass(slots=True)
class Usage:
    """All tallies of a run.

    Attributes:
        tallies: By stage and model.
        problems: The reasons why questions have no usable answer, with their counts.
        found: The times of the first and the last search result that was used.
    """

    tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)
    problems: Counter[str] = field(default_factory=Counter)
    found: dict[str, str] = field(default_factory=dict)

    def tally(self, stage: str, model: str) -> Tally:
        """The tally of a stage and a model, made if it is missing."""
        return self.tallies.setdefault((stage, model), Tally())

    def total(self) -> Tally:
        """The sum over stages and models."""
        total = Tally()
        for tally in self.tallies.values():
            total.add(**asdict(tally))
        return total

    def since(self, before: Usage) -> Usage:
        """Requests since a copy was made."""
        later = Usage(problems=self.problems - before.problems, found=self.found)
        for key, tally in self.tallies.items():
            old = before.tallies.get(key, Tally())
            gone = {n: None if v is None else -v for n, v in asdict(old).items()}
            later.tally(*key).add(**asdict(tally))
            later.tally(*key).add(**gone)
        return later

    def note_found(self, times: Iterable[str]) -> None:
        """Notes when results were found (ISO 8601, in UTC)."""
        known = sorted({*self.found.values(), *filter(None, times)})
        if known:
            self.found = {"first": known[0], "last": known[-1]}

    def merge(self, other: Mapping[str, Any]) -> None:
        """Adds the output of another `to_dict`."""
        for stage, models in other.items():
            for model, counts in models.items():
                self.tally(stage, model).add(**counts)

    def to_dict(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Nested by stage and model, sorted: the form in the manifest."""
        result: dict[str, dict[str, dict[str, Any]]] = {}
        for (stage, model), tally in sorted(self.tallies.items()):
            result.setdefault(stage, {})[model] = tally.to_dict()
        return result


_current: ContextVar[Usage | None] = ContextVar("dfactscore_llm_usage", default=None)


@contextmanager
def collect_usage() -> Iterator[Usage]:
    """Collects what the answers used inside the block cost when they were made.

    Answers from the cache count with their tokens, so that the sum does not depend on where a
    run was interrupted; tasks started inside the block count too.
    """
    usage = Usage()
    token = _current.set(usage)
    try:
        yield usage
    finally:
        _current.reset(token)


def current_usage() -> Usage | None:
    """The collector of the surrounding block, if any."""
    return _current.get()


def take_usage(*stages: str, without: str = "") -> dict[str, Any]:
    """Returns the surrounding block's collection since it was last taken; empty outside.

    Args:
        *stages: Only these stages; all if none is named.
        without: Leaves out this one.
    """
    usage = _current.get()
    if usage is None:
        return {}
    wanted = [
        key
        for key in sorted(usage.tallies)
        if (not stages or key[0] in stages) and key[0] != without
    ]
    taken: dict[str, Any] = {}
    for stage, model in wanted:
        counts = asdict(usage.tallies.pop((stage, model)))
        taken.setdefault(stage, {})[model] = {k: v for k, v in counts.items() if v != 0}
    return taken
