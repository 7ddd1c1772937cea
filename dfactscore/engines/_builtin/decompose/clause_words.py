"""Input for a clause's statements: its words, and sentences made from them."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dfactscore.engines._builtin.decompose.adjuncts import frame_of
from dfactscore.engines._builtin.decompose.conjuncts import Words
from dfactscore.engines._builtin.decompose.details import details, kinds
from dfactscore.engines._builtin.decompose.openings import OBJECTS, is_absolute, is_held
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.tokenizer import Token, Tokens
from dfactscore.engines._builtin.language.verbs import is_year, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import AUXILIARIES, PREPOSITIONS, word_list

# Of a thing where no object follows: "wrote a novel, published in 1970, and died"
MAKING = frozenset(
    {
        *("founded", "established", "created", "directed", "designed", "published", "released"),
        *("completed", "built", "written", "recorded", "composed", "produced", "issued"),
    }
)
_NAME = r"[A-Z][\w'’.-]*(?: (?:(?:of|de|do|da|del|la|the|upon) )?[A-Z][\w'’.-]*)*"
# "moved to Palermo, Italy" says two things
_WITHIN = re.compile(
    rf"(?:\b(?:in|at|near|from)|^(?:\w+ )?(?:moved|returned|relocated|emigrated|went) to)"
    rf"( (?:the )?)({_NAME}), ({_NAME}(?:, {_NAME})?)$"
)
_HOUSED = re.compile(
    rf"\b(?:in|at|from)( (?:the )?)((?:[A-Z][\w'’.-]* )*"
    rf"(?:University|College|School|Museum|Institute|Academy|Hospital|Theatre|Theater|Conservatory)"
    rf"(?: of(?: the)? [A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*)?) in ({_NAME})$"
)
_IN_WORKS = re.compile(r"\b(?:roles?|performances?|appearances?|starr(?:ed|ing)|appeared) in\b")
_IT = re.compile(r"^((?:\w+ ){0,2}\w+) it\b")
_ARTICLE = re.compile(r"\b(an?) (\w+)")
_WORKS = word_list("kinds_of_one") | word_list("kinds") | word_list("made")
_NO_PLACE = word_list("no_place")
_DONE = frozenset({"been", "had", "written", "won", "become", "gone", "done", "sung", "spoken"})
# "he was nine, and therefore", "played, occasionally": what the word refers to is another fact
_REFERRING = ("therefore", "thus", "so", "hence", "often", "sometimes", "occasionally")
_HANGING = re.compile(r",? and (?:therefore|thus|so|hence)$|, (?:often|sometimes|occasionally)$")
_BEFORE_MARK = re.compile(r" (?=[,.;:](?!\d))")


class Statement(NamedTuple):
    """A sentence with the characters that it was made from."""

    text: str
    start: int  # index of the first character, in the text that the tokens come from
    end: int
    context: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A predicate of a clause."""

    prefix: str
    start: int  # index of the first token
    end: int  # index after the last token
    front: Range  # phrase before the predicate, as in "and, after two years, moved"


