"""Reads the cues of any clause, whether or not its subject is a name."""

from __future__ import annotations

import re

from dfactscore._text.remarks import Remark, is_interrogative, is_question, remark_of
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.group.cues import ARTICLES, Cues, Traits, View, cues_of, epithet_in
from dfactscore.engines._builtin.group.mentions import NO_LIFE, life_years, roles_in
from dfactscore.engines._builtin.group.subjects import has_source, source_cues, subject_cues
from dfactscore.engines._builtin.language.announcements import (
    NAMED,
    OTHER_BEARERS,
    confused_in,
    is_listing,
    may_say,
    shares_name,
)
from dfactscore.engines._builtin.language.verbs import skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    PAST_PARTICIPLES,
    POSSESSIVES,
    PREPOSITIONS,
    RELATIVES,
    is_finite_form,
    word_list,
)

# Words before the people a clause introduces: "others include A, a poet, and B, a judge"
_PRESENTS = re.compile(r"\b(?:including|such as|namely|includes?)\s*:?\s+|:\s+", re.IGNORECASE)
_DISTINCT = re.compile(
    r"(?:are|were) (?:two |three )?(?:distinct|different|separate|unrelated|not the same) "
    r"(?:people|persons?|individuals|men|women|figures)\b",
    re.IGNORECASE,
)
_Found = list[tuple[int, Cues]]
_DIRECT = word_list("direct")
_ROLE_LABEL = re.compile(r"(?P<label>[A-Z][\w’'/& -]{1,40}?)\s*:\s+An?\s")
_ARTICLES = frozenset({"a", "an", "the", "one"})
_BE = frozenset({"is", "was"})
_NONE = frozenset({"no", "not", "little", "limited", "nothing"})
# The text says that one person is several things: other descriptions will follow.
_MANY = re.compile(
    r"\bmulti-?(?:faceted|talented)\b|\b(?:two|three|four|many|multiple|several|various|dual|"
    r"different|distinct) (?:\w+ )?(?:identities|careers|professions|facets|personas|talents|hats|"
    r"callings|vocations)\b|^(?:he|she) (?:is|was) both an?\b",
    re.IGNORECASE,
)
_MANY_CUES = (
    *("multi", "identities", "careers", "professions", "facets", "personas", "talents", "hats"),
    *("callings", "vocations", "both a"),
)
# A year, but not the number in "1500 metres"
_YEAR = re.compile(r"(?<![\d.,$£€])(?:1\d{3}|20\d\d)(?=s?\b)(?! [a-z]+s\b)(?!,\d)")
_NOW = 2000  # "now" in a text is never earlier
# "Some sources say that X was born in 1911": about the person whose birth is already known
_HEDGED = re.compile(
    r"\b(?:some|other|several|various|most|many|certain|different|conflicting|later|earlier|"
    r"older|official|church|parish|census|baptismal|school|military) (?:\w+ )?(?:sources|accounts|"
    r"records?|registers?|reports|census(?:es)?|historians|biographers|obituaries|authorities|scholars)\b|"
    r"\baccording to (?!(?:the )?(?:\w+ )?(?:document|passage|source|result|text|article)s?\b)|"
    r"\b(?:may|might|could|must) (?:\w+ )?(?:have been|be) born\b|"
    r"\b(?:reportedly|allegedly|supposedly|possibly|probably|perhaps|purportedly|actually)\b",
    re.IGNORECASE,
)
_AS = re.compile(r"(?:[A-Z]\S+ ){1,4}as an? ")  # "# Ann Lee as a Poet"


def people_in_passing(view: View, cues: Cues) -> _Found:
    """Finds the people a clause introduces in addition to its subject, and the first token of each.

    Example:
        "Others with the name include Ann Lee, a poet, and Ann B. Lee, a judge" introduces two.
    """
    clause = view.clause
    begin, end = view.tokens[clause.start].start, view.tokens[clause.end - 1].end
    # "X, unrelated to the judge, is": it is said of X
    confused = confused_in(view.body, view.tokens[max(clause.start, clause.verb)].start, end)
    if confused is not None:
        return _confused(view, confused.end())
    verb = view.clause.verb
    if verb >= 0 and _DISTINCT.match(view.words((verb, view.clause.end))):
        return _people(view, view.clause.start, verb)
    if not ("announces" in cues or OTHER_BEARERS.search(view.text)):
        return []
    presents = _PRESENTS.search(view.body, begin, end)
    if presents is None:
        return _without_names(view)
    first = next((k for k in range(*view.whole) if view.tokens[k].start >= presents.end()), None)
    return [] if first is None else _people(view, first, view.clause.end)


