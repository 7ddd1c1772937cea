"""Statements that one clause makes, each a sentence of its own.

A clause is taken apart along its structure: additions to the subject, dates in brackets, verbs
that share the subject, descriptions joined by commas, phrases that hang on. What cannot be taken
apart safely stays whole: an unsplit fact can be judged, a mangled one cannot.
"""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore.embedded.clauses import Clause, Range, finite_at, is_adverb, skip_adverbs
from dfactscore.embedded.lifedates import life_statements
from dfactscore.embedded.tokenizer import Token
from dfactscore.embedded.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    MONTHS,
    PARTICIPLES,
    PASSIVE,
    PREPOSITIONS,
    RELATIVES,
    is_adjective_ed,
    is_demonym,
    is_role,
    past_of_gerund,
)

__all__ = ["Statement", "statements"]

_BE = frozenset({"is", "was", "are", "were"})
_STARTING_PARTICIPLES = frozenset(
    (
        "known born educated raised named based located nicknamed called titled entitled regarded "
        "considered recognized recognised remembered noted famous married trained elected "
        "appointed awarded affiliated associated credited famed notable"
    ).split(" ")
)
_PHRASE_PREFIXES = frozenset({"best", "better", "widely", "well", "originally", "also", "later"})
# ", making him a star": what happened did that, not the subject
_OBJECTS = frozenset({"that", "him", "her", "it", "them", "himself", "herself", "this"})
_AGENTS = ("er", "or", "ist", "ian", "eer", "ant")  # a role among roles, though unknown
_SUBORDINATORS = frozenset(
    (
        "who which that where when while whose because how although he she they it whom since if "
        "whether"
    ).split(" ")
)
_LIST_OPENERS = frozenset({"including", "like", "for", "with", "as", "by", "of"})
_MONTH = "|".join(m.capitalize() for m in sorted(MONTHS))
_DATE = re.compile(
    rf"(?:(?:c\.|circa|around|about|late|early|the)\s)*(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?)?"
    rf"(?:(?:{_MONTH})\b(?:\s\d{{1,2}}(?:st|nd|rd|th)?)?,?\s?)?(?:\d{{3,4}})?(?:s)?$"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence with the characters that it was made from.

    Attributes:
        text: The sentence.
        start: First character, in the text that the tokens were cut from.
        end: After the last.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A predicate: words to put before it, and the tokens that it is."""

    prefix: str
    start: int
    end: int


class _Maker:
    """Makes the statements of one clause."""

    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        clause: Clause,
        subject: str,
        owner: str,
        description: Range = (0, 0),
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.clause = clause
        self.subject = subject
        self.owner = owner  # the person that "his" and a bare "born in ..." mean
        self.description = description
        self.out: list[Statement] = []
        if clause.verb >= clause.end:
            return
        verb = skip_adverbs(tokens, clause.verb, clause.end)
        present = tokens[verb].low in {"is", "are", "has"} or (
            tokens[verb].low.endswith("s") and tokens[verb].low not in AUXILIARIES
        )
        self.be = "is" if present else "was"

    # -- helpers ------------------------------------------------------------------------------

    def raw(self, a: int, b: int) -> str:
        """The characters of a range of tokens."""
        if b <= a:
            return ""
        return self.text[self.tokens[a].start : self.tokens[b - 1].end]

    def add(self, predicate: str, a: int, b: int, subject: str | None = None) -> None:
        """Adds a statement about the subject."""
        predicate = predicate.strip(" ,;:–—-")
        if predicate[:3] in {"'s ", "’s "}:
            predicate = f"is {predicate[3:]}"
        if not predicate:
            return
        who = self.subject if subject is None else subject
        sentence = _finish(f"{who} {predicate}")
        first, last = self.tokens[a], self.tokens[max(a, b - 1)]
        if all(s.text != sentence for s in self.out):
            self.out.append(Statement(sentence, first.start, last.end))

    def low(self, i: int) -> str:
        return self.tokens[i].low if 0 <= i < len(self.tokens) else ""

    def comma(self, i: int) -> bool:
        return self.tokens[i].text == "," and not self.tokens[i].depth

    # -- the parts ----------------------------------------------------------------------------

    def make(self) -> list[Statement]:
        clause = self.clause
        self.lead()
        if self.description[1] > self.description[0]:
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
            if len(self.out) == before and block[1] > block[0]:
                carried += f", {self.raw(*block)},"
        plain = self.subject
        for number, piece in enumerate(self.predicates(clause.verb, clause.end)):
            # what no rule reads stays where it stood, in the first statement
            self.subject = plain + (carried if number == 0 else "")
            self.predicate(piece, self.fronted() if number == 0 else "")
        self.subject = plain
        return sorted(self.out, key=lambda s: (s.start, s.end))

    def lead(self) -> None:
        """Makes statements of "Born in Leeds, he ..." and "A tight end, he ..."."""
        a, b = self.clause.lead
        if b <= a:
            return
        first = self.low(a)
        if self.is_phrase(a, b):
            self.phrase(a, b)
        elif self.lead_is_description(a, b):
            if first not in {"another", "yet"}:
                self.nominal(self.be, a, b)
        elif first == "as" and self.low(a + 1) in {"a", "an"} and self.lead_is_role(a, b):
            self.nominal(self.be, a + 1, b)

    def lead_is_description(self, a: int, b: int) -> bool:
        """Whether what is fronted says who the person is: "A native of Split, he ..."."""
        first = self.low(a)
        lows = {t.low for t in self.tokens[a:b]}
        if first in {"another", "yet"}:
            return True
        if first in {"a", "an"}:
            return any(is_role(low) for low in lows)
        return first == "the" and (bool(lows & RELATIVES) or any(is_role(low) for low in lows))

    def lead_is_role(self, a: int, b: int) -> bool:
        return b - a <= 7 and is_role(self.low(b - 1)) and self.low(b - 1) not in {"child", "boy"}

    def fronted(self) -> str:
        """What stands before the subject and belongs to the verb ("In 1990")."""
        a, b = self.clause.lead
        if b <= a or self.is_phrase(a, b):
            return ""
        first = self.low(a)
        if self.lead_is_description(a, b) or (first == "as" and self.lead_is_role(a, b)):
            return ""
        words = self.raw(a, b)
        if re.fullmatch(
            r"(?i)(?:in addition|on the other hand|in contrast|by contrast|meanwhile|additionally|"
            r"furthermore|moreover|however|finally|sadly|unfortunately|ultimately|notably|"
            r"nevertheless|nonetheless|similarly|likewise|overall|interestingly|in fact|"
            r"for example|for instance|as a result|off the field|today|lastly|\w+ly)",
            words,
        ):
            return ""
        return words

    def is_phrase(self, a: int, b: int) -> bool:
        """Whether a stretch is a participle with what belongs to it ("born in Leeds")."""
        k = a
        while k < b and self.low(k) in _PHRASE_PREFIXES:
            k += 1
        low = self.low(k)
        if k >= b:
            return False
        if low in _STARTING_PARTICIPLES:
            return True
        return low.endswith("ed") and low in PASSIVE and self.low(k + 1) in PREPOSITIONS

    def phrase(self, a: int, b: int, subject: str | None = None) -> None:
        """A participle phrase as a statement; several joined by "and" are several."""
        start = a
        for k in range(a + 1, b - 1):
            if self.low(k) != "and" or self.tokens[k].depth:
                continue
            if self.is_phrase(k + 1, b):
                self.life_or_plain(start, k, subject)
                start = k + 1
            elif past_of_gerund(self.low(k + 1)) is not None:
                self.life_or_plain(start, k, subject)
                self.gerunds(k + 1, b)
                return
        self.life_or_plain(start, b, subject)

    def life_or_plain(self, a: int, b: int, subject: str | None = None) -> None:
        words = self.raw(a, b).rstrip(", ")
        words = words[0].lower() + words[1:] if words else words
        be = "was" if words.startswith(("born", "educated", "raised")) else self.be
        who = self.subject if subject is None else subject
        if who == self.subject and re.search(r"['’]s? ", who) and self.owner != who:
            who = self.owner  # "Born in Canada, his career ...": the person was
        found = life_statements(f"{be} {words}")
        for piece in found:
            self.add(piece, a, b, who)

    def bracket(self, bracket: Range) -> None:
        """Dates of birth and death, or another addition in brackets."""
        inside = self.raw(*bracket)
        life = life_statements(f"({inside})")
        if life:
            for piece in life:
                self.add(piece, *bracket)
            return
        low = inside.lower()
        if low.startswith(("full name", "birth name", "real name")):
            self.add(f"{self.be} named {inside.split('name', 1)[1].strip(': ')}", *bracket)
        elif low.startswith(("also known", "known as", "nicknamed", "née", "nee ", "also spelled")):
            self.add(f"{self.be} {inside}", *bracket)
        elif (
            any(is_role(t.low) for t in self.tokens[bracket[0] : bracket[1]]) and "," not in inside
        ):
            self.nominal(self.be, *bracket)

    def block(self, block: Range) -> None:
        """An addition between the subject and the verb."""
        a, b = block
        first = self.low(a)
        if first == "who":
            for piece in self.predicates(a + 1, b):
                self.predicate(piece, "")
        elif first == "whose":
            self.add(self.raw(a + 1, b), a, b, f"{self.owner}’s")
        elif first in {"which", "where", "whom", "that", "with", "not"}:
            return
        elif self.is_phrase(a, b):
            self.phrase(a, b)
        elif first in {"a", "an", "one", "the", "another"} or is_role(first) or is_demonym(first):
            self.nominal(self.be, a, b)
        elif first in {"also", "formerly", "later", "himself", "herself", "originally"}:
            self.add(f"{self.be} {self.raw(a, b)}", a, b)
        elif first in {"son", "daughter", "brother", "sister", "jr.", "sr."}:
            self.add(f"{self.be} the {self.raw(a, b)}", a, b)
        elif self.tokens[a].capital and any(is_role(t.low) for t in self.tokens[a:b]):
            self.add(f"{self.be} {self.raw(a, b)}", a, b)
        elif self.tokens[a].text[0].isdigit() and self.tokens[a].low.endswith(
            ("st", "nd", "rd", "th")
        ):
            self.add(f"{self.be} the {self.raw(a, b)}", a, b)

    # -- predicates -----------------------------------------------------------------------------

    def predicates(self, a: int, b: int) -> list[_Piece]:
        """Cuts "was born in X and moved to Y" into predicates that share the subject."""
        pieces: list[_Piece] = []
        start = a
        verb = skip_adverbs(self.tokens, a, b)
        prefix = ""
        k = verb + 1
        while k < b:
            token = self.tokens[k]
            if token.depth or not (self.comma(k) or token.low in {"and", "but", "yet"}):
                k += 1
                continue
            nxt = k + 1
            if self.comma(k) and self.low(nxt) in {"and", "but", "yet"}:
                nxt += 1
            nxt_verb = skip_adverbs(self.tokens, nxt, b)
            shared = self.shares(verb, nxt_verb, b) if nxt_verb < b else None
            if (
                shared is None
                or self.bare(verb, k)
                or self.in_clause(start, k)
                or self.clashes(nxt_verb)
            ):
                k += 1
                continue
            if self.comma(k) and token.low == "," and nxt == k + 1 and not self.closes(nxt, b):
                k += 1
                continue
            pieces.append(_Piece(prefix, start, k))
            start, prefix = nxt, shared
            if shared == "":
                verb = nxt_verb
            k = nxt_verb + 1
        pieces.append(_Piece(prefix, start, b))
        return pieces

    def bare(self, verb: int, k: int) -> bool:
        """Whether nothing but the verb stands before a joint ("owns and runs a shop")."""
        if self.low(verb) in AUXILIARIES:
            main = skip_adverbs(self.tokens, verb + 1, k)
            if self.low(main) == "been":
                main += 1
            return k <= main + 1
        before = self.low(k - 1)  # "having captained and managed the club": one phrase
        return k == verb + 1 or (self.low(k) == "and" and before.endswith("ed"))

    def clashes(self, i: int) -> bool:
        """Whether a verb cannot be the subject's ("they plays")."""
        plural = self.subject.lower() in {"they", "both", "these", "those"}
        return plural and self.low(i).endswith("s") and self.low(i) not in {"was", "does"}

    def closes(self, a: int, b: int) -> bool:
        """Whether a list of predicates that goes on at `a` is closed by "and" later."""
        return any(
            self.low(k) == "and"
            and not self.tokens[k].depth
            and finite_at(self.tokens, skip_adverbs(self.tokens, k + 1, b), b)
            for k in range(a, b - 1)
            if skip_adverbs(self.tokens, k + 1, b) < b
        )

    def in_clause(self, a: int, k: int) -> bool:
        """Whether a joint at `k` lies in a subordinate clause that began behind `a`."""
        if self.comma(k) and self.low(k + 1) in {"and", "but", "yet"}:
            return False
        return any(
            self.low(i) in _SUBORDINATORS and not self.tokens[i].depth for i in range(a + 1, k)
        )

    def shares(self, verb: int, i: int, b: int) -> str | None:
        """The auxiliary that a verb at `i` shares with `verb`; "" if it stands alone, else None."""
        low = self.low(i)
        first = self.low(verb)
        follow = skip_adverbs(self.tokens, verb + 1, b)
        ahead = self.low(i + 1)
        participle = low in PARTICIPLES or low.endswith("ed")
        if self.tokens[i].capital:
            return None
        if first in _BE and participle and follow < i and self.is_participle(follow):
            passive = low in PARTICIPLES or (
                low in PASSIVE
                and (
                    ahead in PREPOSITIONS or ahead in {"", ",", ".", "a", "an", "the"} or i + 1 >= b
                )
            )
            if passive and not (
                ahead in {"the", "a", "an"}
                and low
                not in {"awarded", "named", "elected", "appointed", "called", "granted", "given"}
            ):
                return first
        if first in {"has", "have", "had"} and participle and low not in AUXILIARIES:
            if (
                follow < i
                and self.low(follow) == "been"
                and low in PASSIVE
                and ahead in PREPOSITIONS
            ):
                return f"{first} been"
            if not (is_adjective_ed(low) and ahead not in PREPOSITIONS | DETERMINERS):
                return first
        if finite_at(self.tokens, i, b):
            return ""
        return None

    def is_participle(self, i: int) -> bool:
        low = self.low(i)
        return low in PARTICIPLES or low in PASSIVE or low.endswith("ed")

    def predicate(self, piece: _Piece, fronted: str) -> None:
        """One predicate with what hangs on it."""
        a, b = piece.start, piece.end
        prefix = f"{piece.prefix} " if piece.prefix else ""
        verb = skip_adverbs(self.tokens, a, b)
        if not piece.prefix and self.low(verb) in _BE:
            k = skip_adverbs(self.tokens, verb + 1, b)
            if self.low(k) in {"a", "an"} and k < b:
                head = self.raw(a, k)
                if not fronted:
                    self.nominal(head, k, b)
                    return
        end = self.tails(verb, b)
        body = self.raw(a, end)
        tail = (
            f" {fronted[0].lower() if not _keep_case(fronted) else fronted[0]}{fronted[1:]}"
            if fronted
            else ""
        )
        if not piece.prefix or prefix.strip() in _BE:
            life = life_statements(prefix + body)
            if len(life) > 1:
                for part in life:
                    self.add(part, a, end)
                return
        items = self.listed(verb, end)
        if items is not None and not tail:
            stem_end, parts, rest = items
            for first, last in parts:
                words = f"{self.raw(a, stem_end)} {self.raw(first, last)}{rest}"
                self.add(prefix + words, first, last)
            return
        if tail:
            # "In 1990, he moved" stays in one fact, the circumstance in front as it was written
            sentence_subject = self.subject
            self.add(
                f"{prefix}{body}", self.clause.lead[0], end, _joined(fronted, sentence_subject)
            )
            return
        self.add(prefix + body, a, end)

    def tails(self, verb: int, b: int) -> int:
        """Takes off what hangs on a predicate behind commas; returns where the rest ends."""
        end = b
        for k in range(verb + 2, b - 1):
            if not self.comma(k) or k >= end:
                continue
            low = self.low(k + 1)
            stop = self.tail_end(k + 1, b)
            if stop != b:
                continue
            past = past_of_gerund(low)
            if past is not None and self.be == "was" and self.low(k + 2) not in _OBJECTS:
                self.gerunds(k + 1, b)
                end = k
                break
            hangs_on = low in _STARTING_PARTICIPLES | _PHRASE_PREFIXES
            mine = self.raw_subject_is_person() and not self.ends_in_other_person(verb, k)
            if hangs_on and mine and self.is_phrase(k + 1, b):
                self.phrase(k + 1, b)
                end = k
                break
            if low == "who" and self.tokens[k - 1].capital:
                antecedent = self.name_before(k)
                if antecedent:
                    for piece in self.predicates(k + 2, b):
                        words = (piece.prefix + " " if piece.prefix else "") + self.raw(
                            piece.start, piece.end
                        )
                        self.add(words, piece.start, piece.end, antecedent)
                    end = k
                    break
        return end

    def ends_in_other_person(self, a: int, k: int) -> bool:
        """Whether what stands before a comma may itself be what "known for" describes."""
        return (
            self.tokens[k - 1].capital
            and self.low(k + 1) not in {"born"}
            and any(self.low(i) in {"with", "by", "of", "to"} for i in range(max(a, k - 4), k))
        )

    def raw_subject_is_person(self) -> bool:
        return self.subject == self.owner or self.subject.split()[-1] in self.owner.split()

    def tail_end(self, a: int, b: int) -> int:
        return b

    def gerunds(self, a: int, b: int) -> None:
        """Makes statements of ", earning X and becoming Y"."""
        start = a
        for k in range(a + 1, b):
            if self.tokens[k].depth:
                continue
            if (self.low(k) == "and" or self.comma(k)) and k + 1 < b:
                nxt = k + 2 if self.comma(k) and self.low(k + 1) == "and" else k + 1
                if past_of_gerund(self.low(nxt)) is not None and k > start:
                    self.gerund(start, k)
                    start = nxt
        self.gerund(start, b)

    def gerund(self, a: int, b: int) -> None:
        past = past_of_gerund(self.low(a)) or self.low(a)
        self.add(f"{past} {self.raw(a + 1, b)}", a, b)

    def name_before(self, k: int) -> str:
        """The capitalised words right before a comma, if they can be a person's name."""
        first = k
        while first > 0 and self.tokens[first - 1].capital and self.tokens[first - 1].word:
            first -= 1
        if not 2 <= k - first <= 4 or self.low(first - 1) in {"of", "the", "at", "in"}:
            return ""
        return self.raw(first, k)

    # -- lists --------------------------------------------------------------------------------

    def listed(self, verb: int, b: int) -> tuple[int, list[Range], str] | None:
        """Finds "..., such as A, B, and C" or "for A, B and C" at the end of a predicate."""
        last_and = -1
        for k in range(b - 2, verb, -1):
            if self.low(k) in {"and", "&"} and not self.tokens[k].depth:
                last_and = k
                break
        if last_and < 0:
            return None
        commas = [k for k in range(verb + 1, last_and) if self.comma(k)]
        if not commas:
            return None
        # walk back over items that are names or short capitalised phrases
        edges = [last_and]
        at = last_and
        for k in reversed(commas):
            if k == at - 1 and at == last_and:
                edges[-1] = k  # the comma before "and"
                at = k
                continue
            if not self.is_item(k + 1, at):
                break
            edges.append(k)
            at = k
        if len(edges) < 2:
            return None
        # the first item: from its list opener to the first comma
        first_comma = edges[-1]
        opener = -1
        for k in range(first_comma - 1, verb, -1):
            low = self.low(k)
            if self.tokens[k].depth:
                continue
            if low in _LIST_OPENERS or (low == "as" and self.low(k - 1) == "such"):
                opener = k
                break
            if low in PREPOSITIONS or self.comma(k):
                break
        if opener < 0 or not self.is_item(opener + 1, first_comma):
            return None
        if self.low(opener) == "of" and self.tokens[opener - 1].capital:
            return None
        last_start = last_and + 1
        if not self.is_item(last_start, min(b, last_start + 1)):
            return None
        parts: list[Range] = [(opener + 1, first_comma)]
        ordered = sorted(edges)
        for left, right in itertools.pairwise(ordered):
            parts.append((left + 1, right))
        parts.append((last_start, b))
        if len(parts) < 3 or any(y <= x for x, y in parts):
            return None
        return opener + 1, parts, ""

    def is_item(self, a: int, b: int) -> bool:
        """Whether a stretch can be one item of a list of names or titles."""
        if b <= a or b - a > 9:
            return False
        first = self.tokens[a]
        if first.depth and first.text in '"“':
            return True
        if first.low in {"the", "a", "an"} and a + 1 < b:
            first = self.tokens[a + 1]
        return first.capital and not any(
            finite_at(self.tokens, k, b) for k in range(a, b) if not self.tokens[k].depth
        )

    # -- descriptions -----------------------------------------------------------------------------

    def nominal(self, head: str, a: int, b: int) -> None:
        """Makes statements of "a Polish poet and critic born in Warsaw, known for X"."""
        core, extras = self.core_and_extras(a, b)
        bare = not _has_determiner(self.low(a)) and self.low(a) != "fellow"
        items = self.items(a, core) or [(a, core)]
        for number, (first, last) in enumerate(items):
            words = self.described(first, last)
            if (number or bare) and not _has_determiner(self.low(first)):
                words = f"{_article(words)} {words}"
            self.add(f"{head} {words}", first, last)
        for first, last in extras:
            self.extra(first, last)

    def described(self, a: int, b: int) -> str:
        """A description's words, its article in lower case."""
        words = self.raw(a, b)
        lower = self.low(a) in DETERMINERS or (is_role(self.low(a)) and a == self.clause.start)
        return words[0].lower() + words[1:] if lower else words

    def core_and_extras(self, a: int, b: int) -> tuple[int, list[Range]]:
        """Where a description's nouns end, and the phrases and relative clauses that follow."""
        cuts: list[int] = []
        k = a + 1
        while k < b:
            token = self.tokens[k]
            if token.depth:
                k += 1
                continue
            start = k + 1 if token.text == "," else k
            opener = self.low(start)
            if (
                start < b
                and (
                    opener == "who"
                    or (
                        self.is_phrase(start, b)
                        and opener not in {"noted", "notable", "famous"}
                        and self.noun_before(k)
                    )
                    or opener == "whose"
                    or (
                        token.text == ","
                        and past_of_gerund(opener) is not None
                        and self.be == "was"
                    )
                )
                and self.role_before(a, k)
            ):
                cuts.append(k)
                if opener in {"who", "whose"}:
                    break
                k = start + 1
                continue
            k += 1
        if not cuts:
            return b, []
        edges = [*cuts, b]
        extras = []
        for left, right in itertools.pairwise(edges):
            first = left + 1 if self.comma(left) else left
            if self.low(right - 1) in {"and", "but"}:
                right -= 1
            extras.append((first, right))
        core = cuts[0]
        if self.low(core - 1) in {"and", "but"}:
            core -= 1
        return core, extras

    def noun_before(self, k: int) -> bool:
        before = self.tokens[k - 1]
        return (
            before.word and before.low not in DETERMINERS | PREPOSITIONS and not is_adverb(before)
        )

    def role_before(self, a: int, k: int) -> bool:
        """Whether what a phrase at `k` describes is the person and not a thing or another."""
        for i in range(k - 1, a - 1, -1):
            token = self.tokens[i]
            if token.depth or not token.word:
                continue
            if is_role(token.low) and not token.capital:
                return True
        return False

    def extra(self, a: int, b: int) -> None:
        """A phrase or relative clause behind a description."""
        first = self.low(a)
        if first == "who":
            for piece in self.predicates(a + 1, b):
                self.predicate(piece, "")
        elif first == "whose":
            self.add(self.raw(a + 1, b), a, b, f"{self.subject}’s")
        elif past_of_gerund(first) is not None:
            self.gerunds(a, b)
        else:
            self.phrase(a, b)

    def items(self, a: int, b: int) -> list[Range] | None:
        """Cuts a list of descriptions; None if it is not one, or not safely."""
        edges: list[Range] = []  # (where an item ends, where the next begins)
        for k in range(a + 1, b - 1):
            if self.tokens[k].depth:
                continue
            if self.comma(k):
                nxt = k + 2 if self.low(k + 1) in {"and", "&"} else k + 1
                if edges and edges[-1][1] > k:
                    continue
                edges.append((k, nxt))
            elif self.low(k) in {"and", "&"} and not (edges and edges[-1][1] == k + 1):
                edges.append((k, k + 1))
        if not edges:
            return None
        merged: list[Range] = []
        start = a
        for stop, nxt in edges:
            if self.names_role(start, stop) and self.names_role(nxt, self.next_edge(edges, nxt, b)):
                merged.append((start, stop))
                start = nxt
        if not merged:
            return None
        merged.append((start, b))
        return merged

    def next_edge(self, edges: Sequence[Range], after: int, b: int) -> int:
        return next((stop for stop, _ in edges if stop > after), b)

    def names_role(self, a: int, b: int) -> bool:
        """Whether the head noun of a stretch, before any preposition, names a role."""
        head = -1
        for k in range(a, b):
            token = self.tokens[k]
            if token.low in PREPOSITIONS:
                break
            if token.word:
                head = k
        if head < 0:
            return False
        low = self.low(head)
        return is_role(low) or low in RELATIVES or (len(low) > 5 and low.endswith(_AGENTS))


def statements(
    text: str,
    tokens: Sequence[Token],
    clause: Clause,
    subject: str,
    owner: str,
    description: Range = (0, 0),
) -> list[Statement]:
    """Returns the statements of a clause that has a verb.

    Args:
        text: The text that the tokens were cut from.
        tokens: Of the sentence.
        clause: The clause, with its verb.
        subject: The subject as the statements should write it.
        owner: The individual's name as the paragraph writes it.
        description: What describes the person before the name ("the poet Ann Lee").
    """
    return _Maker(text, tokens, clause, subject, owner, description).make()


def block_statements(
    text: str, tokens: Sequence[Token], clause: Clause, subject: str, be: str
) -> list[Statement]:
    """Returns the statements of a clause's additions alone ("there is X, a poet").

    Args:
        text: The text that the tokens were cut from.
        tokens: Of the sentence.
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


def _joined(fronted: str, subject: str) -> str:
    """A circumstance and the subject, with one comma between them."""
    if fronted.endswith((',"', ",”")):
        return f"{fronted} {subject}"
    return f"{fronted}, {subject}"


def _keep_case(words: str) -> bool:
    return len(words) > 1 and words[1].isupper()


def _article(words: str) -> str:
    return (
        "an"
        if words[:1].lower() in "aeiou" and not words.lower().startswith(("uni", "eu", "one"))
        else "a"
    )


def _has_determiner(word: str) -> bool:
    return word in DETERMINERS or word in {"one", "president", "chairman", "ceo"}


def _finish(words: str) -> str:
    words = re.sub(r"\s+", " ", words).strip(" ,;:")
    words = re.sub(r"\s+([,.;:])(?!\d)", r"\1", words)
    words = re.sub(r"\*+", "", words)
    if not words.endswith((".", "!", "?")):
        words += "."
    return words[0].upper() + words[1:]
