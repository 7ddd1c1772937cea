"""Sentences that say which person the next words are about: conditions and sources."""

from __future__ import annotations

import re
from functools import lru_cache

from dfactscore._text.people_words import (
    ARTICLE,
    OF_A_PERSON,
    bare_name,
    head_of,
    heading_of,
    in_small_letters,
    is_role_phrase,
    name_pattern,
    thing_of,
)
from dfactscore._text.role_words import go_together, is_role
from dfactscore._text.sentences import VERB

_YOU = (
    r"(?:you(?:['’]re|['’]d|\s+are|\s+were|\s+do|\s+would)?|your\s+(?:question|"
    r"query|interest)(?:\s+is)?|the\s+question|it(?=['’\s])|this|one)"
)


_MEANS = (
    r"(?:['’]s|(?:\s*,?\s*(?:however|instead|rather|actually|really|perhaps|by\s+any\s+chance)\s*,?)?\s*"
    r"(?:mean|meant|means|meaning|refer|refers|referring|ask|asks|asking|want|"
    r"wanted|like|look|looking|search|searching|concerns?|regards?|"
    r"inquiring|interested|thinking|talking|speak|speaking|have|had|seek|seeking|"
    r"need|is|are|was|were|curious|wish|hop(?:e|ing))"
    r"(?:\s+(?:to|for|about|of|in|mind|after|on|know|learn|more|hear|read|find|seeking))*)"
)


# The opening of a sentence that names the person of the main clause
_ADDRESS = re.compile(
    rf"(?P<before>(?:^|(?<=[.!?;:\n])[^\S\n]*))(?P<opens>(?:[-*•]\s+)?(?:(?:and|"
    rf"but|or|otherwise|alternatively|however|conversely|on\s+the\s+other\s+"
    rf"hand|similarly)\s*,?\s+)?"
    rf"(?:(?P<you>(?:(?:if|in\s+case|should|were|assuming(?:\s+that)?|suppos(?:e|ing)|provided(?:\s+"
    rf"that)?|in\s+the\s+event\s+that|on\s+the\s+assumption\s+that|when)(?:,\s[^,.;:\n]{{2,30}},)?\s+"
    rf"(?:instead\s*,?\s*)?{_YOU}|(?:are|were|do|did)\s+you){_MEANS}"
    r"|(?:looking|searching)\s+for|interested\s+in|or(?=\s+the\s[^?.\n]{2,60}\?))"
    r"|(?P<as>as\s+(?:for|to|regards)|regarding|concerning|with\s+(?:regard|"
    r"respect)\s+to|in\s+the\s+case\s+of|turning\s+to|for(?=[^:,.\n]{3,60}:)"
    r"|when\s+it\s+comes\s+to|speaking\s+of|about|on)))"
    r"\s+(?P<who>(?:[^,:;.!?\n(]|\([^()\n]*\)|,\s+(?:the|an?)\s+(?:[\w’'-]+"
    r"\s+){0,4}?[\w’'-]+(?=,)|(?<=\b[A-Z])\.|(?<=Dr)\.){2,90})(?P<sep>,(?:\s+"
    r"then)?|:|\?|\s+then|\s[–—-])\s+(?:(?:the|my)\s+answer\s+is(?:\s+that)?\s+"
    r")?",
    re.IGNORECASE | re.MULTILINE,
)


def _who(phrase: str, name: str, *, asked: bool = False) -> str | None:
    """Returns the qualifier in "the botanist", "Ann Lee the botanist", "Ann Lee (botanist)"."""
    phrase = phrase.strip(" ,*_\"“”'")
    bracket = re.search(r"\(([^()]*)\)", phrase)
    named = re.search(name_pattern(name), phrase, re.IGNORECASE)
    if bracket is not None and named is not None:
        return in_small_letters(bracket[1]) if is_role_phrase(bracket[1]) else bracket[1].strip()
    rest = re.sub(name_pattern(name), " ", phrase, flags=re.IGNORECASE).strip(" ,")
    rest = re.sub(r"(?<!\s)\s+(?:named|called)$", "", rest)
    rest = re.sub(r"^who\s+(?:is|was)\s+", "", rest)
    plain = ARTICLE.sub("", rest)
    if re.search(r"\sor\s", plain) and is_role_phrase(plain.split(" or ")[-1]):
        return None
    if is_role_phrase(plain) and (plain != rest or named is not None):
        return in_small_letters(plain)
    if (
        asked
        and rest[:4].lower() == "the "
        and re.fullmatch(r"(?:[\w’'-]+\s+){0,4}[a-z][\w’'-]+", plain)
    ):
        return in_small_letters(plain)
    if named is not None and re.match(r"(?:the\s+one|who|born|from)\b", rest):
        return in_small_letters(plain.removeprefix("one ").strip()) or None
    return plain if plain != rest and thing_of(plain) else None


