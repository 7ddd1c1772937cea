"""Predicates that share a subject: "was born in Leeds, moved to York and died there"."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

from dfactscore.engines.builtin.decompose.descriptions import Descriptions
from dfactscore.engines.builtin.decompose.phrases import PHRASE_PREFIXES, STARTING_PARTICIPLES
from dfactscore.engines.builtin.language.clause_words import Piece, joined
from dfactscore.engines.builtin.language.clauses import finite_at, skip_adverbs
from dfactscore.engines.builtin.language.life_dates import life_statements
from dfactscore.engines.builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PARTICIPLES,
    PASSIVE,
    PREPOSITIONS,
    is_adjective_ed,
    past_of_gerund,
)

__all__ = ["BE", "Predicates"]

BE = frozenset({"is", "was", "are", "were"})
# ", making him a star": what happened did that, not the subject
_OBJECTS = frozenset({"that", "him", "her", "it", "them", "himself", "herself", "this"})
_HELD_TO_BE = frozenset(
    {"considered", "regarded", "recognized", "recognised", "known", "remembered"}
)
_HELD_AS = frozenset({"a", "an", "one", "as", "for", "to", "by", "among"})
_SUBORDINATORS = frozenset(
    (
        "who which that where when while whose because how although he she they it whom since if "
        "whether"
    ).split(" ")
)


class Predicates(Descriptions):
    """Cuts predicates apart and makes statements of them."""

    def predicates(self, a: int, b: int) -> list[Piece]:
        """Cuts "was born in X and moved to Y" into predicates that share the subject."""
        pieces: list[Piece] = []
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
            pieces.append(Piece(prefix, start, k))
            start, prefix = nxt, shared
            if shared == "":
                verb = nxt_verb
            k = nxt_verb + 1
        pieces.append(Piece(prefix, start, b))
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
        if first in BE and participle and follow < i and self.is_participle(follow):
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
        if first in BE and low in _HELD_TO_BE and ahead in _HELD_AS:
            return first  # "is a poet and considered one of the best"
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
        """Whether a token can be a past participle."""
        low = self.low(i)
        return low in PARTICIPLES or low in PASSIVE or low.endswith("ed")

    def predicate(self, piece: Piece, fronted: str) -> None:
        """One predicate with what hangs on it."""
        a, b = piece.start, piece.end
        prefix = f"{piece.prefix} " if piece.prefix else ""
        verb = skip_adverbs(self.tokens, a, b)
        if not piece.prefix and self.low(verb) in BE:
            k = skip_adverbs(self.tokens, verb + 1, b)
            if self.low(k) in {"a", "an"} and k < b:
                head = self.raw(a, k)
                if not fronted:
                    self.nominal(head, k, b)
                    return
        end = self.tails(verb, b)
        body = self.raw(a, end)
        if fronted:
            # "In 1990, he moved" stays in one fact, the circumstance in front as it was written
            self.add(f"{prefix}{body}", self.clause.lead[0], end, joined(fronted, self.subject))
            return
        if not piece.prefix or piece.prefix in BE:
            life = life_statements(prefix + body)
            if len(life) > 1:
                for part in life:
                    self.add(part, a, end)
                return
        items = self.listed(verb, end)
        if items is not None:
            stem_end, parts, rest = items
            for first, last in parts:
                words = f"{self.raw(a, stem_end)} {self.raw(first, last)}{rest}"
                self.add(prefix + words, first, last)
            return
        self.add(prefix + body, a, end)

    def tails(self, verb: int, b: int) -> int:
        """Takes off what hangs on a predicate behind commas; returns where the rest ends."""
        end = b
        for k in range(verb + 2, b - 1):
            if not self.comma(k) or k >= end:
                continue
            low = self.low(k + 1)
            past = past_of_gerund(low)
            if past is not None and self.be == "was" and self.says_more(k + 1, b):
                self.gerunds(k + 1, b)
                end = k
                break
            hangs_on = low in STARTING_PARTICIPLES | PHRASE_PREFIXES
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

    def says_more(self, i: int, b: int) -> bool:
        """Whether a form in -ing at `i` goes on, as an item of a list does not ("drawing, voice").

        What it goes on with must not make it something that happened ("making him a star").
        """
        follow = i + 2 if self.low(i + 1) == "and" else i
        if follow > i and past_of_gerund(self.low(follow)) is None:
            return False
        return follow + 1 < b and not self.comma(follow + 1) and self.low(i + 1) not in _OBJECTS

    def ends_in_other_person(self, a: int, k: int) -> bool:
        """Whether what stands before a comma may itself be what "known for" describes."""
        return (
            self.tokens[k - 1].capital
            and self.low(k + 1) not in {"born"}
            and any(self.low(i) in {"with", "by", "of", "to"} for i in range(max(a, k - 4), k))
        )

    def raw_subject_is_person(self) -> bool:
        """Whether the subject is the individual and not something of theirs."""
        return self.subject == self.owner or self.subject.split()[-1] in self.owner.split()

    def name_before(self, k: int) -> str:
        """The capitalised words right before a comma, if they can be a person's name."""
        first = k
        while first > 0 and self.tokens[first - 1].capital and self.tokens[first - 1].word:
            first -= 1
        if not 2 <= k - first <= 4 or self.low(first - 1) in {"of", "the", "at", "in"}:
            return ""
        return self.raw(first, k)