class ClauseWords:
    """The words of one clause, and the statements made so far."""

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
        self.tokens = Tokens(tokens)
        self.clause = clause
        self.subject = subject
        self.owner = owner  # the person that "his" and a bare "born in ..." mean
        self.description = description
        self.out: list[Statement] = []
        self.holes: list[Range] = []  # what statements of their own say already, in order
        self.once: list[Range] = []  # what the first statement with it need say only
        self.be = self.tense(clause.verb, clause.end)
        self.main = clause.verb  # of the predicate that is being read
        self.it = ""  # what "it" means in that predicate, where that is known

    def tense(self, a: int, b: int) -> str:
        """Returns "is" if the verb of a predicate is in the present tense, otherwise "was"."""
        low = self.low(skip_adverbs(self.tokens, a, b))
        present = low in {"is", "are", "has"} or (low.endswith("s") and low not in AUXILIARIES)
        return "is" if present else "was"

    def raw(self, a: int, b: int) -> str:
        """Returns the source text of a range of tokens, without the holes."""
        pieces = []
        for x, y in self.holes[bisect_left(self.holes, (a, 0)) :]:
            if a <= x and y <= b:
                pieces.append(self.text[self.tokens[a].start : self.tokens[x].start].rstrip(" ,"))
                a = y
        if b > a:
            pieces.append(self.text[self.tokens[a].start : self.tokens[b - 1].end])
        return " ".join(p for p in pieces if p)

    def add(
        self, predicate: str, a: int, b: int, subject: str | None = None, *, context: bool = False
    ) -> None:
        """Adds a statement about the subject or about something that gives context."""
        predicate = predicate.strip(" ,;:–—-")
        if self.it:
            predicate = _IT.sub(rf"\1 {self.it}", predicate)
        if predicate[:3] in {"'s ", "’s "}:
            perfect = predicate[3:].partition(" ")[0] in _DONE  # "she's written about"
            predicate = f"{'has' if perfect else 'is'} {predicate[3:]}"
        if not predicate:
            return
        who = self.subject if subject is None else subject
        place = None
        if ", " in predicate and not _IN_WORKS.search(predicate):
            place = _WITHIN.search(predicate)
        if place is None and " in " in predicate:
            place = _HOUSED.search(predicate)
        if place and not _no_place(place[2], place[3]):
            self.add(predicate[: place.end(2)], a, b, subject, context=context)
            self.add(f"is in {place[3]}", a, b, place[2], context=True)
            return
        sentence = as_sentence(f"{who} {predicate}")
        first, last = self.tokens[a], self.tokens[max(a, b - 1)]
        if all(s.text != sentence for s in self.out):
            self.out.append(Statement(sentence, first.start, last.end, context))

    def spread(
        self,
        before: str,
        a: int,
        b: int,
        *,
        nominal: bool = False,
        subject: str | None = None,
        verb: str = "",
    ) -> None:
        """Adds the statements of a predicate; `verb`, if given, replaces its first word."""
        if b <= a:
            return
        frame = frame_of(self.tokens, a, b, nominal=nominal)
        for words in details(self.tokens, a, b, nominal=nominal, frame=frame):
            x, y = words[-1]
            end = self.undated(x, y) if len(words) > 1 else y
            text = self.say((*words[:-1], (x, end)))
            if verb and words[0][0] == a:
                text = verb + text[len(self.tokens[a].text) :]
            if text.startswith("from "):
                before = before.removesuffix("a ").removesuffix("an ")
            self.add(before + text, words[0][0], y, subject)
            if end < y:
                self.add(f"is from {self.low(end + 1)}", x, y, self.raw(x, end), context=True)
            for hole in [h for h in self.once if any(x <= h[0] and h[1] <= y for x, y in words)]:
                self.once.remove(hole)
                insort(self.holes, hole)
        for kind, item in kinds(self.tokens, frame):
            noun = self.raw(*kind)
            noun = f"{noun[:-3]}y" if noun.endswith("ies") and noun[-4] != "v" else noun[:-1]
            name = (item[0], self.undated(*item))
            self.add(f"is {article(noun)} {noun}", *item, self.title(name), context=True)

    def undated(self, x: int, y: int) -> int:
        """Returns the end of a title before its year: "The West (1990)" among works."""
        if self.low(y - 3) != "(" or not is_year(self.low(y - 2)):
            return y
        titled = self.tokens[x].capital
        single = all(t.text != "(" for t in self.tokens[x : y - 3])
        of_works = any(t.low in _WORKS for t in self.tokens[: self.clause.end])
        return y - 3 if titled and single and of_works else y

    def say(self, words: Words) -> str:
        """Returns the source text of several spans, joined together."""
        text = "".join(self.separator(x) + self.raw(x, y) for x, y in words if y > x).lstrip(", ")
        return _ARTICLE.sub(lambda m: f"{article(m[2])} {m[2]}", text) if words[2:] else text

    def separator(self, i: int) -> str:
        """Returns the text to insert before the span at `i`: a space, with or without a comma."""
        if not self.comma(i - 1):
            return " "
        effect = self.low(i).endswith("ing") and self.low(i + 1) in OBJECTS
        effect = effect and not self.tokens[i].capital
        named = self.tokens[i - 2].capital and not self.tokens[i - 2].depth
        opens = next((k for k in (i - 3, i - 4) if self.comma(k)), -1)
        named = named and opens > 0 and not self.tokens[opens - 1].capital
        named = named and self.low(i) in PREPOSITIONS  # "her son, Tom Hill, in Leeds"
        held = is_held(self.tokens, i) or is_absolute(self.tokens, i)
        return ", " if effect or named or held else " "

    def title(self, name: Range) -> str:
        """Returns a name as a subject, without the punctuation at the end of a quotation."""
        return self.raw(*name).replace(',"', '"').replace(",”", "”").replace('."', '"')

    def leave_out(self, a: int, b: int) -> None:
        """Treats a separately stated span like a bracket and omits it from the other statements."""
        closed = b < self.clause.end and self.comma(b)
        quoted = self.tokens[a].text in {'"', "”"}  # '"Rain," a play': the mark ends the title
        hole = (a + quoted, b + closed)
        insort(self.holes, hole)
        self.enclose(*hole)

    def enclose(self, a: int, b: int) -> None:
        """Treats a span like a bracket, so that no rule looks inside it."""
        for k in range(a, b):
            self.tokens[k] = self.tokens[k]._replace(depth=self.tokens[k].depth + 1)

    def low(self, i: int) -> str:
        """A token in lowercase; empty outside the sentence."""
        return self.tokens[i].low

    def comma(self, i: int) -> bool:
        """Whether a token is a comma that is outside brackets and quotations."""
        return self.tokens[i].comma

    def predicates(self, a: int, b: int) -> list[Piece]:
        """Splits a span into predicates that share the subject."""
        raise NotImplementedError

    def predicate(self, piece: Piece, fronted: str) -> None:
        """Makes statements from one predicate."""
        raise NotImplementedError


def _no_place(inner: str, outer: str) -> bool:
    """Whether "of Kent, Leeds" names a campus or company rather than a place within another."""
    return "University of" in inner or bool(
        _NO_PLACE & {w.strip(".").lower() for w in outer.split()}
    )


def article(words: str) -> str:
    """Returns "a" or "an", depending on the sound with which the words begin."""
    low, first = words.lower(), words.split(" ")[0]
    if first.isupper() and len(first) > 1:
        return "an" if first[0] in "AEFHILMNORSX" else "a"  # "an NFL team"
    return "an" if low[:1] in tuple("aeiou") and not low.startswith(("uni", "eu", "one")) else "a"


def as_sentence(words: str) -> str:
    """Returns words as a sentence of their own, without rephrasing them."""
    words = " ".join(words.replace("*", "").split()).strip(" ,;:-–—#")
    if any(mark in words for mark in (" ,", " .", " ;", " :")):
        words = _BEFORE_MARK.sub("", words)
    if words.endswith(_REFERRING):
        words = _HANGING.sub("", words)
    if words.endswith((',"', ",”")):
        words = words[:-2] + words[-1]
    if not words.endswith((".", "!", "?", '."', ".”", '?"', '!"')):
        words += "."
    return words[:1].upper() + words[1:]


def joined(fronted: str, subject: str) -> str:
    """Joins a circumstance and the subject with a single comma."""
    if fronted.endswith((',"', ",”")):
        return f"{fronted} {subject}"
    return f"{fronted}, {subject}"
