"""Which individual each stretch of a paragraph is about, as a reader perceives it.

A reader takes a paragraph to be about one person until the text presents another: by saying so
("another", "on the other hand, there is"), by new dates, by a new description of the same name, by
a different full name as the subject, or by an enumeration. Doubt keeps the current individual.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from dfactscore.embedded.clauses import Clause, parse_clauses
from dfactscore.embedded.word_classes import DETERMINERS, PRONOUNS, RELATIVES, is_demonym, is_role
from dfactscore.embedded.mentions import Mention, life_years, person_words, roles_in, runs_of_names
from dfactscore.embedded.sentences import split_sentences
from dfactscore.embedded.tokenizer import Token, tokenize

__all__ = ["ClauseReading", "Individual", "Paragraph", "read_paragraph"]

_NEW = frozenset(
    {"another", "different", "unrelated", "second", "third", "fourth", "fifth", "other"}
)
_ORDINALS = {
    "first": 0, "former": 0, "one": 0, "second": 1, "latter": -1, "third": 2, "fourth": 3,
    "fifth": 4, "sixth": 5, "last": -2, "next": -2, "final": -2, "other": -2, "another": -2,
}  # fmt: skip
_PEOPLE = frozenset(
    [
        "people",
        "persons",
        "individuals",
        "figures",
        "men",
        "women",
        "others",
        "namesakes",
        "person",
        "individual",
        "figure",
        "someone",
        "personality",
        "man",
        "woman",
        "namesake",
        "bearer",
    ]
)
_ADDITIVE = re.compile(r"\b(?:also|as well|too|additionally|furthermore|moreover)\b", re.IGNORECASE)
_LISTING = re.compile(
    r"\b(?:may|can|could|might) (?:also )?refer to\b"
    r"|\b(?:several|multiple|many|two|three|four|five|six|various|a few|some|different|numerous|"
    r"at least \w+|more than one|a number of|other|both)\s+(?:\w+\s+){0,3}(?:people|persons|individuals|"
    r"figures|men|women|person|individual|entities|biographies|bios|profiles)\b"
    r"|\b(?:shared|borne) by\s+(?:several|multiple|many|two|three|more)\b"
    r"|\bmore than one (?:person|individual)\b|\bis a (?:common )?name\b|\bis the name of\b",
    re.IGNORECASE,
)
_CONFUSED = re.compile(
    r"\b(?:not (?:to )?be confused with|not be mistaken for|confused with|unrelated to|"
    r"no relation to|not related to|not the same (?:person|individual|man|woman) as|"
    r"(?:different|distinct) (?:person |individual )?from)\s+",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:named|called|known as|by the name(?: of)?|with the (?:same )?name(?: of)?|"
    r"(?:shar\w+|bear\w+|of) (?:the|this|that|his|her) (?:same )?(?:\w+ )?name|"
    r"(?:the )?same (?:full |first |last )?name|namesake)\b",
    re.IGNORECASE,
)
_SHARED_NAME = re.compile(
    r"^(?:the|this) (?:same )?name\b.{0,80}?\b(?:also|another|too)\b|\bis also the name of\b|"
    r"\b(?:may|can|could|might) (?:also )?refer to\b",
    re.IGNORECASE,
)
_MARKER = re.compile(r"\s*(?:(?:[-*•–—·]|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)])\s+|#{1,6}\s*)(?=\S)")
_CONNECTIVE = re.compile(
    r"(?:(?:however|additionally|furthermore|moreover|finally|lastly|meanwhile|similarly|likewise|"
    r"conversely|alternatively|secondly|thirdly|second|third|first|firstly|next|also|then|besides|"
    r"in addition(?: to (?:him|her|this|that|these|them))?|on the other hand|in contrast|by contrast|"
    r"elsewhere|separately|in comparison|as well|last but not least|in a different vein|"
    r"on a different note|unlike (?:him|her)|interestingly|notably|it is (?:also )?"
    r"(?:worth noting|interesting to note|important to note) that|note that)(?:\s*,\s*|\s+(?=there\b|another\b)))",
    re.IGNORECASE,
)
_LEAD_ORDINAL = re.compile(r"(?:secondly|second|thirdly|third|next|lastly)\s*,", re.IGNORECASE)
_RECENT = 40

Kind = Literal["pronoun", "possessive", "name", "description", "there", "other"]


@dataclass
class Individual:
    """A person whom the reader perceives.

    Attributes:
        label: The name as first written, or empty.
        words: The words of each name form seen.
        born: Birth year as introduced, or None.
        died: Death year as introduced, or None.
        roles: What introductions say the person is.
        described: Whether anything has been said about the person yet.
    """

    label: str
    words: list[tuple[str, ...]] = field(default_factory=list)
    born: int | None = None
    died: int | None = None
    roles: set[str] = field(default_factory=set)
    described: bool = True


@dataclass(frozen=True, slots=True)
class ClauseReading:
    """One clause with what the reader makes of it.

    Attributes:
        sentence: Index of its sentence.
        offset: Character of the paragraph at which the tokens' positions begin.
        text: The text that the tokens were cut from.
        tokens: Of the sentence.
        clause: The clause.
        individual: Index of the individual it is about.
        start: First character in the paragraph.
        end: After the last.
    """

    sentence: int
    offset: int
    text: str
    tokens: Sequence[Token]
    clause: Clause
    individual: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph read once: sentences, clauses and individuals.

    Attributes:
        sentences: Start and end of each sentence.
        clauses: In order.
        individuals: In order of appearance.
        spans: (start, end, individual), in order, without overlap; a clause that presents
            someone in passing is several.
    """

    sentences: tuple[tuple[int, int], ...]
    clauses: tuple[ClauseReading, ...]
    individuals: tuple[Individual, ...]
    spans: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class _Introduction:
    """What a clause says of its subject, as far as it matters for telling people apart."""

    kind: Kind
    mention: Mention | None = None
    marked: bool = False  # "another", "a different"
    ordinal: int | None = None
    this: bool = False  # "this X"
    relative: bool = False  # "his father X"
    strong: bool = False  # presents a person: apposition, dates, "is a poet"
    dated: bool = False
    additive: bool = False
    definite: bool = False
    roles: frozenset[str] = frozenset()
    born: int | None = None
    died: int | None = None
    aliases: tuple[tuple[str, ...], ...] = ()
    about_current: bool = False  # another part of the clause names a known person


