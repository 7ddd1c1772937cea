"""Makers of false variants of a sentence: rules, and a language model."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import resources
from itertools import pairwise
from random import Random
from typing import Any

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, CallError, Request
from dfactscore._asking.structured import object_schema, parse_object
from dfactscore._text.names import name_words, plain_name
from dfactscore.factor._ambig.values import fits_gender, gender_of, with_article
from dfactscore.factor._build.candidates import Candidate, Edit, Selected, apply_edits, drawn
from dfactscore.factor._build.circumstances import Chronology, circumstance_candidates
from dfactscore.factor._build.corpus_names import HEADS, Corpus, NamedThing, mentions, role_mentions
from dfactscore.factor._settings import BuildSettings, Type
from dfactscore.retrieval import Page


def entity_candidates(selected: Selected, corpus: Corpus, draw: Random) -> list[Candidate]:
    """Creates variants with another name of its type; changed places count as circumstances."""
    sentence, title = selected.sentence, selected.title
    candidates: list[Candidate] = []
    words_of_title = set(name_words(plain_name(title)))
    for one in mentions(sentence):
        # The subject of the document keeps its name.
        if set(name_words(one.text)) <= words_of_title or _is_pinned(sentence, one):
            continue
        if one.kind == "kin" or (
            one.kind in ("he", "she") and name_words(one.text)[-1] in words_of_title
        ):
            # Relatives and people with the same surname get a different first name.
            place, others = (one.text.split()[0], one.start), corpus.first_names(one, title)
        else:
            place, others = (one.text, one.start), corpus.others(one, title)
        kind: Type = "circumstance" if one.kind.startswith("place") else "entity"
        candidates += drawn(kind, sentence, place, others, draw)
    changed = {edit.span[0] for one in candidates for edit in one.edits}
    for one in _known_places(sentence, corpus):
        if one.start not in changed:
            place = (one.text, one.start)
            candidates += drawn("circumstance", sentence, place, corpus.others(one, title), draw)
    return candidates


def _is_pinned(sentence: str, mention: NamedThing) -> bool:
    """Whether the sentence also gives a name's location, or another name with a word in common."""
    if mention.kind.startswith("place"):
        return False
    if mention.kind not in ("he", "she", "kin") and re.match(
        r",? in [A-Z]", sentence[mention.end :]
    ):
        return True
    elsewhere = set(
        re.findall(r"\b[A-Z][\w’']+", sentence[: mention.start] + sentence[mention.end :])
    )
    words_of_name = set(re.findall(r"\b[A-Z][\w’']+", mention.text))
    return not elsewhere.isdisjoint(words_of_name - set(HEADS))


def _known_places(sentence: str, corpus: Corpus) -> list[NamedThing]:
    """Places from the corpus that follow prepositions such as "to" or "of" ("to London")."""
    known = [
        (kind, place)
        for kind, places in corpus.by_kind.items()
        if kind.startswith("place ")
        for place in places
    ]
    return [
        NamedThing(place, kind, *match.span(1))
        for kind, place in known
        for match in re.finditer(
            rf"(?<![A-Z])\b[a-z]+ (?:to|of|at|for) ({re.escape(place)})"
            r"(?=[.,;]| (?:in|on|and|to|from|with|for)\b)(?!, [A-Z]| and [A-Z])",
            sentence,
        )
    ]


def role_candidates(selected: Selected, corpus: Corpus, draw: Random) -> list[Candidate]:
    """Creates variants with another occupation after an article; see `entity_candidates`."""
    title = selected.title
    document = corpus.pages[title].text
    low, gender = document.lower(), gender_of(document)
    candidates = []
    for match in role_mentions(selected.sentence):
        others = [
            role
            for role, titles in corpus.roles.items()
            if title not in titles
            and role not in low
            and role != match["role"]
            and fits_gender(role, gender)
            and corpus.is_at_home("role", titles, title)
        ]
        capital = match["article"][0].isupper()
        new = [with_article(role) for role in others]
        new = [one[0].upper() + one[1:] for one in new] if capital else new
        candidates += drawn("entity", selected.sentence, (match.group(), match.start()), new, draw)
    return candidates


class Rules:
    """Generates candidates using rules."""

    def __init__(self, pages: Mapping[str, Page], settings: BuildSettings) -> None:
        self.settings = {"engine": "builtin"}
        self._corpus, self._options = Corpus.of(pages), settings

    async def make(self, selected: Selected) -> tuple[list[Candidate], Mapping[str, int]]:
        """Returns the candidates for a sentence without making any requests."""
        sentence, prefix, corpus = selected.sentence, selected.prefix, self._corpus
        draw = Random(f"{self._options.draws}|{selected.key}")
        document = corpus.pages[selected.title].text
        candidates = [
            *entity_candidates(selected, corpus, draw),
            *role_candidates(selected, corpus, draw),
            *circumstance_candidates(
                sentence, draw, document, Chronology.of(prefix, corpus.latest)
            ),
        ]
        kept = [
            one
            for one in candidates
            if one.type in self._options.kinds
            and one.text != sentence
            and not _is_in_prefix(sentence, one, prefix)
        ]
        return kept, {}


def _is_in_prefix(sentence: str, candidate: Candidate, prefix: str) -> bool:
    """Whether the prefix contains the true value (a short number with the word after it)."""
    (edit,) = candidate.edits
    value = re.sub(r"^[Aa]n? |, [A-Z].*", "", edit.old)
    if candidate.type == "circumstance" and (len(value) <= 2 or value.isalpha()):
        value += "".join(re.findall(r"^\W\w+", sentence[edit.span[1] :]))
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", prefix) is not None