# "If the painter is the one you have in mind, she", "The painter, if that is who you mean, sang"
_BACKWARDS = re.compile(
    r"\b(?P<cleft>if)\s+it(?:['’]s|\s+is)\s+(?P<one>the\s[^,.;:\n]{2,60}?)\s+(?:that\s+|who\s+)?you\b[^,.;:\n]{2,40}"
    r"(?=[,:])|\b(?P<if>if)\s+(?P<who>(?:the|this)\s[^,.;:\n]{2,60}?)\s+(?:is|was)\s+(?:the\s+(?:one|person|man|"
    r"woman)|who|what)\s+you\s[^,.;:\n]{2,40}(?=[,:])",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?P<who>\b[Tt]he\s[^,.;:\n]{2,60}?),\s+if\s+(?:that|this|it)\s+(?:is|was)\s+(?:who|what|the\s+one|"
    r"the\s+person)\s+you\s[^,.;:\n]{2,40},\s+"
)
# Sentences that say that several are meant, so that "the painter" afterwards is one of them
_PEOPLE = (
    r"(?:people|persons|men|women|individuals|namesakes|figures|candidates|possibilities|answers|matches|"
    r"entries|results|called|named|(?:with|of|by|who)\b[^.?\n]{0,30}\bname)"
)
SEVERAL = re.compile(
    r"\bwhich\b[^.?\n]{0,60}\b(?:you|meant|asked)\b|\b(?:unclear|not\s+clear|ambiguous|depends?)\b[^.?\n]{0,20}"
    r"\b(?:which|who|what)\b|\b(?:bears?|shares?|shared|borne|belongs)\b[^.?\n]{0,30}\b(?:name|by|to)\b|"
    r"\b(?:several|multiple|many|different|two|three|four|five|\d|more\s+than\s+one)\s+(?:\w+\s+){0,2}?"
    rf"{_PEOPLE}\b|\balso\s+(?:named|called)\b|\bsame\s+name\b",
    re.IGNORECASE,
)


_COUNT = (
    r"(?:several|multiple|many|various|different|numerous|two|three|four|five|six|\d|a\s+few|"
    r"a\s+couple\s+of|a\s+number\s+of|(?:at\s+least|more\s+than)\s+\w+)"
)


@lru_cache(maxsize=64)
def _telling(name: str) -> re.Pattern[str]:
    """Returns the pattern of a phrase that says that several bear the name."""
    named = rf"[*_\"“']*{name_pattern(name)}[*_\"”']*"
    names = rf"[*_\"“']*{name_pattern(name, plural=True)}"
    naming = r"(?:named|called|known\s+as|with|shar\w+|bear\w*|by\s+the\s+name(?:\s+of)?)"
    forms = (
        rf"{named}(?:\s+\([^()]*\))?\s+(?:may|might|can|could)(?:\s+also)?\s+(?:refer|mean|denote|"
        r"be\s*(?::|(?:one|any|either|the\s+name|a\s+reference)\b))",
        rf"{named}\s+(?:refers\s+to|(?:is|was)\s+(?:an?\s+)?(?:ambiguous|common)\b)",
        rf"{named}\s+(?:is|was|has\s+been)\s+(?:also\s+)?(?:(?:the|a)\s+(?:\w+\s+)?(?:name|title)\s+)?"
        r"(?:(?<=name\s|itle\s)(?:of|for)|(?:borne|shared)\b)",
        rf"\b(?:name|title)\s+(?:of\s+)?{named}\s[^.\n]{{0,40}}\b(?:shared|borne|refers?|belongs?|used|by|to)\b",
        rf"\b{_COUNT}\s+(?:[\w-]+\s+){{0,5}}?{naming}\s[^.\n]{{0,40}}?(?:name\b|{names})",
        rf"\b(?:which|(?:just|only|more\s+than|not)\s+one|people|persons|{_COUNT})\s+(?:\w+\s+)?{names}",
        rf"{named}\s*[:–—-]\s*(?:there\s+are\s+)?{_COUNT}\b",
        rf"{named}[^.?!\n]{{1,60}}\bor\s[^.?!\n]{{0,60}}{named}[^.?!\n]{{0,60}}\?",
        r"\b(?:people|persons|men|women|individuals)\s+share\b",
        rf"^\W*(?:there\s+are|i\s+(?:found|know|see)|here\s+are|{named}\s+has)\s+{_COUNT}\s+(?:\w+\s+)?"
        r"(?:answers|matches|possibilities|meanings|results|entries|articles)\b",
    )
    return re.compile("|".join(forms), re.IGNORECASE | re.MULTILINE)


def tells_several(text: str, name: str) -> re.Match[str] | None:
    """Finds a phrase that says that several people or things bear the name."""
    return _telling(name).search(text)


