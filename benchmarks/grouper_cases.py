"""Paragraphs with known individuals, built from real single biographies and our own wordings."""

from __future__ import annotations

import hashlib
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

from grouper_wordings import OPENINGS, split_wordings

from dfactscore.engines.builtin.language.word_classes import is_role
from dfactscore.readers.citation_marks import strip_citations

__all__ = ["Case", "announced_cases", "labeled_cases", "silent_cases", "single_cases"]

_PROMPT = re.compile(r"^Tell me a bio of ")
_FIRST = re.compile(
    r"^(?P<name>[^,(]{4,40}?)(?P<dates> \([^)]*\))?(?:, (?P<app>an? [^,.]{8,90}),.*| "
    r"(?P<be>is|was) (?P<cop>an? [^.]{8,200})\.)"
)
_VAGUE = {"figure", "native", "member", "person", "individual"}
_CUT = re.compile(
    r",| who | born | known | best | which | whose | that | and (?:served|was|is)\b|\("
)


@dataclass(frozen=True)
class Case:
    """A paragraph with the individual of each stretch.

    Attributes:
        kind: "single", "silent", or the way in which the further person is introduced.
        wording: The wording used, or empty.
        name: The target name.
        text: The paragraph.
        changes: (first character, individual) pairs, ascending.
    """

    kind: str
    wording: str
    name: str
    text: str
    changes: tuple[tuple[int, int], ...]

    def individual_at(self, position: int) -> int:
        """The individual that the labels give at a character; -1 for nobody's."""
        who = 0
        for start, individual in self.changes:
            if start <= position:
                who = individual
        return who


@dataclass(frozen=True)
class _Source:
    name: str
    sentences: tuple[str, ...]
    desc: str
    be: str

    @property
    def last(self) -> str:
        return self.name.split()[-1]

    @property
    def roles(self) -> frozenset[str]:
        return frozenset(w for w in re.findall(r"[\w-]+", self.desc.lower()) if is_role(w))


def labeled_cases(data: Path, labels: Path, split: str) -> list[Case]:
    """The hand-labelled real paragraphs of one split ("dev", "test", "single")."""
    files: dict[str, list[dict[str, str]]] = {}
    cases = []
    for line in labels.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["split"] != split:
            continue
        if row["file"] not in files:
            path = data / "dfactscore" / row["file"]
            files[row["file"]] = json.loads(path.read_text(encoding="utf-8"))["data"]
        record = files[row["file"]][row["record"]]
        digest = hashlib.sha256(record["output"][:200].encode()).hexdigest()
        if digest != row["sha256"]:
            raise ValueError(f"{row['file']} record {row['record']}: not the labelled text")
        text = strip_citations(record["output"])[0]
        places = _alnum_places(text)
        changes = tuple((places[min(n, len(places) - 1)], who) for n, who in row["changes"])
        kind = "single" if row["individuals"] == 1 else "several"
        cases.append(Case(kind, "", _PROMPT.sub("", record["question"]), text, changes))
    return cases


def _alnum_places(text: str) -> list[int]:
    """Where the n-th letter or digit stands; labels count these, whatever cut the citations."""
    return [i for i, c in enumerate(text) if c.isalnum()] or [0]


def _sources(singles: list[Case]) -> list[_Source]:
    found = []
    for case in singles:
        sentences = re.split(r"(?<=[a-z\d)\"”]\.)\s+(?=[A-Z])", case.text.strip())
        first = _FIRST.match(sentences[0])
        if first is None or len(sentences) < 3 or len(first["name"].split()) < 2:
            continue
        if not sentences[-1].endswith((".", "”", '"')):
            sentences.pop()  # cut off
        stem = first["name"].split()[-1]
        if set(re.findall(rf"\b{re.escape(stem[:-1])}\w{{0,2}}\b", case.text)) - {stem, stem[:-1]}:
            continue  # spells its own name in two ways
        whole = first["app"] or first["cop"]
        desc = _CUT.split(whole)[0].strip()
        name = first["name"]
        if not 2 <= len(name.split()) <= 3 or re.search(r"\bof\b|^(?:Rev|Sir|Captain|Dr)\b", name):
            continue
        source = _Source(name, tuple(sentences), desc, first["be"] or "was")
        if source.roles and is_role(desc.split()[-1]) and desc.split()[-1] not in _VAGUE:
            found.append(source)
    return found


def single_cases(singles: list[Case], seed: int = 3) -> list[Case]:
    """Single biographies: as written, and with the full name in place of pronouns."""
    out = list(singles)
    for source in _sources(singles):
        rng = random.Random(f"{seed} {source.name}")
        pieces = [source.sentences[0]]
        for sentence in source.sentences[1:]:
            name = rng.choice([source.name, source.last])
            pieces.append(re.sub(r"^(?:He|She)\b", name, sentence))
        out.append(Case("single", "", source.name, " ".join(pieces), ((0, 0),)))
    return out