def read_paragraph(text: str, name: str = "") -> Paragraph:
    """Reads a paragraph.

    Args:
        text: The paragraph, citations removed.
        name: The target name, or empty.
    """
    reader = _Reader(name)
    sentences = split_sentences(text)
    clauses: list[ClauseReading] = []
    spans: list[tuple[int, int, int]] = []
    for index, sentence in enumerate(sentences):
        for reading, parts in reader.sentence(index, sentence.start, sentence.text):
            clauses.append(reading)
            spans.extend(parts)
    return Paragraph(
        tuple((s.start, s.end) for s in sentences),
        tuple(clauses),
        tuple(reader.people),
        tuple(spans),
    )


class _Reader:
    """Reads sentence after sentence and remembers who has been presented."""

    def __init__(self, name: str) -> None:
        self.target = frozenset(person_words(name)) if name else frozenset()
        self.people: list[Individual] = []
        self.relatives: set[tuple[str, ...]] = set()
        self.current = 0
        self.listing = False  # a list of people has been announced
        self.pending = False  # the list's first person is still to come
        self.items = 0

    # -- one sentence -------------------------------------------------------------------------

    def sentence(
        self, index: int, offset: int, text: str
    ) -> list[tuple[ClauseReading, list[tuple[int, int, int]]]]:
        marker = _MARKER.match(text)
        skipped = marker.end() if marker else 0
        connective = _CONNECTIVE.match(text, skipped)
        ordinal_lead = bool(_LEAD_ORDINAL.match(text, skipped))
        while connective:
            skipped = connective.end()
            connective = _CONNECTIVE.match(text, skipped)
        body = text[skipped:]
        shift = offset + skipped
        tokens = [t for t in tokenize(body) if not t.text.startswith(("*", "#"))]
        if not tokens:
            self._someone()
            end = offset + len(text)
            clause = Clause(0, 0, (0, 0), (0, 0), (), (), -1)
            reading = ClauseReading(index, shift, body, (), clause, self.current, offset, end)
            return [(reading, [(offset, end, self.current)])]
        item = marker is not None or text.startswith("**")
        out = []
        parsed = parse_clauses(tokens)
        for number, clause in enumerate(parsed):
            start = offset if number == 0 else shift + tokens[clause.start].start
            last = number + 1 == len(parsed)
            end = offset + len(text) if last else shift + tokens[parsed[number + 1].start].start
            reading_text = body[tokens[clause.start].start : end - shift]
            who, parts = self._clause(
                tokens,
                clause,
                body,
                reading_text,
                item and number == 0,
                ordinal_lead and number == 0,
            )
            spans = []
            previous = start
            for cut, person in parts:
                at = shift + cut
                if at > previous:
                    spans.append((previous, at, who))
                    previous = at
                who_here = person
                spans.append((previous, end, who_here))
                previous = end
            if previous < end:
                spans.append((previous, end, who))
            out.append((ClauseReading(index, shift, body, tokens, clause, who, start, end), spans))
        return out

    def _clause(
        self,
        tokens: Sequence[Token],
        clause: Clause,
        body: str,
        text: str,
        item: bool,
        ordinal_lead: bool,
    ) -> tuple[int, list[tuple[int, int]]]:
        """Decides whom a clause is about; also where someone else is presented in passing."""
        confused = self._confused(tokens, clause, body, text)
        if confused is not None:
            return confused
        intro = self._introduction(tokens, clause, body, text)
        if item:
            intro = self._as_item(tokens, clause, body, intro)
        if ordinal_lead and intro.mention is not None and self.people:
            intro = replace(intro, marked=intro.marked or intro.strong)
        if not self.people:
            self._first(intro, text)
            return self.current, []
        if _LISTING.search(text) and not intro.dated and self._is_listing(intro, text):
            self.listing = True
            return self.current, []
        self.current = self._who(intro, text)
        self._learn(self.people[self.current], intro)
        return self.current, []

    # -- reading a clause -----------------------------------------------------------------------

    def _introduction(
        self, tokens: Sequence[Token], clause: Clause, body: str, text: str
    ) -> _Introduction:
        a, b = clause.subject
        if clause.verb < 0 or a == b:
            return self._fragment(tokens, clause, body, text)
        first = tokens[a]
        predicate = (clause.verb, clause.end)
        additive = bool(_ADDITIVE.search(body, first.start, _end_of(tokens, predicate, 6)))
        if first.low == "there" and b == a + 1:
            return self._there(tokens, clause, body, text)
        subject = runs_of_names(tokens, a, b, body)
        lead = runs_of_names(tokens, *clause.lead, body) if clause.lead[1] > clause.lead[0] else []
        head_words = {t.low for t in tokens[a:b]}
        blocks = [runs_of_names(tokens, *block, body) for block in clause.blocks]
        mention = _head_mention(subject)
        ordinal = _ordinal(tokens, a, b)
        marked = _is_marked(tokens, a, b)
        this = (first.low in {"this", "that", "the"} and "aforementioned" in head_words) or (
            first.low in {"this", "that"}
        )
        if first.low in PRONOUNS and b - a == 1:
            return _Introduction("pronoun", additive=additive)
        if first.low in {"his", "her", "their", "its"}:
            relation = bool(head_words & RELATIVES)
            if mention is not None and relation:
                self.relatives.add(mention.words)
            return _Introduction("possessive", relative=True)
        owner = next((m for m in subject if m.possessive), None)
        if owner is not None and owner.last < b:
            return _Introduction("possessive", mention=owner, relative=True)
        description = False
        if mention is None and lead and tokens[clause.lead[0]].low in DETERMINERS | {"another"}:
            # "Another notable Charles Cotton, the geologist, was ..."
            mention = lead[-1]
            description = True
            marked = marked or _is_marked(tokens, *clause.lead)
        if mention is None and blocks and blocks[0] and _role_subject(tokens, a, b):
            # "A contemporary Norwegian baritone, Christopher S. Pedersen, has ..."
            candidate = blocks[0][0]
            if candidate.first <= clause.blocks[0][0] + 1:
                mention = candidate
                description = True
        if clause.lead[1] > clause.lead[0]:
            description = description or _role_subject(tokens, *clause.lead)
            lead_marked = _is_marked(tokens, *clause.lead) and (
                _role_subject(tokens, *clause.lead)
                or any(t.low in _PEOPLE for t in tokens[clause.lead[0] : clause.lead[1]])
            )
            marked = marked or lead_marked
            if (
                any(t.low in RELATIVES for t in tokens[clause.lead[0] : clause.lead[1]])
                and (tokens[clause.lead[0]].low in {"his", "her", "their"})
                and mention is not None
            ):
                lead_low = {t.low for t in tokens[clause.lead[0] : clause.lead[1]]}
                if lead_low & RELATIVES:
                    self.relatives.add(mention.words)
                    return _Introduction("possessive", relative=True)
        if mention is None:
            kind: Kind = (
                "description" if _role_subject(tokens, a, b) or ordinal is not None else "other"
            )
            named = roles_in(tokens, a, b)
            if marked and not (head_words & _PEOPLE or _NAMED.search(text)):
                marked = False
            copular = self._copular_roles(tokens, clause)
            return _Introduction(
                kind,
                marked=marked,
                ordinal=ordinal,
                this=this,
                additive=additive,
                definite=first.low == "the",
                roles=named or copular,
                strong=bool(copular),
            )
        relative = (
            bool(
                {t.low for t in tokens[a : mention.first]}
                & RELATIVES - {"father", "mother", "brother", "sister"}
            )
            and first.low != "another"
        )
        if relative:
            self.relatives.add(mention.words)
            owner = next((m for m in subject if m.last <= b and m.possessive), None)
            return _Introduction("possessive", mention=owner, relative=True)
        roles: set[str] = set(roles_in(tokens, a, mention.first))
        if description and clause.lead[1] > clause.lead[0]:
            roles |= roles_in(tokens, *clause.lead)
        if description and not roles:
            roles |= roles_in(tokens, a, b)
        strong = bool(roles) or description
        born = died = None
        dated = False
        aliases: list[tuple[str, ...]] = []
        for bracket in (*clause.brackets,):
            inside = _text_of(tokens, bracket, body)
            years = life_years(inside)
            if years != (None, None):
                born, died = years
                dated = strong = True
            roles |= roles_in(tokens, *bracket)
        definite = False
        for block, names in zip(clause.blocks, blocks, strict=True):
            opening = tokens[block[0]].low
            inside = _text_of(tokens, block, body)
            found = roles_in(tokens, *block)
            if opening in {"a", "an", "one", "another"} and (found or "same name" in inside):
                strong = True
                marked = marked or opening == "another"
            elif opening in {"born", "née"}:
                year = life_years(inside)[0]
                strong = True
                if year is not None:
                    born, dated = year, True
            elif opening == "the" and found:
                definite = True
            elif is_demonym(opening) and found:
                strong = True
            if "(" in inside and born is None:
                years = life_years(inside[inside.index("(") :])
                if years[0] is not None:
                    born, died = years
                    dated = strong = True
            if opening in {"also", "known", "better", "born", "nicknamed", "full"} and names:
                aliases.extend(m.words for m in names[:1] if len(m.words) > 1)
            if opening not in {"who", "whose", "which"}:
                roles |= found
        copular = self._copular_roles(tokens, clause)
        if copular:
            strong = True
            roles |= copular
        if clause.lead[1] > clause.lead[0]:
            inside = _text_of(tokens, clause.lead, body)
            if tokens[clause.lead[0]].low == "born":
                year = life_years(inside)[0]
                if year is not None:
                    born = born or year
            if tokens[clause.lead[0]].low == "as" and roles_in(tokens, *clause.lead):
                roles |= roles_in(tokens, *clause.lead)
                strong = strong or dated
        if (
            tokens[clause.verb].low in {"was", "is"}
            and clause.verb + 1 < clause.end
            and (tokens[clause.verb + 1].low == "born")
        ):
            year = life_years(_text_of(tokens, (clause.verb, clause.end), body))[0]
            if born is None:
                born = year
        about = self._names_known(tokens, clause, body, mention)
        return _Introduction(
            "name",
            mention,
            marked=marked,
            ordinal=ordinal,
            this=this,
            strong=strong,
            dated=dated,
            additive=additive,
            definite=definite and not strong,
            roles=frozenset(roles),
            born=born,
            died=died,
            aliases=tuple(aliases),
            about_current=about,
        )

    def _copular_roles(self, tokens: Sequence[Token], clause: Clause) -> frozenset[str]:
        """The roles in "is a Polish poet and ..."; none where the predicate says something else."""
        k = clause.verb
        while (
            k < clause.end
            and tokens[k].low in {"is", "was", "has", "been", "are", "were", "became"}
        ) or (
            k < clause.end
            and (
                tokens[k].low in {"also", "later", "currently", "now", "perhaps"}
                or tokens[k].low.endswith("ly")
            )
        ):
            if tokens[k].low == "became":
                return frozenset()
            k += 1
        if k == clause.verb or k >= clause.end:
            return frozenset()
        if tokens[k].low not in {"a", "an", "another", "one", "the"}:
            return frozenset()
        stop = k + 1
        while stop < clause.end and tokens[stop].low not in {
            "who",
            "which",
            "that",
            "whose",
            "born",
        }:
            if tokens[stop].text in {",", "("} and stop > k + 8:
                break
            stop += 1
        if tokens[k].low == "one" and not any(t.low in _PEOPLE for t in tokens[k:stop]):
            return frozenset()
        found = roles_in(tokens, k, stop)
        if tokens[k].low == "the" and not found:
            return frozenset()
        return found if tokens[k].low != "the" else frozenset()

    def _fragment(
        self, tokens: Sequence[Token], clause: Clause, body: str, text: str
    ) -> _Introduction:
        """Reads a heading, a list item or a sentence that was cut off."""
        names = runs_of_names(tokens, clause.start, clause.end, body)
        if not names or names[0].first > clause.start + 2 or names[0].possessive:
            marked = tokens[clause.start].low == "another" and bool(_NAMED.search(text))
            if names and marked:
                return _Introduction("name", names[-1], marked=True, strong=True)
            return _Introduction("other")
        mention = names[0]
        rest = body[tokens[mention.last - 1].end : tokens[clause.end - 1].end]
        born, died = life_years(rest[:60]) if re.match(r"\s*[,:(–—-]", rest) else (None, None)
        roles = roles_in(tokens, mention.last, min(clause.end, mention.last + 25))
        opens = bool(re.match(r"\s*(?:[,:–—-]|\()", rest)) and (bool(roles) or born is not None)
        return _Introduction(
            "name",
            mention,
            strong=opens,
            dated=born is not None,
            born=born,
            died=died,
            roles=roles,
            marked=tokens[clause.start].low == "another",
        )

    def _there(
        self, tokens: Sequence[Token], clause: Clause, body: str, text: str
    ) -> _Introduction:
        """Reads "there is also ..."."""
        names = runs_of_names(tokens, clause.verb, clause.end, body)
        lows = [t.low for t in tokens[clause.verb : clause.end]]
        roles = roles_in(tokens, clause.verb, clause.end)
        singular = tokens[clause.verb].low in {"is", "was", "exists", "existed", "are", "were"}
        if not names or not singular or {"no", "not", "little", "limited"} & set(lows[:6]):
            return _Introduction("there")
        mention = next((m for m in names if self._kin(m.words)), names[0])
        before = {t.low for t in tokens[clause.verb : mention.first]}
        person = bool(roles) or bool(before & _PEOPLE) or "another" in before
        year = life_years(_text_of(tokens, (mention.last, clause.end), body)[:80])
        if not person and year[0] is None:
            return _Introduction("there")
        return _Introduction(
            "there",
            mention,
            marked=self._kin(mention.words) or bool(_NAMED.search(text)),
            strong=True,
            roles=roles,
            born=year[0],
            died=year[1],
        )

    def _as_item(
        self, tokens: Sequence[Token], clause: Clause, body: str, intro: _Introduction
    ) -> _Introduction:
        """A list item or a heading that names a person presents that person."""
        names = runs_of_names(tokens, clause.start, min(clause.end, clause.start + 8), body)
        if not names or names[0].first > clause.start + 1 or not self._kin(names[0].words):
            return intro
        mention = names[0]
        rest = body[tokens[mention.last - 1].end :].lstrip("* ")
        heading = not rest.strip(" .:") or rest[0] in ":–—-(,"
        if not heading:
            return intro
        born, died = life_years(rest[:70])
        bracket = re.match(r"\(([^)]*)\)", rest)
        roles = intro.roles or roles_in(tokens, mention.last, clause.end)
        label_only = not re.sub(r"\([^)]*\)", "", rest).strip(" .:*")
        return replace(
            intro,
            kind="name",
            mention=mention,
            strong=True,
            marked=intro.marked or (rest[0:1] in set(":–—-(,") and self.items >= 0),
            dated=born is not None,
            born=born,
            died=died,
            roles=frozenset(roles),
            definite=False,
            this=label_only and bracket is None,
        )

    def _confused(
        self, tokens: Sequence[Token], clause: Clause, body: str, text: str
    ) -> tuple[int, list[tuple[int, int]]] | None:
        """Reads "not to be confused with X, a poet": X is someone else, the rest is not."""
        if not self.people:
            return None
        found = _CONFUSED.search(text)
        if found is None:
            return None
        base = tokens[clause.start].start
        names = runs_of_names(tokens, clause.start, clause.end, body)
        after = [m for m in names if tokens[m.first].start >= base + found.end() - 4]
        described = roles_in(tokens, clause.start, clause.end)
        if not after or not described:
            return None
        mention = after[0]
        born, died = life_years(body[tokens[mention.last - 1].end :][:80])
        follow = tokens[mention.last].text if mention.last < clause.end else ""
        if follow not in {",", "(", "who"}:
            return None
        person = Individual(mention.text, [mention.words], born, died, set(described))
        who = self.current
        self.people.append(person)
        return who, [(tokens[mention.first].start, len(self.people) - 1)]

    # -- deciding -----------------------------------------------------------------------------

    def _someone(self) -> None:
        if not self.people:
            self.people.append(Individual("", [], described=False))

    def _first(self, intro: _Introduction, text: str) -> None:
        """The first clause is about the first individual, or announces a list of people."""
        listing = bool(_LISTING.search(text)) and self._is_listing(intro, text)
        person = Individual("")
        self.people.append(person)
        if listing:
            self.listing = self.pending = True
            person.described = False
            if intro.mention is not None:
                person.label = intro.mention.text
                person.words.append(intro.mention.words)
            return
        person.described = intro.mention is not None
        self._learn(person, intro)
        if intro.mention is not None:
            person.label = intro.mention.text

    def _is_listing(self, intro: _Introduction, text: str) -> bool:
        if intro.kind == "name" and intro.strong and not re.search(r"refer|name", text):
            return False
        found = _LISTING.search(text)
        if found is None:
            return False
        low = text.lower()
        return (
            "refer to" in low
            or re.search(
                r"\bnam(?:e|ed|es)\b|\bcalled\b|\bwith (?:this|that|the same)\b|\bknown as\b|\bindividuals\b",
                low,
            )
            is not None
        ) and (intro.kind != "pronoun")

    def _kin(self, words: tuple[str, ...]) -> bool:
        """Whether a name shares a word with the target or with somebody already presented."""
        if not words:
            return False
        mine = set(words)
        if mine & self.target:
            return True
        return any(mine & set(form) for person in self._near() for form in person.words)

    def _near(self) -> list[Individual]:
        return [*self.people[:3], *self.people[-_RECENT:]]

    def _candidates(self) -> list[int]:
        """The individuals compared with a mention: the current, then the latest, then the first."""
        last = len(self.people)
        order = [self.current, *range(last - 1, max(-1, last - _RECENT), -1), *range(min(3, last))]
        return list(dict.fromkeys(order))

    def _who(self, intro: _Introduction, text: str) -> int:
        if self.pending and (intro.mention is not None or intro.kind == "description"):
            # the announced list begins: its first person is the one already there
            self.pending = False
            person = self.people[self.current]
            if intro.mention is not None:
                person.label, person.words = intro.mention.text, [intro.mention.words]
            person.described = True
            return self.current
        if intro.kind == "description" and intro.mention is None:
            return self._by_description(intro, text)
        if intro.kind in {"pronoun", "other"}:
            if intro.kind == "other" and _SHARED_NAME.search(text) and intro.strong is False:
                return self._shared_name(text)
            return self.current
        if intro.mention is None:
            return self.current
        if intro.kind == "possessive":
            return self._known(intro.mention.words)
        if intro.marked:
            return self._new(intro)
        if intro.kind == "there":
            return self.current
        return self._by_name(intro)

    def _shared_name(self, text: str) -> int:
        label = self.people[0].label
        self.people.append(Individual(label, list(self.people[0].words)))
        return len(self.people) - 1

    def _by_description(self, intro: _Introduction, text: str) -> int:
        """ "The second ...", "Another is ...", "The botanist ..."."""
        if intro.ordinal is not None and (
            self.listing or len(self.people) > 1 or intro.marked or _NAMED.search(text)
        ):
            k = intro.ordinal
            if k == -1:
                return len(self.people) - 1
            if 0 <= k < len(self.people):
                return k
            if k == -2 and not (self.listing or intro.marked):
                return self.current
            return self._new(intro)
        if intro.marked:
            return self._new(intro)
        if intro.definite and intro.roles and len(self.people) > 1:
            if self.people[self.current].roles & intro.roles:
                return self.current
            fitting = [i for i in self._candidates() if self.people[i].roles & intro.roles]
            if len(fitting) == 1:
                return fitting[0]
        return self.current

    def _known(self, words: tuple[str, ...]) -> int:
        """The individual that a name in passing means: the current where it can be."""
        mine = set(words)
        for i in self._candidates():
            if any(mine <= set(form) for form in self.people[i].words):
                return i
        return self.current

    def _by_name(self, intro: _Introduction) -> int:
        assert intro.mention is not None
        words = intro.mention.words
        mine = set(words)
        if intro.this:
            return self._known(words)
        if intro.ordinal is not None and (self.listing or len(self.people) > 1):
            if 0 <= intro.ordinal < len(self.people):
                return intro.ordinal
            if intro.ordinal == -1:
                return len(self.people) - 1
        if intro.ordinal is not None and intro.ordinal != 0 and intro.strong:
            return self._new(intro)
        order = self._candidates()
        equal = [i for i in order if any(set(f) == mine for f in self.people[i].words)]
        if equal:
            return self._among(intro, equal)
        shorter = [i for i in order if any(mine < set(f) for f in self.people[i].words)]
        if shorter:
            if intro.dated and intro.born is not None and len(words) > 1:
                fitting = [i for i in shorter if not self._dates_clash(self.people[i], intro)]
                return fitting[0] if fitting else self._new(intro)
            if len(words) > 1 and intro.strong and not intro.additive:
                return self._among(intro, shorter)
            return shorter[0]
        longer = [i for i in order if any(set(f) < mine for f in self.people[i].words)]
        if longer:
            if words in self.relatives and not (self.target and self.target <= mine):
                return self.current
            if intro.strong and not intro.additive:
                if not any(self.people[i].described for i in longer):
                    return longer[0]
                if any(self._same_person(self.people[i], intro) for i in longer):
                    return next(i for i in longer if self._same_person(self.people[i], intro))
                return self._new(intro)
            return longer[0]
        return self._stranger(intro, words)

    def _among(self, intro: _Introduction, equal: list[int]) -> int:
        """The same name again: who of those who bear it, or somebody new?"""
        first = equal[0]
        if not self.people[first].described:
            return first
        if intro.born is not None and intro.dated:
            for i in equal:
                if self.people[i].born == intro.born:
                    return i
            if all(self.people[i].born is not None or self.people[i].roles for i in equal):
                if all(self._dates_clash(self.people[i], intro) for i in equal):
                    return self._new(intro)
                if intro.roles and any(
                    self.people[i].roles & intro.roles and self.people[i].born is None
                    for i in equal
                ):
                    return next(i for i in equal if self.people[i].roles & intro.roles)
                return self._new(intro)
            return first
        if intro.strong and intro.roles and not intro.additive:
            for i in equal:
                if self.people[i].roles & intro.roles:
                    return i
            if all(self.people[i].roles for i in equal):
                return self._new(intro)
        return first

    def _dates_clash(self, person: Individual, intro: _Introduction) -> bool:
        return (
            person.born is not None and intro.born is not None and abs(person.born - intro.born) > 1
        )

    def _same_person(self, person: Individual, intro: _Introduction) -> bool:
        if person.born is not None and intro.born is not None:
            return person.born == intro.born
        return bool(person.roles & intro.roles) and not intro.dated

    def _stranger(self, intro: _Introduction, words: tuple[str, ...]) -> int:
        """A name that is nobody's so far."""
        if words in self.relatives and not (self.target and self.target <= set(words)):
            return self.current
        if not intro.strong or not (intro.roles or intro.born is not None):
            return self.current
        if self._kin(words):
            return self._new(intro)
        if intro.about_current or (len(self.people) == 1 and not self.people[0].described):
            return self.current
        return self._new(intro)

    def _new(self, intro: _Introduction) -> int:
        label = intro.mention.text if intro.mention is not None else self.people[0].label
        words = [intro.mention.words] if intro.mention is not None else list(self.people[0].words)
        self.people.append(Individual(label, words))
        return len(self.people) - 1

    def _learn(self, person: Individual, intro: _Introduction) -> None:
        """Remembers what an introduction says of a person."""
        if intro.mention is None or intro.kind not in {"name", "there"}:
            if intro.kind in {"pronoun", "description"} and intro.strong:
                person.roles |= intro.roles
            return
        words = intro.mention.words
        if not person.label:
            person.label = intro.mention.text
            person.described = True
        if words not in person.words and len(person.words) < 8:
            person.words.append(words)
        for alias in intro.aliases:
            if alias not in person.words and len(person.words) < 8:
                person.words.append(alias)
        if person.born is None:
            person.born = intro.born
        if person.died is None:
            person.died = intro.died
        person.roles |= intro.roles
        if intro.strong and intro.roles:
            person.described = True

    def _names_known(
        self, tokens: Sequence[Token], clause: Clause, body: str, mention: Mention
    ) -> bool:
        """Whether the predicate speaks of a person already presented ("... beatified Smith")."""
        lows = {t.low for t in tokens[clause.verb : clause.end]}
        if lows & {"him"}:
            return True
        for other in runs_of_names(tokens, clause.verb, clause.end, body):
            mine = set(other.words)
            if any(mine <= set(form) for person in self._near() for form in person.words):
                return True
        return False


