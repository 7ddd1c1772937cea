"""Clauses of a sentence: fronted words, the subject, and what separates it from its verb."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dfactscore._text.person_names import HONORS, SUFFIXES, TITLES
from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at, is_adverb, is_year, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    ARTICLES,
    AUXILIARIES,
    DETERMINERS,
    PARTICIPLES,
    PAST_PARTICIPLES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE_PRONOUNS,
    SMALL,
)

Range = tuple[int, int]
Parts = tuple[Range, tuple[Range, ...], tuple[Range, ...], int]  # subject, brackets, blocks, verb

_PLACING = PREPOSITIONS - {"when", "while", "where"}
_JOINING = RELATIVE_PRONOUNS | {
    "when", "while", "as", "because", "and", "but", "or", "than", "if", "whether", "although",
    "he", "she", "they", "it", "there", "what", "how",
}  # fmt: skip
_ADDITION_WORDS = SMALL | PARTICIPLES | RELATIVE_PRONOUNS | {
    "unlike", "one", "full", "jr.", "sr.", "son", "daughter", "brother", "sister", "father",
    "mother",
}  # fmt: skip
_FRONTED_WORDS = SMALL | PAST_PARTICIPLES | {
    "although", "though", "unlike", "if", "unless", "prior", "due", "thanks", "apart", "aside",
    "more", "not", "distinct", "different",
}  # fmt: skip
MAIDEN = frozenset({"née", "nee"})
_POST_NOMINALS = HONORS | SUFFIXES
_DESCRIBING = DETERMINERS - {"another"} | PARTICIPLES
_SUBJECTS = PRONOUNS | DETERMINERS | {"there", "one"}
_OF_LEAD = RELATIVE_PRONOUNS - {"whose", "where", "that"} | {"and", "or", "them"}
_MAIN_VERBS = frozenset({"was", "is", "were", "are", "has", "had"})
_JOINED_VERBS = _MAIN_VERBS - {"are"} | {"and", "or", "but"}
_REDUCED_ENDS = _MAIN_VERBS | _JOINING | {",", ";"}
LONGEST_SUBJECT = 14
_LONGEST_BLOCK = 80
_LONGEST_RELATIVE = 40
_MOST_COMMAS = 12
_FARTHEST_NAME = 8


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement with its own subject; all ranges are token indices, end exclusive."""

    start: int
    end: int  # index after the last token, excluding closing punctuation
    # The words before the subject, excluding the comma that follows them; empty if there are none.
    lead: Range
    # The subject, excluding anything in brackets or between commas; empty if no verb was found.
    subject: Range
    brackets: tuple[Range, ...]
    blocks: tuple[Range, ...]
    # Index of the first token of the predicate (including adverbs before the verb), or -1.
    verb: int


def parse_clause(tokens: Sequence[Token], start: int, end: int, name: Sequence[str] = ()) -> Clause:
    """Parses one clause; the first reading with a subject and a verb is used.

    The subject may follow a year, be a pronoun, follow other words and a comma, follow roles, be
    the known name, or be at the start of the clause.
    """
    return (
        _clause_from(tokens, start, _after_year(tokens, start), end)
        or _clause_from(tokens, start, _pronoun(tokens, start, end), end)
        or _clause_after_lead(tokens, start, end)
        or _clause_from(tokens, start, _name_after_roles(tokens, start), end)
        or _clause_from(tokens, start, _known_name(tokens, start, end, name), end)
        or _clause_from(tokens, start, start, end)
        or Clause(start, end, (start, start), (start, start), (), (), -1)
    )


def _clause_from(tokens: Sequence[Token], start: int, begin: int, end: int) -> Clause | None:
    """Returns the clause whose subject begins at `begin`, if it is an index and a verb follows."""
    parts = find_subject(tokens, begin, end) if begin >= start else None
    if parts is None:
        return None
    comma = begin > start and tokens[begin - 1].text == ","
    return Clause(start, end, (start, begin - comma), *parts)


def _after_year(tokens: Sequence[Token], start: int) -> int:
    """Returns the start of the subject after a year without a comma ("In 1927 Ann Lee"), or -1."""
    year, after = tokens[start + 1], tokens[start + 2]
    named = after.capital or after.low in {"a", "an", "another", "he", "she"}
    dated = tokens[start].low in {"in", "by", "since"} and is_year(year.text) and named
    return start + 2 if dated else -1


def _pronoun(tokens: Sequence[Token], start: int, end: int) -> int:
    """Returns the index of "he" in "The son of Carl Hill, a judge, he was", or -1."""
    opens = tokens[start].low in _PLACING
    for k in range(start + 1, end - 2):
        if tokens[k].depth:
            continue
        if tokens[k].text in ";:" or finite_at(tokens, k, end):
            return -1
        before = tokens[k - 1].low
        free = before == "," or (opens and before not in _JOINING)
        if tokens[k].low in {"he", "she", "there"} and free:
            return k if finite_at(tokens, skip_adverbs(tokens, k + 1, end), end) else -1
        opens = opens and not tokens[k].comma
    return -1


