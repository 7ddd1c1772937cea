"""What an experiment would ask and cost, found without asking: ``dfactscore run --dry-run``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from dfactscore._util.callbacks import Log, no_log
from dfactscore._util.usage import Usage
from dfactscore.asking.prices import PriceList, load_prices
from dfactscore.generation.config import make_generator
from dfactscore.generation.request import Request
from dfactscore.generation.written import biographies_asked
from dfactscore.jobs.estimate import estimate
from dfactscore.jobs.experiment.experiment_file import Experiment
from dfactscore.jobs.experiment.experiment_run import judges_of, passages_of
from dfactscore.jobs.opening import open_job
from dfactscore.jobs.sampling import sampled, seed_of
from dfactscore.readers import Reading, read_biographies
from dfactscore.records import Biography
from dfactscore.work import in_folder

__all__ = ["estimate_experiment"]

_WORDS = 120  # of a biography that is not written yet


def estimate_experiment(
    experiment: Experiment, out: str | Path, log: Log = no_log
) -> tuple[Usage, PriceList, str]:
    """Calls, tokens and cost of the generators and of every judge.

    Texts that are written already are counted as they are; for those that are not, the first
    sentences of their passages stand.

    Args:
        experiment: What `load_experiment` read.
        out: The folder of the experiment, in which nothing is written.
        log: Called with a line about each step.

    Returns:
        The counts by stage and model, where the prices come from, and a line about it.

    Raises:
        DFactScoreError: If a model, file or index cannot be used.
    """
    folder, total = Path(out), Usage()
    with TemporaryDirectory() as scratch:
        begun = (folder / "passages.jsonl").exists()
        requests = passages_of(experiment, folder if begun else Path(scratch), log)
    texts = written = 0
    readings = {}
    for label, config in experiment.models.items():
        kept = folder / label / "biographies.jsonl"
        done = read_biographies(kept).biographies if kept.exists() else ()
        left = [r for r in requests if r.id not in {b.id for b in done}]
        total.merge(biographies_asked(left, make_generator(config), kept).to_dict())
        texts, written = texts + len(requests), written + len(done)
        readings[label] = Reading([*done, *_stand_ins(left)], ())
    prices = load_prices()
    for judge, run in zip(judges_of(experiment), ("run", "sample"), strict=False):
        if not judge.uses_llm:
            continue
        with judge.open_session(log) as session:
            prices = session.budget.prices
            job = open_job(judge.model_copy(update={"pages": experiment.pages}), session)
            for label, reading in readings.items():
                chosen = reading
                if judge.sample is not None:
                    chosen = sampled(reading, judge.sample, seed_of(judge))
                place = in_folder(folder / label / run)
                found = estimate(chosen.biographies, job.engine, job.source, place=place)
                total.merge(found.usage.to_dict())
    about = f"{texts} biographies, {written} of them written; no model was called, tokens are about"
    return total, prices, about


def _stand_ins(requests: Iterable[Request]) -> list[Biography]:
    """Texts of about the usual length, made of what they would be written from."""
    return [
        Biography(
            r.id, r.name, " ".join(" ".join(p.text for p in r.passages).split()[:_WORDS]),
            passages=r.passages,
        )
        for r in requests
    ]  # fmt: skip
