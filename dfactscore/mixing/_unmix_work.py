"""Rewrites each text in a run that mixes people, scores it, and serves `dfactscore unmix`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from dfactscore._asking.messages import AnswerError, CallError
from dfactscore._asking.session import LLMSession, closing
from dfactscore._errors import InputError
from dfactscore._evidence.entities import GatheredEntities
from dfactscore._evidence.pages import ListedNames
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job
from dfactscore._jobs.opening import JudgesOfSettings
from dfactscore._jobs.settings import Config
from dfactscore._records import QUESTIONS, Biography
from dfactscore._runs import Run, load_run
from dfactscore._runs.outcome import MAX_HELD
from dfactscore._scoring import Record, ScoreOptions, count_facts, fact_values, score_record
from dfactscore._util.files import make_folder, refuse_input
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.numbers import mean
from dfactscore._util.reporting import Progress
from dfactscore._util.tasks import run_sync
from dfactscore._util.usage import Usage
from dfactscore._util.validated import Form, Text
from dfactscore.engines._answers import checked_settings
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.linking import CandidateMode
from dfactscore.measures._resampling import Interval, clustered_interval
from dfactscore.mixing._unmix_settings import UnmixSettings
from dfactscore.mixing._unmixed import (
    ModelRewriter,
    Unmixed,
    Unsupported,
    headings,
    people_of,
    person_in,
    unmix,
)
from dfactscore.work import (
    Asks,
    Elsewhere,
    Finished,
    Journals,
    Later,
    Work,
    beside,
    key_of,
    run_async,
    would_ask,
)

JOURNAL = "texts"
QUESTION = "question"
# The texts are written by the verdicts and scored at this higher threshold, because a text that
# keeps what a judge believes would look too good to that judge.
_THRESHOLD = 0.9
_KEPT = 0.97  # share of the supported facts that a text must keep to count as better
Writer = Literal["", "builtin", "llm"]
Judge = Callable[[Biography, Record], Coroutine[Any, Any, Record]]


class _TextScores(Form):
    fs: float
    dfs: float


class _ChangeLine(Form):
    by: Writer
    before: _TextScores | None
    after: _TextScores | None
    needs_editor: list[str] | None = None


class _UnmixedLine(Form):
    id: Text
    name: Text
    output: Text
    unmixed: _ChangeLine


@dataclass(frozen=True)
class Change:
    """The scores of one text before and after rewriting."""

    name: str
    by: Writer
    before: tuple[float, float]  # FS and D-FS of the old and the new version
    after: tuple[float, float]


@dataclass(frozen=True)
class UnmixedRun:
    """The result of `unmix_work`."""

    n: int
    changes: tuple[Change, ...]
    failed: int
    unscored: int = 0  # judged texts without a D-FS, which are copied
    needs_editor: int = 0  # sentences about several people that cannot be split safely

    @property
    def by_model(self) -> int:
        """Returns the number of texts that a model wrote."""
        return sum(change.by == "llm" for change in self.changes)

    def means(self) -> dict[str, tuple[float | None, Interval]]:
        """Returns mean FS and D-FS of changed texts, before, after and their difference."""
        names = [change.name for change in self.changes]
        columns = {
            f"{measure} {when}": [getattr(change, when)[place] for change in self.changes]
            for place, measure in enumerate(("FS", "D-FS"))
            for when in ("before", "after")
        }
        for measure in ("FS", "D-FS"):
            before, after = (columns[f"{measure} {when}"] for when in ("before", "after"))
            columns[f"{measure} difference"] = [b - a for a, b in zip(before, after, strict=True)]
        return {
            key: (mean(values), clustered_interval(values, names))
            for key, values in columns.items()
        }


def unmix_work(
    records: Sequence[Record],
    judge: Judge,  # scores a text against a record's entities
    *,
    unsupported: Unsupported = "drop",
    person: str | None = None,
    rewriter: ModelRewriter | None = None,
    settings: Mapping[str, Any],
    source: Mapping[str, Any],
) -> Work[Record, UnmixedRun]:
    """Creates the work of `dfactscore unmix`."""
    retelling = Retelling(judge, unsupported, person, rewriter)
    key = retelling.key

    def finish(finished: Finished[Record]) -> UnmixedRun:
        lines = (finished.journals[JOURNAL].get(key(record)) for record in records)
        written = [line for line in lines if line is not None]
        run = UnmixedRun(
            len(records),
            tuple(map(_change, filter(_is_scored_change, written))),
            len(finished.failed),
            sum(r.scores is not None and r.scores.dfs is None for r in records),
            sum(len(line["unmixed"].get("needs_editor") or ()) for line in written),
        )
        finished.more.update(changed=len(run.changes), by_model=run.by_model)
        return run

    return Work(
        name="unmix", settings=settings, items=records, key=key, label=lambda r: r.id,
        journals={JOURNAL: _UnmixedLine}, do=retelling, finish=finish, source=source,
        things="texts", asks=retelling.asks,
    )  # fmt: skip


@dataclass(frozen=True)
class Retelling:
    """Rewrites a text with one paragraph per person."""

    judge: Judge  # scores a text against a record's entities
    unsupported: Unsupported  # treatment of facts that no page supports
    person: str | None = None  # the only person to keep, or "question"
    rewriter: ModelRewriter | None = None

    def of(self, record: Record) -> Unmixed | None:
        """Returns the text as rewritten by the rules; None for a text without a score."""
        if record.scores is None or record.scores.dfs is None:
            return None
        person = question_of(record) if self.person == QUESTION else self.person
        known = person is not None and person_in(record, person) is not None
        return unmix(record, unsupported=self.unsupported, person=person if known else None)

    def key(self, record: Record) -> str:
        """Returns a hash of the text and its new version."""
        unmixed = self.of(record)
        return key_of(record.id, record.biography.raw, None if unmixed is None else unmixed.text)

    def asks(self, record: Record) -> Asks:
        """Estimates the requests to be sent to the model."""
        if self.rewriter is None or (unmixed := self.of(record)) is None:
            return ()
        return self.rewriter.asks(record, unmixed)

    async def __call__(self, record: Record, journals: Journals) -> None:
        """Appends a text's line to the journal."""
        unmixed = self.of(record)
        if unmixed is None or not unmixed.changed:
            line = _line(record, record.biography.raw or record.biography.text, "", unmixed)
        else:
            line = await _changed(record, unmixed, self.judge, self.rewriter)
        journals[JOURNAL].append(self.key(record), line)


