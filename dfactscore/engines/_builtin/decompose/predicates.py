"""Predicates and descriptions: "was born in Leeds, moved to York", "a poet, known for her odes"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.adjuncts import RESULTS, frame_of
from dfactscore.engines._builtin.decompose.appositions import ANTECEDENT, Antecedent
from dfactscore.engines._builtin.decompose.clause_words import (
    NOTHING,
    PHRASE_PREFIXES,
    STARTING_PARTICIPLES,
    ClauseText,
    Given,
    article,
    deed,
    gerunds,
    is_deed,
    is_phrase,
    is_torn,
    joined,
    phrase,
    spread,
    stated,
    tense,
)
from dfactscore.engines._builtin.decompose.description_items import (
    WITHOUT_ARTICLE,
    description_items,
    name_start,
    opener,
    shared_complement,
    without_grandparent,
    without_other_parent,
)
from dfactscore.engines._builtin.decompose.details import details, without_agent
from dfactscore.engines._builtin.decompose.nouns import is_time, nationalities
from dfactscore.engines._builtin.decompose.predicate_joints import (
    HEDGES,
    OF_THINGS,
    Piece,
    cut_predicates,
    listed_gerunds,
    main_verb,
)
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at, is_adverb, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    PREPOSITIONS,
    SMALL,
    past_of_any_gerund,
    past_of_gerund,
    word_list,
)

# ", making him a star": the event did that, not the subject
_OBJECTS = frozenset({"that", "him", "her", "it", "them", "himself", "herself", "this"})
_OBJECT_ENDS = PREPOSITIONS | {"and", "but"}
_AFTER = word_list("after")
_LIMITS = HEDGES | {"if", "unless", "without", "had", "were", "instead", "according", "except"}
_ADDING = frozenset({"besides", "beyond", "along", "together", "aside", "apart"})
_LASTING = frozenset({"for", "until", "till", "since", "throughout", "from", "between", "over"})
_BESIDE = {"addition": 2, "from": 1}  # the number of words in "in addition to", "aside from"
_KIN = ("parents", "children", "siblings", "sons", "daughters")
_FICTIONS = word_list("fictions")
_OWN = STARTING_PARTICIPLES - OF_THINGS | PHRASE_PREFIXES
_AFTER_RELATIVE = frozenset({"to", "in", "on", "as", "with", "where"})
_NO_NOUNS = SMALL | AUXILIARIES
# "a poet noted for her odes" is said of the poet's work as well.
_NOT_APART = frozenset({"noted", "notable", "famous"})


def shared_predicates(c: ClauseText, a: int, b: int) -> Given:
    """Gives the statements of a span whose predicates share the subject: "who sang and danced"."""
    given = NOTHING
    for piece in cut_predicates(c.tokens, a, b):
        given += predicate(c.after(given), piece)
    return given


def predicate(c: ClauseText, piece: Piece, fronted: str = "") -> Given:
    """Gives the statements of one predicate and its additions."""
    verb = skip_adverbs(c.tokens, piece.start, piece.end)
    it = _object_before(c, c.main) if c.low(verb + 1) == "it" else ""
    front = c.raw(*piece.front).strip(", ")
    c = replace(c, it=it, be=tense(c.tokens, piece.start, piece.end), main=verb)
    given = _state(c, piece, fronted or front[:1].upper() + front[1:])
    return untorn(c, given, piece.prefix, piece.start, piece.end)


def untorn(c: ClauseText, given: Given, prefix: str, a: int, b: int) -> Given:
    """Gives a span as a whole if a statement made from it is torn."""
    if not any(is_torn(s.text) for s in given.statements):
        return given
    used = tuple(r for r in given.used if not a <= r[0] < b)
    holes = (r for r in c.holes + used if not a <= r[0] < b)
    c = replace(c, holes=tuple(sorted(holes)))
    whole = stated(c, f"{prefix} {c.raw(a, b)}", a, b)
    if any(is_torn(s.text) for s in whole.statements):
        whole = given  # the text is cut off
    return Given(whole.statements, used, given.once)


def _object_before(c: ClauseText, verb: int) -> str:
    """Returns the object that "it" means after "lost the seat in 1979, but regained"."""
    k = verb + 1
    while c.tokens[k].word and c.low(k) not in _OBJECT_ENDS:
        k += 1
    return f"the {c.raw(verb + 2, k)}" if c.low(verb + 1) in {"the", "a", "an"} else ""


def _state(c: ClauseText, piece: Piece, fronted: str) -> Given:
    """Gives the statements of a predicate."""
    prefix, a, b = piece.prefix, piece.start, piece.end
    verb = skip_adverbs(c.tokens, a, b)
    described = _described(c, a, verb, b, fronted) if c.low(verb) in BE else None
    if described is not None:
        return described
    if _stays_whole(c, verb, b):
        return stated(c, c.raw(a, b), a, b)
    doings = listed_gerunds(c.tokens, verb, b)
    given = NOTHING
    for x, y in doings:
        given += stated(c, f"{prefix} {c.raw(a, doings[0][0])} {c.raw(x, y)}", x, y)
    if doings:
        return given
    end, given = _additions(c, verb, b)
    c = c.after(given)
    if fronted:
        front = _with_front(c, fronted, prefix, a, a, end)
        c, given = c.after(front), given + front
        if FRONT.answer(c) == "whole":
            return given
    life = life_statements(f"{prefix} {c.raw(a, end)}".strip())
    rest = spread(c, f"{prefix} ", a, end) if len(life) < 2 else NOTHING
    for part in life if len(life) > 1 else ():
        rest += stated(c, part, a, end)
    return given + (_beside_front(c, front, rest) if fronted else rest)


def _beside_front(c: ClauseText, front: Given, rest: Given) -> Given:
    """Returns the statements after the fronted words, without those that only lack these words."""
    if FRONT.answer(c) != "once":
        return rest
    said = tuple(s.text for s in front.statements)
    new = tuple(s for s in rest.statements if not any(t.endswith(s.text[1:]) for t in said))
    return replace(rest, statements=new)


def _stays_whole(c: ClauseText, verb: int, b: int) -> bool:
    """Whether it is "It was her song that won" or "Her parents were Tom and Eva Hill"."""
    cleft = c.subject == "It" and any(t.low == "that" for t in c.tokens[verb + 2 : b])
    kin = c.subject.endswith(_KIN) and c.low(verb) in {"are", "were"}
    return cleft or (kin and c.tokens[verb + 1].capital)


def _described(c: ClauseText, a: int, verb: int, b: int, fronted: str) -> Given | None:
    """Gives statements from "is a poet and a judge"; None if it is not a description."""
    k = skip_adverbs(c.tokens, verb + 1, b)
    office = is_role(c.low(k)) or (c.tokens[k].capital and is_role(c.low(k + 1)))
    items = description_items(c.tokens, k, b) if office or c.low(k) == "the" else []
    if office and not _are_offices(c.tokens, items, b):
        items = []
    listed = bool(items)
    if not listed and c.low(k) not in {"a", "an"}:
        return None
    if fronted and FRONT.answer(c) == "whole":
        return _with_front(c, fronted, "", a, k, b)
    given = description(c, c.raw(a, k - (c.low(k - 1) == "both")), k, b)
    if fronted:
        c = c.after(given)
        front = _with_front(c, fronted, "", a, k, _core_and_extras(c, k, b)[0])
        given = _beside_front(c, front, given) + front
    return given


def _are_offices(tokens: Sequence[Token], items: Sequence[Range], b: int) -> bool:
    """Whether offices without articles can be split, unlike "president and head of Elm"."""
    if not items or any(t.low in {"who", "whose"} for t in tokens[items[0][0] : b]):
        return False
    (first, stop), last = items[0], items[-1][0]
    shared = stop == first + 1 and tokens[last].low not in DETERMINERS
    # "Countess of Kent by her marriage to Tom IV, Count of Kent"
    titles = (x for x, _ in items[1:] if tokens[x - 1].comma and tokens[x - 2].capital)
    return not shared and all(tokens[x].low in DETERMINERS for x in titles)


def _with_front(c: ClauseText, fronted: str, prefix: str, a: int, k: int, end: int) -> Given:
    """Gives statements with the circumstance in front, as written: "In 1990, he moved"."""
    given = _front_event(c) or _front_career(c)
    if given is not None:
        return given
    tokens = c.tokens
    core = without_agent(tokens, frame_of(tokens, k, end, nominal=k > a).core, k)
    stop = end if FRONT.answer(c) == "whole" else core[1]
    parts = details(tokens, a, stop) if k == a else [((a, stop),)]
    given = NOTHING
    for words in parts[:3] if all(len(w) > 1 for w in parts) else [((a, stop),)]:
        text, subject = f"{prefix} {c.say(words)}", joined(fronted, c.subject)
        given += stated(c, text, c.clause.lead[0], words[-1][1], subject)
    return given


def _front_event(c: ClauseText) -> Given | None:
    """Gives statements from "After winning the cup, he ..."; None without an event."""
    a, b = c.clause.lead
    k = skip_adverbs(c.tokens, a + 1, b)
    k += _BESIDE.get(c.low(k), 0)
    known = past_of_gerund(c.low(k)) is not None
    acts = known or (past_of_any_gerund(c.low(k)) and c.low(k + 1) in DETERMINERS)
    if c.low(a) not in _AFTER or not acts or k >= b - 1 or not c.is_of_person():
        return None
    return gerunds(c, k, b)


def _front_career(c: ClauseText) -> Given | None:
    """Gives statements from "Besides his career, he ..."; None without a career."""
    a, b = c.clause.lead
    own = next((k for k in range(a, b) if c.low(k) in {"his", "her"}), b)
    beside = c.low(a) in {"aside", "apart", "besides", "outside"}
    if own == b or not (beside or c.low(a + 1) == "addition"):
        return None
    words = c.raw(own + 1, b)
    if c.low(own + 1) == "work":
        return spread(c, "worked ", own + 2, b)
    if b - own > 6:
        return None  # "her career in film and her charity work"
    if c.low(b - 1) == "work":
        return stated(c, f"did {words}", a, b)
    if c.low(b - 1) != "career":
        return None
    joint = next((k for k in range(own + 2, b - 2) if c.low(k) == "and"), own)
    first = f"{c.raw(own + 1, joint)} career" if joint > own else words
    given = NOTHING
    for career in dict.fromkeys((first, c.raw(joint + 1, b))):
        given += stated(c, f"had {article(career)} {career}", a, b)
    return given


def _is_in_fiction(c: ClauseText) -> bool:
    """Whether the fronted words name a fiction: "In the film, she dies"."""
    a, b = c.clause.lead
    inside = c.low(a) in {"in", "on", "for"} and c.low(a + 1) != "addition"
    return inside and any(t.low in _FICTIONS for t in c.tokens[a:b])


def _lasts(c: ClauseText) -> bool:
    """Whether the fronted words say how long: "For ten years", "Until 1990"."""
    a, b = c.clause.lead
    return c.low(a) in _LASTING and is_time(c.tokens, a + 1, b)


# fmt: off
FRONT: Table[ClauseText, Literal["whole", "once", "aside"]] = Table("words before the subject", (
    Row("limit", "A condition or a hedge in front is of all statements.",
        "According to Tom Hill, Ann Lee sang in Leeds in 1990.",
        lambda c: c.low(c.clause.lead[0]) in _LIMITS, "whole"),
    Row("fiction", "A fiction in front is of all statements.",
        "In the film, Ann Lee dies in Leeds.",
        _is_in_fiction, "whole"),
    Row("addition", "What a statement adds to is in front of just the first one.",
        "Besides football, Ann Lee plays golf.",
        lambda c: c.low(c.clause.lead[0]) in _ADDING or c.low(c.clause.lead[0] + 1) == "addition",
        "once"),
    Row("duration", "A duration in front is of the first statement.",
        "For ten years, Ann Lee taught law.",
        _lasts, "once"),
), otherwise="aside")
# fmt: on


def _additions(c: ClauseText, verb: int, b: int) -> tuple[int, Given]:
    """Gives a predicate's additions after commas, and the end of what precedes them."""
    given = NOTHING
    for k in range(main_verb(c.tokens, verb, b), b - 1):
        if not c.comma(k):
            continue
        stop = _relative_end(c, k + 1, b)
        if _continues(c.tokens, k, b):
            return k, given + deed(c, skip_adverbs(c.tokens, k + 1, b), b)
        relative = _relative(c, k + 1, stop)
        if relative is not None and stop < b:
            relative += c.leaving_out(k, stop)
            c, given = c.after(relative), given + relative
            continue
        if relative is None and _is_added_phrase(c, verb, k, b):
            relative = phrase(c, k + 1, b)
        if relative is None:
            relative = person_after(c, k, b)
        if relative is not None:
            return k, given + relative
    return b, given