def _without_names(view: View) -> _Found:
    """Reads people an announcement does not name: "may refer to a poet or to a judge"."""
    first = next(
        (k for k in range(max(view.clause.verb, 0), view.clause.end) if view.low(k) in {"a", "an"}),
        None,
    )
    people = [] if first is None else _people(view, first, view.clause.end)
    return (
        people
        if len(people) > 1 and all(of.mention is None and of.roles for _, of in people)
        else []
    )


def _confused(view: View, place: int) -> _Found:
    """Reads the people listed after "not to be confused with" if the first one is described."""
    start, end = view.whole
    names = [m for m in view.names(view.whole) if view.tokens[m.last - 1].end > place]
    mention = next((m for m in names[:3] if len(m.words) > 1), names[0] if names else None)
    if mention is None:
        return []
    start_of_description = next(
        (k for k in range(start, mention.first + 1) if view.tokens[k].end > place), 0
    )
    roles_before = roles_in(view.tokens, start_of_description, mention.first)
    roles = roles_in(view.tokens, mention.last, end) | roles_before
    life = life_years(view.body[view.tokens[mention.last - 1].end :][:80])
    says = "who" in {view.low(mention.last), view.low(mention.last + 1)}
    follows = view.low(mention.last) in {",", "(", "who", "the"}
    if not (roles_before or follows) or not (roles or says or life != NO_LIFE):
        return []
    first = start_of_description if roles_before else mention.first
    cues = cues_of("name", "presented", mention=mention, traits=Traits(roles), life=life)
    found = [(first, cues), *_people(view, first, end)[1:]]
    return [(at, of._replace(names=of.names | {"turns back"})) for at, of in found]


def _people(view: View, first: int, stop: int) -> _Found:
    """Reads "A, a poet, B, a judge, and C, a nun", splitting it at the start of each person."""
    cuts = [first]
    for k in range(first + 1, view.clause.end - 1):
        if view.tokens[k].depth or view.low(k) not in {",", ";", "and", "or"}:
            continue
        at = k + 1
        while view.low(at) in {"and", "or", "as", "well", "to", "by", "of"}:
            at += 1
        if at < view.clause.end and at > cuts[-1] + 1 and _opens_person(view, cuts[-1], k, at):
            cuts.append(at)
    items = [(a, min(b, stop)) for a, b in zip(cuts, [*cuts[1:], stop], strict=True)]
    return [(a, cues) for a, b in items if a < b and (cues := _person(view, a, b)) is not None]


def _opens_person(view: View, last: int, stop: int, at: int) -> bool:
    """Whether another person begins at `at`: a full name after a description, or "a poet"."""
    names = view.names((at, min(view.clause.end, at + 8)))
    near = at + (view.low(at) in ARTICLES | {"the"})
    full = bool(names) and names[0].first <= near and len(names[0].words) > 1
    full = full and not is_demonym(names[0].text)
    described = bool(roles_in(view.tokens, last, stop)) or any(
        view.low(k) == "," and view.low(k + 1) in {"a", "an", "the"} for k in range(last, stop)
    )
    if full or view.low(at) not in ARTICLES:
        return full and (described or "(" in view.words((last, stop)))
    earlier_names = view.names((last, stop))
    nameless = (
        not earlier_names or earlier_names[0].first > last + 1 or len(earlier_names[0].words) == 1
    )
    comma = next(
        (k for k in range(at, view.clause.end) if view.low(k) in {",", ";"}), view.clause.end
    )
    return nameless and (described or bool(roles_in(view.tokens, at, comma)))


def _person(view: View, a: int, b: int) -> Cues | None:
    """Returns the cues about the person in an item, or None if it does not describe a person."""
    if view.low(a) in POSSESSIVES | RELATIVES:
        return None
    article = view.low(a) in ARTICLES
    names = view.names((a, b))
    near = [m for m in names[:1] if m.first <= a + (article or view.low(a) == "the")]
    near = [m for m in near if len(m.words) > 1 and not is_demonym(m.text)]
    near += [m for m in names if view.low(m.first - 1) in {"named", "called"}]
    mention = near[0] if near else None
    traits = view.traits((a, b))
    life = life_years(view.words((a, b))[:120])
    epithet = frozenset[str]()
    described = bool(traits.roles) or life.born is not None
    if mention is not None and view.low(mention.last) in {",", "("}:
        epithet = epithet_in(view, (mention.last + 1, b))
        described = described or view.low(mention.last + 1) in {"a", "an", "the"}
    if not (described if mention is not None else article):
        return None
    kind = "name" if mention else "description"
    return cues_of(kind, "presented", mention=mention, traits=traits, life=life, epithet=epithet)


