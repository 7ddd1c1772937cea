"""Names and titles that are joined by "and" or contain it: "Gone with the Wind and Hud"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dfactscore._text.same_person import SHORT_FORMS
from dfactscore.engines._builtin.language.adverbs import is_year
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    MONTHS,
    PAST_PARTICIPLES,
    PREPOSITIONS,
    RELATIVES,
    is_base_form,
    is_demonym,
    is_finite_form,
    is_role,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_PAIRS = word_list("fixed_pairs") | word_list("paired_names")
# Words before a title: "wrote X", "the author of X"
_TITLED = (word_list("made") | word_list("works")) - {"play", "plays", "piece", "pieces"} | {
    *("directing", "starring", "writing", "writes", "author", "director", "translated", "created"),
    *("composed", "composer", "released", "produced", "painted", "include", "includes", "included"),
    *("movie", "movies", "musical", "musicals", "made", "are", "were"),
}
_OPENERS = word_list("title_openers")
_ALWAYS = frozenset({"of", "the", "a", "an", "de", "du", "la", "le"})
# "Smith and Sons", "Crosby and Friends", "Sonnets and Other Poems"
_COMPANY = frozenset(
    {
        *("son", "sons", "daughter", "daughters", "brothers", "friends", "partners", "associates"),
        *("company", "co", "co.", "wife", "family", "other", "others", "more"),
    }
)
AWARDS = frozenset({"oscar", "award", "prize", "medal", "emmy", "grammy", "bafta", "globe"})
# Heads that apply to each: "captain of Leeds and Hull"
_SINGLE_HEADS = frozenset({"author", "director", "head", "king", "queen", "coast", "owner"})
_SIDES = frozenset(
    {
        *(
            "north",
            "south",
            "east",
            "west",
            "northern",
            "southern",
            "eastern",
            "western",
            "central",
        ),
        *("upper", "lower", "new", "old", "great", "greater", "inner", "outer", "high", "middle"),
    }
)
_HEADED = word_list("bodies") | {"center", "centre", "chair", "lead"}  # "the Center for Design"
_HOUSES = frozenset(
    {
        *("company", "railway", "railroad", "department", "ministry", "committee", "council"),
        *("commission", "diocese", "line", "authority", "district"),
    }
)


def titles_joined(tokens: Sequence[Token], a: int, b: int) -> Iterator[Range]:
    """Yields titles next to an "and" that contain small words: "Gone with the Wind and Hud".

    Args:
        tokens: Tokens of the sentence.
        a: Index of the first token that can belong to a title.
        b: Index after the last token.
    """
    for k in range(a + 1, b - 1):
        if tokens[k].low != "and" or tokens[k].depth or _is_inside(tokens, k):
            continue
        ends = _undated(tokens, k - (tokens[k - 1].text == ","))
        if not (opens_title(tokens, k + 1) and _ends_name(tokens, ends)):
            continue
        before, behind = _before(tokens, a, ends), _behind(tokens, k + 1, b)
        if before is not None and (_may_be_cut(tokens, before) or _has_article(tokens, before)):
            yield before
        yield from _listed(tokens, a, before or (ends - 1, ends))
        if behind is not None and _may_be_cut(tokens, behind):
            yield behind


def _listed(tokens: Sequence[Token], a: int, item: Range) -> Iterator[Range]:
    """Yields earlier listed titles with small words: "Gone with the Wind, Hud and Milk"."""
    while item[0] - 2 > a and tokens[item[0] - 1].comma:
        end = _undated(tokens, item[0] - 1)
        if not _ends_name(tokens, end):
            return
        item = _before(tokens, a, end) or (end - 1, end)
        if item[1] - item[0] > 1 and _may_be_cut(tokens, item):
            yield item


def _undated(tokens: Sequence[Token], end: int) -> int:
    """Returns the end of a name before its year: "Hud (1963)"."""
    dated = tokens[end - 1].text == ")" and is_year(tokens[end - 2].text)
    return end - 3 if dated and tokens[end - 3].text == "(" else end


def _ends_name(tokens: Sequence[Token], end: int) -> bool:
    numbered = tokens[end - 1].text.isdigit() and _named(tokens[end - 2])
    return _named(tokens[end - 1]) or numbered


def _is_inside(tokens: Sequence[Token], k: int) -> bool:
    """Whether "and" is part of one known name: "Sense and Sensibility"."""
    return f"{tokens[k - 1].low}-{tokens[k + 1].low}" in _PAIRS and _named(tokens[k - 1])


def _named(token: Token) -> bool:
    return token.capital and not token.depth


def opens_title(tokens: Sequence[Token], k: int) -> bool:
    """Whether a name begins at `k`; it may begin with a number: "12 Years a Slave"."""
    number = tokens[k].text.isdigit() and tokens[k + 1].capital and tokens[k + 1].low not in MONTHS
    return _named(tokens[k]) or (number and not is_year(tokens[k].text) and not tokens[k].depth)


def _before(tokens: Sequence[Token], a: int, end: int) -> Range | None:
    """Returns the title that ends before a joint, or None."""
    first = end - 1
    while first > a:
        step = _step_back(tokens, a, first)
        if step == first:
            break
        first = step
    if first > a and tokens[first - 1].text.isdigit() and opens_title(tokens, first - 1):
        first -= 1
    for k in range(end - 1, first, -1):
        if tokens[k].low in PREPOSITIONS and not tokens[k].capital and not _within(tokens, k):
            first = k + 1 + (tokens[k + 1].low == "the" and not tokens[k + 1].capital)
            break
    return (first, end) if end - first > 1 else None


def _step_back(tokens: Sequence[Token], a: int, k: int) -> int:
    """Returns the index of the name word before `k`, skipping small words; `k` if there is none."""
    if _named(tokens[k - 1]):
        return k - 1
    j = k - 1
    if tokens[j].low == "and" and j > a and _is_inside(tokens, j):
        return j - 1
    while j > a and k - j < 3 and _is_small(tokens[j]):
        j -= 1
    return j if j < k - 1 and j >= a and _named(tokens[j]) else k


def _is_small(token: Token) -> bool:
    small = token.low in _ALWAYS | PREPOSITIONS
    return small and not token.capital and not token.depth


def _behind(tokens: Sequence[Token], first: int, b: int) -> Range | None:
    """Returns the title that begins after a joint, or None."""
    if not opens_title(tokens, first):
        return None
    end = first + 1
    while end < b and not tokens[end].depth:
        if _named(tokens[end]) or (tokens[end].text.isdigit() and not is_year(tokens[end].text)):
            end += 1
        elif tokens[end].low == "and" and _is_inside(tokens, end):
            end += 2
        elif _is_small(tokens[end]) and _within(tokens, end):
            named = next((i for i in range(end + 1, min(end + 4, b)) if _named(tokens[i])), b)
            if named == b or not all(_is_small(t) for t in tokens[end:named]):
                break
            end = named + 1
        else:
            break
    return (first, end) if end - first > 1 else None


def _within(tokens: Sequence[Token], k: int) -> bool:
    """Whether the small word at `k` can be part of a title: "Gone with", but not "Leeds in"."""
    if tokens[k].low in _ALWAYS:
        return True
    after = tokens[k + 1 + (tokens[k + 1].low in DETERMINERS)]
    if after.text[:1].isdigit() or after.low in MONTHS:
        return False
    word = tokens[k - 1].low
    opens = tokens[k - 1].capital and word in PREPOSITIONS  # "Up in the Air"
    return opens or word in _OPENERS or (word not in _HEADED and _is_common(word))


def _is_common(word: str) -> bool:
    """Whether the first word of a title is a verb, so that it is not a place name: "Dances"."""
    verb = is_finite_form(word) or is_base_form(word) or word in PAST_PARTICIPLES
    return verb or past_of_any_gerund(word) != ""


def _may_be_cut(tokens: Sequence[Token], title: Range) -> bool:
    """Whether rules could split a title: at a preposition or "and", or after a number."""
    inner = tokens[title[0] : title[1]]
    joined = any(t.low == "and" or (_is_small(t) and t.low not in _ALWAYS) for t in inner)
    return joined or inner[0].text.isdigit()


def _has_article(tokens: Sequence[Token], title: Range) -> bool:
    """Whether a title begins with an article and contains small words: "The Way of All Flesh"."""
    inner = tokens[title[0] : title[1]]
    opens = inner[0].low in {"the", "a", "an"} and len(inner) > 2
    return opens and any(_is_small(t) for t in inner)


def are_one_name(tokens: Sequence[Token], items: Sequence[Range]) -> bool:
    """Whether words joined by "and" are one name: "Romeo and Juliet", "The Old Man and the Sea"."""
    (x, y), (u, v) = items[0], items[-1]
    first, last = tokens[x], tokens[u]
    titled = _is_titled(tokens, x)
    the = last.low == "the" and not last.capital
    plain = all(t.capital or not t.word or t.low in _ALWAYS for t in tokens[u:v])
    if the and plain and first.capital and (first.low == "the" or titled):
        return all(tokens[a].text == "the" for a, _ in items[1:])
    if (last.low in _COMPANY and v - u == 1) or (last.low == "other" and tokens[u + 1].capital):
        return True
    if f"{tokens[y - 1].low}-{last.low}" in _PAIRS or _again(tokens, items):
        return True
    if len(items) > 2:
        return False
    if y - x > 1:
        return False
    if v - u == 1:  # "directed Romeo and Juliet"
        return titled and first.low in SHORT_FORMS and last.low in SHORT_FORMS
    if tokens[u + 1].capital and tokens[u + 1].low in {"are", "is"}:
        return True
    if titled or _is_example(tokens, x):
        return False
    return first.low in SHORT_FORMS or _shares_head(tokens, first, items[-1])


def _again(tokens: Sequence[Token], items: Sequence[Range]) -> bool:
    """Whether a conjunct also occurs elsewhere in a name: "Ann Lee founded Lee and Hill"."""
    if len(items) != 2 or any(y - x != 1 for x, y in items):
        return False
    if tokens[items[0][0] - 1].low in PREPOSITIONS:
        return False
    own = {tokens[x].low for x, _ in items}
    inside = {x for x, _ in items}
    return any(t.capital and t.low in own for k, t in enumerate(tokens) if k not in inside)


def _shares_head(tokens: Sequence[Token], first: Token, item: Range) -> bool:
    """Whether two names share the last word: "North and South America", "Emmy and Tony Awards"."""
    head = tokens[item[1] - 1].low
    several = tokens[item[0]].low != "the"
    several = several and head.endswith("s") and not head.endswith(("ss", "'s", "’s"))
    return first.low in _SIDES or is_demonym(first.low) or head in _HOUSES or several


def are_two_names(tokens: Sequence[Token], items: Sequence[Range]) -> bool:
    """Whether each of two joined names can stand alone: "wrote Romola and Adam Bede".

    Names of a body ("Forum on Religion and Ecology"), a couple ("the son of Ann and Tom Lee") and
    adjectives that modify one noun ("Political and Industrial Correspondent") cannot.
    """
    (x, y), (u, v) = items[0], items[-1]
    if not all(is_name(tokens, *item) for item in items):
        return False
    before, ahead = tokens[x - 1], tokens[x - 2]
    if before.capital or _holds_role(tokens, items[0]) != _holds_role(tokens, items[1]):
        return False  # "Director Air Plans and Programmes"
    if before.low in PREPOSITIONS and ahead.capital and ahead.low not in AWARDS:
        return False
    mixed = y - x == 1 and v - u > 1
    if before.low == "of" and not (is_role(ahead.low) or ahead.low in _SINGLE_HEADS):
        return ahead.low in RELATIVES and not mixed
    if mixed and not (_is_example(tokens, x) or _is_titled(tokens, x)):
        shared = tokens[x].low.endswith(("al", "ic", "an", "ish")) or before.low in {"by", "of"}
        return not (shared or is_role(tokens[v - 1].low))
    return True


def _is_titled(tokens: Sequence[Token], k: int) -> bool:
    """Whether the words before a name indicate that it is a title: "starred in", "the novels"."""
    before, ahead = tokens[k - 1].low, tokens[k - 2].low
    return before in _TITLED or (before in {"in", "of"} and ahead in _TITLED)


def _is_example(tokens: Sequence[Token], k: int) -> bool:
    """Whether examples begin: "such as Hud", "including Hud"."""
    before, ahead = tokens[k - 1].low, tokens[k - 2].low
    return before in {"including", "like"} or (ahead, before) == ("such", "as")


def _holds_role(tokens: Sequence[Token], item: Range) -> bool:
    return any(is_role(t.low) for t in tokens[item[0] : item[1]])


def is_name(tokens: Sequence[Token], a: int, b: int) -> bool:
    """Whether a span is just a name, optionally followed by a year in brackets."""
    return all(
        t.depth or t.capital or t.low in _ALWAYS or t.text.isdigit() or t.text in "-–:&"
        for t in tokens[a : _undated(tokens, b)]
    )
