"""Sentences about several people: enumerations, contrasts, qualified names."""

from __future__ import annotations

import re

from dfactscore._text.block_conditions import DESCRIBES, tells_several, told_before
from dfactscore._text.block_headings import opening_at
from dfactscore._text.people_words import (
    ARTICLE,
    OF_A_PERSON,
    bare_name,
    ended,
    head_of,
    heading_of,
    indefinite,
    is_role_phrase,
    name_pattern,
    thing_of,
)
from dfactscore._text.role_words import is_role
from dfactscore._text.sentences import VERB

# "(1) ... (2) ...", "(a) ... or (b) ...", "(i) ...; (ii) ..." inside a line
_INLINE = re.compile(r"(?:^|(?<=[\s:;,]))\(?(?P<n>\d|[a-e]|i{1,3}|iv|v)\)\s+", re.MULTILINE)


_LINE_MARK = re.compile(r"[^\S\n]*\((?P<n>\d|[a-e]|i{1,3}|iv|v)\)\s+")
_LISTED_THING = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+(?P<what>(?:[Aa]n?|[Tt]he)\s\S.*)")
_SERIES = ("12345", "abcde")


_ROMAN = ("i", "ii", "iii", "iv", "v")


_JOINT = re.compile(r"[\s,;]*(?:\b(?:and|or|as well as)\b)?\s*$")


def _series(line: str) -> list[re.Match[str]]:
    found = list(_INLINE.finditer(line))
    marks = [m["n"] for m in found]
    known = (list(_SERIES[0]), list(_SERIES[1]), list(_ROMAN))
    return found if len(marks) > 1 and any(marks == k[: len(marks)] for k in known) else []


_REFERS = (
    r"(?:(?:(?:may|might|can|could|(?:most\s+)?(?:usually|often|generally|likely))\s+(?:also\s+)?(?:means?|denotes?|"
    r"refers?\s+to|be(?:\s+(?:the\s+name\s+of|about|asking\s+about|thinking\s+of|looking\s+for|referring\s+to|"
    r"interested\s+in))?)|refers\s+to|(?:is|was)\s+(?:(?:the|a)\s+name\s+)?(?:of|shared\s+by|borne\s+by)|is|"
    r"(?:are|include)|(?=:))\s*(?::|either|any of(?: the following)?:?|one of:?)?\s*(?:to\s+)?)"
)


_OR = re.compile(
    r"(?<!\s)(?:(?:\s*[,;])?\s+(?:or|and)|\s*[,;])\s+(?:(?:to|about|of|for|by)\s+)?(?=(?:the|an?)\s+\w)",
    re.I,
)


def enumerated(text: str, name: str) -> str:
    """Gives each person of an enumeration in a sentence a heading and a sentence."""
    if not re.search(r"\b(?:refers?|mean|denote|be|is|was|were|are)\b|\([1ai]\)|:\s", text):
        return text
    lines = text.split("\n")
    marked = [(i, m) for i, line in enumerate(lines) if (m := _LINE_MARK.match(line)) is not None]
    marks = [m["n"] for _, m in marked]
    if len(marks) > 1 and any(marks == [*known][: len(marks)] for known in (*_SERIES, _ROMAN)):
        for number, (i, m) in enumerate(marked, 1):
            lines[i] = f"{number}. {lines[i][m.end() :]}"
    listed = [m["what"] for line in lines[1:] if (m := _LISTED_THING.fullmatch(line)) is not None]
    rest = [line for line in lines[1:] if line.strip()]
    if len(listed) == len(rest) > 1 and re.fullmatch(rf"\W*{name_pattern(name)}\W*:\W*", lines[0]):
        kinds = [re.split(r"\b(?:that|which|\w+ed)\b", what)[0] for what in listed]
        if all(map(thing_of, kinds)):
            bare = bare_name(name)
            pairs = ((heading_of(bare), f"{bare} is {indefinite(what)}") for what in listed)
            return "\n".join(line for pair in pairs for line in pair)
    output = []
    for line in lines:
        output += _enumeration(line, name)
    return "\n".join(output)


