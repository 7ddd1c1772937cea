"""Requests and cost of an experiment, without calling a model: ``dfactscore run --dry-run``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dfactscore._asking.prices import PriceList
from dfactscore._experiment.experiment_file import Experiment
from dfactscore._experiment.experiment_run import judges_of, passages_of, second_judge, session_of
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


_WORDS = 120  # of a biography that is not written yet


def estimate_experiment(
    experiment: Experiment, out: str | Path
) -> tuple[Usage, PriceList | None, str]:
    """Calls, tokens and cost of the generators and of every judge.

    Texts that are written already are counted as they are; for those that are not, the first
    sentences of their passages are used.

    Args:
        experiment: Result of `load_experiment`.
        out: The folder of the experiment, in which nothing is written.

    Returns:
        The counts by stage and model, where the prices come from (None if no model is asked),
        and a line about it.

    Raises:
        DFactScoreError: If a model, file or index cannot be used, or the folder holds another
            experiment.
    """
    folder = Path(out)
    with TemporaryDirectory() as scratch:
        requests = passages_of(experiment, folder, scratch=Path(scratch))
    usage, probed, written = Usage(), set[Hashable](), 0
    with session_of(experiment, dry_run=True) as session:
        for label, config in experiment.models.items():
            kept = folder / label / "biographies.jsonl"
            asked = [*biographies_asked(requests, make_generator(config, session), kept).asked]
            done = read_biographies(kept).biographies if kept.exists() else ()
            written += len(done)
            asked += _judges_asked(experiment, requests, done, folder / label, session)
            # Prompts about one generator's texts are not shared with those about another's,
            # though both use the same sentences.
            count_asked((one for one in asked if not one.once or one.key not in probed), usage)
            probed |= {one.key for one in asked if one.once}
        prices = None if session is None else session.budget.prices
    texts = len(requests) * len(experiment.models)
    about = f"{texts} biographies, {written} of them written; no model was called, tokens are about"
    return usage, prices, about


def _judges_asked(
    experiment: Experiment,
    requests: Sequence[Request],
    done: Sequence[Biography],
    folder: Path,
    session: LLMSession | None,
) -> Iterator[Asked]:
    """Requests for judging the texts of one generator."""
    left = _stand_ins(r for r in requests if r.id not in {b.id for b in done})
    whole = Reading([*done, *left], ())
    for judge, run in zip(judges_of(experiment), ("run", "sample"), strict=False):
        if run == "sample":
            judge = second_judge(judge, len(whole.biographies))
        job = open_job(judge.model_copy(update={"pages": experiment.pages}), session)
        reading, place = whole, in_folder(folder / run)
        if judge.sample is not None:
            reading = sampled(whole, judge.sample, seed_of(judge))
        drawn_later = judge.sample is not None and left  # from texts that are not written yet
        kept = None if drawn_later else place
        if judge.uses_llm:
            yield from estimate(job, reading.biographies, kept, reading.drawn).asked
        else:  # asks nothing, and is refused as the run
            would_ask(asking_work(job, reading.biographies, lambda _: (), reading.drawn), kept)


def _stand_ins(requests: Iterable[Request]) -> list[Biography]:
    """Texts of about the usual length, made of what they would be written from."""
    return [
        Biography(
            r.id,
            r.name,
            " ".join(" ".join(p.text for p in r.passages).split()[:_WORDS]),
            passages=r.passages,
        )
        for r in requests
    ]