async def _changed(
    record: Record, unmixed: Unmixed, judge: Judge, rewriter: ModelRewriter | None
) -> dict[str, Any]:
    """Returns the line for a text that mixes people."""
    before = await judge(record.biography, record)
    text, by = unmixed.text, "builtin"
    after = await judge(of_text(record, text), record)
    if rewriter is not None:
        try:
            rewritten = await rewriter.rewrite(record, unmixed)
        except (AnswerError, CallError) as error:
            if error.passing:
                raise Later(error.reason) from None
            rewritten = ""
        judged = await judge(of_text(record, rewritten), record) if rewritten else None
        if judged is not None and _is_better(judged, after):
            text, by, after = rewritten, "llm", judged
    return _line(record, text, by, unmixed, before, after)


def _is_better(one: Record, other: Record) -> bool:
    """Whether a text has a higher D-FS and almost as many supported facts; both must be known."""
    dfs = [None if record.scores is None else record.scores.dfs for record in (one, other)]
    if dfs[0] is None or dfs[1] is None:
        return False
    return dfs[0] > dfs[1] and _true_facts(one) >= _KEPT * _true_facts(other)


def _true_facts(record: Record) -> float:
    """Returns the actual or expected number of distinct supported facts."""
    return count_facts(record, fact_values(record)).supported if record.matrix is not None else 0.0


def of_text(record: Record, text: str) -> Biography:
    """Returns the biography with a different text, which is not judged yet.

    Its facts are those outside the headings, which state what the pages say, not the text.
    """
    new = replace(_bare(record.biography), text=text, raw=text, citations=())
    lines = headings(text)
    facts = (f for f in BuiltinDecomposer().decompose(new) if not _lies_in(f.span, lines))
    return replace(new, facts=tuple(facts)) if lines else new


