"""Estimates the requests and cost of an experiment: ``dfactscore run --dry-run``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dfactscore._asking.prices import PriceList
from dfactscore._experiment.experiment_file import Experiment
from dfactscore._experiment.experiment_passages import passages_of
from dfactscore._experiment.experiment_run import judges_of, second_judge, session_of
from dfactscore._jobs.estimate import asking_work, estimate
from dfactscore._jobs.opening import open_job
from dfactscore._jobs.sampling import sampled, seed_of
from dfactscore._readers import Reading, read_biographies
from dfactscore._records import Biography
from dfactscore._util.usage import Usage
from dfactscore.generation._config import make_generator
from dfactscore.generation._request import Request
from dfactscore.generation._written import biographies_asked
from dfactscore.work import Asked, count_asked, in_folder, would_ask

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession


_STAND_IN_WORDS = 120  # assumed length of a biography that has not been written yet


def estimate_experiment(
    experiment: Experiment, out: str | Path
) -> tuple[Usage, PriceList | None, str]:
    """Estimates calls, tokens and cost of the generators and judges.

    A text that has not been written yet is replaced by the first words of its passages.
    """
    folder = Path(out)
    with TemporaryDirectory() as scratch:
        requests = passages_of(experiment, folder, scratch=Path(scratch))
    usage, counted_once, written = Usage(), set[Hashable](), 0
    with session_of(experiment, dry_run=True) as session:
        for label, config in experiment.models.items():
            path = folder / label / "biographies.jsonl"
            asked = [*biographies_asked(requests, make_generator(config, session), path).asked]
            texts = read_biographies(path).biographies if path.exists() else ()
            written += len(texts)
            asked += _judges_asked(experiment, requests, texts, folder / label, session)
            # Generators are counted separately: stand-ins give identical prompts, real texts do
            # not.
            count_asked((r for r in asked if not r.once or r.key not in counted_once), usage)
            counted_once |= {r.key for r in asked if r.once}
        prices = None if session is None else session.budget.prices
    total = len(requests) * len(experiment.models)
    about = f"{total} biographies, {written} of them written; no model was called, tokens are about"
    # The counts by stage and model, the price list (None if no model is used), and a line
    # describing the estimate.
    return usage, prices, about


def _judges_asked(
    experiment: Experiment,
    requests: Sequence[Request],
    written: Sequence[Biography],
    folder: Path,
    session: LLMSession | None,
) -> Iterator[Asked]:
    """Yields the requests needed to judge one generator's texts."""
    ids = {biography.id for biography in written}
    stand_ins = _stand_ins(r for r in requests if r.id not in ids)
    all_texts = Reading([*written, *stand_ins], ())
    for judge, run in zip(judges_of(experiment), ("run", "sample"), strict=False):
        if run == "sample":
            judge = second_judge(judge, len(all_texts.biographies))
        job = open_job(judge.model_copy(update={"pages": experiment.pages}), session)
        reading = all_texts
        if judge.sample is not None:
            reading = sampled(all_texts, judge.sample, seed_of(judge))
        # A sample drawn from texts that are not written yet differs from that of an existing run.
        drawn_later = judge.sample is not None and stand_ins
        place = None if drawn_later else in_folder(folder / run)
        if judge.uses_llm:
            yield from estimate(job, reading.biographies, place, reading.drawn).asked
        else:  # checks the folder; there are no requests
            would_ask(asking_work(job, reading.biographies, lambda _: (), reading.drawn), place)


def _stand_ins(requests: Iterable[Request]) -> list[Biography]:
    """Creates stand-in texts of typical length from the passages for each name."""
    return [
        Biography(
            r.id,
            r.name,
            " ".join(" ".join(p.text for p in r.passages).split()[:_STAND_IN_WORDS]),
            passages=r.passages,
        )
        for r in requests
    ]
