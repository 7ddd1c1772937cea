"""Cues of wordings in which a person is not the subject: "there is also X", "shared by a poet"."""

from __future__ import annotations

import re
from dataclasses import replace

from dfactscore.engines.builtin.group.cues import GENERIC, Cues, View, cues_of
from dfactscore.engines.builtin.group.mentions import (
    descriptors,
    life_years,
    roles_in,
    runs_of_names,
)
from dfactscore.engines.builtin.group.subjects import epithet_in, is_agent, subject_cues
from dfactscore.engines.builtin.language.announcements import (
    ASIDE,
    CONFUSED,
    CONTRAST,
    COUNT,
    FOUND,
    INVERTED,
    NAMED,
    ORDINALS,
    OTHER_BEARERS,
    SHARED_NAME,
    is_listing,
    is_talk,
)
from dfactscore.engines.builtin.language.tokenizer import tokenize
from dfactscore.engines.builtin.language.word_classes import (
    PREPOSITIONS,
    is_demonym,
    is_role,
)
from dfactscore.engines.builtin.language.word_lists import word_list

__all__ = ["clause_cues"]

_DIRECT = word_list("direct")
_LABEL = re.compile(r"[A-Z][\w’'/& -]{1,40}?\s*:")
_LABEL_BEFORE = re.compile(r"(?:^|\s)([A-Z][\w’'/& -]{1,40}?)\s*:\s*$")
_ROLE_LABEL = re.compile(r"[A-Z][\w’'/& -]{1,40}?\s*:\s+An?\s")
_OTHERS = re.compile(r"\b(?:other|others|another)\b", re.IGNORECASE)
# "Ann Lee is the name of a judge"
_NAME_OF = re.compile(
    r"^[^,;:]{2,60}? (?:is|was) the name of (?:both )?(?=an? |the )", re.IGNORECASE
)
_ONCE = frozenset({"former", "retired", "one-time"})
_NONE = frozenset({"no", "not", "little", "limited", "nothing"})
# One person is said to be several things: other descriptions will follow.
_MANY = re.compile(
    r"\bmulti-?(?:faceted|talented)\b|\b(?:two|three|four|many|multiple|several|various|dual|"
    r"different|distinct) (?:\w+ )?(?:identities|careers|professions|facets|personas|talents|hats|"
    r"callings|vocations)\b|^(?:he|she) (?:is|was) both an?\b",
    re.IGNORECASE,
)
_AS = re.compile(r"(?:[A-Z]\S+ ){1,4}as an? ")  # "# Ann Lee as a Poet"
_ENDS_DESCRIPTION = PREPOSITIONS | {",", "who", "whose", "which", "that"}
_BY_NAME = re.compile(r"\bby (?:the|this|that)(?: same)? name\b(?! of)", re.IGNORECASE)
# "A Kenyan runner also bears the name"; "a fiddler named Ann Lee toured"
_BEARS = re.compile(
    r"^(?:the|an?) [^,;:]{3,60}?\s(?:bore|bears|carried|carries|shared|shares|goes by|went by) "
    r"(?:this|that|the)(?: same)? name\b(?! (?:with|of))",
    re.IGNORECASE,
)
_SO_NAMED = re.compile(
    r"^(?:[^,;:]{2,50}, )?an? (?P<who>(?:(?-i:[A-Z])?[a-z-]+ ){1,4})"
    r"(?:named|called|by the name of) (?=(?-i:[A-Z]))",
    re.IGNORECASE,
)
# "The second result describes a potter"
_RESULT = re.compile(
    rf"^the {COUNT}(?: (?:search )?(?:{FOUND}|one))? "
    r"(?:is about|was about|describes|concerns|covers|discusses) (?=an? )",
    re.IGNORECASE,
)