def clause_cues(view: View) -> Cues:
    """Reads the cues that a clause gives about its person."""
    text, clause = view.text, view.clause
    announces = is_listing(text)
    if remark_in(view) not in {None, "an announcement"}:
        return cues_of("other", "talk", announces=announces)
    traits = view.traits(view.whole) if shares_name(text) else Traits()
    if traits.roles:  # "Ann Lee is also the name of a judge"
        cues = cues_of("description", "another", "presented", traits=traits)
    elif has_source(view, view.whole) and (about := source_cues(view, anything=False)) is not None:
        cues = about
    elif clause.verb < 0 or clause.subject[1] <= clause.subject[0]:
        cues = _fragment(view)
    elif view.low(clause.subject[0]) == "there" and clause.subject[1] == clause.subject[0] + 1:
        cues = _there_is(view)
    else:
        cues = subject_cues(view)
    if "other" in cues:
        cues = _in_predicate(view) or cues
    marked = (
        view.line.kind != "prose" or view.line.labeled or view.tokens[view.clause.end].text == ":"
    )
    if view.opens and marked and not view.line.detail:
        cues = _as_item(view, cues)
    titled = view.opens and view.line.kind == "heading"
    flags = {
        "contrast": confused_in(text, 0, len(text)),
        "detail": view.line.detail,
        "many": (may_say(text, _MANY_CUES) and _MANY.search(text)) or (titled and _AS.match(text)),
        "announces": announces,
        "role label": _is_role_label(view),
        "alive": _is_alive(view),
        "tells a birth": "born" in text or "birth" in text,
        "hedged": cues.life.born is not None and _HEDGED.search(view.before + view.body),
    }
    flagged = {name for name, holds in flags.items() if holds}
    years = [int(year) for year in _YEAR.findall(text)]
    years += [_NOW] if _is_present(view) else []
    stated = (min(years), max(years)) if years else (None, None)
    return cues._replace(names=cues.names | flagged, stated=stated)


def remark_in(view: View) -> Remark | None:
    """Returns the type of remark (question, chat or note on sources); None for other clauses."""
    last = not any(t.word for t in view.tokens[view.clause.end : len(view.tokens)])
    if (last or is_interrogative(view.body)) and is_question(view.body):
        return "a question"
    return remark_of(view.text) if view.tokens else None


def _is_present(view: View) -> bool:
    """Whether a clause is about the time of writing: "directs", "is now"."""
    verb = view.low(view.clause.verb)
    acts = is_finite_form(verb) and verb.endswith("s") and verb not in _BE | {"has"}
    return acts or bool(view.lows(view.whole) & {"now", "currently", "presently"})


def _is_alive(view: View) -> bool:
    """Whether the predicate implies a living person, unlike "died" or "was inducted"."""
    verb = view.low(view.clause.verb)
    place = skip_adverbs(view.tokens, view.clause.verb + 1, view.clause.end)
    be = verb in _BE or (verb in {"has", "had"} and view.low(place) == "been")
    form = view.low(place if verb in _BE else skip_adverbs(view.tokens, place + 1, view.clause.end))
    passive = be and form != "born" and (form in PAST_PARTICIPLES or form.endswith("ed"))
    return not passive and verb not in {"died", "passed"}


def _is_role_label(view: View) -> bool:
    """Whether a clause opens with a role used as a label: "Video game designer: A ..."."""
    label = _ROLE_LABEL.match(view.text) if view.opens else None
    if label is None or (view.line.kind == "prose" and not view.line.labeled):
        return False
    words = label["label"].lower().split()
    stop = next((k for k, word in enumerate(words) if word in PREPOSITIONS), len(words))
    return stop > 0 and is_role(words[stop - 1])


