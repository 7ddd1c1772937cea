"""Reads the cues of any clause, whether or not its subject is a name."""

from __future__ import annotations

import re

from dfactscore._text._interrogatives import is_interrogative, is_question
from dfactscore._text.remarks import Remark, remark_of
from dfactscore.engines._builtin.group.cues import Cues, Traits, View, cues_of
from dfactscore.engines._builtin.group.mentions import NO_LIFE, life_years
from dfactscore.engines._builtin.group.sources import has_source, source_cues
from dfactscore.engines._builtin.group.subjects import subject_cues
from dfactscore.engines._builtin.language.adverbs import skip_adverbs
from dfactscore.engines._builtin.language.announcements import (
    NAMED,
    confused_in,
    is_listing,
    may_say,
    shares_name,
)
from dfactscore.engines._builtin.language.word_classes import (
    PAST_PARTICIPLES,
    PREPOSITIONS,
    is_demonym,
    is_finite_form,
    is_role,
)
from dfactscore.engines._builtin.language.word_lists import word_list

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
