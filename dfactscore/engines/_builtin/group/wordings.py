"""Cues of a clause whose name need not be the subject."""

from __future__ import annotations

import re
from dataclasses import replace

from dfactscore._text._interrogatives import is_interrogative, is_question
from dfactscore._text.remarks import Remark, remark_of
from dfactscore.engines._builtin.group.cues import Cues, Said, View, cues_of
from dfactscore.engines._builtin.group.mentions import NO_LIFE, life_years
from dfactscore.engines._builtin.group.sources import has_source, source_cues
from dfactscore.engines._builtin.group.subjects import subject_cues
from dfactscore.engines._builtin.language.announcements import (
    NAMED,
    confused_in,
    is_listing,
    may_say,
    shares_name,
)
from dfactscore.engines._builtin.language.clauses import skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    PARTICIPLES,
    PASSIVE,
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
# One person is said to be several things: other descriptions will follow.
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
# A year, and no "1500 metres"
_YEAR = re.compile(r"(?<![\d.,$£€])(?:1\d{3}|20\d\d)(?=s?\b)(?! [a-z]+s\b)(?!,\d)")
_NOW = 2000  # what a text calls "now" is not before
# "Some sources say that X was born in 1911": of the one whose birth is known
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


def clause_cues(it: View) -> Cues:
    """Reads the cues of a clause about its person."""
    text, clause = it.text, it.clause
    announces = is_listing(text)
    if remark_in(it) not in {None, "an announcement"}:
        return cues_of("other", "talk", announces=announces)
    said = it.says(it.whole) if shares_name(text) else Said()
    if said.roles:  # "Ann Lee is also the name of a judge"
        found = cues_of("description", "another", "presented", said=said)
    elif has_source(it, it.whole) and (about := source_cues(it, anything=False)) is not None:
        found = about
    elif clause.verb < 0 or clause.subject[1] <= clause.subject[0]:
        found = _fragment(it)
    elif it.low(clause.subject[0]) == "there" and clause.subject[1] == clause.subject[0] + 1:
        found = _there(it)
    else:
        found = subject_cues(it)
    if "other" in found:
        found = _in_predicate(it) or found
    marked = it.line.kind != "prose" or it.line.labeled or it.tokens[it.clause.end].text == ":"
    if it.opens and marked and not it.line.detail:
        found = _as_item(it, found)
    titled = it.opens and it.line.kind == "heading"
    more = {
        "contrast": confused_in(text, 0, len(text)),
        "detail": it.line.detail,
        "many": (may_say(text, _MANY_CUES) and _MANY.search(text)) or (titled and _AS.match(text)),
        "announces": announces,
        "role label": _is_role_label(it),
        "alive": _is_alive(it),
        "tells a birth": "born" in text or "birth" in text,
        "hedged": found.life.born is not None and _HEDGED.search(it.before + it.body),
    }
    held = {name for name, holds in more.items() if holds}
    years = [int(year) for year in _YEAR.findall(text)]
    years += [_NOW] if _is_present(it) else []
    stated = (min(years), max(years)) if years else (None, None)
    return replace(found, names=found.names | held, stated=stated)


def remark_in(it: View) -> Remark | None:
    """Returns the kind of a clause that asks, chats or names sources; None for others."""
    last = all(not t.word for t in it.tokens[it.clause.end :])
    if (last or is_interrogative(it.body)) and is_question(it.body):
        return "a question"
    return remark_of(it.text) if it.tokens else None


def _is_present(it: View) -> bool:
    """Whether a clause tells what someone does at the time of writing: "directs", "is now"."""
    verb = it.low(it.clause.verb)
    does = is_finite_form(verb) and verb.endswith("s") and verb not in _BE | {"has"}
    return does or bool(it.lows(it.whole) & {"now", "currently", "presently"})


def _is_alive(it: View) -> bool:
    """Whether the predicate is of someone's life: not a death, nor "was inducted" long after."""
    verb = it.low(it.clause.verb)
    k = skip_adverbs(it.tokens, it.clause.verb + 1, it.clause.end)
    be = verb in _BE or (verb in {"has", "had"} and it.low(k) == "been")
    done = it.low(k if verb in _BE else skip_adverbs(it.tokens, k + 1, it.clause.end))
    passive = be and done != "born" and (done in PARTICIPLES | PASSIVE or done.endswith("ed"))
    return not passive and verb not in {"died", "passed"}


def _is_role_label(it: View) -> bool:
    """Whether a role is a label: "Video game designer: A ..."."""
    label = _ROLE_LABEL.match(it.text) if it.opens else None
    if label is None or (it.line.kind == "prose" and not it.line.labeled):
        return False
    words = label["label"].lower().split()
    stop = next((k for k, word in enumerate(words) if word in PREPOSITIONS), len(words))
    return stop > 0 and is_role(words[stop - 1])