def _clause_after_lead(tokens: Sequence[Token], start: int, end: int) -> Clause | None:
    """Parses a clause with words before its subject: "Born in Leeds, Ann Lee sang"."""
    if not _is_fronted(tokens, start):
        return None
    for lead_end, begin in itertools.islice(_lead_ends(tokens, start, end), _MOST_COMMAS):
        if _is_subject(tokens, start, lead_end, begin, end):
            return None
        parts = _subject_after_lead(tokens, begin, end)
        if parts is not None:
            return Clause(start, end, (start, lead_end), *parts)
    return None


def _is_fronted(tokens: Sequence[Token], start: int) -> bool:
    """Whether a clause may begin with words that precede its subject: "In", "Born", "Later"."""
    first = tokens[start]
    derived = first.low.endswith(("ing", "ed", "ly"))
    return derived or first.low in _FRONTED_WORDS or is_adverb(first)


def _lead_ends(tokens: Sequence[Token], start: int, end: int) -> Iterator[Range]:
    """Yields the indices where words before a subject may end and where the subject then begins."""
    dashes: set[str] = set()
    for k in range(start + 1, end):
        mark = tokens[k].text
        if tokens[k].depth:
            if mark == "," and tokens[k + 1].text in {'"', "”"}:
                yield k + 2, k + 2  # the comma in 'In "The Bell," she'
        elif mark in ",:" or mark in dashes:
            yield k, k + 1
        elif mark in "–—":
            dashes.add(mark)
        elif mark == ";":
            return


def _is_subject(tokens: Sequence[Token], start: int, lead_end: int, begin: int, end: int) -> bool:
    """Whether the first words are the subject: "Captain Lee, an early settler, was"."""
    first, after = tokens[start], tokens[start + 1]
    adverb = is_adverb(first) or first.low.endswith("ly")
    name = after.capital or (after.text in ",(" and not adverb)
    thing = first.low in DETERMINERS or is_role(first.text)
    if first.low not in _PLACING and (thing or name):
        added = tokens[skip_adverbs(tokens, begin, end)]
        if added.low in _DESCRIBING or _is_post_nominal(tokens[begin]):
            return True
    # "A poet named X is mentioned, she was": a clause of its own
    verbs = any(t.low in {"is", "was"} and not t.depth for t in tokens[start + 1 : lead_end])
    return first.low in DETERMINERS and (tokens[lead_end].text == ":" or verbs)


def _is_post_nominal(token: Token) -> bool:
    """Whether a word is "KCB" or "Jr."."""
    return token.low.replace(".", "") in _POST_NOMINALS


def _subject_after_lead(tokens: Sequence[Token], begin: int, end: int) -> Parts | None:
    """Parses the subject that follows other words, or returns None if there is none."""
    if tokens[begin].low == "not":
        return None  # "Therefore, not every nun sang"
    begin = skip_adverbs(tokens, begin, end)
    if not (tokens[begin].capital or tokens[begin].low in _SUBJECTS):
        return None
    parts = find_subject(tokens, begin, end)
    if parts is None:
        return None
    (a, b), _, blocks, _ = parts
    if any(tokens[first].capital or tokens[first].text.isdigit() for first, _ in blocks):
        return None  # "Having been born in Leeds, England, Smith has": England is not the subject
    if any(t.low in _OF_LEAD for t in tokens[a:b]):
        return None  # "Few of her letters exist, most of them burned"
    return parts


def _name_after_roles(tokens: Sequence[Token], start: int) -> int:
    """Returns the start of the name in "Singer, pianist and broadcaster Ann Lee sang", or -1."""
    k = start
    while is_role(tokens[k].text):
        if tokens[k + 1].text in {",", "and"}:
            k += 2 + (tokens[k + 2].low == "and")
        else:
            return k + 1 if k > start and tokens[k + 1].capital else -1
    return -1


def _known_name(tokens: Sequence[Token], start: int, end: int, name: Sequence[str]) -> int:
    """Returns the start of the known name in "During World War I Ann Lee served", or -1."""
    if not name or tokens[start].low not in PREPOSITIONS:
        return -1
    bound = SMALL | {"and", "or", *name}
    for k in range(start + 2, min(end - 1, start + _FARTHEST_NAME)):
        if tokens[k].depth or finite_at(tokens, k, end):
            return -1
        before, after = tokens[k - 1], tokens[k + 1]
        full = [t.low for t in tokens[k : k + 2]] == list(name[:2])
        surname = tokens[k].low == name[-1] and not after.capital and after.text not in "'’"
        if tokens[k].capital and (full or surname) and before.low not in bound:
            return -1 if _is_noun_before_name(tokens, start, k) else k
    return -1


