"""Clauses of a sentence: fronted words, the subject, and what separates it from its verb."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore._text.person_names import HONORS, SUFFIXES, TITLES
from dfactscore.engines._builtin.language.adverbs import is_adverb, is_year, skip_adverbs
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    MONTHS,
    PARTICIPLES,
    PASSIVE,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE_PRONOUNS,
    SMALL,
    is_role,
)

Range = tuple[int, int]

_PLACING = PREPOSITIONS - {"when", "while", "where"}
_JOINING = RELATIVE_PRONOUNS | {
    "when", "while", "as", "because", "and", "but", "or", "than", "if", "whether", "although",
    "he", "she", "they", "it", "there", "what", "how",
}  # fmt: skip
_BLOCK_WORDS = RELATIVE_PRONOUNS | {
    "also", "unlike", "formerly", "nicknamed", "known", "best", "better", "one", "now", "then",
    "later", "whose", "jr.", "sr.", "sometimes", "originally", "full", "son", "daughter", "brother",
    "sister", "father", "mother", "himself", "herself", "currently", "previously", "once", "not",
}  # fmt: skip
_FIRST_WORDS = (
    PREPOSITIONS
    | DETERMINERS
    | {"born", "raised", "educated", "best", "known", "although", "though", "once", "originally"}
    | {"unlike", "if", "unless", "prior", "due", "thanks", "owing", "according", "apart", "aside"}
    | {"together", "instead"}
)
_OF_LEAD = RELATIVE_PRONOUNS - {"whose", "where", "that"} | {"and", "or", "them"}
LONGEST_SUBJECT = 14
_LONGEST_BLOCK = 80
_MOST_COMMAS = 12
_FARTHEST_NAME = 8


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement with its own subject; all ranges are token indices, end exclusive.

    Attributes:
        start: Index of the first token.
        end: Index after the last token, excluding closing punctuation.
        lead: The words before the subject, excluding the comma that follows them; empty if there
            are none.
        subject: The subject, excluding anything in brackets or between commas; empty if no verb was
            found.
        brackets: Parenthetical additions right after the subject, excluding the brackets.
        blocks: Additions between the subject and the verb: appositions, relative clauses.
        verb: Index of the first token of the predicate (including adverbs before the verb), or -1.
    """

    start: int
    end: int
    lead: Range
    subject: Range
    brackets: tuple[Range, ...]
    blocks: tuple[Range, ...]
    verb: int


def parse_clause(tokens: Sequence[Token], start: int, end: int, name: Sequence[str] = ()) -> Clause:
    """Parses one clause."""
    nothing = (start, start)
    first = tokens[start]
    fronted = (
        first.low in _FIRST_WORDS
        or first.low.endswith(("ing", "ed", "ly"))
        or is_adverb(first)
        or first.low in PARTICIPLES
        or (first.low in PASSIVE and tokens[min(start + 1, end - 1)].low in PREPOSITIONS)
        or is_role(first.text)
        or first.low == "fellow"
        or (first.low == "more" and start + 1 < end and is_adverb(tokens[start + 1]))
    )
    named = first.low not in _PLACING and (  # "In Leeds, her first book appeared"
        first.low in TITLES | DETERMINERS
        or is_role(first.text)
        or _before_capital(tokens, start, end)
    )
    titled = first.low in TITLES or is_role(first.text)
    titled = titled and start + 1 < end and tokens[start + 1].capital
    dated = _dated(tokens, start, end)
    if dated > start and tokens[dated].low in {"a", "an", "another"}:
        found = find_subject(tokens, dated, end)  # "In 1862 another Ann Lee, a nun, won"
        if found is not None:
            return Clause(start, end, (start, dated), *found)
    behind = _before_pronoun(tokens, start, end)
    found = find_subject(tokens, behind, end) if behind else None
    if found is not None:
        comma = tokens[behind - 1].text == ","
        return Clause(start, end, (start, behind - comma), *found)
    if fronted:
        commas = 0
        for k in range(start + 1, end):
            after = k + 1
            if tokens[k].depth and tokens[k].text == "," and tokens[after].text in {'"', "”"}:
                after += 1  # a comma inside the quotation that it ends
            elif tokens[k].depth or not (tokens[k].text in ",:" or _ends_aside(tokens, start, k)):
                continue
            commas += 1
            if commas > _MOST_COMMAS:
                break
            added = tokens[min(skip_adverbs(tokens, k + 1, end), end - 1)].low
            one_more = added == "another" and tokens[min(k + 2, end - 1)].capital
            if named and (
                (added in DETERMINERS and not one_more)
                or ((titled or tokens[k - 1].capital) and added in PARTICIPLES | {"known"})
            ):
                break  # "Captain X, an early settler, was": an apposition, nothing is fronted
            if named and tokens[k - 1].capital and _is_post_nominal(tokens[after]):
                break  # "Captain X, KCB, was"
            plain = first.low not in SMALL and not is_role(first.text)
            if named and plain and k > start + 1 and all(t.capital for t in tokens[start:k]):
                break  # "Alfred Lee, Ph.D, was": a name
            ends = tokens[k].text == ":"
            if first.low in DETERMINERS and any(
                (t.low in {"is", "was"} and not t.depth) or (ends and finite_at(tokens, i, k))
                for i, t in enumerate(tokens[start + 1 : k], start + 1)
            ):
                break  # "A poet named X is mentioned, she was": a clause of its own
            found = _subject_then_verb(tokens, after, end)
            if found is not None:
                head, brackets, blocks, verb = found
                lead = (start, k if after == k + 1 else after)
                return Clause(start, end, lead, head, brackets, blocks, verb)
    roles = _roles_before_name(tokens, start, end)
    found = find_subject(tokens, roles, end) if roles else None
    if found is not None:
        return Clause(start, end, (start, roles), *found)
    dated = _behind_event(tokens, start, end, name) or dated
    found = find_subject(tokens, dated, end)
    if found is not None and dated > start:
        return Clause(start, end, (start, dated), *found)
    found = find_subject(tokens, start, end)
    if found is None:
        return Clause(start, end, nothing, nothing, (), (), -1)
    head, brackets, blocks, verb = found
    return Clause(start, end, nothing, head, brackets, blocks, verb)


