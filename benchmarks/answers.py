"""Classes of constructed answers: complete, partial and merged ones about persons and things.

An answer is built from passages of RAMDocs that begin with the title of their entity, for each
question with two or three such entities of one name:

- complete: two sentences about each entity, as a list with a bullet per title, as a line per title
  (`Title: …`), and as sentences with the full title as their subject
- partial: two sentences about one entity only
- merged: the same sentences about all entities, with the plain name first and then pronouns

The class is that of `dfactscore answers`, from the titled passages. The string rule next to it is
ours, from the definitions of AmbigDocs: an entity is named if the text has the words of its title
that other titles lack, and an answer is given if the text has its words. Complete: all answers, and
all entities named; partial: an answer whose entity is named, not all; merged: several answers,
their entities not named; ambiguous: one. Names are halved; rules were developed on half A.

    python benchmarks/answers.py --data DATA
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT)]

from intervals import interval  # noqa: E402
from rag import half  # noqa: E402
from running import default_data  # noqa: E402

from dfactscore import Scorer  # noqa: E402
from dfactscore._text.names import bears_name, plain_name  # noqa: E402
from dfactscore._text.sentences import split_sentences  # noqa: E402

_PREDICATE = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one)\b.*", re.DOTALL)
_PERSON = re.compile(r"\b(?:born|[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b")
_SUBJECT = re.compile(r"(?:He|She|It|They|The \w+)\b")
BARS = {"persons": 0.85, "things": 0.75}


@dataclass(frozen=True)
class Told:
    """An entity of a question with its sentences."""

    title: str
    answer: str
    definition: str  # predicate of the first sentence
    others: tuple[str, ...]  # a sentence whose subject is a pronoun, the surname or "the …"
    passages: tuple[dict[str, str], ...]
    person: bool


def entities_of(row: dict[str, Any]) -> list[Told]:
    """Returns the entities that have a passage with two usable sentences."""
    titles = list(dict.fromkeys(row["disambig_entity"]))
    by_title: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for document in row["documents"]:
        fits = [t for t in titles if document["text"].startswith(f"{t} ")]
        if fits and document["type"] == "correct":
            title = max(fits, key=len)
            if not any(document["text"][len(title) :].lstrip().startswith("(") for _ in fits):
                by_title[title].append(document)
    found = []
    for title, documents in by_title.items():
        text = documents[0]["text"][len(title) :].strip()
        sentences = [s.text for s in split_sentences(text)][:-1]  # the last one is cut
        first = _PREDICATE.search(sentences[0]) if sentences else None
        surname = plain_name(title.split(", ")[0]).split()[-1]
        others = tuple(
            s for s in sentences[1:4] if _SUBJECT.match(s) or s.startswith(f"{surname} ")
        )
        if first is None or not others:
            continue
        passages = tuple(
            {"title": title, "text": d["text"][len(title) :].strip()} for d in documents
        )
        person = len(_PERSON.findall(text)) > 1
        found.append(
            Told(title, documents[0]["answer"], first.group(), others[:1], passages, person)
        )
    return found[:3]


def name_of(told: Sequence[Told]) -> str:
    """Returns the plain name that all titles bear; empty if they bear none."""
    name = min((plain_name(t.title.split(", ")[0]) for t in told), key=len)
    return name if all(bears_name(t.title, name) for t in told) else ""


def texts(name: str, told: Sequence[Told]) -> Iterator[tuple[str, str, str]]:
    """Yields the kind, layout and text of each answer."""
    about = [f"{name} {t.definition} {' '.join(t.others)}" for t in told]
    full = [f"{t.title} {t.definition} {' '.join(t.others)}" for t in told]
    bullets = "\n".join(f"- **{t.title}**: {a}" for t, a in zip(told, about, strict=True))
    intro = f"There are several by the name {name}:\n\n"
    yield "complete", "bullets", intro + bullets
    lines = (f"{t.title}: {a}" for t, a in zip(told, about, strict=True))
    yield "complete", "Title: …", "\n\n".join(lines)
    yield "complete", "sentences", " ".join(full)
    yield "partial", "bullet", intro + bullets.split("\n")[0]
    yield "partial", "sentences", about[0]
    words_of = {w for t in told for w in t.others[0].split()}
    pronoun = next((p for p in ("She", "He") if p in words_of), "It")
    others = (f"{pronoun} {t.definition} {' '.join(t.others)}" for t in told[1:])
    yield "merged", "pronouns", " ".join((about[0], *others))
    defined = (f"{pronoun} {t.definition}" for t in told[1:])
    first = f"{name} {told[0].definition}"
    yield "merged", "by turns", " ".join((first, *defined, *(s for t in told for s in t.others)))


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def string_rule(text: str, told: Sequence[Told]) -> str:
    """Classifies an answer by the words of titles and gold answers."""
    said = words(text)
    common = set.intersection(*(words(t.title) for t in told))
    named = [bool(own) and own <= said for t in told for own in [words(t.title) - common]]
    given = [words(t.answer) <= said for t in told]
    pairs = sum(n and g for n, g in zip(named, given, strict=True))
    if not any(given):
        return "none"
    if pairs:
        return "complete" if pairs == len(told) else "partial"
    return "merged" if sum(given) > 1 else "ambiguous"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--half", choices="AB")
    parser.add_argument("--untitled", action="store_true", help="passages without titles")
    parser.add_argument("--wrong", action="store_true", help="print answers of another class")
    args = parser.parse_args()
    cases = []
    for line in (args.data / "ramdocs" / "odd.jsonl").read_text().splitlines():
        told = entities_of(json.loads(line))
        name = name_of(told) if len(told) > 1 else ""
        if name and (args.half is None or half(name) == args.half):
            passages = [p for t in told for p in t.passages]
            if args.untitled:
                passages = [{"text": f"{p['title']} {p['text']}"} for p in passages]
            kind = "persons" if all(t.person for t in told) else "things"
            for case in texts(name, told):
                cases.append((kind, name, passages, told, *case))
    results = Scorer().score_many(
        {"id": str(i), "name": c[1], "text": c[-1], "passages": c[2]} for i, c in enumerate(cases)
    )
    found: dict[tuple[str, str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for (kind, name, _, told, truth, layout, text), result in zip(cases, results, strict=True):
        ours = result.answer or "-"
        found[kind, truth, layout].append((name, ours, string_rule(text, told)))
        if args.wrong and ours != truth:
            print(f"== {kind}, {truth} ({layout}) called {ours}: {name}\n{text}\n{result}\n")
    names = {(kind, name) for (kind, *_), rows in found.items() for name, *_ in rows}
    print(f"{Counter(kind for kind, _ in names)} names; right share, 95 % interval; string rule")
    for (kind, truth, layout), rows in sorted(found.items()):
        right = [ours == truth for _, ours, _ in rows]
        low, high = interval(
            [name for name, *_ in rows], lambda i, r=right: sum(r[k] for k in i) / len(i)
        )
        share = sum(right) / len(right)
        rule = sum(third == truth for *_, third in rows) / len(rows)
        met = "met" if share >= (BARS[kind] if truth == "complete" else 0.85) else "MISSED"
        others = Counter(ours for _, ours, _ in rows if ours != truth).most_common(3)
        print(
            f"{kind:8} {truth:9} {layout:10} {len(rows):4} {share:.2f} [{low:.2f}, {high:.2f}] "
            f"{met:7} rule {rule:.2f}  {dict(others)}"
        )


if __name__ == "__main__":
    from running import run

    run(main)