def _bare(biography: Biography) -> Biography:
    """Returns a biography without the stages that came with it."""
    return replace(biography, facts=None, groups=None, links=None, verdicts=None)


def _lies_in(span: tuple[int, int] | None, lines: Sequence[tuple[int, int]]) -> bool:
    return span is not None and any(start <= span[0] < end for start, end in lines)


def question_of(record: Record) -> str | None:
    """Returns the question that a text answers."""
    extra = record.biography.extra
    return next((q for field in QUESTIONS if isinstance(q := extra.get(field), str)), None)


def _line(
    record: Record,
    text: str,
    by: str,
    unmixed: Unmixed | None,
    before: Record | None = None,
    after: Record | None = None,
) -> dict[str, Any]:
    biography = record.biography
    passages = [
        {"title": entity.id, "text": document.text}
        for entity in record.entities
        for document in entity.documents
    ]
    more = {k: v for k, v in biography.extra.items() if k not in ("output", "unmixed")}
    change: dict[str, Any] = {"by": by, "before": _scores(before), "after": _scores(after)}
    if unmixed is not None and unmixed.needs_editor:
        change["needs_editor"] = list(unmixed.needs_editor)
    line = {"id": record.id, "name": record.name, "output": text, "model": biography.model}
    return {**more, **line, "unmixed": change, "passages": passages}


def _scores(record: Record | None) -> dict[str, float] | None:
    scores = None if record is None else record.scores
    if scores is None or scores.fs is None or scores.dfs is None:
        return None
    return {"fs": round(scores.fs, 6), "dfs": round(scores.dfs, 6)}


def _is_scored_change(line: Mapping[str, Any]) -> bool:
    change = line["unmixed"]
    return bool(change["by"] and change["before"] and change["after"])


def _change(line: Mapping[str, Any]) -> Change:
    change = line["unmixed"]
    before, after = ((change[when]["fs"], change[when]["dfs"]) for when in ("before", "after"))
    return Change(line["name"], change["by"], before, after)


_ROLES = ("decomposer", "grouper", "verifier")


@dataclass(frozen=True)
class Unmixing:
    """One run of the command, which reads and judges each text only once."""

    settings: UnmixSettings
    run: Run
    out: Path

    @cached_property
    def records(self) -> Sequence[Record]:
        """The texts of the run, up to the limit."""
        return list(islice(self.run.records(), self.settings.limit))

    @property
    def has_report(self) -> bool:
        """Whether the texts are few enough to fit on a page in a browser."""
        return len(self.records) <= MAX_HELD

    @cached_property
    def judging(self) -> _Judging:
        """Opens the built-in judge in any process."""
        return _Judging.of(self.run)

    @cached_property
    def judge(self) -> Judge:
        """The judge in this process, which keeps its answers for the report."""
        judge = self.judging()
        return _with_memory(judge) if self.has_report else judge

    def estimate(self, session: LLMSession | None) -> Usage:
        """Estimates the remaining requests without sending any."""
        return would_ask(self._work(session), beside(self.out)).usage

    def write(self, session: LLMSession | None, *, progress: Progress | None = None) -> UnmixedRun:
        """Writes the texts that are not in the file yet."""
        settings = self.settings
        job = self.judging.job(workers=settings.workers, on=settings.on)
        self._check_person()
        retelling = partial(_retelling, self.judging, settings.unsupported, settings.person)
        with job.open_workers(len(self.records)) as executor:
            work = run_async(
                self._work(session),
                beside(self.out),
                concurrency=settings.concurrency or (1 if settings.gguf is not None else 16),
                executor=executor,
                elsewhere=Elsewhere(retelling, [JOURNAL]),
                progress=progress,
            )
            return run_sync(closing(session, work))

    def before_and_after(self) -> tuple[list[Record], list[Record]]:
        """Returns the same texts before and after, scored by the same judge."""
        lines = (line for _, line in read_jsonl(self.out, error=InputError))
        before, after = [], []
        for record, line in zip(self.records, lines, strict=True):
            known = record.matrix is not None
            before.append(run_sync(self.judge(record.biography, record)) if known else record)
            changed = bool(line["unmixed"]["by"])
            text = of_text(record, line["output"])
            after.append(run_sync(self.judge(text, record)) if changed else before[-1])
        return before, after

    def _check_person(self) -> None:
        """Raises an error if no text is about the person to keep."""
        person = self.settings.person
        judged = [r for r in self.records if r.scores is not None and r.scores.dfs is not None]
        if person in (None, QUESTION) or any(
            person_in(record, person) is not None for record in judged
        ):
            return
        known = {title for record in judged for title in people_of(record)}
        near = get_close_matches(person, known, 3, 0.5) or sorted(known)[:3]
        raise InputError(
            f"--for {person!r}: no text is about this person; " + ", ".join(map(repr, near))
        )

    def _work(self, session: LLMSession | None) -> Work[Record, UnmixedRun]:
        settings, rewriter = self.settings, None
        if settings.engine == "llm" and session is not None:
            rewriter = ModelRewriter(session.client(settings.model_for("writer")))
        return unmix_work(
            self.records,
            self.judge,
            unsupported=settings.unsupported,
            person=settings.person,
            rewriter=rewriter,
            settings={
                "engine": settings.engine,
                "unsupported": settings.unsupported,
                **({} if settings.person is None else {"for": settings.person}),
                "threshold": _THRESHOLD,
                **_roles(),
                **({} if rewriter is None else {"writer": dict(rewriter.settings)}),
            },
            source={"file": self.run.folder.name, "limit": settings.limit},
        )