def _is_noun_before_name(tokens: Sequence[Token], start: int, name: int) -> bool:
    """Whether the subject begins before its name: "In 1990, baker Ann Lee sang"."""
    noun = tokens[name - 1]
    role = is_role(noun.low) and tokens[name - 2].low not in ARTICLES  # "as a nun Ann Lee"
    comma = any(t.text == "," for t in tokens[start:name])
    return noun.low.isalpha() and not noun.capital and (role or comma)


def find_subject(tokens: Sequence[Token], start: int, end: int) -> Parts | None:
    """Parses the subject, additions and verb from `start` on."""
    brackets: list[Range] = []
    blocks: list[Range] = []
    ends: list[int] = []  # where each addition follows; the subject ends at the first
    i = start
    while i < end:
        if tokens[i].depth:
            if tokens[i].text in "([" and tokens[i].depth == 1:  # not in a quotation
                ends.append(i)
                brackets.append((i + 1, _bracket_close(tokens, i, end)))
                i = brackets[-1][1]
            i += 1
        elif verb := _main_verb(tokens, start, i, end, first=not blocks):
            return (start, min([*ends, i, verb])), tuple(brackets), tuple(blocks), verb
        elif i > start + 1 and (letters := _letters_after_name(tokens, i, end)):
            ends.append(i)
            blocks.append(letters)
            i = letters[1]
        elif tokens[i].text == "," and tokens[i + 1].text == "(":
            ends.append(i)  # "Ann Lee, (born 1950) is"
            i += 1
        elif _separates(tokens, i) or (i > start and _opens_relative(tokens, i)):
            close = _addition_close(tokens, i, end)
            if close is None:
                return None
            ends.append(i)
            blocks.append((i + _separates(tokens, i), close))
            i = close
        else:
            added = sum(b - a for a, b in blocks + brackets)
            if i - start > LONGEST_SUBJECT + added or (not brackets and _is_stop(tokens, i)):
                return None
            i += 1
    return None


def _main_verb(tokens: Sequence[Token], start: int, i: int, end: int, *, first: bool) -> int:
    """Returns the index of the predicate if it begins at `i` or after a comma there, otherwise 0.

    The predicate includes the adverbs before the verb, but not "first" in "the first was".
    """
    if _separates(tokens, i):
        verb = skip_adverbs(tokens, i + 1, end)
        main = finite_at(tokens, verb, end) and not _inserted(tokens, verb, end, first=first)
        return i + 1 if main else 0
    if i == start or not finite_at(tokens, i, end):
        return 0
    verb = i
    while verb > start + 1 + (tokens[start].low in ARTICLES) and is_adverb(tokens[verb - 1]):
        verb -= 1
    return 0 if tokens[verb - 1].low not in PRONOUNS and _is_reduced(tokens, i, end) else verb


def _is_reduced(tokens: Sequence[Token], i: int, end: int) -> bool:
    """Whether an -ed form merely describes the subject ("the band formed in 1990 was")."""
    after = (t.low for t in tokens[i + 1 : min(end, i + LONGEST_SUBJECT)] if not t.depth)
    stop = next((low for low in after if low in _REDUCED_ENDS), "")
    return tokens[i].low.endswith("ed") and stop in _MAIN_VERBS


def _inserted(tokens: Sequence[Token], i: int, end: int, *, first: bool) -> bool:
    """Whether a participle opens an addition: ", often referred to as the elder, was".

    So does one right after the subject, whatever verb follows: ", left alone, sang".
    """
    marks = (k for k in range(i, end) if tokens[k].text in ",–—" and not tokens[k].depth)
    close = next(marks, end)
    after = skip_adverbs(tokens, close + 1, end)
    return finite_at(tokens, after, end) and (first or tokens[after].low in AUXILIARIES)


def _separates(tokens: Sequence[Token], i: int) -> bool:
    """Whether a comma or a dash may open an addition; the hyphens of "71-year-old" do not."""
    spaced = tokens[i + 1].start > tokens[i - 1].end + 1
    return tokens[i].text in ",–—" or (tokens[i].text == "-" and spaced)


def _opens_relative(tokens: Sequence[Token], i: int) -> bool:
    """Whether "who", "that" or "née" opens an addition; "that" does not in "by that name"."""
    return tokens[i].low in {"who", "that"} | MAIDEN and tokens[i + 1].low != "name"


def _is_stop(tokens: Sequence[Token], i: int) -> bool:
    """Whether a semicolon, or a colon that introduces no title, ends the sentence."""
    return tokens[i].text == ";" or (tokens[i].text == ":" and not tokens[i + 1].capital)