def _end_of(tokens: Sequence[Token], reach: tuple[int, int], most: int) -> int:
    last = min(reach[1], reach[0] + most) - 1
    return tokens[max(last, 0)].end


def _text_of(tokens: Sequence[Token], reach: tuple[int, int], body: str) -> str:
    if reach[1] <= reach[0]:
        return ""
    return body[tokens[reach[0]].start : tokens[reach[1] - 1].end]


def _head_mention(names: Sequence[Mention]) -> Mention | None:
    """The name that a subject means: the last that is no possessive."""
    plain = [m for m in names if not m.possessive]
    return plain[-1] if plain else None


def _role_subject(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether a stretch is a description of a person ("the ethnographer")."""
    if b <= a:
        return False
    first = tokens[a]
    if first.low in {"his", "her", "their", "its"} or not (
        first.low in DETERMINERS
        or is_demonym(first.low)
        or is_role(first.low)
        or first.low in {"fellow", "one"}
    ):
        return False
    return any(is_role(t.low) or t.low in _PEOPLE for t in tokens[a:b])


def _ordinal(tokens: Sequence[Token], a: int, b: int) -> int | None:
    """Which of several people a subject means ("the second John Smith", "one", "another")."""
    if b <= a:
        return None
    lows = [t.low for t in tokens[a : min(b, a + 3)]]
    if lows[0] == "the" and len(lows) > 1 and lows[1] in _ORDINALS and lows[1] != "one":
        return _ORDINALS[lows[1]]
    if lows[0] in {"one", "another", "others"} and (len(lows) == 1 or lows[1] in {"of", "such"}):
        return _ORDINALS.get(lows[0], -2)
    return None


def _is_marked(tokens: Sequence[Token], a: int, b: int) -> bool:
    lows = [t.low for t in tokens[a : min(b, a + 3)]]
    if not lows:
        return False
    if lows[0] in {"another", "yet"} and "another" in lows[:2]:
        return True
    return (
        lows[0] in {"a", "an", "the"}
        and len(lows) > 1
        and (lows[1] in {"different", "unrelated"} or (lows[0] in {"a", "an"} and lows[1] in _NEW))
    )