def _enumeration(line: str, name: str) -> list[str]:
    named = name_pattern(name)
    series = _series(line)
    opened = re.match(
        rf"(?P<lead>.{{0,80}}?(?:{named}|\byou|\byour\s+question|\b(?:bearers|holders|namesakes))[^.:;]{{0,30}}?(?:\s|(?=:))){_REFERS}(?P<rest>.*)$",
        line,
        re.IGNORECASE,
    )
    depends = re.match(
        rf"depending\s+on\s+[^,.]{{3,80}},\s+{named}\s+(?:is|was|may\s+be|could\s+"
        rf"be|may\s+refer\s+to|refers\s+to|can\s+be)\s+(?:either\s+)?(?P<rest>.*)"
        rf"$",
        line,
        re.IGNORECASE,
    )
    if series:
        lead = line[: series[0].start()].strip()
        ends = [*(m.start() for m in series[1:]), len(line)]
        items = [_JOINT.sub("", line[m.end() : end]) for m, end in zip(series, ends, strict=True)]
        about = opened is not None or (
            lead.endswith((":", "=", "–", "—"))
            and re.search(rf"{named}|\b(?:refers?|mean)\b", lead, re.I) is not None
        )
        if not about and lead:
            return [line]
        if not about:
            return [f"{i}. {item}" for i, item in enumerate(items, 1)]
    elif opened is not None or depends is not None:
        found = depends or opened
        assert found is not None
        lead = line[: found.start("rest")]
        several = tells_several(lead, name) is not None
        bearers = re.search(r"\b(?:bearers|holders|namesakes)\b", lead, re.IGNORECASE)
        strong = (
            several
            or bearers
            or depends
            or re.search(r"\b(?:may|might|can|could|either)\b", lead, re.I)
        )
        rest, _, after = found["rest"].partition(". ")
        may_be = re.search(r"\bbe\s+(?:either\s+)?$", lead)
        if may_be and re.search(r"\bbut\b.*\b(?:his|her|s?he)\b", rest):
            return [line]
        if not strong or not re.match(r"(?:the|an?)\s", rest, re.I):
            return [line]
        items = _OR.split(rest)
        any_joint = bearers or (several and re.search(r"\bby\s|\d|named|people", lead))
        if len(items) < 2 or not (any_joint or re.search(r"\bor\b|\band\s+to\b|;", rest)):
            return [line]
        heads = [head_of(ARTICLE.sub("", re.split(r"[,.]|\bwho\b", item)[0])) for item in items]
        if any(map(is_role, heads)) and not all(heads):
            return [line]
        if any_joint and not all(heads):
            return [line]
        if any(head and re.search(rf"\b[Tt]he\s+(?:\w+\s+)?{head}\b", after) for head in heads):
            for head, item in zip(heads, items, strict=True):
                phrase = ARTICLE.sub("", item.rstrip(" .,"))
                if is_role_phrase(phrase) and phrase.endswith(head):
                    after = re.sub(rf"\b(The|the)\s+{head}\b", rf"\1 {phrase}", after, count=1)
            return [f"Several people are named {bare_name(name)}. {after}"]
        items[-1:] = [items[-1].rstrip() + ("." if after else "")]
        if after:
            items[-1] += " " + after
    else:
        return [line]
    output = []
    for item in items:
        words = re.sub(rf"(?<!\s)\s+{named}(?=,|\s+who)", "", item.strip().rstrip(",;"), flags=re.I)
        output += [heading_of(bare_name(name)), f"{bare_name(name)} is {indefinite(ended(words))}"]
    return output