def _ends_aside(tokens: Sequence[Token], start: int, k: int) -> bool:
    """Whether the token at `k` is the second of two dashes: "Born in 1884 – or 1885 – she"."""
    dash = tokens[k].text
    return dash in "–—" and any(t.text == dash and not t.depth for t in tokens[start + 1 : k])


def _before_pronoun(tokens: Sequence[Token], start: int, end: int) -> int:
    """Returns the index of "he" in "The son of Carl Hill, a judge, he was", or 0 if not found."""
    opens = tokens[start].low in _PLACING
    for k in range(start + 1, end - 2):
        if tokens[k].depth:
            continue
        if tokens[k].text in ";:" or finite_at(tokens, k, end):
            return 0
        free = tokens[k - 1].text == "," or (opens and tokens[k - 1].low not in _JOINING)
        if tokens[k].low in {"he", "she", "there"} and free:
            verb = skip_adverbs(tokens, k + 1, end)
            return k if verb < end and finite_at(tokens, verb, end) else 0
        opens = opens and tokens[k].text != ","
    return 0


def _roles_before_name(tokens: Sequence[Token], start: int, end: int) -> int:
    """Returns the start of the name in "Singer and broadcaster Ann Lee sang", or 0 if not found."""
    k = start
    while k + 2 < end and is_role(tokens[k].text) and (k == start or not tokens[k].capital):
        k += 1
        if tokens[k].capital:
            return k if k > start + 1 and tokens[k + 1].capital else 0
        if tokens[k].text not in {",", "and"}:
            return 0
        k += 1 + (tokens[k + 1].low == "and")
    return 0


def _behind_event(tokens: Sequence[Token], start: int, end: int, name: Sequence[str]) -> int:
    """Returns the start of the known name in "During World War I Ann Lee served", or 0."""
    if not name or tokens[start].low not in PREPOSITIONS or start + 2 >= end:
        return 0
    for k in range(start + 2, min(end - 1, start + _FARTHEST_NAME)):
        before = tokens[k - 1]
        if not before.word or tokens[k].depth or finite_at(tokens, k, end):
            return 0
        whole = tokens[k].low == name[0] and tokens[k + 1].low == name[min(1, len(name) - 1)]
        alone = tokens[k].low == name[-1] and not tokens[k + 1].capital
        free = before.low not in SMALL | {"and", "or"}
        if tokens[k].capital and (whole or alone) and free and before.low not in name:
            return k
    return 0


def _dated(tokens: Sequence[Token], start: int, end: int) -> int:
    """Returns the start of the subject in "In 1927 Ann Lee won" (no comma after the year)."""
    k = start + 1
    if tokens[start].low not in {"in", "by", "since"} or k + 2 >= end:
        return start
    if tokens[k].low in MONTHS:
        k += 1
    named = tokens[k + 1].capital or tokens[k + 1].low in {"he", "she", "another"}
    named = named or (tokens[k + 1].low in {"a", "an"} and tokens[k + 2].capital)  # "a Tom Hill"
    return k + 1 if is_year(tokens[k].text) and named else start


def _before_capital(tokens: Sequence[Token], i: int, end: int) -> bool:
    """Whether a word like "Mohamed" or "Sally" is a name, judging by what follows it.

    A capitalized word or punctuation after it means that it is.
    """
    if i + 1 >= end:
        return False
    after = tokens[i + 1]
    return after.capital or (after.text in ",(" and not tokens[i].low.endswith("ly"))


