"""Descriptions of a person: "a Polish poet, critic and translator born in Warsaw"."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore._text.person_names import TITLES
from dfactscore.engines._builtin.decompose.clause_words import article
from dfactscore.engines._builtin.decompose.phrases import Phrases
from dfactscore.engines._builtin.language.adverbs import is_adverb
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    is_demonym,
    is_role,
)
from dfactscore.engines._builtin.language.word_lists import word_list

# a role among roles, though unknown
# "American football player", "English literature scholar": describes the noun, not the person
_OF_COUNTRIES = word_list("of_countries")
_NO_AGENTS = word_list("not_roles")
_LONGEST_ITEM = 40
_COMPASS = frozenset({"south", "north", "east", "west", "northern"})
_FAITHS = frozenset({"roman", "catholic", "jewish", "byzantine", "ottoman"})
_CHILD = frozenset({"son", "daughter"})
_AGENTS = ("er", "or", "ist", "ian", "eer", "ant")
# Participles that describe people, in any position.
_OF_PERSONS = frozenset({"born", "educated", "raised", "known", "best", "named", "called"})


class Descriptions(Phrases):
    """Makes statements from descriptions and their additions."""

    def nominal(self, head: str, a: int, b: int) -> None:
        """Makes statements from "a Polish poet and critic born in Warsaw, known for X"."""
        b = self.without_other_parent(head, a, self.without_grandparent(head, a, b))
        if a >= b:
            return  # "poet )": the bracket closes nothing
        core, extras = self.core_and_extras(a, b)
        bare = not _has_determiner(self.low(a))
        items = self.items(a, core) or [(a, core)]
        former = self.low(items[0][0]) in {"former", "retired"}
        of = self.shared_complement(items)
        if of:
            for first, last in items:
                begin = first + (self.low(first) == "the")
                stop = min(last, of)
                words = f"{self.raw(begin, stop)} {self.raw(of, core)}"
                self.add(f"{head} the {words}", first, last)
            items = []
        for number, (first, last) in enumerate(items):
            adjective = former and number
            more = f"{self.low(items[0][0])} " if adjective else ""
            self.item(head, first, last, articled=bool(number) or bare, more=more)
        for first, last in extras:
            self.extra(first, last)

    def without_other_parent(self, head: str, a: int, b: int) -> int:
        """States a second parent separately: "the son of Tom Hill and his wife Eva Hill".

        Returns:
            The end of the description, excluding the second parent.
        """
        of = next((k for k in range(a, b) if self.low(k) == "of"), b)
        if not any(self.low(k) in RELATIVES for k in range(a, of)):
            return b
        for k in range(of + 1, b - 3):
            if self.low(k) != "and" or self.low(k + 1) not in {"his", "her"}:
                continue
            near = range(k + 2, min(b, k + 6))
            wife = next((i for i in near if self.low(i) in RELATIVES), b)
            first = wife + 1 + self.comma(wife + 1) if wife < b else b
            last = first
            while last < b and self.tokens[last].capital:
                last += 1
            if first == last:  # "and his wife, the singer Eva Hill": whole
                self.add(f"{head} {self.described(a, b)}", a, b)
                return a
            self.add(f"{head} {self.described(a, of + 1)} {self.raw(first, last)}", first, last)
            return k - self.comma(k - 1)
        return b

    def without_grandparent(self, head: str, a: int, b: int) -> int:
        """States a parent's parent separately: "the son of Tom Hill and Eva, daughter of Bob Poe".

        Returns:
            The end of the description, excluding that addition.
        """
        for k in range(a + 2, b - 2):
            child = self.comma(k) and self.low(k + 1) in _CHILD and self.low(k + 2) == "of"
            if not child or not self.tokens[k - 1].capital:
                continue
            if not any(self.low(i) in _CHILD for i in range(a, k)):
                continue
            first = k - 1
            while self.tokens[first - 1].capital and first > a:
                first -= 1
            self.add(f"{head} the {self.raw(k + 1, b)}", k + 1, b, self.raw(first, k))
            return k
        return b

    def item(self, head: str, a: int, b: int, *, articled: bool, more: str = "") -> None:
        """States one description, with a separate statement for its nationality: "is American"."""
        first, last = self.nationality(a, b)
        if last > first:
            place = "from " if self.low(first) == "new" else ""
            joint = next((k for k in range(first, last) if self.low(k) == "and"), last)
            self.add(f"{head} {place}{self.raw(first, joint)}", first, joint)
            if joint < last:
                self.add(f"{head} {self.raw(joint + 1, last)}", joint + 1, last)
            opens = self.low(a) in {"a", "an"}
            words = more + self.raw(a + opens, first)
            rest = words or self.raw(last, b)
            before = f"{article(rest)} {words}".strip() + " "
            self.spread(f"{head} {before}", last, b, nominal=True)
            return
        words = more + self.described(a, b)
        titled = self.tokens[a].capital and a + 1 < b
        titled = titled and (self.tokens[a + 1].capital or self.low(a + 1) in {"of", "and"})
        if articled and not titled and not _has_determiner(self.low(a)):
            words = f"{article(words)} {words}"
        said = self.described(a, b)
        before = words[: len(words) - len(said)]
        if said == self.raw(a, b):
            self.spread(f"{head} {before}", a, b, nominal=True)
        else:
            verb = said[: len(self.tokens[a].text)]
            self.spread(f"{head} {before}", a, b, nominal=True, verb=verb)

    def nationality(self, a: int, b: int) -> Range:
        """Returns the range of a nationality that can stand alone: "a South Korean diplomat"."""
        if self.low(a) not in {"a", "an"} and not is_demonym(self.low(a)):
            return (a, a)
        for k in range(a, min(b - 1, a + 5)):
            if self.low(k) in PREPOSITIONS or not self.tokens[k].word:
                break
            new = self.low(k) == "new" and self.low(k + 1) == "zealand"
            if not new and not (is_demonym(self.low(k)) and self.tokens[k].capital):
                continue
            stop = k + 1 + new
            while stop < b and is_demonym(self.low(stop)) and self.tokens[stop].capital:
                stop += 1
            if self.low(stop) == "and" and is_demonym(self.low(stop + 1)):
                stop += 2  # "a Soviet and Russian poet"
            first = k - 1 if k > a and self.low(k - 1) in _COMPASS else k
            rest = [self.tokens[i] for i in range(stop, min(b, stop + 4))]
            plain = rest and rest[0].word and (not rest[0].capital or is_role(rest[0].low))
            games = self.low(k) in {"american", "australian", "canadian"}
            if games and rest[0].low == "football":
                break
            if not plain or rest[0].low in _OF_COUNTRIES or self.low(k) in _FAITHS:
                break
            who = any(is_role(t.low) or (len(t.low) > 5 and t.low.endswith(_AGENTS)) for t in rest)
            return (first, stop) if who else (a, a)
        return (a, a)

    def described(self, a: int, b: int) -> str:
        """Returns the words of a description, with the article in lowercase."""
        words = self.raw(a, b)
        lower = (self.low(a) in DETERMINERS and a == self.clause.start) or (
            is_role(self.low(a)) and a == self.clause.start
        )
        return words[0].lower() + words[1:] if lower else words

    def core_and_extras(self, a: int, b: int) -> tuple[int, list[Range]]:
        """Returns the end of a description's nouns, and the phrases and clauses that follow."""
        cuts: list[int] = []
        k = a + 1
        while k < b:
            token = self.tokens[k]
            if token.depth:
                k += 1
                continue
            hanging = Hanging(self, a, k, k + self.comma(k), b)
            if hanging.names_other:
                break  # "the guardian of a boy named Tom": the boy is
            opens = HANGING.answer(hanging) if hanging.start < b else False
            if opens and hanging.of_person:
                cuts.append(k)
                if hanging.ends:
                    break
                k = hanging.start
            k += 1
        if not cuts:
            return b, []
        extras = [(x + self.comma(x), y) for x, y in itertools.pairwise([*cuts, b])]
        return cuts[0], extras

    def noun_before(self, k: int) -> bool:
        """Whether the token before `k` may be a noun."""
        before = self.tokens[k - 1]
        plain = before.word and (not before.low.endswith("ing"))
        bare = before.low not in SMALL | AUXILIARIES
        return plain and bare and not is_adverb(before)

    def role_before(self, a: int, k: int) -> bool:
        """Whether a role precedes `k`, so that a phrase there describes the person."""
        for i in range(k - 1, a - 1, -1):
            token = self.tokens[i]
            if is_role(token.low) and (not token.capital or i == a):
                return True
        return False

    def of_thing(self, a: int, k: int) -> bool:
        """Whether a participle at `k` modifies a thing: "the author of a novel published"."""
        before = self.tokens[k - 1]
        if self.low(k) in _OF_PERSONS or before.capital or is_role(before.low):
            return False
        return any(
            self.low(i) == "of" and _has_determiner(self.low(i + 1)) for i in range(a, k - 1)
        )

    def of_person(self, a: int, k: int) -> bool:
        """Whether "who" can only refer to the person described: "a Cristero who was born"."""
        return self.subject == self.owner and not any(
            t.low in PREPOSITIONS for t in self.tokens[a:k]
        )

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

    def items(self, a: int, b: int) -> list[Range] | None:
        """Splits a list of descriptions; None if it is not a list or cannot be split safely."""
        inner = a > self.clause.start and self.tokens[a].capital
        if inner and not self.owner.endswith(self.subject.split()[-1]):
            return None  # a title: "her opera, Hero and Leander,"
        edges = self.item_edges(a, b)
        if not edges:
            return None
        merged: list[Range] = []
        start = a
        for stop, following in edges:
            if ITEM.answer(Joint(self, start, stop, following, b, edges)):
                merged.append((start, stop))
                start = following
        if not merged:
            return None
        merged.append((start, b))
        gapped = any(
            self.low(x) in {"his", "her"} and {"a", "an"} & {self.low(k) for k in range(x, y)}
            for x, y in merged[1:]
        )
        return None if gapped else merged  # "a judge and his mother a nurse"

    def item_edges(self, a: int, b: int) -> list[Range]:
        """Returns the end of each item (at a comma or "and") and the start of the next one."""
        edges: list[Range] = []
        for k in range(a + 1, b - 1):
            low, after = self.low(k), self.low(k + 1)
            if low in {"including", "who", "whose"} or (low == "such" and after == "as"):
                break
            if self.comma(k) and not (edges and edges[-1][1] > k):
                edges.append((k, k + 2 if after in {"and", "&"} else k + 1))
            elif low in {"and", "&"} and not (edges and edges[-1][1] == k + 1):
                edges.append((k, k + 1))
        return edges

    def of_relative(self, a: int, b: int) -> bool:
        """Whether a description ends in a relative's name that is followed by a comma."""
        if b - a > _LONGEST_ITEM:
            return False
        of = next((k for k in range(a, b) if self.low(k) == "of"), b)
        named = of + 1 < b and self.tokens[b - 1].capital and not self.tokens[b - 1].depth
        near = self.tokens[b + 1 : b + 3]  # "1st Baronet", "ruling Count of Kent"
        titled = self.low(b + 1)[:1].isdigit() and near[-1].capital
        titled = titled or any(t.capital and t.low in TITLES for t in near)
        named = named and self.comma(b) and (titled or _has_determiner(self.low(b + 1)))
        return named and any(self.low(k) in RELATIVES for k in range(a, of))

    def of_parents(self, a: int, b: int) -> bool:
        """Whether a span states parentage: "daughter of a fisherman", "born to a Welsh mother"."""
        links = [k for k in range(a + 1, b - 1) if self.low(k) in {"of", "to"}]
        kin = any(self.low(k - 1) in RELATIVES and self.low(k + 1) in {"a", "an"} for k in links)
        return kin or (bool(links) and self.low(b - 1) in RELATIVES)

    def before_name(self, stop: int, nxt: int) -> bool:
        """Whether two joined roles precede a name: "the artist and writer Tom Hill"."""
        name = self.tokens[nxt + 1]
        roles = is_role(self.low(nxt)) and is_role(self.low(stop - 1))
        return roles and name.capital and not self.tokens[nxt].capital and nxt == stop + 1

    def in_name(self, a: int, b: int, nxt: int) -> bool:
        """Whether "and" is inside a name: "a fellow at the Ethics and Public Policy Center"."""
        capital = self.tokens[b - 1].capital and self.tokens[nxt].capital and nxt == b + 1
        before = {self.low(k) for k in range(a, b)}
        if not (capital and before & PREPOSITIONS) or is_demonym(self.low(nxt)):
            return False
        head = nxt
        while head + 1 < len(self.tokens) and self.tokens[head + 1].capital:
            head += 1
        role = is_role(self.low(head))
        return not role or (bool(before & RELATIVES) and head > nxt)

    def shared_complement(self, items: Sequence[Range]) -> int:
        """Returns the start of "of the school" in "the founder and head of the school", or 0."""
        (a, _), (x, y) = items[0], items[-1]
        of = next((k for k in range(x + 1, min(y, x + 4)) if self.low(k) == "of"), 0)
        plain = not any(
            t.low in PREPOSITIONS or t.capital for c, d in items[:-1] for t in self.tokens[c:d]
        )
        the = self.low(a) == "the" and self.low(x) not in DETERMINERS
        return of if len(items) > 1 and the and plain else 0

    def next_edge(self, edges: Sequence[Range], after: int, b: int) -> int:
        """Returns the end of the item that begins at `after`."""
        return next((stop for stop, _ in edges if stop > after), b)

    def names_role(self, a: int, b: int) -> bool:
        """Whether the head noun of a span (the last word before any preposition) names a role."""
        if b - a > _LONGEST_ITEM:
            return False
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
        if low == "executive" and self.tokens[head].capital:
            return False  # "the Special Operations Executive"
        agent = len(low) > 5 and low.endswith(_AGENTS) and low not in _NO_AGENTS
        return is_role(low) or low in RELATIVES or agent