def _there(it: View) -> Cues:
    """Reads "there is also X, a poet" and "there is a poet named X"."""
    verb, end = it.clause.verb, it.clause.end
    lows = [t.low for t in it.tokens[verb:end]]
    if _NONE & set(lows[:6]) or lows[0] in {"are", "were"}:
        return cues_of("other")
    said = it.says((verb, end))
    names = it.names((verb, end))
    named = NAMED.search(it.text)
    at = it.tokens[it.clause.start].start + (named.end() if named else 0)
    mention = next((m for m in names if it.tokens[m.first].start >= at), None)
    if mention is None:
        if not (named and said.roles):
            return cues_of("other")
        return cues_of("description", "another", "presented", said=said)
    before = it.lows((verb, mention.first))
    life = life_years(it.words((mention.last, end))[:80])
    full = len(mention.words) > 1
    indefinite = full and bool(before & {"a", "an", "another"})
    role = it.says((verb, mention.first)).roles
    indefinite = indefinite and (not role or it.low(mention.first - 1) in role)  # "a poet X"
    apposed = full and it.low(mention.last) == "," and it.low(mention.last + 1) in {"a", "an"}
    told = bool(said.roles) or life.born is not None or "another" in before or apposed
    further = "also" in before and apposed  # "There is also something on X, a poet"
    if not (named or indefinite or further or (before <= _DIRECT and told)):
        return cues_of("other")
    return cues_of("name", "another", "presented", mention=mention, said=said, life=life)


def _in_predicate(it: View) -> Cues | None:
    """Reads "we find a Tom Hill who built railroads"."""
    for mention in it.names(it.whole):
        article = it.low(mention.first - 1) in {"a", "an", "another"}
        if article and len(mention.words) > 1 and it.low(mention.last) == "who":
            said = it.says((mention.last, it.clause.end))
            return cues_of("name", "another", "presented", mention=mention, said=said)
    return None


def _fragment(it: View) -> Cues:
    """Reads a heading, a list item or a sentence that was cut off."""
    start, end = it.whole
    names = it.names(it.whole)
    first = it.low(start)
    said = it.says((start, min(end, start + 30)))
    if first == "another" and (said.roles or names or NAMED.search(it.text)):
        mention = names[-1] if names else None
        kind = "name" if names else "description"
        return cues_of(kind, "another", "presented", mention=mention, said=Said(said.roles))
    if "namesake" in it.lows((start, start + 2)):  # "A namesake of his sat in parliament"
        return cues_of("description", "another", "presented", said=said)
    if not names or names[0].first > start + 1 or names[0].possessive:
        opens = bool(said.roles) and (first in _ARTICLES or is_demonym(first) or is_role(first))
        return cues_of("other", said=said, life=life_years(it.text), opens=opens)
    mention = names[0]
    if it.low(mention.last) in {"is", "was"} and it.low(mention.last + 1) in _ARTICLES:
        return cues_of("name", "presented", "characterized", "main", mention=mention, said=said)
    rest = it.body[it.tokens[mention.last - 1].end : it.tokens[end - 1].end]
    opened = re.match(r"\s*[,:–—(-]", rest) is not None
    label = len(mention.words) == 1 and rest.lstrip().startswith(":")  # "Occupation: poet"
    life = life_years(rest[:70]) if opened else NO_LIFE
    return cues_of(
        "name",
        presented=opened and (bool(said.roles) or life.born is not None),
        apposed=opened and bool(said.roles) and not label,
        dated=life.born is not None,
        heading=_nothing_said(rest),
        mention=mention,
        said=said,
        life=life,
    )


def _nothing_said(rest: str) -> bool:
    """Whether nothing but a bracket follows a name."""
    bracket = re.match(r"\s*\([^)]*\)", rest)
    return not (rest[bracket.end() :] if bracket else rest).strip(" .:*")


def _as_item(it: View, found: Cues) -> Cues:
    """A list item or heading that opens with a name presents that person."""
    start, end = it.whole
    item = replace(found, names=found.names | {"item"})
    mention = next(iter(it.names((start, min(end, start + 10)))), None)
    if mention is None or mention.first > start + 1 or len(mention.words) < 2:
        return item
    rest = it.body[it.tokens[mention.last - 1].end : it.tokens[end - 1].end].lstrip("* ")
    if rest.strip(" .:") and rest[0] not in ":–—-(,":
        return item
    said = it.says((mention.last, end))
    if found.roles and (it.clause.verb >= 0 or not said.roles):
        said = Said(found.roles, found.origins)
    life = life_years(rest[:70])
    return cues_of(
        *(found.names - {"owner", "description", "other", "definite", "heading"}),
        *("name", "item", "presented", "apposed"),
        another=bool(said.roles) or life.born is not None,
        qualified=rest.strip(" *:.")[:1] in {"(", "–", "—", "-"},
        dated=life.born is not None,
        heading=_nothing_said(rest),
        mention=mention,
        ordinal=found.ordinal,
        said=said,
        life=life,
        aliases=found.aliases,
        epithet=found.epithet,
    )
