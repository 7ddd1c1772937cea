"""`dfactscore score --fail-if`: conditions on a run's means, and the texts that cause a failure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree

from dfactscore._errors import InputError
from dfactscore._scoring.biography_scores import MEASURES
from dfactscore._util.message_text import near_miss, without_controls
from dfactscore._util.numbers import counted, mean
from dfactscore.measures._resampling import clustered_interval

if TYPE_CHECKING:
    from pathlib import Path

    from dfactscore._scoring import Record

Row = Mapping[str, Any]
_CONDITION = re.compile(
    r"\s*(?:(?P<bound>[A-Za-z]+)\s*\(\s*(?P<inner>[^\s()]+)\s*\)|(?P<measure>[^\s()<>=!]+))"
    r"\s*(?P<sign>[<>]=?)\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<percent>%?)\s*"
)
_SIGNS: Mapping[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_SHOWN = 10  # texts that are listed for a condition
_COUNTED = ("n_bio", "n_ent", "n_bio_named", "n_ent_named", "n_facts")
_SHARES = (
    *("fs", "dfs", "gap", "mixed", "unsure", "fs_verdicts", "dfs_verdicts", "dfs_one_group"),
    *("coverage", "coverage_fs"),
)
_BY_TITLE = {
    m.title.casefold(): name for name, m in MEASURES.items() if name in (*_SHARES, *_COUNTED)
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A bound on a mean, or on an end of its 95 % interval."""

    text: str
    measure: str
    end: Literal["", "lower", "upper"]
    sign: str
    bound: float  # a fraction, or a count

    def holds(self, value: float) -> bool:
        """Whether a value meets the condition, which then fails the run."""
        return _SIGNS[self.sign](value, self.bound)


@dataclass(frozen=True, slots=True)
class FailedCondition:
    """A condition that holds, with the value and the texts that cause it."""

    condition: Condition
    value: float | None  # None if it cannot be computed
    n: int  # texts with a value
    texts: tuple[Row, ...]  # on the wrong side of the bound, the worst first

    def __str__(self) -> str:
        condition = self.condition
        if self.value is None:
            missing = f"no text has {condition.measure}"
            missing = "an interval needs two names" if self.n else missing
            return f"{condition.text}: cannot be computed: {missing}"
        texts = f"{len(self.texts)} of {counted(self.n, 'text')}"
        return f"{condition.text}: {shown(condition.measure, self.value)} ({texts})"


def parse_condition(text: str) -> Condition:
    """Parses a condition such as ``mixed > 2%``, ``dfs < 80`` or ``lower(dfs) < 75``.

    Example:
        >>> parse_condition("upper(mixed) > 2%")
        Condition(text='upper(mixed) > 2%', measure='mixed', end='upper', sign='>', bound=0.02)
    """
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise InputError(
            f"--fail-if {text!r}: expected MEASURE, < <= > or >=, and a number, such as "
            "'mixed > 2%', 'dfs < 80' or 'lower(dfs) < 75'"
        )
    end, written = match["bound"] or "", match["inner"] or match["measure"]
    if end not in ("", "lower", "upper"):
        near = near_miss(end, ("lower", "upper"))
        raise InputError(f"--fail-if {text!r}: unknown function {end!r}; choose lower, upper{near}")
    measure = _BY_TITLE.get(written.casefold(), written.casefold())
    known = (*_SHARES, *_COUNTED)
    if measure not in known:
        near = near_miss(written, known)
        raise InputError(
            f"--fail-if {text!r}: unknown measure {written!r}; choose {', '.join(known)}{near}"
        )
    number = float(match["number"])
    if measure in _COUNTED:
        if match["percent"]:
            raise InputError(f"--fail-if {text!r}: {measure} is a number, not a share; leave out %")
        return Condition(text.strip(), measure, end, match["sign"], number)  # type: ignore[arg-type]
    if 0 < number < 1 and not match["percent"]:
        raise InputError(
            f"--fail-if {text!r}: shares are in percent; write {number * 100:g}% or {number:g}%"
        )
    if number > 100:
        raise InputError(f"--fail-if {text!r}: {number:g} is more than 100 %")
    return Condition(text.strip(), measure, end, match["sign"], number / 100)  # type: ignore[arg-type]


def shown(measure: str, value: float) -> str:
    """Returns a value as tables print it."""
    return f"{value:.2f}" if measure in _COUNTED else f"{100 * value:.1f} %"


def failures(conditions: Sequence[Condition], rows: Sequence[Row]) -> list[FailedCondition]:
    """Returns the conditions that hold, and those that cannot be computed."""
    found = []
    for condition in conditions:
        valued = [(v, row) for row in rows if (v := _value(row, condition.measure)) is not None]
        value = _mean([v for v, _ in valued], [str(row["name"]) for _, row in valued], condition)
        if value is not None and not condition.holds(value):
            continue
        wrong = [(v, row) for v, row in valued if condition.holds(v)]
        wrong.sort(key=lambda pair: pair[0], reverse=">" in condition.sign)
        found.append(FailedCondition(condition, value, len(valued), tuple(row for _, row in wrong)))
    return found