def is_post_nominal(token: Token) -> bool:
    """Whether a word is "OBE" or "Ph.D."."""
    return token.low.replace(".", "") in HONORS and sum(map(str.isupper, token.text)) > 1


def _letters_after_name(tokens: Sequence[Token], i: int, end: int) -> Range | None:
    """Returns the range of "OBE FRS" after two words of a name and any comma at `i`, or None."""
    first = last = i + (tokens[i].text == ",")
    while is_post_nominal(tokens[last]):
        last += 1
    closed = tokens[last].text in ",(" or finite_at(tokens, last, end)
    named = tokens[i - 1].capital and (tokens[i - 2].capital or tokens[i - 2].text == ",")
    return (first, last) if closed and named and last > first else None


def _bracket_close(tokens: Sequence[Token], i: int, end: int) -> int:
    """Returns the index of the token that closes the bracket at `i`."""
    depth = tokens[i].depth
    inside = [*itertools.takewhile(lambda k: tokens[k].depth >= depth, range(i, end))]
    marks = (k for k in inside[1:] if tokens[k].text in ")]" and tokens[k].depth == depth)
    return next(marks, inside[-1])


def _addition_close(tokens: Sequence[Token], i: int, end: int) -> int | None:
    """Returns the end of the addition after the comma, dash or relative pronoun at `i`."""
    opener = i + _separates(tokens, i)
    if tokens[opener].low in MAIDEN and tokens[opener + 1].capital:
        return next(k for k in range(opener + 1, len(tokens) + 1) if not tokens[k].capital)
    if opener == i:
        return _restrictive_close(tokens, i, end)
    first = tokens[i + 1]
    verb = tokens[i].text == "," and finite_at(tokens, skip_adverbs(tokens, i + 1, end), end)
    if not verb and not _opens_addition(first):
        return None
    comma = _comma_before_verb(tokens, i + 1, end)
    title = first.capital and (first.low in TITLES or "." in first.text[:-1])
    if comma is None and (title or first.low in {"a", "an"} or first.text[0].isdigit()):
        return _verb_after_title(tokens, i + 1, end)
    return comma


def _opens_addition(first: Token) -> bool:
    """Whether a word may begin an addition: "a", "born", "son", "Baroness", "2nd"."""
    return (
        first.low in _ADDITION_WORDS
        or first.low.endswith(("ed", "ing"))
        or first.capital
        or first.text[0].isdigit()
        or first.depth > 0
        or is_role(first.text)
        or is_adverb(first)
    )


def _verb_after_title(tokens: Sequence[Token], i: int, end: int) -> int | None:
    """Finds the verb after "Sir John Louis, 2nd Baronet (1785 – 1863) was", which lacks a comma."""
    near = (k for k in range(i + 1, min(end, i + _LONGEST_BLOCK)) if not tokens[k].depth)
    for k in itertools.islice(near, LONGEST_SUBJECT):
        if tokens[k].low in RELATIVE_PRONOUNS | {";"}:
            return None
        if tokens[k].low in {"was", "is", "has"}:  # "a bridge and a school were" are subjects
            return k
    return None


def _comma_before_verb(tokens: Sequence[Token], i: int, end: int) -> int | None:
    """Finds the first comma before a verb; after "who", the one that ends a list of verbs."""
    comma = None
    for k in range(i, min(end, i + _LONGEST_BLOCK)):
        if tokens[k].text == ";" and not tokens[k].depth:
            break
        quoted = (
            tokens[k].text in {'"', "”"} and tokens[k - 1].text == ","
        )  # "her film, "Sky," was"
        if not quoted and (tokens[k].depth or tokens[k].text not in ",–—"):
            continue
        if finite_at(tokens, skip_adverbs(tokens, k + 1, end), end):
            if comma is None or _ends_list(tokens, comma, k, end):
                comma = k + quoted
            if tokens[i].low not in RELATIVE_PRONOUNS:
                break
    return comma


def _ends_list(tokens: Sequence[Token], a: int, b: int, end: int) -> bool:
    """Whether ", and" closes a list of verbs: ", who wrote, directed, and sang in it, died"."""
    ands = (k for k in range(a + 2, b) if tokens[k].low == "and" and not tokens[k].depth)
    return any(tokens[k - 1].text == "," and finite_at(tokens, k + 1, end) for k in ands)


def _restrictive_close(tokens: Sequence[Token], i: int, end: int) -> int | None:
    """Finds the main verb after "the X who played for Y"."""
    verbs = 0
    for k in range(i + 1, min(end, i + _LONGEST_RELATIVE)):
        if tokens[k].depth:
            continue
        if tokens[k].text == ";":
            return None
        if finite_at(tokens, k, end):
            verbs += 1
            before = next(t for t in reversed(tokens[:k]) if not is_adverb(t))
            if verbs > 1 and before.low not in _JOINED_VERBS:
                return k - (tokens[k - 1].text == ",")
    return None
