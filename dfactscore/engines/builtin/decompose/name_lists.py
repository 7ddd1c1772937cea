"""Lists of names at the end of a predicate: "played for Leon, Chivas and Necaxa"."""

from __future__ import annotations

import itertools

from dfactscore.engines.builtin.language.clause_words import ClauseWords
from dfactscore.engines.builtin.language.clauses import Range, finite_at
from dfactscore.engines.builtin.language.word_classes import (
    PREPOSITIONS,
)

__all__ = ["NameLists"]

_LIST_OPENERS = frozenset({"including", "like", "for", "with", "as", "by", "of"})


class NameLists(ClauseWords):
    """Finds the items of a list."""

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
        if self.low(opener + 1) == "the" and self.one_name(last_start, b):
            return None
        parts: list[Range] = [(opener + 1, first_comma)]
        ordered = sorted(edges)
        for left, right in itertools.pairwise(ordered):
            parts.append((left + 1, right))
        parts.append((last_start, b))
        if len(parts) < 3 or any(y <= x for x, y in parts):
            return None
        return opener + 1, parts, ""

    def one_name(self, a: int, b: int) -> bool:
        """Whether "the A, B, and" before the last item make one name: "and Archives program"."""
        words = [t for t in self.tokens[a:b] if t.text[:1].isalpha()]
        if len(words) < 2 or not words[0].capital:
            return False
        head = words[-1]
        return head.text.islower() and not head.text.endswith("s")

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