def _has_determiner(word: str) -> bool:
    return word in DETERMINERS or word in {"one", "president", "chairman", "ceo"}


@dataclass(frozen=True, slots=True)
class Joint:
    """A comma or "and" between descriptions.

    Attributes:
        maker: The object that builds the clause's statements.
        start: Index of the first token of the item before the joint.
        stop: Index after the item before the joint.
        following: Index of the first token of the next item.
        end: Index after the last item.
        edges: All joints: the end of each item and the start of the next.
    """

    maker: Descriptions
    start: int
    stop: int
    following: int
    end: int
    edges: Sequence[Range]

    @property
    def after_role(self) -> bool:
        """Whether the preceding item names a role, or is short and precedes a role."""
        maker, start, stop = self.maker, self.start, self.stop
        if maker.names_role(start, stop):
            return True
        short = maker.comma(stop) and is_role(maker.low(self.following)) and stop - start < 5
        return short and not any(maker.low(k) in PREPOSITIONS for k in range(start, stop))

    @property
    def before_role(self) -> bool:
        """Whether the next item names a role."""
        end = self.maker.next_edge(self.edges, self.following, self.end)
        return self.maker.names_role(self.following, end)


# fmt: off
ITEM: Table[Joint, bool] = Table("joints between descriptions", (
    Row("relative", "A description after a relative's name is of the relative.",
        "Ann Lee was the sister of Tom Hill, a poet and judge.",
        lambda j: j.maker.of_relative(j.start, j.stop), False),
    Row("parents", '"And" after one parent adds the other.',
        "Ann Lee was a nun and daughter of a judge and a nurse.",
        lambda j: j.following == j.stop + 1 and not j.maker.comma(j.stop)
        and j.maker.of_parents(j.start, j.stop), False),
    Row("name", '"And" between capitalized words after a preposition is part of a name.',
        "Ann Lee was the daughter of Tom Hill and Eva Painter.",
        lambda j: j.maker.in_name(j.start, j.stop, j.following), False),
    Row("before name", "Two roles before a name describe the bearer of the name.",
        "Ann Lee was the artist and writer Tom King.",
        lambda j: j.following + 1 < j.end and j.maker.before_name(j.stop, j.following), False),
    Row("roles", "Two roles are two descriptions.",
        "Ann Lee was a nun, beekeeper and composer.",
        lambda j: j.after_role and j.before_role, True),
), otherwise=False)
# fmt: on


