"""The words of a clause as a value, and the statements made from its phrases."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from dfactscore._text.person_names import TITLES
from dfactscore.engines._builtin.decompose.adjuncts import frame_of
from dfactscore.engines._builtin.decompose.conjuncts import Words
from dfactscore.engines._builtin.decompose.details import details, kinds
from dfactscore.engines._builtin.decompose.openings import OBJECTS, is_absolute, is_held
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.tokenizer import Token, Tokens
from dfactscore.engines._builtin.language.verbs import is_adverb, is_year, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    PASSIVE,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    past_of_any_gerund,
    past_of_gerund,
    word_list,
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
STARTING_PARTICIPLES = word_list("starting_participles")
PHRASE_PREFIXES = frozenset({"best", "better", "widely", "well", "originally", "also", "later"})
_PAST = re.compile(r"born|educated|raised|\w+ (?:in|on) (?:[A-Z]\w+ |\d+,? )*\d{4}\b")  # of no "is"
_PLURAL = re.compile(r"\b[a-z]+[^s\W]s$")  # "her songs", "Hill's parents"
_OBJECT_OPENERS = SMALL | {"numerous", "out", "up"}
_OPEN_ENDS = frozenset(f"{word}." for word in word_list("open_ends"))  # more must follow
_TORN = re.compile(
    r" between (?!.*(?:\b(?:and|[a-z]+s)\b|\d))"  # "between Leeds."
    # "was born in Ghent, probably.", "was opened in 1990, one."
    r"|, (?:[^,]* and (?:often|the other one)|(?:[^,]* and )?[a-z]+ly|perhaps|one)\.$"
    r"|\b(?:who|whom|where|which|when),[^,]*\.$"  # "where, with Tom Hill."
)
_RELATIVE = re.compile(r"\b(?:who|whom|whose|which)\b")


class Statement(NamedTuple):
    """A sentence with the characters that it was made from."""

    text: str
    start: int  # index of the first character, in the text that the tokens come from
    end: int
    context: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """The statements that a rule gives, and the ranges of tokens that others need not say again."""

    statements: tuple[Statement, ...] = ()
    used: tuple[Range, ...] = ()  # ranges that all others omit
    once: tuple[Range, ...] = ()  # ranges that all others but the first one with them omit

    def __add__(self, other: Given) -> Given:
        if self is NOTHING:
            return other
        return Given(
            self.statements + other.statements, self.used + other.used, self.once + other.once
        )


NOTHING = Given()


@dataclass(frozen=True, slots=True)
class ClauseText:
    """A clause that is being taken apart: its words without those that were said already."""

    text: str  # text that the tokens come from
    tokens: Tokens
    clause: Clause
    subject: str
    owner: str  # person that "his" and a bare "born in ..." mean
    be: str  # "is" or "was", by the tense of the predicate
    main: int  # index of the predicate's verb
    it: str = ""  # what "it" means in the predicate, where that is known
    holes: tuple[Range, ...] = ()  # ranges that were said already, in order
    once: tuple[Range, ...] = ()  # ranges that only the next statement with them says

    def low(self, i: int) -> str:
        """A token in lowercase; empty outside the sentence."""
        return self.tokens[i].low

    def comma(self, i: int) -> bool:
        """Whether a token is a comma that is outside brackets and quotations."""
        return self.tokens[i].comma

    def after(self, given: Given) -> ClauseText:
        """Returns the clause as the rules after `given` read it; none looks inside a used range."""
        if not given.used and not given.once:
            return self
        return self.enclosing(given.used).omitting(given)

    def omitting(self, given: Given) -> ClauseText:
        """Returns the clause without the ranges that are used."""
        if not given.used and not given.once:
            return self
        once = tuple(r for r in self.once + given.once if r not in given.used)
        return replace(self, holes=tuple(sorted(self.holes + given.used)), once=once)

    def enclosing(self, ranges: Sequence[Range]) -> ClauseText:
        """Returns the clause with ranges that are read like brackets: no rule looks inside them."""
        if not ranges:
            return self
        tokens = list(self.tokens)
        for a, b in ranges:
            for k in range(a, min(b, len(tokens))):
                tokens[k] = tokens[k]._replace(depth=tokens[k].depth + 1)
        return replace(self, tokens=Tokens(tokens))

    def leaving_out(self, a: int, b: int) -> Given:
        """Returns a separately stated span, with the comma after it, as used."""
        closed = b < self.clause.end and self.comma(b)
        quoted = self.tokens[a].text in {'"', "”"}  # '"Rain," a play': the mark ends the title
        return Given(used=((a + quoted, b + closed),))

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

    def say(self, words: Words) -> str:
        """Returns the source text of several spans, joined together."""
        spans = (f"{_separator(self.tokens, x)}{self.raw(x, y)}" for x, y in words if y > x)
        text = "".join(spans).lstrip(", ")
        return _ARTICLE.sub(lambda m: f"{article(m[2])} {m[2]}", text) if words[2:] else text

    def title(self, name: Range) -> str:
        """Returns a name as a subject, without the punctuation at the end of a quotation."""
        return self.raw(*name).replace(',"', '"').replace(",”", "”").replace('."', '"')

    def is_of_person(self) -> bool:
        """Whether the subject is the individual rather than something that belongs to them."""
        return self.subject.rpartition(" ")[2] in self.owner.split(" ")

    def of_person(self) -> str:
        """Returns the owner of a thing ("Ann Lee" for "her career"), or else the subject."""
        return _person(self.subject, self.owner)


def clause_text(
    text: str, tokens: Sequence[Token], clause: Clause, subject: str, owner: str
) -> ClauseText:
    """Returns a clause before anything is said of it; the arguments are those of `statements`."""
    padded = tokens if isinstance(tokens, Tokens) else Tokens(tokens)
    be = tense(padded, clause.verb, clause.end)
    return ClauseText(text, padded, clause, subject, owner, be, clause.verb)


def tense(tokens: Sequence[Token], a: int, b: int) -> str:
    """Returns "is" if the verb of a predicate is in the present tense, otherwise "was"."""
    low = tokens[skip_adverbs(tokens, a, b)].low
    present = low in {"is", "are", "has"} or (low.endswith("s") and low not in AUXILIARIES)
    return "is" if present else "was"


def stated(
    c: ClauseText,
    predicate: str,
    a: int,
    b: int,
    subject: str | None = None,
    *,
    context: bool = False,
) -> Given:
    """Gives a statement about the subject or about something that gives context."""
    predicate = predicate.strip(" ,;:–—-")
    if c.it:
        predicate = _IT.sub(rf"\1 {c.it}", predicate)
    if predicate[:3] in {"'s ", "’s "}:
        perfect = predicate[3:].partition(" ")[0] in _DONE  # "she's written about"
        predicate = f"{'has' if perfect else 'is'} {predicate[3:]}"
    if not predicate:
        return NOTHING
    place = None
    if ", " in predicate and not _IN_WORKS.search(predicate):
        place = _WITHIN.search(predicate)
    if place is None and " in " in predicate:
        place = _HOUSED.search(predicate)
    if place and not _no_place(place[2], place[3]):
        inner = stated(c, predicate[: place.end(2)], a, b, subject, context=context)
        return inner + stated(c, f"is in {place[3]}", a, b, place[2], context=True)
    sentence = as_sentence(f"{c.subject if subject is None else subject} {predicate}")
    start, end = c.tokens[a].start, c.tokens[max(a, b - 1)].end
    return Given((Statement(sentence, start, end, context),))


def spread(
    c: ClauseText,
    before: str,
    a: int,
    b: int,
    *,
    nominal: bool = False,
    subject: str | None = None,
    verb: str = "",
) -> Given:
    """Gives the statements of a predicate; `verb`, if given, replaces its first word."""
    given = NOTHING
    if b <= a:
        return given
    frame = frame_of(c.tokens, a, b, nominal=nominal)
    for words in details(c.tokens, a, b, nominal=nominal, frame=frame):
        x, y = words[-1]
        end = _undated(c, x, y) if len(words) > 1 else y
        text = c.say((*words[:-1], (x, end)))
        if verb and words[0][0] == a:
            text = verb + text[len(c.tokens[a].text) :]
        if text.startswith("from "):
            before = before.removesuffix("a ").removesuffix("an ")
        step = stated(c, before + text, words[0][0], y, subject)
        if end < y:
            step += stated(c, f"is from {c.low(end + 1)}", x, y, c.raw(x, end), context=True)
        if c.once:
            said = (r for r in c.once if any(x <= r[0] and r[1] <= y for x, y in words))
            step += Given(used=tuple(said))
            c = c.omitting(step)
        given += step
    for kind, item in kinds(c.tokens, frame):
        noun = c.raw(*kind)
        noun = f"{noun[:-3]}y" if noun.endswith("ies") and noun[-4] != "v" else noun[:-1]
        name = (item[0], _undated(c, *item))
        given += stated(c, f"is {article(noun)} {noun}", *item, c.title(name), context=True)
    return given


def _undated(c: ClauseText, x: int, y: int) -> int:
    """Returns the end of a title before its year: "The West (1990)" among works."""
    if c.low(y - 3) != "(" or not is_year(c.low(y - 2)):
        return y
    titled = c.tokens[x].capital
    single = all(t.text != "(" for t in c.tokens[x : y - 3])
    of_works = any(t.low in _WORKS for t in c.tokens[: c.clause.end])
    return y - 3 if titled and single and of_works else y


def _separator(tokens: Sequence[Token], i: int) -> str:
    """Returns the text to insert before the span at `i`: a space, with or without a comma."""
    if not tokens[i - 1].comma:
        return " "
    effect = tokens[i].low.endswith("ing") and tokens[i + 1].low in OBJECTS
    effect = effect and not tokens[i].capital
    named = tokens[i - 2].capital and not tokens[i - 2].depth
    opens = next((k for k in (i - 3, i - 4) if tokens[k].comma), -1)
    named = named and opens > 0 and not tokens[opens - 1].capital
    named = named and tokens[i].low in PREPOSITIONS  # "her son, Tom Hill, in Leeds"
    held = is_held(tokens, i) or is_absolute(tokens, i)
    return ", " if effect or named or held else " "


def ands(tokens: Sequence[Token], a: int, b: int) -> list[int]:
    """Indexes of each "and" that is outside brackets and quotations."""
    return [k for k in range(a, b) if tokens[k].low == "and" and not tokens[k].depth]


def is_phrase(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether a participle and its complements begin at `a`: "born in Leeds"."""
    while tokens[a].low in PHRASE_PREFIXES or is_adverb(tokens[a]):
        a += 1
    low, after = tokens[a].low, tokens[a + 1].low
    if low == "based" and after in {"on", "upon"}:
        return False  # said of a film, not of a person
    passive = low.endswith("ed") and low in PASSIVE and after in PREPOSITIONS
    return a < b and (low in STARTING_PARTICIPLES or passive)


