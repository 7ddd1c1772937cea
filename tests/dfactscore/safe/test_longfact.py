from __future__ import annotations

import hashlib
import json

import pytest

from dfactscore._errors import InputError
from dfactscore.safe._inputs import read_longfact, sample


@pytest.fixture
def folder(tmp_path):
    files = {
        "longfact-objects_music.jsonl": ["Who is Ann Lee?", "What is a lute?", "Who was Ben Kay?"],
        "longfact-concepts_law.jsonl": ["What is a lute?", "Explain bail."],
        "longfact-objects_Art.jsonl": ["Who is Cy Day?"],
        "notes.txt": ["x"],
    }
    for name, prompts in files.items():
        rows = [json.dumps({"prompt": p, "canary": f"canary {name}"}) for p in prompts]
        (tmp_path / name).write_text("\n".join(rows) + "\n")
    return tmp_path


def test_distinct_prompts_in_the_byte_order_of_the_files(folder):
    found = read_longfact(folder)
    assert (found.rows, len(found.prompts), len(found.files)) == (6, 5, 3)
    # Bytes: "concepts" before "objects", "Art" before "music"; the first of equals stays.
    assert [p.text for p in found.prompts] == [
        "What is a lute?", "Explain bail.", "Who is Cy Day?", "Who is Ann Lee?", "Who was Ben Kay?",
    ]  # fmt: skip
    assert found.prompts[0].task == "concepts"
    name = "longfact-objects_music.jsonl"
    assert found.files[name] == hashlib.sha256((folder / name).read_bytes()).hexdigest()
    assert len(read_longfact(folder, task="objects", topics=["music"]).prompts) == 3


def test_a_draw_depends_on_seed_and_prompts_alone(folder):
    prompts = read_longfact(folder).prompts
    drawn = sample(prompts, 3, seed=1)
    assert drawn == sample(prompts[::-1], 3, seed=1)
    assert drawn[:2] == sample(prompts, 2, seed=1)
    assert drawn != sample(prompts, 3, seed=2)
    who = sample(prompts, who_is=True, detail=True)
    assert len(who) == 3
    assert all(row["prompt"].startswith("Who") for row in who)
    assert all("canary" not in row["prompt"] and row["canary"] for row in who)
    assert all(row["prompt"].split("? ")[1] for row in who)


def test_what_is_refused(folder, tmp_path):
    with pytest.raises(InputError, match="did you mean music"):
        read_longfact(folder, topics=["musik"])
    with pytest.raises(InputError, match="longfact-objects_TOPIC"):
        read_longfact(tmp_path / "nowhere")
    (folder / "longfact-objects_x.jsonl").write_text('{"question": 1}\n')
    with pytest.raises(InputError, match=r"longfact-objects_x\.jsonl:1: no field 'prompt'"):
        read_longfact(folder)
    with pytest.raises(InputError, match="leave out --who-is"):
        sample(read_longfact(folder, topics=["law"]).prompts, who_is=True)
