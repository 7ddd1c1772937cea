"""Statements on the names in a predicate: "her album, "Sky"", "the poet Tom Hill"."""

from __future__ import annotations

from bisect import insort

from dfactscore.engines._builtin.decompose.clause_words import article
from dfactscore.engines._builtin.decompose.predicates import Predicates
from dfactscore.engines._builtin.language.clauses import (
    Range,
    finite_at,
    is_adverb,
    is_year,
    skip_adverbs,
)
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    is_base_form,
    is_role,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_CHILD = frozenset({"son", "sons", "daughter", "daughters", "child", "children"})
_SPOUSE = frozenset({"wife", "husband", "spouse"})
_TIMES = word_list("times")
_KINDS = word_list("kinds_of_one")
_INSIDE = frozenset({"of", "de", "la", "del", "for"})
_FOLLOW = frozenset(
    {"and", "or", "who", "which", "whose", "where", "when", "to", "that", "there", "but"}
)
_OPENERS = frozenset({"a", "an", "the", "one"})
_PLACING = frozenset({"in", "at", "near", "on"})
_LONGEST = 16
_MOST_WORDS = 6


class Additions(Predicates):
    """Makes statements of the words beside a name."""

    def additions(self) -> None:
        """Makes the statements of every name in the predicate."""
        behind = max(self.clause.verb, self.clause.start) + 1
        for k, token in enumerate(self.tokens[behind : self.clause.end], behind):
            opens = k >= behind and (token.capital or token.text in {'"', "“"})
            name = self.name_at(k) if opens else None
            if name is None:
                continue
            self.kind_before(name)
            self.year_behind(name)
            self.apposed(name)
            behind = name[1]

    def name_at(self, k: int) -> Range | None:
        """The title in quotation marks or the capitalized words that begin at `k`."""
        token, end = self.tokens[k], self.clause.end
        if token.text in {'"', "“"} and token.depth:
            close = k + 1
            while close < end and self.tokens[close].text not in {'"', "”"}:
                close += 1
            return (k, close + 1) if k + 1 < close < end else None
        if token.depth or not token.capital:
            return None
        stop = k + 1
        while stop < end and not self.tokens[stop].depth:
            if not self.tokens[stop].capital:
                more = next((i for i in (stop + 1, stop + 2) if i < end), stop)
                inner = self.low(stop) in _INSIDE and stop < more
                last = stop + 1 + (self.low(stop + 1) == "the")
                if not (inner and last < end and self.tokens[last].capital):
                    break
                stop = last
            stop += 1
        return (k, stop)

    def year_behind(self, name: Range) -> None:
        """Makes a statement of the year in ""Sky" (1990)"."""
        x, y = name
        inside = y + 2 < self.clause.end and self.tokens[y].text == "("
        if inside and self.tokens[x].depth and self.tokens[y + 2].text == ")":
            year = self.tokens[y + 1].text
            if is_year(year):
                self.add(f"is from {year}", x, y + 3, self.title(name), context=True)
                insort(self.holes, (y, y + 3))

    def kind_before(self, name: Range) -> None:
        """Makes a statement of "the poet Tom Hill", "her husband Tom Hill", "the film, "Sky""."""
        x, y = name
        comma = self.comma(x - 1)
        noun = x - 1 - comma
        low = self.low(noun)
        kin = low in RELATIVES
        if self.low(noun - 1) == "to" and is_base_form(low):
            return  # "the first to play Tom Hill"
        if is_role(self.low(x)) and not self.tokens[x].depth:
            return  # "the abstentionist Member of Parliament"
        if self.tokens[noun].capital or not (kin or is_role(low) or low in _KINDS):
            return
        if self.low(y) == "and" and self.tokens[y + 1].capital and not (kin or is_role(low)):
            return  # "the charity Read and Grow": one name, or two
        if comma and not (y >= self.clause.end or self.tokens[y].text in ",." or self.quoted(y)):
            return
        if not comma and not self.name_ends(y):
            return
        first = noun
        while first - 1 > self.clause.verb and noun - first < _MOST_WORDS:
            before = self.tokens[first - 1]
            stops = before.low in DETERMINERS | PREPOSITIONS | AUXILIARIES | _FOLLOW
            if stops or not before.word or finite_at(self.tokens, first - 1, noun):
                break
            if is_adverb(before) or before.low.endswith("ing") or before.text[0].isdigit():
                break
            first -= 1
        opens = self.low(first - 1)
        bounded = first - 1 <= self.clause.verb or noun - first == _MOST_WORDS
        bounded = bounded or opens in DETERMINERS | PREPOSITIONS | _FOLLOW | {"his", "her"}
        said = self.raw(first, noun + 1)
        if self.low(noun - 1) in {"and", "or", "of"}:
            return
        of = next((k for k in range(self.clause.verb, noun) if self.low(k) == "of"), noun)
        child = any(self.low(k) in _CHILD for k in range(self.clause.verb, of))
        if opens in {"his", "her"} and low in _SPOUSE and child and of < noun:
            return  # "the daughter of Tom Hill and his wife Eva": Tom's wife
        if opens in {"his", "her"} and self.names_another(first - 1):
            return  # "reconciled Tom with his daughter Eva": Tom's
        if opens in {"his", "her"} and self.raw_subject_is_person():
            self.add(f"{self.be} {self.owner}’s {said}", first, y, self.title(name))
            self.once.append((first - 1, x))
        elif kin or opens in DETERMINERS - {"the", "a", "an"} or (comma and opens != "the"):
            return
        elif opens == "the" or first < noun or low in _KINDS or opens in PREPOSITIONS | {"to"}:
            owned = any(self.low(k).endswith(("'s", "’s")) for k in range(first, noun))
            said = said if owned else f"{article(said)} {said}"
            self.add(f"{self.be} {said}", first, y, self.title(name), context=not is_role(low))
            if bounded:  # not "the British singing | competition show The Voice"
                self.once.append((first - (opens == "the"), x))

    def names_another(self, own: int) -> bool:
        """Whether "his" may mean someone else: a name is the object, or the subject is "she"."""
        him = {"his": "she", "her": "he"}[self.low(own)]
        if self.low(self.clause.subject[0]) == him:
            return True
        for k in range(self.clause.verb + 1, own):
            before = self.tokens[k - 1]
            opens = self.tokens[k].capital and before.word and not before.capital
            if opens and before.low not in PREPOSITIONS | DETERMINERS:
                end = (self.name_at(k) or (k, k))[1]
                if self.low(end) in PREPOSITIONS:
                    return True
        return False

    def quoted(self, y: int) -> bool:
        """Whether a quotation that ends in a comma ends at `y`."""
        return self.tokens[y - 2].text == "," and self.tokens[y - 1].text in {'"', "”"}

    def name_ends(self, y: int) -> bool:
        """Whether no noun follows a name: not "the film Star Wars franchise"."""
        if y >= self.clause.end:
            return True
        token = self.tokens[y]
        if not token.word:
            return not (token.text in "+:" and self.tokens[y + 1].capital)  # "the film Code: Red"
        return token.low in PREPOSITIONS | _FOLLOW or is_adverb(token)

    def kin_in(self, a: int, b: int) -> bool:
        """Whether a stretch speaks of a relative."""
        return any(self.low(k) in RELATIVES for k in range(a, b))

    def apposed(self, name: Range) -> None:
        """Makes a statement of "Tom Hill, a poet" and "EMI, one of the labels"."""
        y = name[1]
        for k in range(name[0], y - 2):
            if is_role(self.low(k)) and self.low(k + 1) == "of":  # "CEO of Elm House, a firm"
                name = (k + 2 + (self.low(k + 2) == "the"), y)
        comma = y if y < self.clause.end and self.comma(y) else y - 1
        if comma == y - 1 and not self.quoted(y):
            return
        a = comma + 1
        if a + 1 >= self.clause.end or self.low(a) not in _OPENERS or self.tokens[a + 1].capital:
            return
        b = a
        while b < self.clause.end and not self.comma(b):
            if self.low(b) in {"who", "which", "that", "where", "before"}:
                return  # its clause would stay alone
            after = self.tokens[min(b + 1, len(self.tokens) - 1)]
            other = after.capital or after.low in {"his", "her"}
            parents = self.low(b) == "and" and other and self.kin_in(a, b)
            if self.low(b) in {"and", "but", "as"} and not parents:
                break
            b += 1
        joined = b < self.clause.end and (
            not self.comma(b) or self.low(b + 1) not in PREPOSITIONS | {"who", "which", "where"}
        )
        verb = any(
            finite_at(self.tokens, k, b) and not self.low(k).endswith("ed") for k in range(a + 1, b)
        )
        kin = self.kin_in(a, b)
        born = self.low(self.clause.verb + 1) == "born" and bool(
            _CHILD & {self.low(k) for k in range(a, b)}
        )
        placed = born or self.low(name[0] - 1) in _PLACING
        if kin and placed and (not verb):
            self.nominal(self.be, a, b)  # "born in York, the daughter of": she is
            self.leave_out(comma, self.of_relative_too(b, born=born))
            return
        if _TIMES & {self.low(k) for k in range(a, min(b, a + 3))}:
            return  # "Sky, a year later"
        if joined or verb or not 2 <= b - a <= _LONGEST or self.tokens[b - 1].low == "the":
            return
        if kin or self.low(a + 1) == "first":
            return
        if any(is_role(self.low(k)) for k in range(a, b)) and self.low(name[0] - 1) in _PLACING:
            return
        of_thing = not any(is_role(self.low(k)) for k in range(a, b))
        self.add(f"{self.be} {self.raw(a, b)}", name[0], b, self.title(name), context=of_thing)
        self.leave_out(comma, b)

    def of_relative_too(self, b: int, *, born: bool) -> int:
        """Returns the end of ", a judge and head of the court," which describes the relative."""
        end = self.clause.end
        if b + 2 < end and self.comma(b):
            and_ = next((k for k in range(b, end) if self.does(k)), end)
            return and_ - (and_ < end and self.comma(and_ - 1))
        return b

    def does(self, k: int) -> bool:
        """Whether "and moved" at `k` says more of the subject."""
        verb = skip_adverbs(self.tokens, k + 1, self.clause.end)
        more = self.low(k) in {"and", "but"} and verb < self.clause.end
        return more and finite_at(self.tokens, verb, self.clause.end)