@dataclass(frozen=True, slots=True)
class Hanging:
    """Words in a description that may begin a phrase or clause about the person.

    Attributes:
        maker: The object that builds the clause's statements.
        begin: Index of the first token of the description.
        at: Index of the words, or of the comma before them.
        start: Index of the words.
        end: Index after the description.
    """

    maker: Descriptions
    begin: int
    at: int
    start: int
    end: int

    @property
    def opener(self) -> str:
        """The first of the words, in lowercase."""
        return self.maker.low(self.start)

    @property
    def names_other(self) -> bool:
        """Whether a phrase such as "a boy named Tom" follows "of"."""
        maker = self.maker
        named = self.opener in {"named", "called"} and maker.low(self.at - 2) in {"a", "an"}
        return named and maker.low(self.at - 3) == "of"

    @property
    def of_person(self) -> bool:
        """Whether the words describe the person and not a thing or another person."""
        maker, begin, at = self.maker, self.begin, self.at
        return maker.role_before(begin, at) or (self.opener == "who" and maker.of_person(begin, at))

    @property
    def ends(self) -> bool:
        """Whether the phrase or clause extends to the end of the description."""
        return self.opener in {"who", "whose"} or self.maker.is_deed(self.start, self.end)

    @property
    def of_thing(self) -> bool:
        """Whether a participle without a comma before it describes a thing."""
        return self.start == self.at and self.maker.of_thing(self.begin, self.at)


# fmt: off
HANGING: Table[Hanging, bool] = Table("words after a description", (
    Row("relative clause", 'A clause with "who" or "whose" is about the person.',
        "Ann Lee was a poet who sang.",
        lambda h: h.opener in {"who", "whose"}, True),
    Row("phrase", "A participle phrase after a noun is about the person.",
        "Ann Lee was a poet born in Leeds.",
        lambda h: h.maker.is_phrase(h.start, h.end)
        and h.opener not in {"noted", "notable", "famous"} and h.maker.noun_before(h.at)
        and not h.of_thing, True),
    Row("deed", "A form in -ing after a comma is about the person.",
        "Ann Lee was a poet, winning the Hill Cup in 1990.",
        lambda h: h.start > h.at and h.maker.is_deed(h.start, h.end), True),
), otherwise=False)
# fmt: on
