"""Makes a clause's statements, each of which is a sentence of its own.

A clause is taken apart along its structure: additions to the subject, dates in brackets, verbs
that share the subject, descriptions joined by commas, and trailing phrases. Sentences that cannot
be split safely stay whole: an unsplit fact can be judged, a mangled one cannot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from dfactscore._text.person_names import SUFFIXES
from dfactscore.engines._builtin.decompose._titles import titles_joined
from dfactscore.engines._builtin.decompose.additions import Additions
from dfactscore.engines._builtin.decompose.clause_words import Statement
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


_LONG_LIFE = 50  # years; "a judge (1930–1965)" held the office then


def _is_life(inside: str) -> bool:
    """Whether the words in brackets after a role are birth and death years."""
    years = [int(year) for year in re.findall(r"\b\d{4}\b", inside)]
    long = len(years) == 2 and years[1] - years[0] >= _LONG_LIFE
    return (long or "born" in inside or "died" in inside) and bool(life_statements(f"({inside})"))


class _Maker(Additions):
    """Makes the statements of one clause."""

    def make(self) -> list[Statement]:
        clause = self.clause
        self.enclose_asides()
        for title in list(titles_joined(self.tokens, max(clause.verb, clause.start), clause.end)):
            self.enclose(*title)
        self.named_aside(max(clause.verb, clause.start), clause.end)
        self.lead()
        one = self.low(self.description[0]) == "one"  # "One umpire, Tom Hill, called"
        if self.description[1] > self.description[0] and not one:
            self.nominal(self.be, *self.description)
        carried = ""
        for bracket in clause.brackets:
            before = len(self.out)
            self.bracket(bracket)
            if len(self.out) == before and bracket[1] > bracket[0]:
                carried += f" ({self.raw(*bracket)})"
        for block in clause.blocks:
            before = len(self.out)
            self.block(block)
            if len(self.out) == before and not _SAYS_NOTHING.fullmatch(self.raw(*block)):
                said = self.raw(*block)
                carried += f", {said}" + "," * (not said.endswith((',"', ",”")))
        self.life_behind_role()
        self.additions()
        plain = self.subject[1:]  # its first letter may be a capital now
        for number, piece in enumerate(self.predicates(clause.verb, clause.end)):
            # text that no rule parses stays in place, in the first statement
            before = len(self.out)
            self.predicate(piece, self.fronted() if number == 0 else "")
            if number == 0 and carried and len(self.out) > before:
                first = self.out[before]
                said = first.text.replace(plain, plain + carried, 1)
                self.out[before] = replace(first, text=said)
        torn = [s for s in self.out if is_torn(s.text)]
        if torn:
            sound = [s for s in self.out if s not in torn]
            self.out = [*sound, *torn]
            self.mend(len(sound), "", clause.verb, clause.end)
        return sorted(self.out, key=lambda s: (s.start, s.end))

    def enclose_asides(self) -> None:
        """Keeps text after the verb whole if it is between dashes or from a dash to the end."""
        first, end = max(self.clause.verb, 0), self.clause.end
        dashes = [
            k
            for k, token in enumerate(self.tokens[first : max(end - 1, 0)], first)
            if not token.depth
            and (token.text == "—" or (token.text == "–" and token.start > self.tokens[k - 1].end))
        ]
        for first, last in zip_longest(dashes[::2], dashes[1::2], fillvalue=end - 1):
            self.enclose(first, last + 1)

    def lead(self) -> None:
        """Makes statements from "Born in Leeds, he ..." or "A tight end, he ..."."""
        a, b = self.clause.lead
        if b <= a:
            return
        first = self.low(a)
        if self.is_phrase(a, b):
            self.phrase(a, b)
        elif self.lead_is_description(a, b):
            if first not in {"another", "yet"}:
                self.describe_owner(a, b)
        elif first == "as" and self.low(a + 1) in {"a", "an"} and self.lead_is_role(a, b):
            self.describe_owner(a + 1, b)

    def describe_owner(self, a: int, b: int) -> None:
        """States the fronted words about the person: "As a singer, her songs are" (she is one)."""
        kept, be = self.subject, self.be
        if kept.startswith((f"{self.owner}’s", f"{self.owner}'s")):
            self.subject, self.be = self.owner, "is" if be in {"is", "are"} else "was"
        self.nominal(self.be, a, b)
        self.subject, self.be = kept, be

    def lead_is_description(self, a: int, b: int) -> bool:
        """Whether the fronted words say who the person is: "A native of Split, he ..."."""
        first = self.low(a)
        lows = {t.low for t in self.tokens[a:b]}
        if first in {"another", "yet"} or (is_role(first) and lows & {",", "and"}):
            return True
        if first in {"a", "an"}:
            return any(is_role(low) for low in lows)
        return first == "the" and (bool(lows & RELATIVES) or any(is_role(low) for low in lows))

    def lead_is_role(self, a: int, b: int) -> bool:
        return b - a <= 7 and is_role(self.low(b - 1)) and self.low(b - 1) not in GENERIC

    def fronted(self) -> str:
        """Returns the words before the subject that belong to the verb ("In 1990")."""
        a, b = self.clause.lead
        if b <= a or self.is_phrase(a, b):
            return ""
        first = self.low(a)
        if self.lead_is_description(a, b) or (first == "as" and self.lead_is_role(a, b)):
            return ""
        words = self.raw(a, b)
        return "" if first not in HEDGES and _SAYS_NOTHING.fullmatch(words) else words

    def life_behind_role(self) -> None:
        """Treats the years in "was an English bishop (1801–1877)" as the subject's."""
        verb, end = self.clause.verb, self.clause.end
        if verb < 0 or self.low(verb) not in BE:
            return
        for k in range(verb + 1, end - 1):
            if self.low(k) in PREPOSITIONS | RELATIVES | {"who", "and"}:
                return
            if self.low(k) == "(" and is_role(self.low(k - 1)):
                close = next((c for c in range(k + 1, end) if self.low(c) == ")"), k)
                if _is_life(self.raw(k + 1, close)):
                    self.bracket((k + 1, close))
                    self.leave_out(k, close + 1)
                return

    def bracket(self, bracket: Range) -> None:
        """Makes statements from birth and death dates or another addition in brackets."""
        inside = self.raw(*bracket)
        life = life_statements(f"({inside})")
        if life:
            for piece in life:
                self.add(piece, *bracket)
            return
        named = re.match(r"(born [A-Z][^\d,;]*?),? (?:on |in )?(\d.*|[A-Z][a-z]+ \d.*)$", inside)
        if named and life_statements(f"(born {named[2]})"):
            self.add(f"was {named[1]}", *bracket)
            for piece in life_statements(f"(born {named[2]})"):
                self.add(piece, *bracket)
            return
        parts = re.split(r"[,;]\s*(?=born\b|[A-Z]\w+ \d|\d)|(?<=\w),\s(?=b\.)", inside, maxsplit=2)
        for n in range(1, len(parts)):
            # "(坂本 九, born Hisashi Oshima, January 10, 1941 – August 12, 1985)"
            tail = inside[inside.index(parts[n]) :]
            life = life_statements(f"({tail})")
            if life:
                for piece in life:
                    self.add(piece, *bracket)
                before = parts[n - 1]
                if re.match(r"born [A-Z][^\d]+$", before):
                    self.add(f"was {before}", *bracket)
                return
        low = inside.lower()
        if low.startswith(("full name", "birth name", "real name")):
            self.add(f"{self.be} named {inside.split('name', 1)[1].strip(': ')}", *bracket)
        elif low.startswith(("née ", "nee ")):
            self.add(f"was born {inside.split(' ', 1)[1]}", *bracket)
        elif low.startswith(("also known", "known as", "nicknamed", "also spelled")):
            self.add(f"{self.be} {inside}", *bracket)
        elif (
            any(is_role(t.low) for t in self.tokens[bracket[0] : bracket[1]]) and "," not in inside
        ):
            self.nominal(self.be, *bracket)

    def opens_with_adjective(self, a: int, b: int) -> bool:
        """Whether a role follows one or two words: "fictional detective in the novels"."""
        near = next((k for k in range(a + 1, min(b, a + 3)) if is_role(self.low(k))), a)
        words = self.tokens[a : near + 1]
        plain = all(
            t.word and not t.capital and t.low not in SMALL | {"then", "now"} for t in words
        )
        return near > a and plain and not is_finite_form(self.low(a))

    def without_dates(self, block: Range) -> Range:
        """Makes statements from life dates at the end of an addition: "2nd Baronet (1785–1863)"."""
        a, b = block
        if self.tokens[b - 1].text != ")":
            return block
        opening = next((k for k in range(b - 1, a, -1) if self.tokens[k].text == "("), a)
        inside = self.raw(opening + 1, b - 1)
        life = life_statements(f"({inside})") if _is_life(inside) else []
        for piece in life:
            self.add(piece, opening, b)
        return (a, opening) if life else block

    def block(self, block: Range) -> None:
        """Makes statements from an addition between the subject and the verb."""
        words = self.subject.split()
        named = words[-1][0].isupper() and not PREPOSITIONS.isdisjoint(words)
        if named and not self.raw_subject_is_person():
            return  # "His marriage to Eva Hill, a nurse, was": it stays with her
        a, b = self.without_dates(block)
        if self.low(a).rstrip(".") in SUFFIXES:  # "Ann Lee, Jr., born in 1901, was"
            a += 1 + (self.tokens[a + 1].text == ",")
        if a >= b:
            return
        first = self.low(a)
        if first == "who":
            for piece in self.predicates(a + 1, b):
                self.predicate(piece, "")
        elif first == "whose":
            whose = self.owner if self.raw_subject_is_person() else self.subject
            self.add(self.raw(a + 1, b), a, b, f"{whose}’s")
        elif self.is_phrase(a, b):
            self.phrase(a, b)
        elif first in {"a", "an", "one", "the", "another"} or is_role(first) or is_demonym(first):
            self.nominal(self.be, a, b)
        elif first in {"also", "formerly", "later", "himself", "herself", "originally"}:
            self.add(f"{self.be} {self.raw(a, b)}", a, b)
        elif first in {"son", "daughter", "brother", "sister"}:
            self.add(f"{self.be} the {self.raw(a, b)}", a, b)
        elif self.tokens[a].capital and any(is_role(t.low) for t in self.tokens[a:b]):
            self.add(f"{self.be} {self.raw(a, b)}", a, b)
        elif self.opens_with_adjective(a, b):
            self.nominal(self.be, a, b)
        elif self.tokens[a].text[0].isdigit() and self.tokens[a].low.endswith(
            ("st", "nd", "rd", "th")
        ):
            self.add(f"{self.be} the {self.raw(a, b)}", a, b)


def statements(
    text: str,
    tokens: Sequence[Token],
    clause: Clause,
    subject: str,
    owner: str,
    description: Range = (0, 0),
) -> list[Statement]:
    """Returns the statements made from a clause that has a verb.

    Args:
        text: The text that the tokens come from.
        tokens: Tokens of the sentence.
        clause: The clause, with its verb.
        subject: The subject as the statements should write it.
        owner: The individual's name as the paragraph writes it.
        description: The description before the name ("the poet Ann Lee").
    """
    return _Maker(text, tokens, clause, subject, owner, description).make()


def block_statements(
    text: str, tokens: Sequence[Token], clause: Clause, subject: str, be: str
) -> list[Statement]:
    """Returns the statements of a clause's additions alone ("there is X, a poet").

    Args:
        text: The text that the tokens come from.
        tokens: Tokens of the sentence.
        clause: The clause; its brackets and blocks are read.
        subject: The subject as the statements should write it.
        be: The verb that joins them.
    """
    maker = _Maker(text, tokens, clause, subject, subject)
    maker.be = be if be in {"is", "was"} else "is"
    for bracket in clause.brackets:
        maker.bracket(bracket)
    for block in clause.blocks:
        maker.block(block)
    return maker.out
