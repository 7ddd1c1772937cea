"""However many biographies are judged at a time, the files are the same."""

from __future__ import annotations

import asyncio

from dfactscore._jobs.job import Job
from dfactscore._readers import read_biographies
from dfactscore._runs import begin_records
from dfactscore._scorer.run_folder import run_job
from dfactscore._scorer.scorer import Scorer
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.examples import example


class Slow(BuiltinVerifier):
    """Answers later for some than for others."""

    async def verify(self, biography, facts, entity):
        await asyncio.sleep(len(entity.id) % 3 / 1000)
        return super().verify(biography, facts, entity)


def test_same_bytes_whatever_the_concurrency(tmp_path):
    found = []
    for concurrency in (1, 7):
        out = tmp_path / str(concurrency)
        job = Job(Scorer(verifier=Slow()).engine, concurrency=concurrency)
        reading = read_biographies(example("ships").biographies)
        run_job(job, begin_records(reading.biographies), out, name="ships.jsonl")
        found.append({p.name: p.read_bytes() for p in out.iterdir() if p.name != "timing.json"})
    assert found[0] == found[1]
