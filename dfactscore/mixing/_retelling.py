"""Retells a text with one paragraph per person: whole sentences, or the clauses of each person."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dfactscore._records import Biography, Fact
from dfactscore._scoring import Record
from dfactscore._text.role_words import is_demonym
from dfactscore._text.sentences import Sentence, split_sentences
from dfactscore.engines._builtin.decompose.clause_words import article
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.language.word_classes import BE
from dfactscore.mixing._placing import WHOLE, Credit, by_sentence, torn

_MOST = 0.34  # share of unsupported facts up to which a sentence is kept whole
_AHEAD = 6  # number of later ends up to which a clause may be continued
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_ARTICLE_END = re.compile(r"(?:^|\s)(?:an?|the)$", re.IGNORECASE)
_BE_END = re.compile(r"\b(?:is|was)$")
_END = ".!?…"
_PRONOUN = re.compile(
    r"\b(?:he|she|they|his|their|him|them|"
    r"her(?P<object>(?=\s+(?:a|an|the|to|in|for|as|with|from|at|on|by)\b|\s*(?:[.,;]|$)))?)"
    r"\b(?!['’])",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"^(?:He|She)\b(?!['’])")
_MARKER = re.compile(r"^(?:(?:[-*•–·]|#{1,6}|\(?\d{1,2}[.)])\s+)+")
_ANY_PRONOUN = frozenset("he she they his her their him them himself herself who whose".split())
_NO_CONTENT = frozenset(
    "a an the of in at on for to from by with as and or also career life work works time years "
    "year role roles his her their".split()
)
_LINK = re.compile(
    r"^(?:(?:additionally|also|besides|conversely|furthermore|however|likewise|meanwhile|moreover|"
    r"similarly|in addition|in contrast|at the same time|on the other hand|"
    r"(?:apart|aside|away) from (?:this|that)|beyond (?:this|that)|in a separate [a-z]{1,20}|"
    r"later|afterwards?|subsequently|then)"
    r",\s+(?:and\s+)?|(?:and|but|yet)\s+)",
    re.IGNORECASE,
)
_BESIDES = re.compile(
    r"^(?:in addition to|besides|apart from|aside from|alongside|along with|as well as|beyond|"
    r"outside(?: of)?|away from|not only)\s[^,.;]{1,120},\s+",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"^(?:after|following|before|prior to|during|despite|while|when|upon|having|once|since|"
    r"although|though)\s[^,.;]{1,120},\s+",
    re.IGNORECASE,
)
_ALSO = re.compile(r"(?<!\s)(?<!\bbut)\s+also(?=\s)|(?<=\w)\s+(?:as well|too)(?=[.!?]?$)")
_THEN = re.compile(r"(?<=\w)\s+(?:then|later|subsequently|thereafter|afterwards?)\s+(?=[a-z])")
_ANOTHER = re.compile(r"^(?:Another|A different|A second|The other)\s+(?=[A-Z])")
_DEFINES = re.compile(r"\b(is|was)\s+(?:an?|the|one of)\b")


@dataclass(frozen=True, slots=True)
class Retold:
    """A text with one paragraph per person."""

    paragraphs: Mapping[int, str]  # by column, in the order of the text
    left_out: tuple[int, ...]  # the unsupported facts that no paragraph states
    unsplit: tuple[str, ...]  # sentences about several people that cannot be split safely


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence of a person's paragraph."""

    number: int  # position of its sentence in the text
    text: str
    rewritten: bool = False
    for_editor: bool = False