def _continues(tokens: Sequence[Token], k: int, b: int) -> bool:
    """Whether an -ing form after a comma is another action of the subject."""
    first = skip_adverbs(tokens, k + 1, b)
    after = tokens[first + 1]
    if tokens[first].low == "making" and after.capital:
        return False  # "making Leeds a port"
    if after.low == "and" and past_of_gerund(tokens[first + 2].low) is None:
        return False  # "cricket, shooting and tennis"
    continued = not after.comma and after.low not in _OBJECTS
    return continued and is_deed(tokens, first, b) and not _in_list(tokens, k, b)


def _in_list(tokens: Sequence[Token], comma: int, b: int) -> bool:
    """Whether an -ing form after a comma is a list item: "in catches, receiving yards, and"."""
    end = next((k for k in range(comma + 1, b - 2) if tokens[k].comma), b)
    joined_next = end < b and tokens[end + 1].low == "and"
    return joined_next and past_of_gerund(tokens[end + 2].low) is None


def _is_added_phrase(c: ClauseText, verb: int, k: int, b: int) -> bool:
    """Whether the phrase after a comma describes the subject."""
    if [t.low for t in c.tokens[k + 1 : k + 3]] == ["known", "as"]:
        return False  # "led a party, known as the Whites"
    described = c.low(verb) in BE or c.is_of_person()
    return described and c.low(k + 1) in _OWN and is_phrase(c.tokens, k + 1, b)