def qualified(text: str, name: str) -> str:
    """Begins a thing at each qualified name that opens a sentence: "Elm, Ohio is"."""
    opens = re.compile(
        rf"(?:^|(?<=[.!?])[^\S\n]+)(?P<mark>(?:[-*•][^\S\n]+)?)(?P<name>{name_pattern(name)}(?:\s*"
        rf"\((?P"
        rf"<b>[^()\n]{{1,60}})\)|,[^\S\n]+"
        rf"(?P<p>(?-i:[A-Z])[\w.'’ -]{{1,30}}?(?:,\s(?-i:[A-Z])[\w.'’ -]{{1,30}}?)?)"
        rf",?(?=\s+(?:is|was|has|lies)\b)|\s+(?:in|near|of)\s+(?P<l>(?-i:[A-Z])[\w'’-]+"
        rf"(?:\s(?-i:[A-Z])[\w'’-]+)?)(?=\s+(?:is|was|has|lies|covers|had)\b)"
        rf"|,\s+(?P<a>an?\s[^,.\n]{{3,60}}),(?=\s+{VERB}\b)))",
        re.IGNORECASE | re.MULTILINE,
    )
    in_place = re.compile(
        rf"(?:^|(?<=[.!?])[^\S\n]+|(?<=\n))In\s+(?P<place>[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?),\s+(?P<name>{name_pattern(name)})"
        r"\s+(?=(?:is|was)\s+(?P<what>an?\s[^,.\n]{3,60}))"
    )
    places = [*in_place.finditer(text)]
    things = all(thing_of(re.split(r"\s(?:that|which|\w+ed)\b", m["what"])[0]) for m in places)
    if things and len({m["place"] for m in places}) > 1:
        text = in_place.sub(lambda m: f"\n{m['name']}, {m['place']} ", text).lstrip("\n")
    found = [
        (m, (m["b"] or m["p"] or m["l"] or ARTICLE.sub("", m["a"])).strip())
        for m in opens.finditer(text)
        if not m["a"] or (thing_of(m["a"]) and not OF_A_PERSON.search(text))
    ]
    kinds = {q.casefold() for _, q in found}
    if len(kinds) < 2 or any(
        is_role_phrase(q) or re.search(r"\d{3}\s*[–-]\s*\d|born|died", q) for q in kinds
    ):
        return text
    if any(opening_at(0, line, name) for line in text.split("\n")):
        return text
    pieces: list[str] = []
    last = 0
    current = ""
    for match, qualifier in found:
        if qualifier.casefold() == current:
            continue
        current = qualifier.casefold()
        before = text[last : match.start()].rstrip(" ")
        gap = "" if not (pieces or before) or before.endswith("\n") else "\n"
        pieces.append(f"{before}{gap}{heading_of(bare_name(name), qualifier)}\n")
        last = match.start("mark")
    return "".join([*pieces, text[last:]])


_CONTRAST = (
    r"(?:\s*[,;]\s*(?:while|whereas|whilst|but|and|though)\s+|\s+(?:while|whereas|"
    r"whilst)\s+|\s*;\s*(?:by\s+contrast,\s+|in\s+contrast,\s+|however,\s+)?|"
    r"\s*,?\s+(?:and|but)\s+)"
)


_THERE = r"(?P<there>(?:[\w ]{2,20},\s+)?there(?:['’]s|\s+is|\s+are)\s+)"


def contrasted(text: str, name: str) -> str:
    """Splits a sentence that tells people apart: "A (painter) is ..., while A (rower) is ..."."""
    if not re.search(r"\b(?:while|whereas|whilst|but|and)\b|;", text, re.I):
        return text
    named = name_pattern(name)
    who = (
        rf"(?:{named}\s*\((?P<b@>[^()\n]{{1,60}})\)|{named},\s+(?P<p@>(?-i:[A-Z])"
        rf"[\w.'’ -]{{1,30}}?)(?:,|(?=\s+(?:is|was|has|lies)\b))"
        rf"|{named},?\s+(?:the|an?)\s+(?P<a@>(?:[\w’'-]+\s+){{0,4}}?[\w’'-]+)(?=[\s,])"
        rf"|the\s+(?P<r@>(?:[\w’'-]+\s+){{0,4}}?[\w’'-]+),?\s+{named})"
    )
    first = re.compile(
        rf"(?P<open>(?:^|(?<=[.!?\n])\s*|(?<=\n))(?:[-*•]\s+)?{_THERE}?)(?P<while>(?:while|"
        rf"whereas|although)\s+)?(?P<one>{who.replace('@', '1')}(?P<said>[^\n]{{2,500}}?)"
        rf")"
        rf"(?P<joint>{_CONTRAST}|,\s+)(?P<two>{who.replace('@', '2')})(?=[\s,])",
        re.IGNORECASE,
    )
    for _ in range(12):
        found = next((m for m in first.finditer(text) if _is_contrast(m)), None)
        if found is None:
            break
        one, two = found["one"], found["two"]
        rest = text[found.end() :]
        opens = found["open"]
        if found["there"]:  # "There's Ann Lee the nun, who sang, and Ann Lee the poet, who wrote"
            opens = opens.removesuffix(found["there"])
            one, rest = re.sub(r",\s+who\b", "", one, count=1), re.sub(r"^,\s+who\b", "", rest)
        text = (
            text[: found.start()]
            + opens
            + one[0].upper()
            + one[1:]
            + ".\n"
            + two[0].upper()
            + two[1:]
            + rest
        )
    return _with_longer_names(text, name)


