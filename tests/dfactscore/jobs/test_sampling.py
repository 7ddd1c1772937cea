from __future__ import annotations

import json
from collections import Counter

import pytest

from dfactscore._errors import InputError, RunError
from dfactscore._jobs.sampling import read_input, sampled
from dfactscore._jobs.settings import Config
from dfactscore._readers import Reading
from dfactscore._records import Biography
from dfactscore._scorer.command import score


def reading(count=20):
    return Reading(
        [Biography(str(i), f"Ann Lee{i}", f"Ann Lee{i} paints.") for i in range(count)], ()
    )


def test_a_larger_sample_holds_the_smaller_one_in_the_order_of_the_input():
    few, more = sampled(reading(), 5, 1), sampled(reading(), 9, 1)
    assert few.drawn == {"n": 5, "of": 20, "seed": 1}
    ids = [[int(b.id) for b in one.biographies] for one in (few, more)]
    assert [len(own) for own in ids] == [5, 9]
    assert set(ids[0]) < set(ids[1])
    assert ids[1] == sorted(ids[1])
    assert ids[0] != [int(b.id) for b in sampled(reading(), 5, 2).biographies]


def test_every_text_is_drawn_as_often():
    counts = Counter(b.id for seed in range(400) for b in sampled(reading(), 5, seed).biographies)
    assert min(counts.values()) > 60
    assert max(counts.values()) < 140


def test_as_many_are_drawn_of_each_model():
    texts = [
        Biography(str(i), "Ann Lee", f"Ann Lee has {i} cats.", model="ab"[i % 3 == 0])
        for i in range(30)
    ]
    found = sampled(Reading(texts, ()), 4, 1)
    assert Counter(biography.model for biography in found.biographies) == {"a": 4, "b": 4}
    assert found.drawn == {"n": 4, "of": 30, "seed": 1, "models": 2}
    alone = sampled(Reading([text for text in texts if text.model == "b"], ()), 4, 1)
    kept = [biography.id for biography in found.biographies if biography.model == "b"]
    assert kept == [biography.id for biography in alone.biographies]
    with pytest.raises(InputError, match="--sample 11: the input has 10 texts of b"):
        sampled(Reading(texts, ()), 11, 1)


def test_more_than_there_are(tmp_path):
    path = tmp_path / "bios.jsonl"
    path.write_text(json.dumps({"name": "Ann Lee", "text": "Ann Lee paints."}) + "\n")
    with pytest.raises(InputError, match=r"--sample 2: .*bios\.jsonl has 1 text$"):
        read_input(Config(input=path, sample=2))


def test_a_run_records_its_sample_and_grows(tmp_path):
    path, pages = tmp_path / "bios.jsonl", tmp_path / "pages.jsonl"
    rows = [{"id": f"t{i}", "name": "Ann Lee", "text": f"Ann Lee has {i} cats."} for i in range(9)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    pages.write_text(json.dumps({"title": "Ann Lee", "text": "Ann Lee has 3 cats."}) + "\n")

    def run(n, seed=4):
        return score(
            Config(input=path, pages=pages, sample=n, sample_seed=seed), out=tmp_path / "run"
        ).manifest["settings"]["sample"]

    assert run(3) == {"n": 3, "of": 9, "seed": 4}
    assert run(5) == {"n": 5, "of": 9, "seed": 4}
    with pytest.raises(RunError, match=r"settings\.sample\.n was 5 and is now 3"):
        run(3)
    more = [json.dumps({**row, "id": f"more {row['id']}"}) + "\n" for row in rows]
    path.write_text(path.read_text() + "".join(more))
    assert run(5) == {"n": 5, "of": 18, "seed": 4}
    with pytest.raises(RunError, match=r"settings\.sample\.seed was 4 and is now 6"):
        run(5, seed=6)
    path.write_text(path.read_text().replace("cats", "dogs"))
    with pytest.raises(RunError, match="which the input does not have"):
        run(5)
