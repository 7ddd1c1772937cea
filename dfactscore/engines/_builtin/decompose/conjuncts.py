"""Words joined by "and": "films, plays and songs", "his voice and his wit"."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore._text.person_names import TITLES
from dfactscore.engines._builtin.decompose._titles import (
    AWARDS,
    are_one_name,
    are_two_names,
    opens_title,
)
from dfactscore.engines._builtin.language.clauses import Range, finite_at, is_adverb, is_year
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    MONTHS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    is_adjective_ed,
    is_base_form,
    is_demonym,
    is_finite_form,
    is_role,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

Words = tuple[Range, ...]  # consecutive stretches

_TOGETHER = word_list("together")
SOME = frozenset({"some", "others", "many", "most", "critics"})
_ABOUT = frozenset({"over", "about", "around", "nearly", "almost", "than", "more"})
_OFFICES = frozenset({"jobs", "positions", "roles", "offices", "posts", "capacities", "titles"})
_QUANTITIES = word_list("quantities")
_BEFORE_QUANTITY = _QUANTITIES | {"a", "the", "of", "wide", "large", "vast", "great", "growing"}
_COUNTS = frozenset({"numerous", "several", "many", "various", "multiple"})
_UNNAMED = _QUANTITIES | {"one", "another"}  # "two medals, one for"
LINKING = PREPOSITIONS - {"of"}
_JOINTS = frozenset({"and"})
_NO_ITEMS = PRONOUNS | {"and", "who", "which", "whose", "then", "not", "its", "their"}
_OPEN = DETERMINERS - {"this", "that", "these", "those", "both", "all", "each", "every", "another"}
_UNITS = word_list("units")
_WITH_TO = word_list("with_to")  # "contributions to set theory and topology"
OWN = frozenset({"his", "her", "their", "its"})
_PLACING = frozenset({"with", "in", "to", "for", "from", "at", "against", "by", "on"})
_NOUN_LINKS = frozenset({"of", "for", "in", "with", "on"})  # "a degree in law and a doctorate"
_LINKS = _NOUN_LINKS | {"from", "at"}
_MODIFIERS = word_list("modifiers")
_ADJECTIVE_ENDINGS = (
    "ical", "onal", "ural", "ial", "ual", "tic", "mic", "ive", "ous", "ful", "ary", "ish", "able",
    "ible", "less", "ern", "vidual", "cal",
)  # fmt: skip
_AGENTS = ("er", "or", "ist", "ian")
_ORDINALS = frozenset(f"{n}{end}" for n in range(10) for end in ("st", "nd", "rd", "th"))
_RANKED = ("first", "second", "third", "th", "est", "only")
_FIRMS = frozenset({"railroad", "railway", "company", "corporation"})
_FIXED = word_list("fixed_pairs")  # one thing, not two
_LONGEST = 14
_MOST = 24


def conjuncts(
    tokens: Sequence[Token], a: int, b: int, *, behind: int | None = None, gapped: bool = False
) -> list[Words]:
    """Splits the words joined by the last "and" of a stretch, or returns the stretch whole.

    Args:
        tokens: Of the sentence.
        a: First token; the text before the joined words is repeated with each.
        b: After the last.
        behind: The earliest start of the joined words, after the verb.
        gapped: Whether each of the joined things has an adjunct of its own.

    Example:
        >>> from dfactscore.engines._builtin.language.tokenizer import tokenize
        >>> found = tokenize("wrote several plays, a novel and two songs")
        >>> for words in conjuncts(found, 0, len(found)):
        ...     print(" ".join(t.text for x, y in words for t in found[x:y]))
        wrote several plays
        wrote a novel
        wrote two songs
    """
    behind = a + 1 if behind is None else behind
    cuts = _cuts(tokens, behind, b)
    whole = any(t.low == "respectively" or (t.text == ";" and not t.depth) for t in tokens[a:b])
    some = tokens[a].low == "with" and behind < b
    some = some and (tokens[behind].low in SOME or tokens[behind].text.isdigit())
    some = some or (behind < b and tokens[behind].text == ",")  # "sued, won, and gave"
    if tokens[a].low.endswith("ing") or whole or some:
        return [((a, b),)]
    if not cuts:
        return [((a, b),)]
    if b - cuts[-1][1] == 1 and tokens[b - 1].low in {"more", "others", "elsewhere", "beyond"}:
        return [((a, b),)]
    first_end, last = cuts[0][0], cuts[-1][1]
    if _ranked(tokens, last) and any(_ranked(tokens, k) for k in range(behind - 1, first_end)):
        return [((a, b),)]  # "the first to see the lake and the last to cross it"
    starts = _gapped_start if gapped else _first_start
    start = starts(tokens, behind, first_end, last)
    if start is not None and _also_known(tokens, a, start):
        return [((a, b),)]
    counted = start is not None and tokens[start].text[0].isdigit()
    while start is not None and counted and start > behind and tokens[start - 1].low in _ABOUT:
        start -= 1  # "over 30 goals and 20 assists"
    before = "" if start is None or start <= behind else tokens[start - 1].low
    if start is not None and before == "both":
        start -= 1
    if before == "and" or (before == "as" and start and tokens[start - 2].low == "well"):
        return [((a, b),)]  # "songs, and a mix of rock, jazz and blues"
    if start is None or any(t.low in _TOGETHER for t in tokens[a : start + 1]):
        return [((a, b),)]
    kept = start
    titled = _titles(tokens, start, first_end, last)
    if titled is not None:  # "the films A, B and C"
        the = next((k for k in range(titled - 1, start - 1, -1) if tokens[k].low == "the"), start)
        kept, start = the, titled
    if tokens[start].low == "both":
        start += 1
    items = _of_one_year(tokens, _between(start, cuts, b))
    opens = [t.low in PREPOSITIONS for t in (tokens[x] for x, _ in items)]
    dated = {is_year(tokens[x + 1].text) for x, _ in items}
    if any(opens[1:]) and (len(dated) > 1 or not all(opens)):
        return [((a, b),)]  # "as a pilot with a club, among them Kent, and a judge"
    doing = [past_of_any_gerund(tokens[x].low) != "" and y - x > 1 for x, y in items]
    if any(doing[1:-1]) and not doing[0] and tokens[last].low in _OPEN | _QUANTITIES:
        return [((a, b),)]  # "in 1990, citing debts and a wish to rest"
    own = tokens[start].low in {"their", "its"}
    besides = tokens[last - 1].low == "as" and tokens[last - 4].text == ","
    nested = (len(items) > 2 and tokens[last - 2].text == ",") or besides
    mine = tokens[start].low in OWN
    if besides and (tokens[start - 1].low == "of" or mine != (tokens[last].low in OWN)):
        return [((a, b),)]  # "news of the profession, as well as articles"
    if not all(
        _item(tokens, x + (own and not n), y, nested=nested) for n, (x, y) in enumerate(items)
    ):
        return [((a, b),)]
    if len(items) == 2 and tokens[last - 2].text == "," and tokens[last].low != tokens[start].low:
        return [((a, b),)]  # ", and his work": more than a list of two
    if is_year(tokens[start].text) and tokens[start - 1].low == "the":
        return [((a, b),)]  # "in the 2008 and 2013 races"
    if _is_one_name(tokens, items) or _is_one_noun(tokens, items):
        return [((a, b),)]
    if any(tokens[y - 1].low in _UNITS for _, y in items) and tokens[last].text[0].isdigit():
        return [((a, b),)]  # "52 years, 9 months and 6 days"
    several = tokens[start].low in _QUANTITIES - {"other", "some", "one"}
    head = tokens[items[0][1] - 1]
    if several and items[0][1] > start + 1 and not (_plural(head) or _is_modifier(head.low)):
        return [((a, b),)]  # "several law and music journals"
    shared = _shared_tail(tokens, items)
    tail = _shared_complement(tokens, items)
    if tail is not None:  # "the design and construction of bridges"
        items[0] = (start + 1, items[0][1])
        return [((a, start + 1), item, (tail, b)) for item in [*items[:-1], (last, tail)]]
    if shared is not None:
        if tokens[start].low in DETERMINERS:  # "the senior and junior teams"
            best = tokens[last].low.startswith(("highest", "best"))
            kept = start + 1 + (tokens[start + 1].low == "most" and not best)
            items[0] = (kept, items[0][1])
        both = next((k for k in range(a, kept) if tokens[k].low == "both"), kept)
        said: Words = ((a, both), (both + 1, kept)) if both < kept else ((a, kept),)
        return [(*said, item, (shared, b)) for item in [*items[:-1], (last, shared)]]
    if not gapped and not _alike(tokens, items, start, a, titled=titled is not None):
        return [((a, b),)]
    if tokens[kept].low in OWN | {"the"} and not any(
        tokens[x].capital or tokens[x].depth or tokens[x].low in DETERMINERS | _QUANTITIES
        for x, _ in items[1:]
    ):
        kept += 1  # "her wit and charm"
        items[0] = (kept, items[0][1])
    if tokens[start].low in _COUNTS and all(tokens[y - 1].low.endswith("s") for x, y in items[1:]):
        kept = start + 1  # "numerous awards and medals"
        items[0] = (kept, items[0][1])
    article = (
        tokens[start].low in {"a", "an"}
        and not any(
            tokens[x].low in _OPEN | _QUANTITIES | {"one"}  # "a novelist and one of the founders"
            or tokens[x].capital
            or tokens[x].text[0].isdigit()
            for x, _ in items[1:]
        )
    )
    if article and start > a:  # "as an architect and planner"
        one = (start, start + 1)
        items[0] = (start + 1, items[0][1])
        return [((a, start), one, item) for item in items]
    both = next((k for k in range(*items[0]) if tokens[k].low == "both"), 0)
    if both:  # "her both praise and blame"
        kept, items[0] = both, (both + 1, items[0][1])
        return [((a, both), item) for item in items]
    return [((a, kept), item) if kept > a else (item,) for item in items]


def _ranked(tokens: Sequence[Token], k: int) -> bool:
    """Whether "the first", "the only" or "the oldest" is at `k`."""
    return tokens[k].low == "the" and tokens[k + 1].low.endswith(_RANKED)


def _placed(tokens: Sequence[Token], k: int) -> bool:
    """Whether a name is at `k` after a preposition."""
    return tokens[k].capital and tokens[k - 1].low in _PLACING


def _is_one_name(tokens: Sequence[Token], items: Sequence[Range]) -> bool:
    """Whether "and" is in a name or before one.

    So it does in "the Chicago, Burlington and Quincy Railroad", "the artist and writer Tom Hill".
    """
    (start, end), (last, b) = items[0], items[-1]
    firm = tokens[b - 1].capital and tokens[b - 1].low in _FIRMS and tokens[start].low == "the"
    if firm and all(tokens[x].capital for x, _ in items[1:]):
        return True
    roles = all(is_role(tokens[k].low) and not tokens[k].capital for k in (end - 1, last))
    return roles and len(items) == 2 and last + 1 < b and tokens[last + 1].capital


def _is_one_noun(tokens: Sequence[Token], items: Sequence[Range]) -> bool:
    """Whether two adjectives share a noun: "the vast and unforgiving terrain", or "centuries"."""
    (_, end), (last, b) = items[0], items[-1]
    if tokens[b - 1].low == "centuries":
        return True
    plain = not tokens[end - 1].capital and not tokens[last].capital
    the = tokens[end - 2].low == "the" and len(items) == 2 and b - last > 1
    return the and plain and tokens[last].low.endswith("ing")


def _gapped_start(tokens: Sequence[Token], behind: int, end: int, last: int) -> int:
    """Returns the start of the first conjunct if each has an adjunct of its own."""
    if tokens[last].low in OWN:  # "known for | his work in Kent and his wit in Ohio"
        return next((k for k in range(behind, end) if tokens[k].low in OWN), behind)
    of = tokens[behind].low in PREPOSITIONS and tokens[last].low != tokens[behind].low
    start = behind + of
    if tokens[start].capital or not tokens[last].capital:
        return start
    # "degrees from | Kent in 1894 and Yale in 1901"
    return next((k for k in range(start + 1, end) if _placed(tokens, k)), start)


def _also_known(tokens: Sequence[Token], a: int, start: int) -> bool:
    """Whether the first of several has another name before it: ""A" also known as "B", and "C""."""
    aka = [t.low for t in tokens[max(a, start - 3) : start]] == ["also", "known", "as"]
    return aka and any(t.depth for t in tokens[a : start - 3])


def listed(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """The items of a stretch that is nothing but a list; none if there is one or no list."""
    items = _between(a, _cuts(tokens, a, b), b)
    good = len(items) > 1 and all(_item(tokens, *item) for item in items)
    good = good and (tokens[a].depth > 0 or _alike(tokens, items, a, a))
    return items if good else []


def plural_start(tokens: Sequence[Token], behind: int, end: int) -> int | None:
    """Returns the start of the words with examples: the nearest quantity or bare plural."""
    if any(t.low in _OFFICES for t in tokens[behind:end]):
        return None  # "held positions of power, including": the position is held, no one is
    for k in range(end - 1, behind - 1, -1):
        if tokens[k].depth:
            return None
        if tokens[k].low in _QUANTITIES:
            while k - 1 >= behind and tokens[k - 1].low in _BEFORE_QUANTITY:
                if tokens[k - 1].low == "of" and tokens[k - 2].low not in _QUANTITIES:
                    break
                k -= 1
            while k > behind and tokens[k - 1].low in _ABOUT:
                k -= 1  # "over a dozen films"
            return k
    k = end - 1
    if k < behind or not tokens[k].low.endswith("s"):
        return None
    closed = False  # "hospitals, libraries, and schools": of the whole list
    while k > behind:
        inside = closed and tokens[k - 1].text == ","
        if _opens_phrase(tokens[k - 1]) and not inside:
            break
        k -= 1
        if tokens[k].low in DETERMINERS:
            return k if tokens[k - 1].low != "of" else None
        closed = closed or tokens[k].low == "and"
        end = k if closed and tokens[k].text == "," else end
    while k > behind and tokens[k - 1].low in _ABOUT:
        k -= 1  # "over 300 films"
    return k if tokens[k - 1].low != "of" else None


def _opens_phrase(token: Token) -> bool:
    ends = token.low in PREPOSITIONS or token.text == ","
    return ends or (token.low.endswith("ing"))


def _of_one_year(tokens: Sequence[Token], items: list[Range]) -> list[Range]:
    """Joins titles split at a comma: "A, B (1990) and C (1992)"."""
    dated = [y - x > 2 and tokens[y - 1].text == ")" for x, y in items]
    if not dated[-1] or not any(dated[:-1]):
        return items
    out: list[Range] = []
    begin = None
    for (x, y), has in zip(items, dated, strict=True):
        begin = x if begin is None else begin
        if has:
            out.append((begin, y))
            begin = None
    return out


def _between(start: int, cuts: Sequence[Range], b: int) -> list[Range]:
    """The items that cuts leave."""
    starts = [start, *(nxt for _, nxt in cuts)]
    ends = [*(end for end, _ in cuts), b]
    return list(zip(starts, ends, strict=True))


def _cuts(tokens: Sequence[Token], a: int, b: int) -> list[Range]:
    """Returns the ends of the items of the last list and the starts of the next, in order."""
    joints = [k for k in range(a, b - 1) if not tokens[k].depth and _joint(tokens, k, b)]
    if not joints:
        return []
    # "A, B, and C and D": the comma says which "and" closes the list
    joint = next(
        (k for k in reversed(joints) if k and tokens[k - 1].text in {",", '"', "”"}), joints[-1]
    )
    end = joint - 1 if tokens[joint - 1].text == "," else joint
    cuts = [(end, joint + _joint(tokens, joint, b))]
    for k in range(end - 1, a, -1):
        token = tokens[k]
        if token.text == "," and not token.depth:
            cut = (k, k + 1)
            rank = tokens[k + 1].low in TITLES or is_role(tokens[k + 1].low)
            rank = rank and tokens[k + 1].capital and tokens[k + 2].low == "of"
            rank = rank and tokens[cuts[0][1]].low != tokens[k + 1].low  # "Minister of A, Minister"
            if rank and tokens[k - 1].capital:
                continue  # "of Frederick, Elector of Saxony, and Eva"
            again = tokens[k + 1].low in _OPEN | _QUANTITIES or not tokens[k + 1].capital
            if tokens[cuts[0][1]].low in {"a", "an"} and tokens[k - 1].capital and not again:
                continue  # "from the University of California, Berkeley and a doctorate"
        elif token.text in {'"', "”"} and _inside(tokens[k - 1], ",") and k + 1 < end:
            cut = (k + 1, k + 1)
        else:
            continue
        if cuts[-1][0] - k > _LONGEST or not _item(tokens, cut[1], cuts[-1][0]):
            break
        cuts.append(cut)
    return cuts[::-1] if len(cuts) < _MOST else []


def _joint(tokens: Sequence[Token], k: int, b: int) -> int:
    """Returns the number of words of "and" and "as well as"; 0 for other words."""
    low = tokens[k].low
    if low == "as" and k + 3 < b and tokens[k + 1].low == "well" and tokens[k + 2].low == "as":
        return 3
    return int(low in _JOINTS)


def _inside(token: Token, text: str) -> bool:
    return token.text == text and token.depth > 0


def _first_start(tokens: Sequence[Token], behind: int, end: int, last: int) -> int | None:
    """Returns the start of the first conjunct, after the verb or the preposition."""
    opens = tokens[last].low in _OPEN | _QUANTITIES or tokens[last].text[0].isdigit()
    if tokens[last].low == "the" and tokens[last + 1 : last + 2] and tokens[last + 1].capital:
        opens = False
    if tokens[last].low == "other":
        opens = False
    decade = tokens[last].text[0].isdigit()
    if _is_doing(tokens, last) and not past_of_any_gerund(tokens[behind].low):
        doing = _first_doing(tokens, behind, end)
        if doing is not None or past_of_any_gerund(tokens[end - 1].low):
            return doing  # "years living and working in Kent" stay together
    k = end - 1
    while k >= behind:
        low = tokens[k].low
        if tokens[k].depth or (tokens[k].capital and low in PREPOSITIONS):
            pass  # "Without a Trace"
        elif low in PREPOSITIONS and tokens[last].low == low:
            if low != "of" or not tokens[k - 1].capital:
                return k  # "of the University of Kent, and of Yale"
        elif low == "the" and tokens[last].low == "the" and tokens[k + 1].capital and not opens:
            return k  # "the Chamber of Deputies and the Senate"
        elif low == "to" or low in PREPOSITIONS:
            own = tokens[last].low in OWN and k - 1 > behind
            if own and low == "of" and any(t.low in RELATIVES for t in tokens[last + 1 : last + 3]):
                return k + 1  # "the daughter of Tom Hill and his wife Eva"
            name = tokens[k - 1].capital and tokens[last].low == "the"
            if own or (name and (low == "of" or (low == "for" and tokens[k + 1].capital))):
                k -= 1  # "her wit as an artist and her dedication"
                continue
            links = _LINKS if tokens[last].low in {"a", "an"} else _NOUN_LINKS
            if opens and low in links and k - 1 > behind:
                k -= 1  # "a degree in law and a doctorate"
                continue
            noun = tokens[last].low == tokens[k + 1].low or _is_modifier(tokens[k + 1].low)
            noun = noun or tokens[k + 1].capital or tokens[k + 1].low in DETERMINERS
            noun = noun or tokens[k - 1].low in _WITH_TO
            if low == "to" and not noun and tokens[last - 1].low == "as":
                k -= 1  # "to save forests as well as campaigns"
                continue
            if low == "to" and not noun:
                return k + 2  # "to protect forests and rivers"
            if tokens[last].low in PREPOSITIONS:
                k -= 1  # "as the President of the Bar and as a member"
                continue
            return k + 1
        elif low == "the" and tokens[last].low in {"a", "an"} and tokens[k - 1].low in _LINKS:
            pass  # "Speaker of the House and an Associate Justice"
        elif low in _OPEN and opens and (low in OWN) == (tokens[last].low in OWN):
            return k + 1 if decade and low == "the" else k
        elif past_of_any_gerund(low) and not past_of_any_gerund(tokens[last].low):
            before = tokens[k - 1]
            by = before.low == "by"
            plain = k - 1 > behind
            plain = plain and before.low not in DETERMINERS | _JOINTS  # "her kind and caring ways"
            plain = plain and not (
                k + 2 == end and _plural(tokens[k + 1])
            )  # "ball handling skills"
            more = k + 2 < end or (k + 1 < end and tokens[end].text == ",")
            more = more or (tokens[k + 1].capital and opens_title(tokens, last))
            does = before.low in PREPOSITIONS and more and tokens[last].low not in OWN
            does = does and tokens[k + 1].low not in PREPOSITIONS  # "for acting in films"
            if by or does or (plain and not _opens_phrase(before)):
                return k + 1  # "her work uncovering fraud and abuse"
        k -= 1
    return behind if behind < end else None


def _is_doing(tokens: Sequence[Token], k: int) -> bool:
    """Whether a form in -ing at `k` does something: "advocating for", "reading sessions" not."""
    if k + 1 >= len(tokens) or tokens[k].capital or not past_of_any_gerund(tokens[k].low):
        return False
    return tokens[k + 1].low in PREPOSITIONS | DETERMINERS | {"its"}


def _first_doing(tokens: Sequence[Token], behind: int, end: int) -> int | None:
    """Returns the start of "raising funds" in "known for raising funds for X and helping Y"."""
    doings = (
        k
        for k in range(end - 1, behind - 1, -1)
        if past_of_any_gerund(tokens[k].low) and tokens[k - 1].low in PREPOSITIONS
    )
    return next(doings, None)


def _titles(tokens: Sequence[Token], start: int, end: int, last: int) -> int | None:
    """Returns the start of the names in "the films A, B and C"; "films" is what they are."""
    if tokens[last].text in {'"', "“"}:
        for k in range(start + 1, end):
            if tokens[k].text in {'"', "“"}:
                return k if tokens[k - 1].low.endswith("s") and not tokens[k - 1].capital else None
        return None
    if not tokens[last].capital:
        return None
    for k in range(start + 1, end):
        named = tokens[k].capital and not tokens[k - 1].capital
        several = tokens[k - 1].low != "series" or last > end + 1  # "the series A and B": one name
        if named and several and tokens[k - 1].low.endswith("s"):
            return k
        if tokens[k].low in PREPOSITIONS or tokens[k].depth:
            return None
    return None


def _item(tokens: Sequence[Token], x: int, y: int, *, nested: bool = False) -> bool:
    """Whether a stretch can be one of several things: no verb, no clause, no joint."""
    if not 0 < y - x <= 2 * _LONGEST:
        return False
    first = tokens[x]
    if tokens[y - 1].low[-3:] in _ORDINALS:
        return False  # "six and a half", "the late 19th and early 20th centuries"
    if tokens[y : y + 1] and tokens[y].text == "," and is_adjective_ed(tokens[y - 1].low):
        return False  # "her exaggerated, over-the-top style"
    at = x + (first.low == "the")
    unnamed = tokens[at].low in _UNNAMED and tokens[at + 1].low in LINKING
    past = not first.capital and first.low.endswith("ed")  # "Seaweed" is a title
    past = past and is_finite_form(first.low) and not is_adjective_ed(first.low)
    if not first.depth and (unnamed or past or first.low in _NO_ITEMS or is_adverb(first)):
        return False
    for k in range(x, y):
        token = tokens[k]
        if token.depth:
            continue
        title = token.text == ":" and k + 1 < y and tokens[k + 1].capital
        if token.low in {"who", "which", "that", "where", "while"} or (
            token.text in ";:" and not title
        ):
            return False
        inside = nested and k + 1 < y and tokens[k - 1].capital == tokens[k + 1].capital
        if token.low in _JOINTS and k > x and not inside:
            return False
        if finite_at(tokens, k, y) and not token.low.endswith(("s", "ed")):
            return False
    return first.word or first.text in '"“‘'


def _shared_tail(tokens: Sequence[Token], items: Sequence[Range]) -> int | None:
    """Returns the start of the noun that all share: "Hindi, Tamil and Telugu | films"."""
    x, y = items[-1]
    if y - x < 2 or tokens[x + 1].capital or not tokens[x + 1].text.isalpha():
        return None
    if tokens[x + 1].low in PREPOSITIONS or tokens[x].depth:
        return None
    heads = [tokens[end - 1] for _, end in items[:-1]]
    if tokens[x].capital:
        short = all(end - start <= 3 for start, end in items[:-1])
        return x + 1 if short and all(h.capital and not h.depth for h in heads) else None
    short = all(
        end - start == 1
        or (end - start < 4 and tokens[start].low in _OPEN | _QUANTITIES | {"their", "its"})
        for start, end in items[:-1]
    )
    return x + 1 if short and all(_is_modifier(h.low) for h in [*heads, tokens[x]]) else None


def _shared_complement(tokens: Sequence[Token], items: Sequence[Range]) -> int | None:
    """Returns the start of the shared "of bridges" in "the design and construction of bridges"."""
    (x, y), (u, v) = items[0], items[-1]
    of = next((k for k in range(u, v) if tokens[k].low == "of"), None)
    if of is None or tokens[x].low != "the" or tokens[u].low in DETERMINERS or of - u > 2:
        return None
    words = [t for start, end in items[:-1] for t in tokens[start:end]] + list(tokens[u:of])
    plain = not any(t.capital or t.depth for t in words)
    plain = plain and not _is_modifier(tokens[y - 1].low)
    if plain and y - x == of - u == 2 and tokens[y - 1].low.endswith(_RANKED):
        return of - 1  # "the fourth and youngest son of Tom Hill"
    return of if plain and y - x <= 3 and all(d - c <= 2 for c, d in items[1:-1]) else None


def _is_modifier(word: str) -> bool:
    """Whether a word describes the noun that follows: "musical", "aggressive", "film"."""
    if word in _MODIFIERS or is_adjective_ed(word) or word.endswith(("-paid", "-selling", "-ed")):
        return True
    return len(word) > 4 and word.endswith(_ADJECTIVE_ENDINGS)


def _alike(
    tokens: Sequence[Token], items: Sequence[Range], start: int, a: int, *, titled: bool = False
) -> bool:
    """Whether the joined stretches are of one kind, so that each can be alone."""
    first, last = tokens[items[0][0]], tokens[items[-1][0]]
    if first.low in _ABOUT:
        first = tokens[items[0][0] + 1]
    if items[0][1] - items[0][0] > 1 and tokens[items[0][1] - 2].low in {"most", "more", "very"}:
        return False  # "one of the most gifted and admired poets"
    heads = [_head(tokens, *item) for item in items]
    if any(h is None for h in heads):
        return False
    does = [is_base_form(tokens[x].text) and tokens[x + 1].low in DETERMINERS for x, _ in items]
    if any(does) and not all(does):
        return False  # "helped Tom, a poet, write books"
    quoted = [bool(tokens[x].depth) for x, _ in items]
    if any(quoted):
        return all(quoted) or all(
            q or tokens[x].capital for q, (x, _) in zip(quoted, items, strict=True)
        )
    names = [
        (tokens[x].capital and not tokens[x].low.endswith(("'s", "’s")))
        or (tokens[x].low == "the" and x + 1 < y and tokens[x + 1].capital)
        for x, y in items
    ]
    if all(names):
        if are_one_name(tokens, items):
            return False
        if start > a and tokens[start - 1].low == "of" and tokens[max(a, start - 2)].capital:
            return False  # "Ministry of Health and Welfare"
        if len(items) == 2 and (first.text == "the") != (last.text == "the"):
            # not "the Rock and Roll Hall of Fame", but "with China and the Soviet Union"
            placed = tokens[start - 1].low in _PLACING or start == a
            return last.low == "the" and (placed or are_two_names(tokens, items))
        body = start - 2 >= a and tokens[start - 1].low == "for" and tokens[start - 2].capital
        if len(items) > 2 and body:
            return False  # "the Initiative for Economic, Social and Cultural Rights"
        if len(items) > 2:
            return _plain(tokens, items[-1])
        office = tokens[start - 2].capital and tokens[start - 2].low not in AWARDS
        if start - 2 >= a and tokens[start - 1].low in {"for", "in"} and office:
            return False  # "Minister for Trade and Industry"
        if all(t.low in MONTHS for t in (first, last)):
            return False
        long = [y - x > 1 for x, y in items]
        placed = tokens[start - 1].low in {"for", "in", "at", "with", "against"}
        return all(long) or placed or titled or are_two_names(tokens, items)
    if any(names) and not all(tokens[x].low in _OPEN for x, _ in items):
        return False
    if last.low in _OPEN or last.text[0].isdigit():
        opener = first.low in _OPEN or first.text[0].isdigit() or first.low.endswith("s")
        return opener or items[0][1] - items[0][0] <= 2
    if first.text[0].isdigit():
        return last.text[0].isdigit()
    if last.low in PREPOSITIONS:
        return first.low in PREPOSITIONS
    if len(items) > 2:
        return True
    plural = [_plural(h) for h in heads if h]
    sizes = [y - x - (tokens[x].low in DETERMINERS) for x, y in items]
    roles = [is_role(h.low) or h.low.endswith(_AGENTS) for h in heads if h]
    if all(roles):
        return True
    if len(items) == 2 and f"{heads[0].low}-{heads[1].low}" not in _FIXED:  # type: ignore[union-attr]
        lower = not any(t.capital and not is_demonym(t.low) for x, y in items for t in tokens[x:y])
        whole = sizes[0] > 1 or sizes[1] == 1
        whole = whole and not _is_modifier(heads[0].low)  # type: ignore[union-attr]
        if lower and whole:
            return True
    return (
        plural[0] or max(sizes) == 1 or (sizes[0] > 1 and sizes[-1] > 1 and plural[-1] == plural[0])
    )


def _plural(token: Token) -> bool:
    return token.low.endswith("s") or token.low in {"people", "children", "men", "women"}


def _plain(tokens: Sequence[Token], item: Range) -> bool:
    """Whether a name ends with itself: "Archives", not "Archives program"."""
    x, y = item
    last = tokens[y - 1]
    return last.capital or last.text == ")" or any(t.low in PREPOSITIONS for t in tokens[x:y])


def _head(tokens: Sequence[Token], x: int, y: int) -> Token | None:
    """The noun of a stretch: the last word before a preposition."""
    head = None
    for k in range(x, y):
        if tokens[k].low in PREPOSITIONS and k > x:
            break
        if tokens[k].word or tokens[k].depth:
            head = tokens[k]
    return head