def _with_longer_names(text: str, name: str) -> str:
    """Splits "Elm is a town, while Elm Park (county) is a forest": the other name is longer."""
    pattern = re.compile(
        rf"(?P<open>^|(?<=[.!?\n])\s+)(?P<one>{name_pattern(name)}(?:\s*\([^()\n]{{1,60}}\))?\s+(?:is|was)\s"
        r"[^\n]{3,400}?)\s?,?\s+(?:while|whereas|whilst)\s+(?P<two>(?-i:[A-Z])[^;()\n]{1,60}?)"
        r"(?:\s*\((?P<q>[^()\n]{1,60})\))?\s+(?=(?:is|was)\s+(?:an?|the)\s)",
        re.IGNORECASE | re.MULTILINE,
    )
    words = {word.casefold()[:3] for word in bare_name(name).split() if len(word) > 2}

    def split(match: re.Match[str]) -> str:
        two = match["two"]
        theirs = {word.casefold()[:3] for word in two.split()}
        shared = words & theirs if match["q"] else theirs > words and words
        if not shared or re.search(r"[.!?]\s+[A-Z]", match["one"][len(name) :]):
            return match[0]
        gap = match["open"] if "\n" in match["open"] or not match["open"] else "\n"
        heads = [heading_of(bare_name(name)), heading_of(two, match["q"] or "")]
        return f"{gap}{heads[0]}\n{match['one']}.\n{heads[1]}\n{two} "

    return pattern.sub(split, text)


def _is_contrast(found: re.Match[str]) -> bool:
    parts = found.groupdict()
    keys = [next(k for k in "bpar" if parts[f"{k}{n}"]) for n in "12"]
    if keys[0] != keys[1] and not set(keys) <= {"a", "r", "b"}:
        return False
    if re.search(r"[.!?]\s+(?-i:[A-Z])", parts["said"]):
        return False
    plain = found["joint"].strip() == ","
    if plain and not parts["while"]:
        return False
    if parts["while"] and not plain:
        return False
    one, two = (parts[f"{k}{n}"].strip().casefold() for k, n in zip(keys, "12", strict=True))
    if one == two:
        return False
    phrases = [w for k, w in zip(keys, (one, two), strict=True) if k in "ar"]
    return not phrases or (
        all(map(is_role_phrase, phrases)) and any(is_role(head_of(w)) for w in (one, two))
    )