_Found = tuple[Range, tuple[Range, ...], tuple[Range, ...], int]


def _subject_then_verb(tokens: Sequence[Token], i: int, end: int) -> _Found | None:
    """Parses the subject that starts at `i`, or returns None if the words there cannot be one."""
    i = skip_adverbs(tokens, i, end)
    if i >= end:
        return None
    token = tokens[i]
    if not (token.capital or token.low in PRONOUNS | DETERMINERS or token.low in {"there", "one"}):
        return None
    found = find_subject(tokens, i, end)
    if found is None:
        return None
    head, _, blocks, _ = found
    if any(tokens[a].capital or _is_date(tokens, a) for a, _ in blocks):
        return None  # "Having been born in Leeds, England, Smith has": England is not the subject
    if any(t.low in _OF_LEAD for t in tokens[head[0] : head[1]]):
        return None  # "Few of her letters exist, most of them burned"
    return found


def _is_date(tokens: Sequence[Token], i: int) -> bool:
    """Whether a date starts at `i`, as at "10" in "Born in Ohio on May 10, 1961, he"."""
    day = tokens[i].text.isdigit() and i + 1 < len(tokens)
    return day and (tokens[i + 1].low in MONTHS or tokens[i + 1].text == ",")


def find_subject(tokens: Sequence[Token], start: int, end: int) -> _Found | None:
    """Parses the subject, additions and verb from `start` on."""
    brackets: list[Range] = []
    blocks: list[Range] = []
    head_end = -1
    i = start
    if tokens[start].low == "there" and start + 1 < end:
        verb = skip_adverbs(tokens, start + 1, end)
        if verb < end and tokens[verb].low in AUXILIARIES | {"exists", "existed"}:
            return (start, start + 1), (), (), start + 1
    while i < end:
        token = tokens[i]
        if token.text in "([" and token.depth:
            closing = _close(tokens, i, end)
            if head_end < 0:
                head_end = i
            brackets.append((i + 1, closing))
            i = closing + 1
            continue
        if token.depth:
            i += 1
            continue
        if _ends_subject(tokens, i, end) and not any(
            t.text == "(" and not t.depth for t in tokens[start:i]
        ):
            return None  # "an actor who sang; a diver who won"
        if token.text == "-" and i + 1 < end and tokens[i + 1].start == tokens[i - 1].end + 1:
            i += 1  # "71-year-old"
            continue
        if token.text in ",–—-":
            if head_end < 0:
                head_end = i
            after = skip_adverbs(tokens, i + 1, end)
            main = after < end and finite_at(tokens, after, end)
            inserted = _inserted(tokens, after, end, first=not blocks) if main else False
            if main and not inserted:
                return (start, head_end), tuple(brackets), tuple(blocks), i + 1
            added = inserted and token.text == ","  # not —left undone—
            close = (_comma_before_verb if added else _block_close)(tokens, i + 1, end)
            if close is None:
                return None
            blocks.append((i + 1, close))
            i = close
            continue
        named = tokens[i + 1].low == "name" if i + 1 < end else False  # "a person by that name"
        if token.low in {"who", "that"} and i > start and not named:
            if head_end < 0:
                head_end = i
            close = _restrictive_close(tokens, i, end)
            if close is None:
                return None
            blocks.append((i, close))
            i = close
            continue
        if i > start and finite_at(tokens, i, end) and not _reduced(tokens, i, end):
            verb = i
            while verb - 1 > start and is_adverb(tokens[verb - 1]):
                verb -= 1
            if verb == start + 1 and tokens[start].low in {"the", "a", "an"}:
                verb = i  # "the first was"
            if head_end < 0:
                head_end = verb
            return (start, head_end), tuple(brackets), tuple(blocks), verb
        if i - start > LONGEST_SUBJECT + sum(b - a for a, b in blocks + brackets):
            return None
        i += 1
    return None


def _ends_subject(tokens: Sequence[Token], i: int, end: int) -> bool:
    """Whether the subject ends at `i`: at a semicolon, or a colon that introduces no title."""
    mark = tokens[i].text
    return mark == ";" or (mark == ":" and not tokens[min(i + 1, end - 1)].capital)


def _inserted(tokens: Sequence[Token], i: int, end: int, *, first: bool) -> bool:
    """Whether a participle opens an addition: ", often referred to as the elder, was".

    So does one right after the subject, whatever verb follows: ", left alone, sang".
    """
    if tokens[i].low in AUXILIARIES:
        return False
    marks = (k for k in range(i, end) if tokens[k].text in ",–—" and not tokens[k].depth)
    close = next(marks, None)
    if close is None or close + 1 >= end:
        return False
    after = skip_adverbs(tokens, close + 1, end)
    follows = after < end and finite_at(tokens, after, end)
    return follows and (first or tokens[after].low in AUXILIARIES)


