"""Makes a clause's statements, each of which is a sentence of its own.

A clause is taken apart along its structure: additions to the subject, dates in brackets, verbs
that share the subject, descriptions joined by commas, and trailing phrases. Sentences that cannot
be split safely stay whole: an unsplit fact can be judged, a mangled one cannot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import islice, zip_longest

from dfactscore._text.person_names import SUFFIXES
from dfactscore.engines._builtin.decompose.additions import Additions
from dfactscore.engines._builtin.decompose.clause_words import Statement
from dfactscore.engines._builtin.decompose.joined import titles_joined
from dfactscore.engines._builtin.decompose.predicate_joints import HEDGES
from dfactscore.engines._builtin.decompose.torn import is_torn
from dfactscore.engines._builtin.group.cues import GENERIC
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    BE,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    is_demonym,
    is_finite_form,
    is_role,
)

# Words that merely connect a sentence to the previous one
_SAYS_NOTHING = re.compile(
    r"(?i)(?:|in addition|on the other hand|in contrast|by contrast|meanwhile|additionally|"
    r"furthermore|moreover|however|finally|sadly|unfortunately|ultimately|notably|"
    r"nevertheless|nonetheless|similarly|likewise|overall|interestingly|in fact|"
    r"for example|for instance|as a result|off the field|today|lastly|\w+ly|"
    r"(?:unrelated|no relation) (?:to \w+|to (?:\w+ )+)|(?:described|found|mentioned|covered|"
    r"profiled|discussed|featured) in (?:the )?(?:\w+ )?"
    r"(?:document|passage|source|result|article)s?(?: \[?\d+\]?)?)"
)


_LONGEST_OFFICE = 3  # words, "as" included
_LONG_LIFE = 50  # years; "a judge (1930–1965)" held the office then
_LIFE_STARTS = re.compile(r"^|(?:[,;] (?:on |in )?| (?:on|in) )(?=born\b|b\.|[A-Z]\w+ \d|\d)")
_BORN_AS = re.compile(r"(?:^|[,;] )(born [A-Z][^\d,;]*)$")
_ARTICLES = frozenset({"a", "an", "one", "the", "another"})
_CHILD = frozenset({"son", "daughter", "brother", "sister"})
_AND_OTHER = re.compile(r"An? .*\band the [a-z-]+ of\b")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")


def _life_in(inside: str) -> list[str]:
    """Returns predicates for the dates in "born Eva Hill, 3 May 1900" or "坂本, 1941 – 1985"."""
    for start in islice(_LIFE_STARTS.finditer(inside), 4):
        tail = inside[start.end() :]
        named = _BORN_AS.search(inside, 0, start.start())
        life = life_statements(f"(born {tail})" if named else f"({tail})")
        if life:
            return [f"was {named[1]}", *life] if named else life
    return []


class _Maker(Additions):
    """Makes the statements of one clause."""

    def make(self) -> list[Statement]:
        clause, first = self.clause, max(self.clause.verb, self.clause.start)
        self.enclose_asides()
        self.enclose_open_quotation()
        for title in list(titles_joined(self.tokens, first, clause.end)):
            self.enclose(*title)
        self.named_aside(first, clause.end)
        self.lead()
        a, b = self.description
        if self.low(a) != "one":  # "One umpire, Tom Hill, called"
            self.nominal(self.be, a, b)
        unread = self.additions_to_subject()
        self.life_after_role()
        self.additions()
        subject = self.subject[1:]  # its first letter may be a capital now
        for number, piece in enumerate(self.predicates(clause.verb, clause.end)):
            count = len(self.out)
            self.predicate(piece, "" if number else self.fronted())
            for statement in self.out[count : count + (not number)]:
                text = statement.text.replace(subject, subject + unread, 1)
                self.out[count] = statement._replace(text=text)
        torn = [s for s in self.out if is_torn(s.text)]
        if torn:
            sound = [s for s in self.out if s not in torn]
            self.out = [*sound, *torn]
            self.restate_torn(len(sound), "", clause.verb, clause.end)
        return sorted(self.out, key=lambda s: (s.start, s.end))

    def enclose_asides(self) -> None:
        """Keeps text after the verb whole if it is between dashes or from a dash to the end."""
        first, end = max(self.clause.verb, 0), self.clause.end
        dashes = [
            k
            for k, token in enumerate(self.tokens[first : end - 1], first)
            if not token.depth
            and (token.text == "—" or (token.text == "–" and token.start > self.tokens[k - 1].end))
        ]
        for first, last in zip_longest(dashes[::2], dashes[1::2], fillvalue=end - 1):
            self.enclose(first, last + 1)

    def enclose_open_quotation(self) -> None:
        """Keeps a quotation with a comma whole if it is after the verb and never closed."""
        tokens, end = self.tokens, self.clause.end
        for k in range(max(self.clause.verb, 0), end - 1):
            mark, before, after = tokens[k], tokens[k - 1], tokens[k + 1]
            apart = mark.start > before.end and after.start == mark.end
            opens = apart and not mark.depth and mark.text in {'"', "“"}
            if opens and any(t.comma for t in tokens[k:end]):
                self.enclose(k, end)
                return

    def lead(self) -> None:
        """Makes statements from "Born in Leeds, he ..." or "A tight end, he ..."."""
        if self.is_phrase(*self.clause.lead):
            self.phrase(*self.clause.lead)
            return
        subject = self.subject
        if subject.startswith((f"{self.owner}’s", f"{self.owner}'s")):  # "As a singer, her songs"
            self.subject = self.owner
        self.nominal(self.be, *self.lead_description)
        self.subject = subject

    @cached_property
    def lead_description(self) -> Range:
        """The fronted words that say who the person is: "A native of Split, he ..."."""
        a, b = self.clause.lead
        first, last = self.low(a), self.low(b - 1)
        words = {t.low for t in self.tokens[a:b]}
        if first == "as":  # "As a judge", "As head coach"; not "As judges sort, by a judge,"
            held = self.low(a + 1) in {"a", "an"} or b - a <= _LONGEST_OFFICE
            return (a + 1, b) if held and is_role(last) and last not in GENERIC else (a, a)
        describes = bool(words & RELATIVES) or any(is_role(word) for word in words)
        roles = bool(words & {",", "and"}) and is_role(first)  # "Judge and poet Ann Lee"
        opens = roles or first in {"a", "an", "the"}
        # "A sister to the king and the pride of Leeds": the king's sister, not the pride's
        mixed = _AND_OTHER.match(self.raw(a, b)) and not self.items(a, b)
        return (a, b) if opens and describes and not mixed else (a, a)

    def fronted(self) -> str:
        """Returns the words before the subject that belong to the verb ("In 1990")."""
        a, b = self.clause.lead
        first, words = self.low(a), self.raw(a, b)
        x, y = self.lead_description
        if first in {"another", "yet"} or self.is_phrase(a, b) or y > x:
            return ""
        return "" if first not in HEDGES and _SAYS_NOTHING.fullmatch(words) else words

    def life_after_role(self) -> None:
        """Treats the years in "was an English bishop (1801–1877)" as the subject's."""
        verb, end = self.clause.verb, self.clause.end
        words = [t.low for t in self.tokens[verb:end]]
        if self.low(verb) not in BE or "(" not in words:
            return
        opening = verb + words.index("(")
        close = next((k for k in range(opening, end) if self.low(k) == ")"), opening)
        before = words[: opening - verb]
        person = (PREPOSITIONS | RELATIVES | {"who", "and"}).isdisjoint(before)  # not "son of a"
        if is_role(before[-1]) and person and self.life_between(opening, close):
            self.leave_out(opening, close + 1)

    def life_between(self, opening: int, close: int) -> bool:
        """Makes statements from dates in brackets if they can only be of birth and death."""
        inside = self.raw(opening + 1, close)
        years = [int(year) for year in re.findall(r"\b\d{4}\b", inside)]
        long = len(years) == 2 and years[1] - years[0] >= _LONG_LIFE
        life = _life_in(inside) if long or "born" in inside or "died" in inside else []
        for predicate in life:
            self.add(predicate, opening, close + 1)
        return bool(life)

    def additions_to_subject(self) -> str:
        """Makes statements from the additions to the subject; returns those that no rule reads."""
        unread = ""
        for bracket in self.clause.brackets:
            count = len(self.out)
            self.bracket(bracket)
            if len(self.out) == count and bracket[1] > bracket[0]:
                unread += f" ({self.raw(*bracket)})"
        for block in self.clause.blocks:
            count, words = len(self.out), self.raw(*block)
            self.block(block)
            if len(self.out) == count and not _SAYS_NOTHING.fullmatch(words):
                unread += f", {words}" + "," * (not words.endswith((',"', ",”")))
        return unread

    def bracket(self, bracket: Range) -> None:
        """Makes statements from birth and death dates or another addition in brackets."""
        inside = self.raw(*bracket)
        low = inside.lower()
        life = _life_in(inside)
        for predicate in life:
            self.add(predicate, *bracket)
        if life:
            return
        if low.startswith(("full name", "birth name", "real name")):
            self.add(f"{self.be} named {inside.split('name', 1)[1].strip(': ')}", *bracket)
        elif low.startswith(("née ", "nee ")):
            self.add(f"was born {inside.split(' ', 1)[1]}", *bracket)
        elif low.startswith(("also known", "known as", "nicknamed", "also spelled")):
            self.add(f"{self.be} {inside}", *bracket)
        elif self.has_role(*bracket) and "," not in inside:
            self.nominal(self.be, *bracket)

    def has_role(self, a: int, b: int) -> bool:
        """Whether a span contains a role."""
        return any(is_role(t.low) for t in self.tokens[a:b])

    def opens_with_role(self, a: int, b: int) -> bool:
        """Whether a span begins with a role or its adjectives: "fictional detective in the"."""
        first = self.low(a)
        if first == "then" or (is_finite_form(first) and not first.endswith("ed")):
            return False  # ", said critic Tom Hill,"
        role = next((k for k in range(a, min(b, a + 3)) if is_role(self.low(k))), b)
        return role < b and all(not t.capital and t.low not in SMALL for t in self.tokens[a:role])

    def block(self, block: Range) -> None:
        """Makes statements from an addition between the subject and the verb."""
        named = not PREPOSITIONS.isdisjoint(self.subject.split())
        if named and not self.raw_subject_is_person():
            return  # "His marriage to Eva Hill, a nurse, was": it stays with her
        a, b = block
        opening = next((k for k in range(b - 1, a, -1) if self.low(k) == "("), a)
        if RELATIVES.isdisjoint(t.low for t in self.tokens[a:opening]):  # not "son of a judge"
            b = opening if self.life_between(opening, b - 1) else b
        if self.low(a).rstrip(".") in SUFFIXES:  # "Ann Lee, Jr., born in 1901, was"
            a += 1 + (self.tokens[a + 1].text == ",")
        if self.is_phrase(a, b):
            self.phrase(a, b)
        elif self.low(a) == "who":
            for piece in self.predicates(a + 1, b):
                self.predicate(piece, "")
        elif self.low(a) == "whose":
            owner = self.owner if self.raw_subject_is_person() else self.subject
            self.add(self.raw(a + 1, b), a, b, f"{owner}’s")
        elif a < b:
            self.description_after_name(a, b)

    def description_after_name(self, a: int, b: int) -> None:
        """Makes statements from ", a judge," or ", 2nd Baronet," after the subject."""
        first = self.low(a)
        if first in _CHILD or _ORDINAL.fullmatch(first):
            self.add(f"{self.be} the {self.raw(a, b)}", a, b)
        elif first in _ARTICLES or is_demonym(first) or self.opens_with_role(a, b):
            self.nominal(self.be, a, b)
        elif self.tokens[a].capital and self.has_role(a, b):
            self.add(f"{self.be} {self.raw(a, b)}", a, b)


def statements(
    text: str,
    tokens: Sequence[Token],
    clause: Clause,
    subject: str,
    owner: str,
    description: Range = (0, 0),
) -> list[Statement]:
    """Returns the statements made from a clause that has a verb."""
    return _Maker(text, tokens, clause, subject, owner, description).make()


def block_statements(
    text: str, tokens: Sequence[Token], clause: Clause, subject: str, be: str
) -> list[Statement]:
    """Returns the statements of a clause's additions alone ("there is X, a poet").

    The arguments are those of `statements`; the verb `be` joins the additions to the subject.
    """
    maker = _Maker(text, tokens, clause, subject, subject)
    maker.be = be if be in {"is", "was"} else "is"
    maker.additions_to_subject()
    return maker.out