def _value(row: Row, measure: str) -> float | None:
    """Returns a text's value; None if it has none."""
    if measure == "gap":
        known = row["fs"] is not None and row["dfs"] is not None
        return row["fs"] - row["dfs"] if known else None
    if measure in ("mixed", "unsure"):
        groups = row[f"{measure}_groups"]
        return None if row["dfs"] is None or groups is None else float(groups > 0)
    value = row[measure]
    return None if value is None else float(value)


def _mean(values: Sequence[float], names: Sequence[str], condition: Condition) -> float | None:
    """Returns the mean or the end of its interval; None if it cannot be computed."""
    if not values or not condition.end:
        return mean(values)
    interval = clustered_interval(values, names)
    end = interval.low if condition.end == "lower" else interval.high
    return None if end != end else end


def failure_lines(found: Sequence[FailedCondition], people: Mapping[str, str]) -> Iterator[str]:
    """Yields the conditions that failed and their texts."""
    for failure in found:
        yield f"failed: {failure}"
        for row in failure.texts[:_SHOWN]:
            yield f"  {_text_line(failure, row, people)}"
        if len(failure.texts) > _SHOWN:
            yield f"  and {len(failure.texts) - _SHOWN} more"


def _text_line(failure: FailedCondition, row: Row, people: Mapping[str, str]) -> str:
    """Describes a text that causes a failure."""
    measure, told = failure.condition.measure, people.get(row["id"], "")
    parts = [] if measure in ("mixed", "unsure") else [shown(measure, _value(row, measure) or 0)]
    return f"{row['id']} ({row['name']}): {'; '.join(filter(None, (*parts, told)))}"


def people_of(record: Record) -> str:
    """Names the people that a text takes for one, and its question."""
    from dfactscore.mixing import biography_mixing

    mixing = biography_mixing(record)
    groups = mixing.groups if mixing is not None else ()
    told = [
        " + ".join(dict.fromkeys(mixing.labels[e] for e in group.credit if e is not None))
        for group in groups
        if mixing is not None and group.mixed
    ]
    asked = record.biography.question
    parts = [f"told as one: {'; '.join(told)}" if told else "", f"asked: {asked}" if asked else ""]
    return "; ".join(filter(None, parts))


def github_lines(
    found: Sequence[FailedCondition], people: Mapping[str, str], input: Path
) -> Iterator[str]:
    """Yields annotations of GitHub Actions: one per condition, and one per text."""
    for failure in found:
        title = f"dfactscore: {failure.condition.text}"
        yield f"::error title={_escaped(title, value=True)}::{_escaped(str(failure))}"
        for row in failure.texts[:_SHOWN]:
            line = _escaped(_text_line(failure, row, people))
            file = _escaped(input.as_posix(), value=True)
            yield f"::error file={file},title={_escaped(title, value=True)}::{line}"


def _escaped(text: str, *, value: bool = False) -> str:
    """Escapes what ends a line or a property of an annotation."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escaped.replace(":", "%3A").replace(",", "%2C") if value else escaped


def junit(
    conditions: Sequence[Condition],
    found: Sequence[FailedCondition],
    rows: Sequence[Row],
    people: Mapping[str, str],
) -> str:
    """Returns the conditions and the texts as test cases of JUnit."""
    suite = ElementTree.Element("testsuite", name="dfactscore")
    failed = {failure.condition: failure for failure in found}
    for condition in conditions:
        _case(
            suite,
            "conditions",
            condition.text,
            [str(failed[condition])] if condition in failed else [],
        )
    for row in rows:
        messages = [
            f"{f.condition.text}: {_text_line(f, row, people)}"
            for f in found
            if any(text is row or text["id"] == row["id"] for text in f.texts)
        ]
        case = _case(suite, "texts", str(row["id"]), messages)
        if row["fs"] is None and not messages:
            reason = str(row["reason"] or row["status"])
            ElementTree.SubElement(case, "skipped", message=without_controls(reason))
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("./testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("./testcase/skipped"))))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _case(
    suite: ElementTree.Element, kind: str, name: str, messages: Sequence[str]
) -> ElementTree.Element:
    """Adds a test case, failed if there are messages."""
    case = ElementTree.SubElement(
        suite, "testcase", classname=f"dfactscore.{kind}", name=without_controls(name)
    )
    if messages:
        text = without_controls("; ".join(messages))
        ElementTree.SubElement(case, "failure", message=text).text = text
    return case