def _close(tokens: Sequence[Token], i: int, end: int) -> int:
    """Returns the index of the token that closes the bracket at `i`."""
    depth = tokens[i].depth
    k = i + 1
    while k < end and tokens[k].depth >= depth:
        k += 1
    return k - 1


def _block_close(tokens: Sequence[Token], i: int, end: int) -> int | None:
    """Finds the comma that ends an addition: one that is followed by a verb."""
    first = tokens[i] if i < end else None
    if first is None or not (
        first.low in _BLOCK_WORDS | {"found"}
        or first.low in SMALL | PARTICIPLES
        or first.low.endswith(("ed", "ing"))
        or first.capital
        or is_role(first.text)
        or first.text[0].isdigit()
        or is_adverb(first)
        or first.low in PASSIVE
        or first.depth
    ):
        return None
    found = _comma_before_verb(tokens, i, end)
    if found is not None:
        return found
    titled = first.low in TITLES and tokens[min(i + 1, end - 1)].low == "of"
    titled = titled or (first.low in TITLES and tokens[min(i + 2, end - 1)].low == "of")
    titled = titled or (first.capital and "." in first.text[:-1])  # "Ph.D"
    if not (titled or first.text[0].isdigit() or first.low in {"a", "an"}):
        return None
    # "Sir John Louis, 2nd Baronet (1785 – 1863) was": no comma closes it
    near = (k for k in range(i + 1, min(end, i + _LONGEST_BLOCK)) if not tokens[k].depth)
    for k in itertools.islice(near, LONGEST_SUBJECT):
        token = tokens[k]
        if token.low in RELATIVE_PRONOUNS or token.text == ";":
            break
        if token.low in {"was", "is", "has"}:  # "a bridge and a school were" are subjects
            return k
    return None


def _is_post_nominal(token: Token) -> bool:
    """Whether a word is "KCB" or "Jr."."""
    key = token.low.replace(".", "")
    capitals = sum(map(str.isupper, token.text))
    return (key in HONORS and capitals > 1) or (key in SUFFIXES and token.capital)


def _comma_before_verb(tokens: Sequence[Token], i: int, end: int) -> int | None:
    """Finds the first comma followed by a verb; after "who", the one that ends a list of verbs."""
    found = None
    for k in range(i, min(end, i + _LONGEST_BLOCK)):
        token = tokens[k]
        if token.text == ";" and not token.depth:
            break
        quoted = token.text in {'"', "”"} and tokens[k - 1].text == ","  # "her film, "Sky," was"
        if not quoted and (token.depth or token.text not in ",–—"):
            continue
        after = skip_adverbs(tokens, k + 1, end)
        if after < end and finite_at(tokens, after, end):
            if found is None or _joins_verb(tokens, found, k, end):
                found = k + quoted
            if tokens[i].low not in RELATIVE_PRONOUNS:
                break
    return found


def _joins_verb(tokens: Sequence[Token], a: int, b: int, end: int) -> bool:
    """Whether ", and" closes a list of verbs: ", who wrote, directed, and sang in it, died"."""
    joints = (k for k in range(a + 2, b - 1) if tokens[k].low == "and" and not tokens[k].depth)
    return any(tokens[k - 1].text == "," and finite_at(tokens, k + 1, end) for k in joints)


def _restrictive_close(tokens: Sequence[Token], i: int, end: int) -> int | None:
    """Finds the main verb after "the X who played for Y"."""
    own = False
    for k in range(i + 1, min(end, i + 40)):
        if tokens[k].depth:
            continue
        if tokens[k].text == ";":
            return None
        if tokens[k].text == "," and own:
            after = skip_adverbs(tokens, k + 1, end)
            if after < end and finite_at(tokens, after, end):
                return k
            continue
        if finite_at(tokens, k, end):
            if not own:
                own = True
            elif tokens[k - 1].low not in {"and", "or", "but", "was", "were", "has", "had", "is"}:
                return k
    return None


def _reduced(tokens: Sequence[Token], i: int, end: int) -> bool:
    """Whether an -ed form merely describes the subject ("the band formed in 1990 was")."""
    low = tokens[i].low
    if not low.endswith("ed") or i + 1 >= end:
        return False
    before = tokens[i - 1]
    if before.low in PRONOUNS or is_adverb(before):
        return False
    for token in tokens[i + 1 : min(end, i + 14)]:
        if token.depth:
            continue
        if token.low in _JOINING or token.text in ",;":
            return False
        if token.low in {"was", "is", "were", "are", "has", "had"}:
            return True
    return False