_NEAR_WORDS = 64
_COUNT = 3
_ADVICE: Mapping[Type, str] = {
    "entity": "Replace a person, organization, work or thing that is the subject or an object by "
    "another of the same kind. Leave dates and quantities as they are.",
    "predicate": "Replace the verb, so that something else is said to have happened. Do not only "
    'add "not".',
    "circumstance": "Change a date, time, place or number that stands in the sentence. Add none "
    "that was not there.",
    "coreference": "Make a pronoun or short name point to another person or thing. Name the one "
    "that it pointed to first, in your plan.",
    "link": "Turn a word that joins two parts (before, after, because, although, while ...) into "
    "its opposite. If there is none, give no change.",
}
_TEXT = {"type": "string"}
_EDITS = {"type": "array", "items": object_schema({"from": _TEXT, "to": _TEXT})}
_CHANGED = object_schema({"edits": _EDITS, "sentence": _TEXT})
_SCHEMA = object_schema({"contradictions": {"type": "array", "items": _CHANGED}})


class ModelMaker:
    """Asks a chat model for candidates, one call per sentence and type."""

    def __init__(self, client: ChatClient, types: Sequence[Type]) -> None:
        self.client = client
        self.types = tuple(types)
        text = resources.files("dfactscore.factor._build").joinpath("prompt.txt").read_text("utf-8")
        head, _, rest = text.partition("[user]\n")
        self._system = head.removeprefix("[system]\n").strip()
        self._user = rest.strip()
        self.version = f"factor-1-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @property
    def settings(self) -> dict[str, Any]:
        """Settings that can change an answer."""
        return {"engine": "llm", "prompt": self.version, **self.client.settings}

    async def make(self, selected: Selected) -> tuple[list[Candidate], dict[str, int]]:
        """Returns the candidates for a sentence, and how often each outcome occurred."""
        found: list[Candidate] = []
        statuses: Counter[str] = Counter()
        for kind in self.types:
            try:
                several, more = await self.client.ask(
                    self.request(selected, kind), partial(self._read, selected, kind)
                )
            except AnswerError as error:
                statuses["refused" if error.kind == "refused" else "unparsed"] += 1
                continue
            except CallError:
                statuses["error"] += 1
                continue
            found += several
            statuses.update(more)
        return found, dict(statuses)

    def request(self, selected: Selected, kind: Type) -> Request:
        """The request for candidates with one type of change to a sentence."""
        before = " ".join(selected.prefix.split()[-_NEAR_WORDS:]) or "(nothing)"
        user = self._user.format(
            before=before,
            sentence=selected.sentence,
            kind=kind,
            advice=_ADVICE[kind],
            count=_COUNT,
        )
        return Request(
            stage="contradict",
            messages=(("system", self._system), ("user", user)),
            version=self.version,
            max_tokens=200 + 60 * _COUNT + 4 * len(selected.sentence.split()) * _COUNT,
            schema=_SCHEMA,
        )

    def _read(
        self, selected: Selected, kind: Type, answer: Answer
    ) -> tuple[list[Candidate], dict[str, int]]:
        return read_candidates(
            parse_object(answer), selected.sentence, kind, maker=self.client.model.model
        )


def read_candidates(
    found: Mapping[str, Any], sentence: str, kind: Type, *, maker: str
) -> tuple[list[Candidate], dict[str, int]]:
    """Reads the candidates in an answer, and counts unusable ones by reason.

    The reasons are: ``none`` if the model finds no candidate; ``no_plan`` or ``no_sentence`` if a
    part is missing; ``unchanged`` if the sentence is the original; ``plan_mismatch`` if the
    sentence does not match the plan; ``repeated`` if it equals an earlier candidate.
    """
    listed = found.get("contradictions")
    if not isinstance(listed, list):
        raise AnswerError("it has no list 'contradictions'")
    statuses: Counter[str] = Counter()
    candidates: list[Candidate] = []
    if not listed:
        statuses["none"] += 1
    for one in listed:
        status, made = _read_candidate(one, sentence, kind, maker)
        if made is not None and made.text in {c.text for c in candidates}:
            status, made = "repeated", None
        statuses[status] += 1
        if made is not None:
            candidates.append(made)
    return candidates, dict(statuses)


def _read_candidate(
    entry: Any, sentence: str, kind: Type, maker: str
) -> tuple[str, Candidate | None]:
    if not isinstance(entry, Mapping):
        return "unparsed", None
    text, plan = entry.get("sentence"), entry.get("edits")
    if not isinstance(text, str) or not text.strip():
        return "no_sentence", None
    if text.strip() == sentence.strip():
        return "unchanged", None
    if not isinstance(plan, list) or not plan:
        return "no_plan", None
    edits = []
    for step in plan:
        old, new = (step.get("from"), step.get("to")) if isinstance(step, Mapping) else (None, None)
        if not isinstance(old, str) or not isinstance(new, str) or not old or old == new:
            return "no_plan", None
        if sentence.count(old) != 1:
            return "plan_mismatch", None
        place = sentence.index(old)
        edits.append(Edit(old, new, (place, place + len(old))))
    spans = sorted(edit.span for edit in edits)
    if any(a[1] > b[0] for a, b in pairwise(spans)):
        return "plan_mismatch", None
    if apply_edits(sentence, edits).strip() != text.strip():
        return "plan_mismatch", None
    made = Candidate(kind, apply_edits(sentence, edits), tuple(edits), maker)
    return "kept", made
