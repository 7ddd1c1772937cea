"""Checks a judge on invented texts: false facts it accepts, and texts it groups wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from dfactscore._errors import RunError
from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore._util.files import dump_json, write_text
from dfactscore._util.jsonl import parse_json, read_json
from dfactscore._util.tasks import resolve, together
from dfactscore.engines._answers import verify_together
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._roles import Engine, RoleError
from dfactscore.work import Asked
from dfactscore.work._work import all_asked

_FILE = "judge_check.json"
# A judge passes with at most a fifth of the facts wrong, of either kind, and of the groupings.
_WRONG = 0.2


@dataclass(frozen=True, slots=True)
class _Case:
    biography: Biography
    persons: Sequence[int]  # each sentence's person, from 1
    facts: Sequence[Fact]
    pages: Sequence[Entity]
    judged: Sequence[tuple[str, Fact]]  # each with the letter of the page that supports it, or ""


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """The results of a check, as counts of pairs of a fact and a page, and of texts."""

    false: int
    false_accepted: int
    true: int
    true_rejected: int
    groups: int
    groups_right: int
    calls: int = 0  # calls per text with two pages

    @property
    def passed(self) -> bool:
        """Whether at most a fifth of each kind of answers is wrong."""
        return (
            self.false_accepted <= _WRONG * self.false
            and self.true_rejected <= _WRONG * self.true
            and self.groups - self.groups_right <= _WRONG * self.groups
        )

    def line(self) -> str:
        """Returns the results in words."""
        grouped = f"; groups {self.groups_right} of {self.groups} texts right"
        return (
            f"accepts {self.false_accepted} of {self.false} false facts, rejects "
            f"{self.true_rejected} of {self.true} true ones{grouped if self.groups else ''}"
        )


def _cases() -> Iterator[_Case]:
    file = resources.files("dfactscore.engines._llm.roles") / _FILE
    for number, case in enumerate(parse_json(file.read_text("utf-8")), 1):
        name = case["name"]
        yield _Case(
            Biography(f"check-{number}", name, " ".join(case["text"])),
            case["persons"],
            [Fact(text, sentence=sentence) for sentence, text in case["facts"]],
            [Entity(t, t, (Document(t, text),)) for t, text in case["pages"].items()],
            [(letter, Fact(text)) for letter, text in case["judged"]],
        )


# Whether one call returns facts and groups, and one call all verdicts; no groups without a model.
Few = tuple[bool, bool]


def _pairs(case: _Case, few: Few) -> list[tuple[Sequence[Fact], Entity]]:
    facts = [fact for _, fact in case.judged]
    return [(facts, page) for page in (case.pages if few[1] else case.pages[:1])]


async def check_judge(engine: Engine, few: Few = (False, False)) -> JudgeCheck:
    """Asks an engine about the invented texts; a text without a usable answer counts as wrong."""
    rows = await together(_checked(case, engine, few) for case in _cases())
    sums = [sum(column) for column in zip(*rows, strict=True)]
    calls = (1 if few[0] else 2) + (1 if few[1] else 2)
    return replace(JudgeCheck(*sums), calls=calls)


async def _checked(case: _Case, engine: Engine, few: Few) -> tuple[int, ...]:
    pairs = _pairs(case, few)
    found = await verify_together(engine.verifier, case.biography, pairs)
    counts = {True: [0, 0], False: [0, 0]}
    for number, row in enumerate(found):
        for (letter, _), verdict in zip(case.judged, row, strict=True):
            supports = letter == "AB"[number]
            counts[supports][0] += 1
            counts[supports][1] += (verdict.status == "supported") != supports
    groups = _groups(engine)
    right = groups and await _groups_right(case, engine, few)
    return (*counts[False], *counts[True], int(groups), int(right))


def _groups(engine: Engine) -> bool:
    """Whether a model groups."""
    return not isinstance(engine.grouper, BuiltinGrouper)


async def _groups_right(case: _Case, engine: Engine, few: Few) -> bool:
    facts = case.facts
    try:
        if few[0]:
            facts = await resolve(engine.decomposer.decompose(case.biography))
        groups = await resolve(engine.grouper.group(case.biography, facts))
    except RoleError:
        return False
    places = {
        (number, case.persons[facts[index].sentence or 0])
        for number, group in enumerate(groups)
        for index in group.facts
    }
    people = len(set(case.persons))
    # Each group holds the facts of one person, and each person's facts are in one group.
    return len(places) == len({n for n, _ in places}) == len({p for _, p in places}) == people


async def check_asks(engine: Engine, few: Few = (False, False)) -> list[Asked]:
    """Returns the requests of a check, which a session makes once."""
    asked: list[Asked] = []
    for case in _cases():
        asked += await all_asked(engine.verifier.asks(case.biography, _pairs(case, few)))
        if few[0]:
            asked += await all_asked(engine.decomposer.asks(case.biography, case.facts))
        elif _groups(engine):
            asked += await all_asked(engine.grouper.asks(case.biography, case.facts))
    return [replace(request, once=True) for request in asked]


def write_check(folder: Path, verifier: Mapping[str, Any], check: JudgeCheck) -> Path:
    """Writes a check into a run folder, for the tables of the run."""
    path = folder / _FILE
    write_text(path, dump_json({**judge_of(verifier), **asdict(check)}, indent=2) + "\n")
    return path


def read_check(folder: Path, verifier: Mapping[str, Any]) -> JudgeCheck | None:
    """Reads the check of a run's judge, or returns None if there is none."""
    path = folder / _FILE
    if not path.exists():
        return None
    content = read_json(path, error=RunError)
    try:
        if any(content[key] != value for key, value in judge_of(verifier).items()):
            return None
        return JudgeCheck(**{key: int(content[key]) for key in JudgeCheck.__slots__})
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{path}: damaged; run 'dfactscore doctor --judge' again") from None


def judge_of(verifier: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the settings that identify a judge."""
    return {key: verifier.get(key) for key in ("name", "model", "endpoint")}