def told_before(text: str, name: str) -> bool:
    """Whether a text says that several are meant, by the name or without it."""
    loose = SEVERAL.search(text)
    of_others = loose is not None and re.search(r"^(?!also).*\b(?:named|called)$", loose[0], re.I)
    return tells_several(text, name) is not None or (loose is not None and not of_others)


def _definite(text: str, name: str) -> list[tuple[re.Match[str], str]]:
    """Finds sentences that begin with the role of one of several: "The painter, however, sang"."""
    named = name_pattern(name)
    pattern = re.compile(
        rf"(?:^|(?<=[.!?;:\n])[^\S\n]*|(?<=,)[^\S\n]+(?=and\s|while\s|whereas\s|but\s))(?P<opens>(?:[-*•]\s+)?"
        rf"(?:(?:and|or|but|while|whereas|meanwhile,|however,|by\s+contrast,)\s+)?the)\s+"
        rf"(?P<who>(?:[\w’'-]+\s+){{0,4}}?[\w’'-]+)(?:,?\s+(?:(?:also|likewise)\s+(?:named|called)\s+)?{named},?)?(?:\s+of\s+(?:the\s+same|that|this)\s+name)?"
        r"(?P<sep>,\s+(?:on\s+the\s+other\s+hand|meanwhile|(?:by|in)\s+contrast|however|for\s+\w+\s+part|though|"
        rf"too|instead),)?\s+(?P<you>(?!))?(?={named}|{VERB}\b|[a-z]{{2,}}s\s(?!of\b))",
        re.IGNORECASE | re.MULTILINE,
    )
    several = re.search(r"\b(?:things|places|works|entries|meanings)\b", text) is not None
    found = []
    for match in pattern.finditer(text):
        who = match["who"]
        if who.lower().endswith(("name", "answer", "question")):
            continue
        if is_role_phrase(who) or (thing_of(who) and (several or " " in who.strip())):
            found.append((match, in_small_letters(who)))
    return found


def _kind(who: str) -> str:
    """Returns the noun of a role, or all words of another phrase: "1931 film"."""
    return who.casefold() if thing_of(who) else head_of(who) or who


def _one_person(one: str, other: str) -> bool:
    return is_role(one) and is_role(other) and go_together({one}, {other})


def addressed(text: str, name: str) -> str:
    """Begins a person at each condition to the reader: "If you mean the painter, she ..."."""
    if re.search(r"\byou\b", text):
        text = _BACKWARDS.sub(
            lambda m: f"{m['if'] or m['cleft']} you mean {m['who'] or m['one']}", text
        )
        text = _ASIDE.sub(lambda m: f"If you mean {m['who'].lower()}, {bare_name(name)} ", text)
        text = re.sub(rf"\bby\s+{name_pattern(name)}\s+you\b", "you", text, flags=re.IGNORECASE)
    found = [
        (m, who)
        for m in _ADDRESS.finditer(text)
        if (who := _who(m["who"], name, asked=bool(m["you"]))) is not None
    ]
    conditions = sum(m["you"] is not None for m, _ in found)
    if conditions or told_before(text, name):
        taken = [(m.start(), m.end()) for m, _ in found]
        definite = [
            (m, who)
            for m, who in _definite(text, name)
            if not any(a < m.end() and m.start("opens") < b for a, b in taken)
        ]
        kinds = {_kind(who) for _, who in [*found, *definite]}
        if len(kinds) > 1 and not any(_one_person(a, b) for a in kinds for b in kinds if a != b):
            found = sorted([*found, *definite], key=lambda pair: pair[0].start())
            conditions += len(definite)
            if definite and (lead := _DEPENDS.search(text)) and lead.end() <= found[0][0].end():
                at = max(lead.end(), 0)
                blank = re.sub(r"\S", " ", text[lead.start() : min(at, found[0][0].start("opens"))])
                text = text[: lead.start()] + blank + text[lead.start() + len(blank) :]
    if OF_A_PERSON.search(text):  # "As for the film, she won a prize for it"
        found = [
            (m, who)
            for m, who in found
            if m["you"] or "same name" in m["who"] or not thing_of(who) or is_role_phrase(who)
        ]
    conditions += len({_kind(who) for m, who in found if m["you"] is None}) > 1
    heads: list[str] = []
    pieces: list[str] = []
    last = 0
    for match, who in found:
        named = re.search(rf"{name_pattern(name)}|same name", match["who"], re.I) is not None
        if match["you"] is None and not named and not conditions and not heads:
            continue
        head = _kind(who)
        stated = rf"\b(?:is|was)\s+(?:an?|the)\b[^.;]{{0,80}}?\b{re.escape(head)}\b"
        pieces.append(text[last : match.start("opens")].rstrip(" "))
        last = match.end()
        rest = text[last:]
        is_definite = match.re is not _ADDRESS
        known = head in heads or (
            match["you"] is None and not is_definite and re.search(stated, text[: match.start()])
        )
        if known:
            subject = re.match(rf"(?:s?he|they|it|{name_pattern(name)})\s+", rest, re.IGNORECASE)
            if subject is not None:
                last += subject.end()
            told = subject is not None or is_definite
            pieces.append(f" The {who} {bare_name(name)} " if told else " ")
            continue
        heads.append(head)
        again = re.search(stated, rest.split(".")[0])
        gap = "\n" if "".join(pieces).strip() and not "".join(pieces).endswith("\n") else ""
        pieces.append(f"{gap}{heading_of(bare_name(name), '' if again else who)}\n")
        if is_definite and not re.match(name_pattern(name), rest, re.I):
            pieces.append(f"{bare_name(name)} ")
        elif (start := re.match(r"[*_\"“]*\w", rest)) is not None:
            pieces.append(start[0].upper())
            last += start.end()
    if not pieces:
        return text
    return "".join([*pieces, text[last:]])