def phrase(c: ClauseText, a: int, b: int, subject: str | None = None) -> Given:
    """States a participle phrase; -ing phrases joined to it by "and" are stated separately."""
    joints = ands(c.tokens, a + 1, b - 2)
    end = next((k for k in joints if past_of_gerund(c.low(k + 1)) is not None), b)
    given = _participle(c, a, end, c.subject if subject is None else subject)
    return given + gerunds(c.after(given), end + 1, b)


def _participle(c: ClauseText, a: int, b: int, subject: str) -> Given:
    """States one participle phrase; births and deaths are split by date and place."""
    words = c.raw(a, b).rstrip(", ")
    words = words[:1].lower() + words[1:]
    be = "was" if _PAST.match(words) else c.be
    if _PLURAL.search(subject):
        be = {"was": "were", "is": "are"}.get(be, be)
    if a < c.clause.subject[0]:  # "Born in Canada, his career ...": the person was
        subject = _person(subject, c.owner)
    parts = life_statements(f"{be} {words}")
    if len(parts) == 1:
        return spread(c, f"{be} ", a, b, subject=subject, verb=c.low(a))
    given = NOTHING
    for part in parts:
        given += stated(c, part, a, b, subject)
    return given


def _person(subject: str, owner: str) -> str:
    """Returns the owner of a thing ("Ann Lee" for "her career"), or else the subject."""
    kin = not RELATIVES.isdisjoint(subject.lower().replace(",", "").split())
    return owner if re.search(r"['’]s? ", subject) and not kin else subject