def person_after(c: ClauseText, k: int, b: int) -> Given | None:
    """Gives statements from "Tom Hill, who sang"; None if the words are not about a person."""
    first = name_start(c.tokens, k)
    placed = c.low(first - 1) in {"of", "the", "at", "in"}
    if c.low(k + 1) != "who" or placed or not 2 <= k - first <= 4:
        return None
    given = NOTHING
    for piece in cut_predicates(c.tokens, k + 2, b):
        words = f"{piece.prefix} {c.raw(piece.start, piece.end)}"
        given += stated(c, words, piece.start, piece.end, c.raw(first, k))
    return given


def _relative(c: ClauseText, a: int, b: int) -> Given | None:
    """Gives statements from "where she earned a degree" or "which became a school", or None."""
    if c.low(a) == "which":
        return _relative_of_thing(c, a, b)
    place = c.low(a) in {"where", "when"} and c.low(a + 1) in {"he", "she"} and a + 3 < b
    if not place or not c.is_of_person():
        return None
    if finite_at(c.tokens, b - 1, b) and b - a < 5:
        return None  # "where she lives": says nothing without the place
    return shared_predicates(c, a + 2, b)


def _relative_of_thing(c: ClauseText, a: int, b: int) -> Given | None:
    """Gives statements from "which became a school"; None if its thing is not clear."""
    verb = skip_adverbs(c.tokens, a + 1, b)
    if not finite_at(c.tokens, verb, b) or c.low(verb) in RESULTS:
        return None
    words = Antecedent(c.tokens, c.main, a - 1)
    answer = ANTECEDENT.answer(words)
    opener = f"{c.owner}’s" if answer == "owned" else answer
    thing = c.raw(words.first, a - 1)
    if answer != "words":
        thing = f"{opener} {c.raw(words.first + 1, a - 1)}"
    # "A and B, which is": of one of them, or of a name with "and"
    if answer is None or " and " in thing or c.low(verb + 1) in _OBJECTS:
        return None
    given = NOTHING
    for piece in cut_predicates(c.tokens, a + 1, b):
        given += spread(c.after(given), f"{piece.prefix} ", piece.start, piece.end, subject=thing)
    return given