def retell(
    record: Record, place: Credit, *, columns: Collection[int], keep: bool = False
) -> Retold:
    """Retells a text for the given people.

    A sentence about one person is kept whole unless most of its facts are unsupported. Another
    sentence is split if clauses state exactly each person's facts; failing that, it is kept whole.
    With `keep`, unsupported facts stay next to the others of their sentence.
    """
    teller, conflicts = _Teller(record, place), torn(record, place)
    sentences = split_sentences(record.biography.text)
    parts: dict[int, list[_Told]] = {column: [] for column in columns}
    left_out: list[int] = []
    unsplit: list[str] = []
    last: int | None = next((p for p in place if p is not None), None)
    for number, facts in by_sentence(record).items():
        counts = Counter(p for f in facts if (p := place[f]) is not None)
        unsupported = [f for f in facts if place[f] is None]
        main = max(counts, key=lambda p: (counts[p], p == last), default=last if keep else None)
        if main is None:
            left_out += facts
            continue
        last = main
        if number is None:
            for f in facts:
                column = place[f] if place[f] is not None else main if keep else None
                if column in parts:
                    parts[column].append(_Told(-1, _closed(record.facts[f].text), rewritten=True))
                elif column is None:
                    left_out.append(f)
            continue
        whole = {main: [_MARKER.sub("", sentences[number].text.replace("**", ""))]}
        if len(counts) > 1:
            split = teller.split(facts, sentences[number])
            if split is None:
                unsplit.append(sentences[number].text)
        elif len(unsupported) > max(1, len(facts) * _MOST) and not keep:
            split = teller.split(facts, sentences[number])
            left_out += unsupported if split is not None else []
        else:
            split = whole
        if number in conflicts and split is not None:
            unsplit.append(sentences[number].text)
        for column, texts in (whole if split is None else split).items():
            rewritten = texts != whole.get(column)
            for_editor = split is None or number in conflicts
            parts.setdefault(column, []).extend(
                _Told(number, text, rewritten, for_editor) for text in texts
            )
    return Retold(
        {column: teller.paragraph(column, parts[column]) for column in columns},
        tuple(left_out),
        tuple(unsplit),
    )