def clause_cues(it: View) -> Cues:
    """Reads what a clause shows of the person it is about."""
    if is_talk(it.text):
        return cues_of("other", "talk", announces=is_listing(it.text))
    found = _announced(it) or _so_named(it) or _name_of(it)
    if found is None:
        clause = it.clause
        if clause.verb < 0 or clause.subject[1] <= clause.subject[0]:
            found = _fragment(it)
        elif it.low(clause.subject[0]) == "there" and clause.subject[1] == clause.subject[0] + 1:
            found = _there(it)
        else:
            found = subject_cues(it)
    if it.opens and it.line.kind != "prose" and not it.line.detail:
        found = _as_item(it, found)
    if ASIDE.fullmatch(it.before.lstrip()[-200:]):
        found = _behind_aside(it, found)
    names = set(found.names)
    fronted = it.clause.lead[1] > it.clause.lead[0]
    blocks = [it.words(block) for block in it.clause.blocks]
    blocks += [it.words(it.clause.lead)] if fronted else []
    if CONTRAST.search(it.before) or any(CONTRAST.match(said) for said in blocks):
        names.add("contrast")
    if CONFUSED.search(it.text):
        names.add("contrast")
    if it.line.detail:
        names.add("detail")
    role = _role_before(it)
    if role:
        names.add("role before")
        found = replace(found, roles=found.roles | {role})
    titled = it.opens and it.line.kind == "heading"
    if _MANY.search(it.text) or (titled and _AS.match(it.text)):
        names.add("many")
    if is_listing(it.text):
        names.add("announces")
        names |= {"announces others"} if _OTHERS.search(it.text) else set()
    if found.mention is None and not it.line.detail and _is_part(it, found):
        names.add("part")
    if it.opens and (it.line.kind != "prose" or it.line.labeled) and _LABEL.match(it.text):
        names.add("label")
        names |= {"role label"} if _ROLE_LABEL.match(it.text) and _label_is_role(it) else set()
    return replace(found, names=frozenset(names))


def _behind_aside(it: View, found: Cues) -> Cues:
    """Adds what stands before a clause: "if you mean the poet," and "in the second result,"."""
    aside = ASIDE.fullmatch(it.before.lstrip()[-200:])
    assert aside is not None
    if aside["result"]:
        ordinal = ORDINALS[aside["count"].lower()]
        return replace(found, names=found.names | {"result"}, ordinal=ordinal)
    said = aside["one"] or aside["other"] or aside["next"]
    tokens = tokenize(said)
    roles, origins = descriptors(tokens, 0, len(tokens))
    names = runs_of_names(tokens, 0, len(tokens), said)
    mention = next((m for m in names if len(m.words) > 1), None)
    if not roles - GENERIC or (aside["turned"] and mention is None):
        return found
    shown = found.names - {"also", "owner", "other", "pronoun"} | {"presented", "turned"}
    mention = found.mention or mention
    return replace(
        found,
        names=shown | {"name" if mention else "pronoun"},
        mention=mention,
        roles=roles - GENERIC,
        origins=origins,
    )


def _result(it: View, found: re.Match[str]) -> Cues:
    """Reads "the second result describes a potter"."""
    begin = it.tokens[it.clause.start].start + found.end()
    first = next(k for k in range(*it.whole) if it.tokens[k].start >= begin)
    stop = next((k for k in range(first, it.clause.end) if it.low(k) in _ENDS_DESCRIPTION), 0)
    stop = stop or it.clause.end
    roles, origins = it.says((first, stop))
    head = it.low(stop - 1)
    return cues_of(
        "description",
        "document",
        ordinal=ORDINALS[found["count"].lower()],
        roles=roles or ({head} if is_agent(head) else set()),
        origins=origins,
    )


def _so_named(it: View) -> Cues | None:
    """Reads "a Welsh writer bore this name" and "a fiddler named Ann Lee toured"."""
    if _BEARS.match(it.text) and not is_listing(it.text):
        stop = next(k for k in range(*it.whole) if it.low(k) == "name")
        roles, origins = it.says((it.clause.start, stop))
        if roles:
            return cues_of("description", "another", "presented", roles=roles, origins=origins)
    result = _RESULT.match(it.text)
    if result is not None:
        return _result(it, result)
    named = _SO_NAMED.match(it.text)
    if named is None:
        return None
    begin = it.tokens[it.clause.start].start
    inside = [k for k in range(*it.whole) if it.tokens[k].start < begin + named.end()]
    first = next(k for k in inside if it.tokens[k].start >= begin + named.start("who"))
    roles, origins = it.says((first, inside[-1] + 1))
    word = next((it.low(k) for k in inside if it.low(k + 1) in {"named", "called", "by"}), "")
    roles |= {word} if is_agent(word) else set()
    mention = next((m for m in it.names(it.whole) if m.first == inside[-1] + 1), None)
    if mention is None or len(mention.words) < 2 or mention.possessive or not roles:
        return None
    years = life_years(it.words((mention.last, it.clause.end))[:80])
    return cues_of(
        "name",
        "another",
        "of a kind",
        "presented",
        mention=mention,
        roles=roles,
        origins=origins,
        years=years,
    )


def _label_is_role(it: View) -> bool:
    """Whether the words before the colon end with a role: "Video game designer: A ..."."""
    colon = next(k for k in range(*it.whole) if it.low(k) == ":")
    words = [t.low for t in it.tokens[it.clause.start : colon]]
    stop = next((k for k, word in enumerate(words) if word in PREPOSITIONS), len(words))
    return bool(words[:stop]) and is_role(words[stop - 1])