def is_deed(tokens: Sequence[Token], i: int, b: int) -> bool:
    """Whether an -ing form at `i` adds an action of the subject."""
    low, after = tokens[i].low, tokens[i + 1]
    if tokens[i].capital or (after.low in TITLES and tokens[i + 2].low == "of"):
        return False  # "Henry III, ruling Count of Kent"
    if low in {"starring", "featuring"} and after.capital:
        return False  # the film does
    if low == "having":
        return i + 2 < b
    if past_of_gerund(low) is not None:
        return True
    named = after.capital or after.text[:1].isdigit()
    return bool(past_of_any_gerund(low)) and (named or after.low in _OBJECT_OPENERS)


def deed(c: ClauseText, a: int, b: int) -> Given:
    """Gives statements from ", earning X and becoming Y" or ", having held the seat"."""
    dated = any(is_year(t.text) for t in c.tokens[a:b])
    had = c.low(c.main) in {"has", "have"} or c.low(a) == "having"
    return gerunds(c, a, b) if dated or had or c.be == "was" else spread(c, "is ", a, b)


def gerunds(c: ClauseText, a: int, b: int) -> Given:
    """Gives statements from ", earning X and becoming Y"."""
    given, start, before = NOTHING, a, ""
    joints = ands(c.tokens, a + 1, b)
    for k in range(a + 1, b):
        if c.comma(k) or k in joints:
            following = k + 1 + (c.low(k + 1) == "and")
            if not is_deed(c.tokens, skip_adverbs(c.tokens, following, b), b):
                continue
            if k == start + 1:  # "studying and working with X" is one action
                before = f"{past_of_gerund(c.low(start))} and "
            else:
                given += _gerund(c.after(given), start, k, before)
                before = ""
            start = following
    return given + _gerund(c.after(given), start, b, before)


