"""Descriptions of a person: "a Polish poet, critic and translator born in Warsaw"."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from dfactscore.engines._builtin.decompose.clause_words import article
from dfactscore.engines._builtin.decompose.description_items import (
    WITHOUT_ARTICLE,
    description_items,
)
from dfactscore.engines._builtin.decompose.nouns import nationalities
from dfactscore.engines._builtin.decompose.phrases import Phrases
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.verbs import is_adverb
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    is_role,
)

_CHILD = frozenset({"son", "daughter"})
_NO_NOUNS = SMALL | AUXILIARIES
# "a poet noted for her odes" is said of the poet's work as well.
_NOT_APART = frozenset({"noted", "notable", "famous"})


class Descriptions(Phrases):
    """Makes statements from descriptions and their additions."""

    def nominal(self, head: str, a: int, b: int) -> None:
        """Makes statements from "a Polish poet and critic born in Warsaw, known for X"."""
        b = self.without_other_parent(head, a, self.without_grandparent(head, a, b))
        core, extras = self.core_and_extras(a, b)
        items = self.items(a, core) or [(a, core)]
        of = self.shared_complement(items)
        if of:
            for first, last in items:
                words = self.raw(first + (self.low(first) == "the"), min(last, of))
                self.add(f"{head} the {words} {self.raw(of, core)}", first, last)
        else:
            for item in items:
                self.item(head, *item)
        for first, last in extras:
            self.extra(first, last)

    def without_other_parent(self, head: str, a: int, b: int) -> int:
        """States a second parent separately: "the son of Tom Hill and his wife Eva Hill"."""
        kin = next((k for k in range(a, b) if self.low(k) in RELATIVES), b)
        of = next((k for k in range(kin, b) if self.low(k) == "of"), b)
        ands = self.ands(of, b - 3)
        end = next((k for k in ands if self.low(k + 1) in {"his", "her"}), b)
        if end == b:
            return b
        wife = next((k for k in range(end + 2, end + 6) if self.low(k) in RELATIVES), b)
        first = wife + 1 + self.comma(wife + 1)
        last = first
        while self.tokens[last].capital:
            last += 1
        if first == last:  # "and his wife, the singer Eva Hill": whole
            self.add(f"{head} {self.opener(a)} {self.raw(a + 1, b)}", a, b)
            return a
        kinship = f"{self.opener(a)} {self.raw(a + 1, of + 1)}"
        self.add(f"{head} {kinship} {self.raw(first, last)}", first, last)
        return end - self.comma(end - 1)

    def without_grandparent(self, head: str, a: int, b: int) -> int:
        """States a parent's parent apart: "the son of Tom Hill and Eva, daughter of Bob Poe"."""
        for k in range(a + 2, b - 2):
            child = self.comma(k) and self.low(k + 1) in _CHILD and self.low(k + 2) == "of"
            if not child or not any(self.low(i) in _CHILD for i in range(a, k)):
                continue
            first = k
            while self.tokens[first - 1].capital:
                first -= 1
            self.add(f"{head} the {self.raw(k + 1, b)}", k + 1, b, self.raw(first, k))
            return k
        return b

    def item(self, head: str, a: int, b: int) -> None:
        """States one description, with a separate statement for its nationality: "is American"."""
        nations = nationalities(self.tokens, a, b)
        for x, y in nations:
            self.add(f"{head} {'from ' if self.low(x) == 'new' else ''}{self.raw(x, y)}", x, y)
        if nations:
            first, last = nations[0][0], nations[-1][1]
            words = self.raw(a + (self.low(a) in {"a", "an"}), first)
            before = f"{article(words or self.raw(last, b))} {words}".strip()
            self.spread(f"{head} {before} ", last, b, nominal=True)
            return
        titled = self.tokens[a].capital and a + 1 < b
        titled = titled and (self.tokens[a + 1].capital or self.low(a + 1) in {"of", "and"})
        if not titled and self.low(a) not in WITHOUT_ARTICLE:
            head = f"{head} {article(self.raw(a, b))}"
        verb = self.opener(a) if self.opener(a) != self.raw(a, a + 1) else ""
        self.spread(f"{head} ", a, b, nominal=True, verb=verb)

    def opener(self, a: int) -> str:
        """Returns the first word of a description, which opens no sentence."""
        return self.low(a) if a == self.clause.start else self.tokens[a].text

    def core_and_extras(self, a: int, b: int) -> tuple[int, list[Range]]:
        """Returns the end of a description's nouns, and the phrases and clauses that follow."""
        cuts: list[int] = []
        extras: list[int] = []
        k = a + 1
        while k < b:
            start = k + self.comma(k)
            if not self.tokens[k].depth and self.opens_extra(a, k, start, b):
                cuts.append(k)
                extras.append(start)
                if self.low(start) in {"who", "whose"} or self.is_deed(start, b):
                    break
                k = start
            k += 1
        cuts.append(b)
        return cuts[0], list(zip(extras, cuts[1:], strict=True))

    def opens_extra(self, a: int, k: int, start: int, b: int) -> bool:
        """Whether a phrase or clause about the person begins at `start`, after any comma at `k`."""
        low = self.low(start)
        opens = (
            low in {"who", "whose"}
            or (start > k and self.is_deed(start, b))  # "a poet, winning the Hill Cup"
            or (self.is_added_participle(k, start, b) and not self.of_thing(a, k))
        )
        # "a Cristero who was born": just the person can be meant
        placed = any(t.low in PREPOSITIONS for t in self.tokens[a:k])
        only_person = low == "who" and self.subject == self.owner and not placed
        return opens and (only_person or self.role_before(a, k))

    def is_added_participle(self, k: int, start: int, b: int) -> bool:
        """Whether a participle phrase begins at `start`, after a noun and any comma at `k`."""
        noun = self.tokens[k - 1]
        named = noun.word and not noun.low.endswith("ing") and not is_adverb(noun)
        apart = self.low(start) not in _NOT_APART and noun.low not in _NO_NOUNS
        return named and apart and self.is_phrase(start, b)

    def role_before(self, a: int, k: int) -> bool:
        """Whether a role precedes `k`, so that a phrase there describes the person."""
        words = self.tokens[a:k]
        return is_role(words[0].low) or any(is_role(t.low) and not t.capital for t in words)

    def of_thing(self, a: int, k: int) -> bool:
        """Whether a participle at `k` modifies a thing: "the author of a novel published"."""
        if self.tokens[k - 1].capital:
            return False
        things = range(a, k - 1)
        return any(self.low(i) == "of" and self.low(i + 1) in WITHOUT_ARTICLE for i in things)

    def extra(self, a: int, b: int) -> None:
        """Makes statements from a phrase or relative clause after a description."""
        first = self.low(a)
        if first == "who":
            for piece in self.predicates(a + 1, b):
                self.predicate(piece, "")
        elif first == "whose":
            self.add(self.raw(a + 1, b), a, b, f"{self.subject}’s")
        elif self.is_deed(a, b):
            self.deed(a, b)
        else:
            self.phrase(a, b)

    def items(self, a: int, b: int) -> list[Range]:
        """Splits a list of descriptions; empty if it is not a list or cannot be split safely."""
        return description_items(self.tokens, a, b)

    def shared_complement(self, items: Sequence[Range]) -> int:
        """Returns the start of "of the school" in "the founder and head of the school", or 0."""
        (a, _), (x, y) = items[0], items[-1]
        first, last = self.low(a), self.low(x)
        words = itertools.chain.from_iterable(self.tokens[c:d] for c, d in items[:-1])
        if first != "the" or last in DETERMINERS or any(t.low in PREPOSITIONS for t in words):
            return 0
        return next((k for k in range(x + 1, min(y, x + 4)) if self.low(k) == "of"), 0)