_DEPENDS = re.compile(
    r"(?:which|who)\s+[^.?\n]{2,80}\b(?:you|meant|this)\b[^.?\n]{0,40}\?\s*|"
    r"(?:(?:the|my)\s+(?:answer|response)|(?:it|that|this)(?:\s+all)?)\s+(?:really\s+"
    r")?(?:depends?|would\s+depend|will\s+depend)\s+(?:up)?on\s+[^:.\n]{3,120}[:.]\s*",
    re.IGNORECASE,
)


DESCRIBES = (
    r"(?:also\s+|instead\s+)?"
    r"(?:is\s+(?:about|on)|describes|discusses|covers|profiles|introduces|"
    r"concerns|presents|talks\s+about|deals\s+with|"
    r"refers\s+to|mentions|focuses\s+on|features)\s+(?:(?:another|a\s+different)\s+person,\s+)?"
)
# "Document 2 is about a cricketer named Ann Lee."
_SOURCE = (
    r"(?P<open>^|(?<=[.!?] )|(?<=[.!?])[^\S\n]+|(?<=\n))(?:(?:the|in)\s+)?(?:(?:first|"
    r"second|third|fourth|fifth|other|next|last|final)\s+)?"
    r"(?:document|passage|source|article|result|page|entry|text)\s*[\[(#]?\d{0,2}[\])]?\s+"
    rf"{DESCRIBES}"
)


def of_sources(text: str, name: str) -> str:
    """Begins a person at each sentence that says who a source is about."""
    named = name_pattern(name)
    text = re.sub(
        rf"(?<=\S\s)the\s+({named})\s+(?:mentioned|described|discussed|named|found|profiled)\s+in\s+"
        r"(?:\[[^\]\n]{1,30}\]|(?:document|source|passage|result)\s\d+)",
        r"Another \1",
        text,
        flags=re.IGNORECASE,
    )
    pattern = re.compile(
        _SOURCE + rf"(?:(?:an?|the|another)\s+(?P<role>(?:[\w’'-]+\s+){{0,5}}?[\w’'-]+"
        rf")\s+(?:(?:who\s+is\s+)?(?:named|called)\s+|by\s+the\s+name\s+of\s+"
        rf")?{named}"
        rf"|{named},\s+(?:an?|the|another)\s+(?P<behind>(?:[\w’'-]+\s+){{0,5}}?[\w’'-]+"
        rf"))(?P<sep>\s*[.,;]\s*|\s+who\s+|\s+(?=from|of|in)|$)",
        re.IGNORECASE,
    )
    found = [
        (m, role)
        for m in pattern.finditer(text)
        if is_role_phrase(role := m["role"] or m["behind"] or "")
    ]
    if len({head_of(role) for _, role in found}) < 2:
        return text
    bare = bare_name(name)
    pieces: list[str] = []
    last = 0
    for match, role in found:
        before = text[last : match.start()].rstrip(" ")
        gap = "\n" if (pieces or before) and not before.endswith("\n") else ""
        rest = text[match.end() :]
        goes_on = match["sep"].strip() in {"who", ",", ""} and rest[:1].islower()
        if goes_on and (skip := re.match(r"(?:and\s+|but\s+)?(?:who|s?he|they)\s+", rest)):
            last = match.end() + skip.end()
            subject = f"{bare} "
        else:
            last = match.end()
            subject = (
                f"{bare} " if match["sep"].strip() == "who" else f"{bare} is " if goes_on else ""
            )
        pieces.append(f"{before}{gap}{heading_of(bare, in_small_letters(role))}\n{subject}")
    return "".join([*pieces, text[last:]])
