"""The digests identify the behavior of the rules; run this file to renew them."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from dfactscore._readers import read_biographies
from dfactscore._records import Biography, Fact
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin import rules
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.examples import example

HERE = Path(__file__).parent


def golden(*parts: str) -> list[Biography]:
    rows = map(json.loads, HERE.joinpath(*parts).read_text("utf-8").splitlines())
    return [Biography("", row.get("name", "Ann Lee"), row["text"]) for row in rows]


def shipped() -> list[Biography]:
    found = [read_biographies(example(name).biographies) for name in ("people", "ships")]
    return [biography for one in found for biography in one.biographies[::4]]


def digests() -> dict[str, str]:
    """A hash of each role's output on its golden texts and on shipped ones."""
    facts, groups = hashlib.sha256(), hashlib.sha256()
    for biography in [*golden("decompose", "golden_facts.jsonl"), *shipped()]:
        found = BuiltinDecomposer().decompose(biography)
        facts.update(repr([(f.text, f.sentence, f.span, f.label) for f in found]).encode())
    for biography in [*golden("group", "golden_readings.jsonl"), *shipped()]:
        sentences = split_sentences(biography.text)
        told = [Fact(s.text, n, (s.start, s.end)) for n, s in enumerate(sentences)]
        made = BuiltinGrouper().group(biography, told)
        groups.update(repr([(g.facts, g.label, g.bears_name) for g in made]).encode())
    return {"DECOMPOSER": facts.hexdigest()[:16], "GROUPER": groups.hexdigest()[:16]}


@pytest.mark.slow
def test_the_digests_are_those_of_the_rules():
    said = {"DECOMPOSER": rules.DECOMPOSER, "GROUPER": rules.GROUPER}
    assert digests() == said, f"rules changed: run python {__file__} and commit what it writes"


def test_a_run_notes_them():
    assert BuiltinDecomposer().settings == {"name": "builtin", "rules": rules.DECOMPOSER}
    assert BuiltinGrouper().settings == {"name": "builtin", "rules": rules.GROUPER}


def write() -> None:
    path = Path(rules.__file__)
    text = path.read_text("utf-8")
    for name, value in digests().items():
        text = re.sub(rf'^{name} = ".*"$', f'{name} = "{value}"', text, flags=re.MULTILINE)
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    write()