def _there_is(view: View) -> Cues:
    """Reads "there is also X, a poet" and "there is a poet named X"."""
    verb, end = view.clause.verb, view.clause.end
    lows = [t.low for t in view.tokens[verb:end]]
    if _NONE & set(lows[:6]) or lows[0] in {"are", "were"}:
        return cues_of("other")
    traits = view.traits((verb, end))
    names = view.names((verb, end))
    named = NAMED.search(view.text)
    at = view.tokens[view.clause.start].start + (named.end() if named else 0)
    mention = next((m for m in names if view.tokens[m.first].start >= at), None)
    if mention is None:
        if not (named and traits.roles):
            return cues_of("other")
        return cues_of("description", "another", "presented", traits=traits)
    words_before = view.lows((verb, mention.first))
    life = life_years(view.words((mention.last, end))[:80])
    full = len(mention.words) > 1
    indefinite = full and bool(words_before & {"a", "an", "another"})
    role = view.traits((verb, mention.first)).roles
    indefinite = indefinite and (not role or view.low(mention.first - 1) in role)  # "a poet X"
    apposed = full and view.low(mention.last) == "," and view.low(mention.last + 1) in {"a", "an"}
    described = bool(traits.roles) or life.born is not None or "another" in words_before or apposed
    further = "also" in words_before and apposed  # "There is also something on X, a poet"
    if not (named or indefinite or further or (words_before <= _DIRECT and described)):
        return cues_of("other")
    return cues_of("name", "another", "presented", mention=mention, traits=traits, life=life)


def _in_predicate(view: View) -> Cues | None:
    """Reads "we find a Tom Hill who built railroads"."""
    for mention in view.names(view.whole):
        article = view.low(mention.first - 1) in {"a", "an", "another"}
        if article and len(mention.words) > 1 and view.low(mention.last) == "who":
            traits = view.traits((mention.last, view.clause.end))
            return cues_of("name", "another", "presented", mention=mention, traits=traits)
    return None


def _fragment(view: View) -> Cues:
    """Reads a heading, a list item or a sentence that was cut off."""
    start, end = view.whole
    names = view.names(view.whole)
    first = view.low(start)
    traits = view.traits((start, min(end, start + 30)))
    if first == "another" and (traits.roles or names or NAMED.search(view.text)):
        mention = names[-1] if names else None
        kind = "name" if names else "description"
        return cues_of(kind, "another", "presented", mention=mention, traits=Traits(traits.roles))
    if "namesake" in view.lows((start, start + 2)):  # "A namesake of his sat in parliament"
        return cues_of("description", "another", "presented", traits=traits)
    if not names or names[0].first > start + 1 or names[0].possessive:
        opens = bool(traits.roles) and (first in _ARTICLES or is_demonym(first) or is_role(first))
        return cues_of("other", traits=traits, life=life_years(view.text), opens=opens)
    mention = names[0]
    if view.low(mention.last) in {"is", "was"} and view.low(mention.last + 1) in _ARTICLES:
        return cues_of("name", "presented", "characterized", "main", mention=mention, traits=traits)
    tail = view.body[view.tokens[mention.last - 1].end : view.tokens[end - 1].end]
    opened = re.match(r"\s*[,:–—(-]", tail) is not None
    label = len(mention.words) == 1 and tail.lstrip().startswith(":")  # "Occupation: poet"
    life = life_years(tail[:70]) if opened else NO_LIFE
    return cues_of(
        "name",
        presented=opened and (bool(traits.roles) or life.born is not None),
        apposed=opened and bool(traits.roles) and not label,
        dated=life.born is not None,
        heading=_is_empty(tail),
        mention=mention,
        traits=traits,
        life=life,
    )


def _is_empty(text: str) -> bool:
    """Whether the text after a name contains nothing but a parenthesis."""
    bracket = re.match(r"\s*\([^)]*\)", text)
    return not (text[bracket.end() :] if bracket else text).strip(" .:*")


def _as_item(view: View, cues: Cues) -> Cues:
    """Reads a list item or heading, which introduces a person if it opens with a full name."""
    start, end = view.whole
    item = cues._replace(names=cues.names | {"item"})
    mention = next(iter(view.names((start, min(end, start + 10)))), None)
    if mention is None or mention.first > start + 1 or len(mention.words) < 2:
        return item
    tail = view.body[view.tokens[mention.last - 1].end : view.tokens[end - 1].end].lstrip("* ")
    if tail.strip(" .:") and tail[0] not in ":–—-(,":
        return item
    traits = view.traits((mention.last, end))
    if cues.roles and (view.clause.verb >= 0 or not traits.roles):
        traits = Traits(cues.roles, cues.origins)
    life = life_years(tail[:70])
    return cues_of(
        *(cues.names - {"owner", "description", "other", "definite", "heading"}),
        *("name", "item", "presented", "apposed"),
        another=bool(traits.roles) or life.born is not None,
        qualified=tail.strip(" *:.")[:1] in {"(", "–", "—", "-"},
        dated=life.born is not None,
        heading=_is_empty(tail),
        mention=mention,
        ordinal=cues.ordinal,
        traits=traits,
        life=life,
        aliases=cues.aliases,
        epithet=cues.epithet,
    )