def begin(settings: UnmixSettings, folder: Path) -> Unmixing:
    """Opens the run and checks that the file can be written."""
    out = settings.out
    if out is None or out.suffix.lower() != ".jsonl":
        extra = "" if out is None else f", not {out}"
        raise InputError(f"unmix: give --out FILE (.jsonl){extra}")
    if settings.engine == "llm":
        settings.model_for("writer", instead=", or --engine builtin")
    run = load_run(folder)
    make_folder(out.parent)
    refuse_input(out, [folder])
    return Unmixing(settings, run, out)


@dataclass(frozen=True)
class _Judging:
    """Opens the built-in judge with the options of a run; works in any process."""

    options: ScoreOptions
    candidates: CandidateMode
    dataset: Mapping[str, Collection[str]] | None
    same: bool

    @classmethod
    def of(cls, run: Run) -> _Judging:
        roles = _roles()
        same = all(run.settings[role] == roles[role] for role in _ROLES)
        options = replace(run.options, counts="verdicts", threshold=_THRESHOLD)
        return cls(options, run.candidates, run.settings.get("dataset") or None, same)

    def job(self, *, workers: int = 1, on: str | None = None) -> Job:
        return Job(
            engine=build_engine(Config()),
            options=self.options,
            candidates=self.candidates,
            listed=ListedNames(self.dataset),
            judges=JudgesOfSettings({}),
            workers=workers,
            on=on,
        )

    def __call__(self) -> Judge:
        job = self.job()

        async def judge(biography: Biography, record: Record) -> Record:
            if self.same and biography is record.biography:
                return score_record(record, options=self.options)
            own = _bare(biography) if biography is record.biography else biography
            return await job.fill(own, GatheredEntities(record.entities))

        return judge


def _retelling(judging: _Judging, unsupported: Unsupported, person: str | None) -> Retelling:
    return Retelling(judging(), unsupported, person)


def _roles() -> dict[str, Any]:
    """Returns the settings of the built-in roles."""
    engine = build_engine(Config())
    return {role: checked_settings(getattr(engine, role)) for role in _ROLES}


def _with_memory(judge: Judge) -> Judge:
    """Returns a judge that judges each text of a record only once."""
    judged: dict[tuple[str, str], Record] = {}

    async def remembered(biography: Biography, record: Record) -> Record:
        key = record.id, biography.text
        if key not in judged:
            judged[key] = await judge(biography, record)
        return judged[key]

    return remembered