@dataclass(frozen=True)
class _Teller:
    """Tells each person's facts in the words of a text."""

    record: Record
    place: Credit

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(word.casefold() for word in _WORD.findall(self.record.name))

    @cached_property
    def _pages(self) -> list[frozenset[str]]:
        """The words of each person's titles and documents."""
        return [
            frozenset(
                word.casefold()
                for document in entity.documents
                for word in _WORD.findall(f"{document.title} {document.text}")
            )
            for entity in self.record.entities
        ]

    @cached_property
    def _ours(self) -> frozenset[str]:
        """The facts that the built-in decomposer finds in the text."""
        return self._keys(self.record.biography.text)

    @cached_property
    def _pronoun(self) -> str:
        """The only pronoun that the text uses for its subject; empty if there are several."""
        found = {
            match.group().lower()
            for s in split_sentences(self.record.biography.text)
            if (match := _SUBJECT.search(s.text)) is not None
        }
        return found.pop().title() if len(found) == 1 else ""

    def _keys(self, text: str) -> frozenset[str]:
        return frozenset(self._key(fact) for fact in _facts_of(text, self.record.name))

    def _key(self, fact: str) -> str:
        """Returns a fact without the words that name its subject or tie it to another."""
        plain = _WORD.findall(_BESIDES.sub("", fact, count=1))
        words = (w.casefold().removesuffix("’s").removesuffix("'s") for w in plain)
        left_out = self._names | _ANY_PRONOUN | {"a", "an", "the", "also"}
        return " ".join("is" if w in BE else w for w in words if w not in left_out)

    def split(self, facts: Sequence[int], sentence: Sentence) -> dict[int, list[str]] | None:
        """Returns clauses that state each person's facts of a sentence; None if there are none."""
        found: dict[int, list[str]] = {}
        for column in dict.fromkeys(p for f in facts if (p := self.place[f]) is not None):
            texts = self._clauses(facts, column, sentence)
            if texts is None:
                return None
            found[column] = texts
        return found

    def _clauses(self, facts: Sequence[int], column: int, sentence: Sentence) -> list[str] | None:
        """Returns the fewest clauses that state all facts of a person and none of another."""
        known = self.record.facts
        own = [f for f in facts if self.place[f] == column]
        allowed = {self._key(known[f].text) for f in own}
        lead = _BESIDES.match(sentence.text)
        start = sentence.start + (lead.end() if lead is not None else 0)
        own = [f for f in own if (known[f].span or (start, start))[1] > start]
        required = {f for f in own if not self._is_whole(f, facts)} or set(own)
        options: list[tuple[frozenset[int], int, str]] = []
        for start, text in self._options(own, column, sentence):
            keys = self._keys(text)
            given = self._key(text)
            if given in allowed and given not in self._ours:
                keys = frozenset({given})  # a fact that another decomposer wrote
            if keys and keys <= allowed:
                covered = frozenset(f for f in own if self._key(known[f].text) in keys)
                options.append((covered, start, text))
        chosen: list[tuple[int, str]] = []
        missing = set(required)
        while missing:
            covered, start, text = max(
                options,
                key=lambda option: (len(option[0] & missing), len(option[0]), -len(option[2])),
                default=(frozenset(), 0, ""),
            )
            if not covered & missing:
                return None
            chosen.append((start, text))
            missing -= covered
        return [text for _, text in sorted(chosen)]

    def _is_whole(self, f: int, facts: Sequence[int]) -> bool:
        """Whether a fact repeats the sentence, while others state its clauses."""
        spans = [span for g in facts if (span := self.record.facts[g].span) is not None]
        start, end = min(a for a, _ in spans), max(b for _, b in spans)
        span = self.record.facts[f].span or (0, 0)
        return span[1] - span[0] >= WHOLE * (end - start) and len(set(spans)) > 2

    def _options(
        self, own: Sequence[int], column: int, sentence: Sentence
    ) -> Iterator[tuple[int, str]]:
        """Yields clauses, and facts, with their positions."""
        known, text = self.record.facts, self.record.biography.text
        spans = {f: span for f in own if (span := known[f].span) is not None}
        ends = sorted({end for _, end in spans.values()})
        leads: dict[int, str] = {}
        for f, (start, end) in spans.items():
            before = text[sentence.start : start]
            fact = self._in_tense(known[f].text, before, text[start:end], column)
            yield start, _closed(fact)
            if (lead := _lead(text, fact, (start, end))) is not None:
                leads[f] = lead
        for start, end in dict.fromkeys(spans.values()):
            for stop in [e for e in ends if e >= end][:_AHEAD]:
                inside = [g for g, (a, b) in spans.items() if start <= a and b <= stop]
                within = [known[g] for g in inside]
                # "is from New Zealand" and "is a climber": "is a New Zealand climber"
                for lead in dict.fromkeys(leads[g] for g in inside if g in leads):
                    yield start, _closed(f"{lead} {_body(text, start, stop, lead, within)}")

    def _in_tense(self, fact: str, before: str, words: str, column: int) -> str:
        """Returns a fact about a description without a verb in the tense of the person's pages."""
        match = re.search(r"\b(?:is|was)\b(?= (?:(?:an?|the)\b|([\w-]+)))", fact)
        if match is None or re.search(rf"\b{match.group()}\b", before + words):
            return fact
        described = match.group(1) is None or is_demonym(match.group(1))
        if not described or not set(_WORD.findall(fact[: match.start()].casefold())) & self._names:
            return fact
        for document in self.record.entities[column].documents:
            if (defined := _DEFINES.search(document.text[:300])) is not None:
                return fact[: match.start()] + defined.group(1) + fact[match.end() :]
        return fact

    def paragraph(self, column: int, parts: Sequence[_Told]) -> str:
        """Returns a person's sentences, each without the words that tie it to another person."""
        texts: list[str] = []
        for i, part in enumerate(parts):
            before = parts[i - 1] if i else None
            follows = before is not None and before.number >= part.number - 1
            kept = follows or part.for_editor
            text = part.text if kept else self._untied(part.text, column)
            if before is None:
                text = self._without(text, _ALSO, "")
                text = self._without(text, _THEN, " ")
                text = self._named(self._without(text, _ANOTHER, ""), column)
            elif part.rewritten and before.text.split()[:2] == text.split()[:2]:
                text = self._with_pronoun(text, column)
            texts.append(text)
        return " ".join(texts)

    def _untied(self, text: str, column: int) -> str:
        """Cuts a beginning that refers to what another person did."""
        text = self._without(text, _LINK, "")
        text = self._without(text, _BESIDES, "")
        when = _WHEN.search(text)
        if when is not None and self._is_of_other(when.group(), column):
            text = self._without(text, _WHEN, "")
        return text

    def _is_of_other(self, lead: str, column: int) -> bool:
        """Whether the pages of another person of the text say more of a lead than one's own."""
        words = {
            word
            for word in map(str.casefold, _WORD.findall(lead)[1:])
            if len(word) > 2 and word not in _NO_CONTENT | self._names | _ANY_PRONOUN
        }
        shares = {
            person: sum(any(_akin(word, other) for other in self._pages[person]) for word in words)
            for person in {column, *(p for p in self.place if p is not None)}
        }
        return shares[column] < len(words) / 2 and max(shares.values()) > shares[column]

    def _without(self, text: str, pattern: re.Pattern[str], by: str) -> str:
        """Returns the text without a match if the rest states only facts of the text."""
        match = pattern.search(text)
        if match is None:
            return text
        rest = text[: match.start()] + by + text[match.end() :]
        rest = rest[:1].upper() + rest[1:]
        keys = self._keys(rest)
        known = self._ours | {self._key(fact.text) for fact in self.record.facts}
        return rest if keys and keys <= known | self._keys(text) else text

    def _name(self, column: int) -> str:
        """Returns the name of a person, who may have another name than the text's."""
        groups, others = self.record.groups or (), self.record.named_otherwise
        labels = (groups[number].label for number, bearers in others.items() if column in bearers)
        return next(labels, self.record.name)

    def _named(self, text: str, column: int) -> str:
        """Replaces the first pronoun by the name, unless a name precedes it."""
        pronoun = _PRONOUN.search(text)
        if pronoun is None or any(
            word.casefold() in self._names for word in _WORD.findall(text[: pronoun.start()])
        ):
            return text
        word = pronoun.group().casefold()
        owned = word in {"his", "their"} or (word == "her" and not pronoun.group("object"))
        name = self._name(column) + ("'s" if owned else "")
        return text[: pronoun.start()] + name + text[pronoun.end() :]

    def _with_pronoun(self, text: str, column: int) -> str:
        """Replaces the name at the beginning by the pronoun that the text uses."""
        name = self._name(column)
        if not self._pronoun or not text.startswith(f"{name} "):
            return text
        return f"{self._pronoun}{text[len(name) :]}"