def _announced(it: View) -> Cues | None:
    """Reads "X is also the name of a poet" and "Not to be forgotten is X, a poet"."""
    others = OTHER_BEARERS.search(it.text)
    inverted = INVERTED.match(it.text)
    if not (SHARED_NAME.search(it.text) or others or inverted):
        return None
    roles, origins = it.says(it.whole)
    names = it.names(it.whole)
    years = life_years(it.text)
    if not roles and years[0] is None:
        return None
    if others and not (NAMED.search(it.text) or names):
        return None
    so_named = inverted is not None and inverted.group().lower().endswith(("called", "named"))
    mention = names[-1 if inverted and not so_named else 0] if names else None
    if mention is not None and not (others or inverted) and it.clause.verb <= mention.first:
        named = it.low(mention.first - 1) in {"named", "called", "name", "of", "as"}
        named = named or "refer" in it.text  # else a name in what is said
        mention = mention if named else None
    if inverted and CONFUSED.match(it.text):  # "Not to be confused with the poet is X, a judge"
        at = it.tokens[it.clause.start].start + inverted.end()
        first = next((k for k in range(*it.whole) if it.tokens[k].start >= at), it.clause.end)
        roles, origins = it.says((first, it.clause.end))
        mention = next((m for m in names if m.first >= first), None)
    kind = "name" if mention else "description"
    return cues_of(
        kind, "another", "presented", mention=mention, roles=roles, origins=origins, years=years
    )


def _is_part(it: View, found: Cues) -> bool:
    """Whether "a Welsh poet" stands by itself, in a sentence or between semicolons."""
    first = it.low(it.clause.start)
    if first not in {"a", "an", "one"} and not is_demonym(first) and not is_role(first):
        return False
    alone = it.clause.verb < 0 and "opens" in found
    counted = it.offset > it.start + 1 and not it.before  # "2) " stands before it
    item = (it.opens and it.line.kind == "item") or counted
    alone = alone or (item and "description" in found)
    return alone or it.before.rstrip().endswith((":", ";", "; and"))


def _role_before(it: View) -> str:
    """The role in "* Actor: Ann Lee played"; empty where the label is none."""
    label = _LABEL_BEFORE.search(it.before) if it.opens and it.line.kind == "item" else None
    word = label[1].split()[-1].lower() if label else ""
    return word if word and is_role(word) else ""


def _name_of(it: View) -> Cues | None:
    """Reads "Ann Lee is the name of a judge"."""
    if not _NAME_OF.match(it.text):
        return None
    roles, origins = it.says(it.whole)
    mention = next(iter(it.names(it.clause.subject)), None)
    if not roles or mention is None:
        return None
    return cues_of(
        "name",
        "presented",
        "characterized",
        mention=mention,
        roles=roles,
        origins=origins,
    )


def _there(it: View) -> Cues:
    """Reads "there is also X, a poet" and "there is a poet named X"."""
    verb, end = it.clause.verb, it.clause.end
    lows = [t.low for t in it.tokens[verb:end]]
    if _NONE & set(lows[:6]) or (lows[:1] in (["are"], ["were"]) and is_listing(it.text)):
        return cues_of("other")
    roles, origins = it.says((verb, end))
    if lows[1:4] == ["the", "one", "who"]:
        return cues_of("description", "another", "presented", roles=roles, origins=origins)
    names = it.names((verb, end))
    named = NAMED.search(it.text)
    by_name = _BY_NAME.search(it.text)
    stop = next((k for k in range(verb + 2, end) if it.low(k) in _ENDS_DESCRIPTION), end)
    described = bool(it.says((verb, stop))[0]) and not it.names((verb, stop))
    if not names or by_name or (described and not named):
        so_named = named or by_name
        if ("another" in lows[:4] or so_named) and roles:
            return cues_of("description", "another", "presented", roles=roles, origins=origins)
        if roles and lows[1:2] in (["a"], ["an"], ["the"]):
            return cues_of("description", "counted", roles=roles, origins=origins)
        return cues_of("other")
    mention = names[0]
    if named:
        at = it.tokens[it.clause.start].start + named.end()
        mention = next((m for m in names if it.tokens[m.first].start >= at), names[0])
    before = it.lows((verb, mention.first))
    years = life_years(it.words((mention.last, end))[:80])
    full = len(mention.words) > 1
    indefinite = (it.low(mention.first - 1) in {"a", "an"} and full) or (
        bool(before & {"a", "an", "another"})
        and mention.first - verb <= 4
        and not roles_in(it.tokens, verb, mention.first)
        and len(mention.words) > 1
    )
    apposed = it.low(mention.last) == "," and it.low(mention.last + 1) in {"a", "an"}
    said = bool(roles) or years[0] is not None or "another" in before
    said = said or (apposed and len(mention.words) > 1)
    if not (named or indefinite or (before <= _DIRECT and said)):
        return cues_of("other")
    return cues_of(
        "name", "another", "presented", mention=mention, roles=roles, origins=origins, years=years
    )