def _body(source: _Source, name: str) -> list[str]:
    """A source's further sentences with another person's name in place of its own."""
    out = []
    for sentence in source.sentences[1:]:
        sentence = sentence.replace(source.name, name.split()[-1])
        sentence = re.sub(rf"\b{re.escape(source.last)}\b", name.split()[-1], sentence)
        given = re.escape(source.name.split()[0])
        sentence = re.sub(rf"^{given}\b|\b{given}(?= and\b)", name.split()[-1], sentence)
        out.append(sentence)
    return out


def _pairs(sources: list[_Source], count: int, seed: str) -> list[tuple[_Source, _Source]]:
    rng = random.Random(seed)
    pairs = []
    while len(pairs) < count:
        a, b = rng.sample(sources, 2)
        if a.last != b.last and not a.roles & b.roles:
            pairs.append((a, b))
    return pairs


_SILENT = (
    "He {be} also {desc}.",
    "{last} {be} also {desc}.",
    "In addition, he worked as {desc}.",
    "",
    "{name} {be} also {desc}.",
    "He later became {desc}.",
    "",
    "",
)


def silent_cases(singles: list[Case], count: int = 120, seed: int = 4) -> list[Case]:
    """Two biographies told as one: nothing says that there are two people."""
    out = []
    for number, (a, b) in enumerate(_pairs(_sources(singles), count, f"{seed} silent")):
        rng = random.Random(f"{seed} {number}")
        bridge = _SILENT[number % len(_SILENT)].format(
            be=b.be, desc=b.desc, last=a.last, name=a.name
        )
        theirs = ([bridge] if bridge else []) + _body(b, a.name)
        mine = list(a.sentences)
        if rng.random() < 0.5:
            text = mine + theirs
        else:
            text = mine[:2] + theirs[:2] + mine[2:] + theirs[2:]
        out.append(Case("silent", bridge, a.name, " ".join(text), ((0, 0),)))
    return out


def announced_cases(
    singles: list[Case], held_out: bool, per_wording: int = 12, seed: int = 5
) -> list[Case]:
    """Two or three people, each introduced by one of the wordings."""
    sources = _sources(singles)
    halves = split_wordings()
    out = []
    for way, (dev, held) in halves.items():
        for wording in held if held_out else dev:
            key = f"{seed} {way} {wording}"
            for number, (a, b) in enumerate(_pairs(sources, per_wording, key)):
                rng = random.Random(f"{key} {number}")
                out.append(_announce(way, wording, a, b, rng, opening=number % 4 == 3))
    return out


def _announce(
    way: str, wording: str, a: _Source, b: _Source, rng: random.Random, *, opening: bool
) -> Case:
    name = a.name
    parts: list[tuple[str, int]] = []
    head = a.desc.split()[-1]
    mine = list(a.sentences)
    if way == "heading":
        parts.append((wording_first(wording, a, head, rng), 0))
        parts.extend((s, 0) for s in mine[1:])
        glue = "\n\n"
    elif way == "enumeration":
        marker = re.match(r"\S+ ", wording)
        mark = (marker.group() if marker else "").replace("2", "1")
        parts.append((mark + mine[0], 0))
        parts.extend((s, 0) for s in mine[1:])
        glue = "\n"
    elif way == "ordinal":
        parts.append((f"The first {mine[0]}", 0))
        parts.extend((s, 0) for s in mine[1:])
        glue = " "
    elif opening and way in {"another", "there_is", "contrast"}:
        words = rng.choice(OPENINGS).format(**_slots(a, name, rng))
        parts.append((words, 0))
        parts.extend((s, 0) for s in mine[1:])
        glue = " "
    else:
        parts = [(s, 0) for s in mine]
        glue = " "
    introduction = wording.format(**_slots(b, name, rng))
    texts: list[str] = []
    changes = [(0, 0)]
    at = 0
    for words, who in parts:
        texts.append(words)
        at += len(words) + 1
        del who
    text = " ".join(texts) + glue
    if way == "confused":
        text += introduction
        place = len(text) - len(introduction) + introduction.index(name)
        changes.append((place, 1))
        return Case(way, wording, name, text, tuple(changes))
    changes.append((len(text), 1))
    rest = _body(b, name)
    text += " ".join([introduction, *rest])
    return Case(way, wording, name, text, tuple(changes))


def wording_first(wording: str, a: _Source, head: str, rng: random.Random) -> str:
    """The first person under the same kind of heading as the second."""
    del head
    return wording.replace("2.", "1.").format(**_slots(a, a.name, rng))


def _slots(source: _Source, name: str, rng: random.Random) -> dict[str, str]:
    born = rng.randint(1790, 1960)
    words = name.split()
    return {
        "name": name,
        "first": words[0],
        "last": words[-1],
        "desc": source.desc,
        "desc_cap": source.desc[0].upper() + source.desc[1:],
        "role": source.desc.split(" ", 1)[1],
        "head": source.desc.split()[-1],
        "be": source.be,
        "born": str(born),
        "death": str(born + rng.randint(40, 80)),
        "middle": rng.choice("ABCDEFHJKLMNPRSTW"),
        "given": rng.choice(["Henry", "Elias", "Maria", "Robert", "Louise", "Victor", "Anna"]),
    }
