"""Messages about a finished run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dfactscore._evidence.entities import unused_titles
from dfactscore._jobs.job import Job
from dfactscore._readers import BadRecord
from dfactscore._runs import Outcome
from dfactscore._runs.block_scores import MissingTitles
from dfactscore._runs.outcome import MAX_HELD
from dfactscore._scoring import Record
from dfactscore._scoring.matrix_scores import NOTHING_READ
from dfactscore._text.language import unscored_languages
from dfactscore._util.numbers import counted, percent

_NAMED = 5  # maximum number of titles listed in a message


def run_notes(
    job: Job, records: Sequence[Record], bad: Sequence[BadRecord], folder: Path, outcome: Outcome
) -> Iterator[str]:
    """Returns the messages about a finished run."""
    n_records = len(records)
    if unanswered := outcome.summary.statuses.get("no_answer"):
        yield (
            f"warning: {unanswered} of {n_records} texts are a model's thought without an answer, "
            "or an object without text (status no_answer): they have no score and count as no "
            "response"
        )
    if messages := outcome.summary.statuses.get("failed"):
        yield (
            f"warning: {messages} of {n_records} texts are messages of a service or program, not "
            f"answers (status failed, all in {folder / 'errors.jsonl'}): they have no score and do "
            "not count in the response rate"
        )
    if no_evidence := outcome.summary.statuses.get("no_candidates"):
        why = _no_evidence(job)
        yield f"{no_evidence} of {n_records} texts have nothing to be judged against: {why}"
    if reasons := outcome.not_english:
        yield (
            f"warning: {unscored_languages(reasons, n_records)}; --language any scores every "
            "text, --engine llm reads other languages"
        )
    for record in bad:
        yield f"skipped record: {record}"
    missing = outcome.missing
    if missing.titles and job.source is not None:
        yield (
            f"warning: {job.pages or 'the pages'} lacks {missing.titles} of the titles (in "
            f"{missing.texts} of {n_records} texts); {_instead(missing)}"
            f"'missing' in {folder / 'biographies.jsonl'} has them; the first: {missing.first}"
        )
    if n_records <= MAX_HELD:
        yield from _unused(job, records)
    yield from _faults(job, n_records, folder, outcome)


def _faults(job: Job, n_records: int, folder: Path, outcome: Outcome) -> Iterator[str]:
    """Returns the messages about failures of roles and models."""
    unjudged = outcome.summary.statuses.get("not_judged", 0)
    if unjudged:
        yield (
            f"warning: {unjudged} of {n_records} biographies have no score (status 'not_judged'): "
            f"{NOTHING_READ}"
        )
    bounded = outcome.summary.statuses.get("partly_judged", 0)
    if bounded:
        yield (
            f"warning: {bounded} of {n_records} biographies have bounds instead of a score (status "
            "'partly_judged'), and so have the means; --unreadable unsupported or exclude gives "
            "scores without these verdicts"
        )
    if outcome.summary.pages_not_judged:
        yield (
            f"pages not judged: {outcome.summary.pages_not_judged} of {outcome.summary.pages} "
            "(refused or not answered)"
        )
    messages = outcome.summary.statuses.get("failed", 0)
    if failed := outcome.failed - unjudged - bounded - messages:
        yield (
            f"warning: {failed} of {n_records} biographies failed; the first: "
            f"{outcome.first_failure} (all in {folder / 'errors.jsonl'}); run the same command "
            "again to try them again"
        )
    faults = outcome.summary.faults
    if lost := faults.get("lost_sentences"):
        yield (
            f"warning: {counted(lost, 'sentence')} with something to say got no fact: the scores "
            "are those of "
            f"the rest ({percent(outcome.summary.text_coverage)} % of the sentences); a larger "
            "model loses fewer"
        )
    if dropped := faults.get("not_in_text"):
        yield (
            f"warning: dropped {counted(dropped, 'fact')} whose words, name, number or nationality "
            "was not found in the texts; check_facts: false in the settings file keeps such facts"
        )
    if repeated := faults.get("repeated"):
        yield f"dropped {counted(repeated, 'fact')} listed more often than the texts say them"
    if outcome.unanswered:
        yield (
            f"{counted(outcome.unanswered, 'verdict')} got no answer (status 'error'); "
            "run the same command again to retry them"
        )
    if outcome.unparsed:
        yield (
            f"{counted(outcome.unparsed, 'verdict')} could not be read (status 'unparsed'), or "
            "their facts "
            "are longer than the model reads; unreadable (a setting) says how they count"
        )
    books = job.books
    if books is not None and (problems := books.problems):
        reason, count = problems.most_common(1)[0]
        yield (
            f"{counted(problems.total(), 'question')} without a usable answer, {count} of them: "
            f"{reason} "
            f"(more in {folder / 'timing.json'})"
        )


def _instead(missing: MissingTitles) -> str:
    if not missing.replaced:
        return ""
    where = "" if missing.replaced == missing.texts else f"in {missing.replaced} of them "
    return f"{where}passages of the texts were used instead; "


def _unused(job: Job, records: Sequence[Record]) -> Iterator[str]:
    """Returns the message about pages supplied by the user that are not candidates for any text."""
    total, unused = unused_titles((record.biography for record in records), job.source)
    if unused:
        others = f" and {len(unused) - _NAMED} more" if len(unused) > _NAMED else ""
        yield (
            f"not used: {', '.join(unused[:_NAMED])}{others} "
            f"({len(unused)} of {total} pages; no text bears these names)"
        )


def _no_evidence(job: Job) -> str:
    if job.source is None:
        return "they have no passages; give pages with --pages"
    pages = job.pages or "the source"
    return f"{pages} has no page of their names, and they have no passages"
