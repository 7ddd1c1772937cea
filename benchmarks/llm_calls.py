"""Calls and prompt tokens of the default against the paper's one-call-per-fact form.

Scores the 140 real biographies of `alce_tulu.json` both ways against a stub server, which counts
what it is asked. Strict also decomposes sentence by sentence, as FActScore does. The stub
decomposes into the facts of the released evaluation (21.9 a paragraph), spread over the sentences.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from running import default_data

from dfactscore.engines.llm.roles.prompts import flat
from dfactscore.jobs.engines import build_engine, open_session
from dfactscore.jobs.settings import load_config
from dfactscore.readers import read_biographies
from dfactscore.runs import (
    RunWriter,
    begin_records,
    describe_input,
    describe_settings,
    execute,
    new_manifest,
)
from dfactscore.scoring import ScoreOptions
from dfactscore.text.sentences import split_sentences

ROOT = Path(__file__).resolve().parents[1]
STUB = ROOT / "tests" / "helpers" / "stub_server.py"
DATA = default_data()


def call(url: str, data: Any = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data=body)) as reply:
        return json.load(reply)


def released_facts(source: Path, verdicts: Path) -> dict[str, list[list[str]]]:
    """Facts by sentence, under the first sentence of their paragraph."""
    found = {}
    lines = verdicts.read_text("utf-8").splitlines()
    for biography, line in zip(read_biographies(source).biographies, lines, strict=True):
        atoms = [flat(d["atom"]) for d in json.loads(line)["decisions"]]
        sentences = [flat(s.text) for s in split_sentences(biography.text)]
        cuts = [i * len(atoms) // len(sentences) for i in range(len(sentences) + 1)]
        found[sentences[0]] = [atoms[a:b] for a, b in itertools.pairwise(cuts)]
    return found


def score(
    root: str, source: Path, folder: Path, facts: dict[str, list[list[str]]], **settings: Any
) -> dict[str, Any]:
    call(f"{root}/_control", {"reset": True, "facts": facts})
    flags = {"engine": "llm", "model": "stub-a", "base_url": f"{root}/v1", "no_cache": True}
    config = load_config(None, flags | settings, {})
    reading = read_biographies(source)
    session = open_session(config)
    engine = build_engine(config, session)
    described = describe_settings(engine, None, ScoreOptions(), "retrieved")
    records = begin_records(reading.biographies)
    about = describe_input(source.name, records)
    manifest = new_manifest(command="score", source=about, settings=described)
    with RunWriter(folder, manifest) as run:
        execute(run, records, engine, None)
    session.close()
    return {**call(f"{root}/_stats"), "biographies": len(reading.biographies)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    folder = parser.parse_args().data / "dfactscore"
    source = folder / "alce_tulu.json"
    facts = released_facts(source, folder / "verdicts_tulu.jsonl")
    process = subprocess.Popen([sys.executable, str(STUB)], stdout=subprocess.PIPE, text=True)
    tokens = {}
    try:
        assert process.stdout is not None
        root = f"http://127.0.0.1:{int(process.stdout.readline())}"
        with tempfile.TemporaryDirectory() as name:
            for form, settings in (
                ("default", {}),
                ("strict", {"strict": True}),
                ("strict verification only", {"verifier": "strict"}),
            ):
                found = score(root, source, Path(name) / form, facts, **settings)
                tokens[form] = found["prompt_tokens"]
                count = found["biographies"]
                asked = found["requests"] - found["by_stage"].get("probe", 0)
                print(f"{form}: {count} biographies, {asked} calls = {asked / count:.2f} each")
                for stage, number in sorted(found["by_stage"].items()):
                    used = found["tokens_by_stage"][stage]
                    print(f"  {stage:<10} {number:>6} calls {used:>9} prompt tokens")
                print(f"  {'total':<10} {asked:>6} calls {tokens[form]:>9} prompt tokens")
    finally:
        process.kill()
    for form in ("strict", "strict verification only"):
        print(f"default needs 1/{tokens[form] / tokens['default']:.2f} of {form}'s prompt tokens")


if __name__ == "__main__":
    from running import run

    run(main)