def _fragment(it: View) -> Cues:
    """Reads a heading, a list item or a sentence that was cut off."""
    start, end = it.whole
    names = it.names(it.whole)
    first = it.low(start)
    roles, origins = it.says((start, min(end, start + 30)))
    full = bool(names) and len(names[0].words) > 1 and names[0].first == start + 1
    if first == "another" and (roles or full or NAMED.search(it.text)):
        kind = "name" if names else "description"
        mention = names[-1] if names else None
        return cues_of(kind, "another", "presented", mention=mention, roles=roles)
    if not names or names[0].first > start + 1 or names[0].possessive or first in _ONCE:
        opens = first in {"a", "an", "the", "one"} or is_demonym(first) or is_role(first)
        opens = opens or first in _ONCE
        opens = opens and bool(roles)
        years = life_years(it.text)
        return cues_of("other", roles=roles, origins=origins, years=years, opens=opens)
    mention = names[0]
    rest = it.body[it.tokens[mention.last - 1].end : it.tokens[end - 1].end]
    opened = re.match(r"\s*(?:[,:–—-]|\()", rest)
    the = it.low(mention.last) == "the" and epithet_in(it, (mention.last, end))
    opened = opened or (re.match(r"\s*the\b", rest) if the else None)  # "Ann Lee the harpist"
    field = _FIELD.fullmatch(rest)  # "Ann Lee, music": a line of its own
    if field and it.opens and len(mention.words) > 1 and not roles:
        return cues_of("name", "qualified", mention=mention, qualifier=field[1])
    nation = it.low(mention.last) in {",", "–", "—", "-"} and is_demonym(it.low(mention.last + 1))
    bracket = re.match(r"\s*\([^)]*\)(?=\s+\w)", rest)  # "Mills College (Oakland) from 1861"
    years = life_years(bracket.group() if bracket else rest[:70]) if opened else (None, None)
    return cues_of(
        "name",
        presented=bool(opened) and (bool(roles) or years[0] is not None),
        apposed=bool(opened) and bool(roles),
        opened=bool(opened)
        and (it.opens or it.before.rstrip().endswith((":", ";")))
        and len(mention.words) > 1,
        dated=years[0] is not None,
        heading=_nothing_said(rest),
        of_a_nation=nation,
        mention=mention,
        roles=roles,
        origins=origins,
        years=years,
    )


_FIELD = re.compile(r", ([a-z]+(?: [a-z]+){0,2})\s*")


def _nothing_said(rest: str) -> bool:
    """Whether nothing but a bracket follows a name."""
    bracket = re.match(r"\s*\([^)]*\)", rest)
    return not (rest[bracket.end() :] if bracket else rest).strip(" .:*")


def _as_item(it: View, found: Cues) -> Cues:
    """A list item or heading that opens with a name presents that person."""
    start, end = it.whole
    names = it.names((start, min(end, start + 10)))
    if not names or names[0].first > start + 1 or len(names[0].words) < 2:
        return replace(found, names=found.names | {"item"})
    mention = names[0]
    rest = it.body[it.tokens[mention.last - 1].end :].lstrip("* ")
    if rest.strip(" .:") and rest[0] not in ":–—-(,":
        return replace(found, names=found.names | {"item"})
    roles, origins = it.says((mention.last, end))
    if found.roles and it.clause.verb >= 0:
        roles, origins = set(found.roles), set(found.origins)
    years = life_years(rest[:70])
    return cues_of(
        *(found.names - {"owner", "description", "other", "definite", "heading"}),
        *(["qualified"] if _qualifier(rest) else []),
        "name",
        "item",
        "presented",
        "apposed",
        another=bool(roles) or years[0] is not None,
        dated=years[0] is not None,
        heading=_nothing_said(rest),
        mention=mention,
        ordinal=found.ordinal,
        roles=roles or found.roles,
        origins=origins or found.origins,
        years=years,
        aliases=found.aliases,
        epithet=_cells(rest) if it.line.kind == "row" else found.epithet,
        qualifier=_qualifier(rest),
    )


def _cells(rest: str) -> frozenset[str]:
    """What the cells of a row say behind the name; rows of one person share one."""
    return frozenset(cell.strip().lower() for cell in rest.split(" ,") if cell.strip(" -–—,."))


def _qualifier(rest: str) -> str:
    """What a heading puts behind the name: "judge" of "X (judge)" and "X – Judge"."""
    words = rest.strip(" *:.").lower()
    return words.strip("()–—- ") if words[:1] in {"(", "–", "—", "-"} else ""