def _relative_end(c: ClauseText, a: int, b: int) -> int:
    """Returns the end of ", which was a part of Kent," after which the predicate resumes."""
    if c.low(a) != "which":
        return b
    commas = (k for k in range(a + 2, b - 1) if c.comma(k))
    return next((k for k in commas if c.low(k + 1) in _AFTER_RELATIVE), b)


def description(c: ClauseText, head: str, a: int, b: int) -> Given:
    """Gives statements from "a Polish poet and critic born in Warsaw, known for X"."""
    if b <= a:
        return NOTHING
    b, given = without_grandparent(c, head, a, b)
    b, parent = without_other_parent(c, head, a, b)
    given += parent
    if b <= a:
        return given
    core, extras = _core_and_extras(c, a, b)
    items = description_items(c.tokens, a, core) or [(a, core)]
    of = shared_complement(c.tokens, items)
    for first, last in items:
        if of:
            words = c.raw(first + (c.low(first) == "the"), min(last, of))
            given += stated(c, f"{head} the {words} {c.raw(of, core)}", first, last)
        else:
            given += _item(c.after(given), head, first, last)
    for first, last in extras:
        given += _extra(c.after(given), first, last)
    return given


def _item(c: ClauseText, head: str, a: int, b: int) -> Given:
    """Gives one description, with a separate statement for its nationality: "is American"."""
    nations, given = nationalities(c.tokens, a, b), NOTHING
    for x, y in nations:
        origin = f"{'from ' if c.low(x) == 'new' else ''}{c.raw(x, y)}"
        given += stated(c, f"{head} {origin}", x, y)
    if nations:
        first, last = nations[0][0], nations[-1][1]
        words = c.raw(a + (c.low(a) in {"a", "an"}), first)
        before = f"{article(words or c.raw(last, b))} {words}".strip()
        return given + spread(c, f"{head} {before} ", last, b, nominal=True)
    titled = c.tokens[a].capital and a + 1 < b
    titled = titled and (c.tokens[a + 1].capital or c.low(a + 1) in {"of", "and"})
    as_written = c.low(a) in {"later", "then"} or (
        c.low(c.main) in BE and skip_adverbs(c.tokens, c.main + 1, b) == a
    )
    if not (titled or as_written) and c.low(a) not in WITHOUT_ARTICLE:
        head = f"{head} {article(c.raw(a, b))}"
    verb = opener(c, a) if opener(c, a) != c.raw(a, a + 1) else ""
    return spread(c, f"{head} ", a, b, nominal=True, verb=verb)


