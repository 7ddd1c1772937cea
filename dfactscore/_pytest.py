"""The pytest plug-in: the ``dfs`` fixture, its JUnit property and a summary after the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from dfactscore._results.result import Result

_PROPERTY = "dfactscore"  # of each text, in user_properties, which pytest-xdist forwards
_SHOWN = 5
_UNWRITTEN = "dfactscore_unwritten"  # in the output of a pytest-xdist process
_results = pytest.StashKey[list["Result"]]()
_unwritten = pytest.StashKey[list[str]]()  # the reasons why reports could not be written


class CheckedScore(Protocol):
    """The ``dfs`` fixture: a `dfactscore.testing.assert_dfs` that also records results."""

    def __call__(self, text: str, contexts: Any = None, **options: Any) -> Result:
        """Scores a text and fails the test as `assert_dfs` does."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the ``--dfs-report`` option."""
    parser.getgroup("dfactscore").addoption(
        "--dfs-report",
        metavar="FILE.html",
        help="Write a report of all texts that the fixture `dfs` scores.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Checks, before any test, that the report can be written."""
    option = config.getoption("dfs_report")
    if option and not hasattr(config, "workerinput"):
        from dfactscore._util.files import check_output

        check_output(Path(option), "report", named="--dfs-report", error=pytest.UsageError)


@pytest.fixture
def dfs(request: pytest.FixtureRequest) -> CheckedScore:
    """Works like `dfactscore.testing.assert_dfs` but adds scores to the summary and JUnit files."""
    from dfactscore.testing._assertions import failure_of, score_text

    def check(text: str, contexts: Any = None, **options: Any) -> Result:
        __tracebackhide__ = True
        result, bounds = score_text(text, contexts, **options)
        request.config.stash.setdefault(_results, []).append(result)
        request.node.user_properties.append((_PROPERTY, json.dumps(_row(result))))
        message = failure_of(result, bounds)
        if message:
            raise AssertionError(message)
        return result

    return check


def _row(result: Result) -> dict[str, Any]:
    """Returns one text's scores as fractions, or None if it has no score."""
    from dfactscore.testing._assertions import mixed_people

    return {
        "name": result.name,
        "status": result.status,
        "fs": result.fs,
        "dfs": result.dfs,
        "mixed": [list(people) for people in mixed_people(result)],
    }


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes the report; each pytest-xdist process writes its own."""
    results = session.config.stash.get(_results, None)
    option = session.config.getoption("dfs_report")
    if not (results and option):
        return
    from dfactscore._scorer.results import Results
    from dfactscore._util.message_text import message_line

    path = Path(option)
    worker = getattr(session.config, "workerinput", {}).get("workerid")
    if worker:
        path = path.with_stem(f"{path.stem}-{worker}")
    try:
        Results(results).report(path, title="texts of the tests")
    except Exception as error:  # the tests' own results are worth more than the report
        session.config.stash.setdefault(_unwritten, []).append(message_line(error))
        if worker:
            session.config.workeroutput[_UNWRITTEN] = message_line(error)  # type: ignore[attr-defined]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Notes that a pytest-xdist process could not write its report."""
    reason = getattr(node, "workeroutput", {}).get(_UNWRITTEN)
    if reason:
        node.config.stash.setdefault(_unwritten, []).append(reason)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Prints the lowest scores, any people who were mixed, and the path of the report."""
    rows = list(_rows(terminalreporter.stats))
    if not rows:
        return
    scored = [(test, row) for test, row in rows if row["dfs"] is not None]
    terminalreporter.section("D-FActScore")
    count = f"{len(rows)} text{'' if len(rows) == 1 else 's'}, {len(scored)} scored"
    if scored:
        mean = sum(row["dfs"] for _, row in scored) / len(scored)
        mixed = sum(bool(row["mixed"]) for _, row in scored)
        count += f"; mean D-FActScore {mean:.3f}; {mixed} mixed"
    terminalreporter.line(count)
    worst = sorted(scored, key=lambda pair: pair[1]["dfs"])[:_SHOWN]
    for test, row in (pair for pair in worst if pair[1]["dfs"] < 1):
        people = "".join(f"; mixed: {' + '.join(entities)}" for entities in row["mixed"])
        terminalreporter.line(f"  {row['dfs']:.3f}  {row['name']}{people}  ({test})")
    for reason in config.stash.get(_unwritten, ()):
        terminalreporter.line(f"warning: no report: {reason}", yellow=True)
    option = config.getoption("dfs_report")
    if option:
        path = Path(option)
        for report in sorted({path, *path.parent.glob(f"{path.stem}-gw*{path.suffix}")}):
            if report.exists():
                terminalreporter.line(f"report: {report}")


def _rows(stats: dict[str, list[Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the texts recorded by finished tests, each together with its test."""
    for reports in (stats.get("passed", ()), stats.get("failed", ())):
        for report in reports:
            if getattr(report, "when", "") == "call":
                for name, value in report.user_properties:
                    if name == _PROPERTY:
                        yield report.nodeid, json.loads(value)