def _gerund(c: ClauseText, a: int, b: int, before: str = "") -> Given:
    """States a single -ing phrase, with its verb put into the past tense."""
    verb = skip_adverbs(c.tokens, a, b)
    before += f"{c.raw(a, verb)} " if verb > a else ""
    if c.low(verb) == "having":  # "her career spans ten years, having met": she has
        before += "had " if c.be == "was" else "has "
        return spread(c, before, verb + 1, b, subject=c.of_person())
    joints = ands(c.tokens, verb + 2, b)
    end = next((k for k in joints if c.low(k + 2) == "by"), b)  # "and accompanied by Tom"
    given = spread(c, before, verb, end, verb=past_of_any_gerund(c.low(verb)))
    return given + spread(c.after(given), "was ", end + 1, b)


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


def is_torn(text: str) -> bool:
    """Whether a fact is not a complete sentence, so that its clause should be kept whole.

    Example:
        >>> is_torn("Ann Lee joined a firm where, with Tom Hill."), is_torn("Ann Lee sang.")
        (True, False)
    """
    if text.rpartition(" ")[2] in _OPEN_ENDS:
        return True
    if ("," in text or " between " in text) and _TORN.search(text):
        return True
    if " and wh" not in text and " but wh" not in text:
        return False
    relative = _RELATIVE.search(text)  # "sang, and whose books": of someone who is not in the fact
    return relative is not None and text[: relative.start()].endswith((" and ", " but "))