def one_and_other(text: str, name: str) -> str:
    """Repeats the name in "One Ann Lee sang; the other danced"."""
    if not re.search(r"\b(?:one|first|former)\b", text, re.I):
        return text
    named = name_pattern(name)
    pattern = re.compile(
        rf"(?P<open>^|(?<=[.!?:\n])\s*)(?P<of>of\s+(?:the\s+|these\s+)?(?:two|"
        rf"both|\w+)\s[^,.]{{0,60}},\s+)?(?P<one>one|the\s+(?:first|former)|my\s+first)(?P<name>\s+"
        rf"(?:{named}|match|result|hit|candidate|guess|possibility|person))?\s+(?P<said>(?={VERB}\b)[^.;\n]{{3,300}}?)"
        rf"(?P<joint>[.;,]\s*(?:and\s+|while\s+|whereas\s+|but\s+)?|\s+(?:and|"
        rf"while|whereas|but)\s+)(?P<two>another|(?:the|a|my)\s+(?:other|second|latter)"
        rf")(?P<again>\s+(?:one|{named}|match|result|hit|candidate|guess|possibility|person))?\s+(?={VERB}\b|[a-z]{{2,}}s\s)",
        re.IGNORECASE | re.MULTILINE,
    )
    text = re.sub(r",\s+the\s+latter\b", "; the latter", _ordered(text, name))
    bare = bare_name(name)
    counted = re.compile(
        rf"\b(?:two|three|four|several|both)\s+{re.escape(bare)}e?s?\b", re.IGNORECASE
    )

    def split(match: re.Match[str]) -> str:
        again = (match["again"] or "").strip().lower()
        inside = re.search(rf"(?<!\s),?\s+(?:named|called)\s+{named}", match["said"], re.I)
        of = re.search(named, match["of"] or "", re.I)
        told = told_before(text[: match.start()], name) or counted.search(text, 0, match.start())
        if (
            not match["name"]
            and again in {"", "one"}
            and inside is None
            and of is None
            and not told
        ):
            return match[0]
        same = re.fullmatch(named, again, re.IGNORECASE)
        if match["name"] and same and match["joint"].strip() == ".":
            return match[0]
        said = match["said"].rstrip(",")
        if inside is not None:
            said = said.replace(inside[0], "", 1)
        gap = "\n" if text[match.start() - 1 : match.start()] == ":" else match["open"]
        return f"{gap}One {bare} {said}. Another {bare} "

    third = re.compile(
        rf"(?P<said>Another {re.escape(bare)} [^.;\n]{{3,300}}?)"
        r"(?:[,;.]\s*(?:and\s+|while\s+)?|\s+and\s+)"
        rf"(?:yet\s+another|(?:a|the)\s+(?:third|fourth|fifth|last))(?:\s+(?:one|man|woman|{named}))?\s+"
        rf"(?={VERB}\b|[a-z]{{2,}}s\s)"
    )
    changed = pattern.sub(split, text)
    for _ in range(4 if changed != text else 0):
        changed = third.sub(lambda m: f"{m['said']}. Another {bare} ", changed)
    return changed


# "The first, launched in 1652, was", "Another is", "The best-known sang", "A third Ann Lee wrote"
_PLACE = (
    r"(?:one|(?:yet\s+)?another|(?:the|an?)\s+(?:(?:first|second|third|fourth|fifth|sixth|last|other|former|latter|"
    r"most\s+\w+)|[\w-]*(?:est|known)))(?:\s+of\s+(?:these|them))?"
)


def _ordered(text: str, name: str) -> str:
    """Begins a person at each sentence whose subject has a place among several: "The first"."""
    lead = tells_several(text, name)
    end = re.compile(r"[.:!?]\s+").search(text, lead.end()) if lead else None
    if end is None:
        return text
    opens = re.compile(
        rf"(?P<joint>\A|(?<=[.:;!?])\s+|\s*[,;]\s+(?:(?:and|while|whereas|but)\s+)?){_PLACE}"
        rf"(?:\s+(?:one|man|woman|person|individual|{name_pattern(name)}))?"
        rf"(?P<comma>,)?\s+(?(comma)|(?={VERB}\b|[a-z]{{2,}}s\s))",
        re.IGNORECASE,
    )
    rest = text[end.end() :]
    found = [*opens.finditer(rest)]
    if len(found) < 2 or found[0].start() or len({m[0].strip(" ,;.") for m in found}) < len(found):
        return text
    described = re.compile(r"\b(?:is|was)\s+an?\s+([^,.;]+?)(?=[,.;]|\s+wh[oi]|$)")
    roles = [m[1] for m in described.finditer(rest) if is_role_phrase(m[1])]
    places = all(re.match(r"\W*the\s+(?:first|second|third|other)\b", m[0], re.I) for m in found)
    if places and len(roles) >= len(found) and re.search(name_pattern(name), text[: end.end()]):
        return text  # the grouper counts described people
    bare = bare_name(name)
    pieces = [text[: end.start() + 1]]
    for match, after in zip(found, [*found[1:], None], strict=True):
        said = rest[match.end() : after.start() if after else len(rest)].rstrip(" ,;")
        said = re.sub(rf"^{DESCRIBES}", "is ", said, flags=re.IGNORECASE)
        which = "Another" if pieces[1:] else "One"
        pieces.append(f"{which} {bare}{match['comma'] or ''} {ended(said)}")
    return " ".join(pieces)