def _core_and_extras(c: ClauseText, a: int, b: int) -> tuple[int, list[Range]]:
    """Returns the end of a description's nouns, and the phrases and clauses that follow."""
    cuts: list[int] = []
    extras: list[int] = []
    k = a + 1
    while k < b:
        start = k + c.comma(k)
        if not c.tokens[k].depth and _opens_extra(c, a, k, start, b):
            cuts.append(k)
            extras.append(start)
            if c.low(start) in {"who", "whose"} or is_deed(c.tokens, start, b):
                break
            k = start
        k += 1
    cuts.append(b)
    return cuts[0], list(zip(extras, cuts[1:], strict=True))


def _opens_extra(c: ClauseText, a: int, k: int, start: int, b: int) -> bool:
    """Whether a phrase or clause about the person begins at `start`, after any comma at `k`."""
    low = c.low(start)
    opens = (
        low in {"who", "whose"}
        or (start > k and is_deed(c.tokens, start, b))  # "a poet, winning the Hill Cup"
        or (_is_added_participle(c.tokens, k, start, b) and not _of_thing(c.tokens, a, k))
    )
    if not opens:
        return False
    # "a Cristero who was born": just the person can be meant
    placed = any(t.low in PREPOSITIONS for t in c.tokens[a:k])
    only_person = low == "who" and c.subject == c.owner and not placed
    return only_person or _role_before(c.tokens, a, k)


def _is_added_participle(tokens: Sequence[Token], k: int, start: int, b: int) -> bool:
    """Whether a participle phrase begins at `start`, after a noun and any comma at `k`."""
    noun = tokens[k - 1]
    named = noun.word and not noun.low.endswith("ing") and not is_adverb(noun)
    apart = tokens[start].low not in _NOT_APART and noun.low not in _NO_NOUNS
    return named and apart and is_phrase(tokens, start, b)


def _role_before(tokens: Sequence[Token], a: int, k: int) -> bool:
    """Whether a role precedes `k`, so that a phrase there describes the person."""
    words = tokens[a:k]
    return is_role(words[0].low) or any(is_role(t.low) and not t.capital for t in words)


def _of_thing(tokens: Sequence[Token], a: int, k: int) -> bool:
    """Whether a participle at `k` modifies a thing: "the author of a novel published"."""
    if tokens[k - 1].capital:
        return False
    things = range(a, k - 1)
    return any(tokens[i].low == "of" and tokens[i + 1].low in WITHOUT_ARTICLE for i in things)


def _extra(c: ClauseText, a: int, b: int) -> Given:
    """Gives statements from a phrase or relative clause after a description."""
    first = c.low(a)
    if first == "who":
        return shared_predicates(c, a + 1, b)
    if first == "whose":
        return stated(c, c.raw(a + 1, b), a, b, f"{c.subject}’s")
    return deed(c, a, b) if is_deed(c.tokens, a, b) else phrase(c, a, b)