@lru_cache(maxsize=4000)
def _facts_of(text: str, name: str) -> tuple[str, ...]:
    """Returns the facts that the built-in decomposer finds in a text about a name."""
    return tuple(f.text for f in BuiltinDecomposer().decompose(Biography("", name, text)))


def _lead(text: str, fact: str, span: tuple[int, int]) -> str | None:
    """Returns the words of a fact, such as a subject, that precede its clause; None if unknown."""
    body = text[slice(*span)].strip()
    first = _WORD.search(body)
    if first is None:
        return None
    match = re.search(rf"(?<!\w){re.escape(body[: first.end()])}(?!\w)", fact, re.IGNORECASE)
    if match is None or not match.start() or not _same(fact[match.start() :], body):
        return None
    return _ARTICLE_END.sub("", fact[: match.start()].strip())


def _body(text: str, start: int, end: int, lead: str, facts: Sequence[Fact]) -> str:
    """Returns the words of a clause with the article that they need."""
    before = _ARTICLE_END.search(text[:start].rstrip())
    between = text[before.start() : start].lstrip() if before else ""
    words = text[start:end].strip()
    if words[:1].isupper() and any(words[:1].lower() + words[1:6] in fact.text for fact in facts):
        words = words[:1].lower() + words[1:]
    needs = _BE_END.search(lead) and any(
        re.search(r"\b(?:is|was) an? ", fact.text) for fact in facts
    )
    if needs and not between and not re.match(r"(?:an?|the|one)\b", words, re.IGNORECASE):
        return f"{article(words)} {words}"
    return f"{between}{words}"


def _akin(word: str, other: str) -> bool:
    """Whether two words share a stem, as "boxing" and "boxer" do."""
    shortest = min(len(word), len(other))
    return word[: (least := max(3, shortest - 3))] == other[:least]


def _same(fact: str, clause: str) -> bool:
    """Whether a fact's words occur in a clause in the same order."""
    words = iter(word.casefold() for word in _WORD.findall(clause))
    return all(any(w == other for other in words) for w in map(str.casefold, _WORD.findall(fact)))


def _closed(text: str) -> str:
    """Returns a text as a sentence, with a capital and an end."""
    body = text.strip().rstrip(",;:—–- ")
    end = "" if body[-1:] in _END or body[-2:-1] in _END else "."
    return f"{body[:1].upper()}{body[1:]}{end}"
