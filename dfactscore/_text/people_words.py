"""Words for people in layouts: names as written, roles, and the heading that begins a person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from dfactscore._text.role_words import is_demonym, is_role
from dfactscore._text.sentences import VERB
from dfactscore._text.word_files import lines_by_head, word_lists


# A name as a text may write it: with a middle name, in capitals, or without "The".
@lru_cache(maxsize=64)
def name_pattern(name: str, *, plural: bool = False) -> str:
    words = re.sub(r"(?<!\s)\s*\([^()]*\)\s*$", "", name).split() or [name]
    article = r"(?:the\s+)?" if words[0].lower() == "the" and len(words) > 1 else ""
    words = words[1:] if article else words
    middle = r"(?:\s+[\w.'’\"“”-]{1,20}){0,2}?\s+"
    return article + middle.join(map(re.escape, words)) + "(?:e?s)?" * plural + r"(?![\w’'])"


def bare_name(name: str) -> str:
    """Returns a name without its qualifier."""
    return re.sub(r"(?<!\s)\s*\([^()]*\)\s*$", "", name).strip()


_WORD = r"[^\W\d_][\w.'’/&-]*"


ROLE = rf"(?:{_WORD},?\s+){{0,6}}?{_WORD}"


OF_A_PERSON = re.compile(
    r"\b(?:s?he|hers?|his|him|(?:her|him)self|born|died|married)\b", re.IGNORECASE
)
ARTICLE = re.compile(r"\A(?:the|an?|one|this)\s+", re.IGNORECASE)


_AFTER_HEAD = re.compile(
    r"(?<!\s)\s+(?:of|for|from|in|at|with|and|who|whose|that|born|to|on|by)\s.*"
    r"|(?<!\s)\s*[,(/&].*",
    re.DOTALL,
)


_PLURALS = frozenset(("people", "men", "women", "children"))
_SINGULAR_S = ("ss", "us", "is")


_AGENT = ("er", "or", "ist", "ian", "ess", "eur", "man", "woman", "ant")


_NO_AGENT = frozenset(word_lists(__package__, "role_words.txt")["not_agents"].split())


def _is_agent(word: str) -> bool:
    """Whether a word may name what a person does, though no list has it: "baker"."""
    return len(word) > 4 and word.endswith(_AGENT) and word not in _NO_AGENT


def head_of(phrase: str) -> str:
    """Returns the noun of a phrase that names a role: "chemist" of "British chemist at Elm"."""
    words = _AFTER_HEAD.sub("", " " + phrase.strip()).split()
    head = words[-1].lower() if words else ""
    known = is_role(head) or _is_agent(head)
    return head if known or (words[1:] and is_demonym(words[0]) and not is_demonym(head)) else ""


def is_role_phrase(phrase: str) -> bool:
    words = phrase.split()
    head = head_of(phrase)
    plain = not {"is", "was", "who", "he", "she", "his", "her"} & {w.lower() for w in words}
    plain = plain and words[:1] not in (["As"], ["as"])
    plural = (head.endswith("s") and not head.endswith(_SINGULAR_S)) or head in _PLURALS
    return bool(head) and plain and not plural and len(words) <= 7


_THINGS = frozenset(lines_by_head(__package__, "kinds.txt"))


def thing_of(phrase: str) -> str:
    """Returns the noun of a phrase that names a kind of thing: "film" of "1931 silent film"."""
    words = phrase.lower().split()
    plain = _AFTER_HEAD.sub("", " " + phrase.strip()).lower().split()
    short = 0 < len(words) < 7 and "," not in phrase and not {"is", "was", "are"} & {*words}
    return plain[-1] if short and plain and plain[-1] in _THINGS else ""


def in_small_letters(phrase: str) -> str:
    """Writes a role in small letters, except nationalities and names after the first words."""
    words = ARTICLE.sub("", phrase.strip(" *_,"), count=1).split()
    shouted = phrase.isupper()
    plain = [
        w.title()
        if is_demonym(w.strip(","))
        else w.lower()
        if shouted or is_role(w.strip(",")) or w.istitle()
        else w
        for w in words
    ]
    return " ".join(plain)


NO_SUBJECT = re.compile(
    rf"(?P<mark>\s*(?:[-*+•]\s+)?)(?P<verb>{VERB}|born|chosen|sworn|found|bought|brought|caught"
    r"|chose|hit|set|cut|kept|lent|shot|swam|flew|rode|drove|broke|struck|spoke|threw|wed|bred|fell"
    r")\s+(?!by\b)",
    re.IGNORECASE,
)


BORN = re.compile(
    r"(?P<mark>\s*(?:[-*+•]\s+)?)born\s+(?P<born>[^.;:]{2,60}),\s+(?P<what>an?\s.+)", re.IGNORECASE
)


_IS_PASSIVE = re.compile(
    r"(?:born|awarded|elected|appointed|named|knighted|educated|buried|promoted|inducted|ordained|"
    r"baptized|honored|selected|chosen|nominated|drafted|arrested|imprisoned|"
    r"executed|made|sworn)\b",
    re.IGNORECASE,
)


_NOMINAL = re.compile(
    r"(?P<mark>\s*(?:[-*+•]\s+)?)(?P<article>an?|the)\s+(?P<words>[^.;:]{3,})", re.I
)


def heading_of(name: str, qualifier: str = "") -> str:
    """Returns the heading of a person; a number would be read as a citation."""
    return f"## {name} ({qualifier})" if qualifier else f"## {name}"


def begun(name: str, qualifier: str, body: Sequence[str]) -> list[str]:
    """Returns the lines of a person, with the name where a line has no subject."""
    bare = bare_name(name)
    lines = [with_subject(bare, line) for line in body]
    if lines and lines[0] == body[0] and (found := _NOMINAL.match(lines[0])) is not None:
        noun = re.split(r"[,.]|\b(?:who|which|that|of|in|on|at|for)\b", found["words"])[0]
        told = re.search(rf"\b{VERB}\b", re.split(r"[,.;]|\b(?:who|which|that)\b", lines[0])[0])
        if (told is None and found["article"].lower() != "the") or thing_of(
            re.sub(r"\s\w+ed$", "", noun.strip())
        ):
            lines[0] = f"{found['mark']}{bare} is {lines[0][found.start('article') :]}"
    start = " ".join(lines)[:400]
    if head := head_of(qualifier):
        said = re.search(
            rf"\b(?:is|was|as|became)\s+(?:an?|the|one)\b[^.;]{{0,80}}?\b{re.escape(head)}\b",
            start,
            re.I,
        )
        qualifier = "" if said else qualifier
    return [heading_of(bare, qualifier), *lines]


def ended(sentence: str) -> str:
    """Returns a sentence with a full stop, unless it has an end."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def with_subject(name: str, line: str) -> str:
    """Adds the name to a line that begins with a verb or describes a person."""
    found = BORN.match(line)
    if found is not None:
        return f"{found['mark']}{name}, born {found['born']}, is {found['what']}"
    found = NO_SUBJECT.match(line)
    if found is not None:
        at = found.end("mark")
        was = "was " if _IS_PASSIVE.match(line, at) else ""
        return f"{found['mark']}{name} {was}{line[at].lower()}{line[at + 1 :]}"
    found = _NOMINAL.match(line)
    if found is not None and head_of(re.split(r",", found["words"])[0]):
        first = re.split(
            rf"\b{VERB}\b", re.split(r"\b(?:who|whose|which|that)\b|,", found["words"])[0]
        )
        if len(first) == 1:
            return f"{found['mark']}{name} is {indefinite(line[found.start('article') :])}"
    return line


def indefinite(phrase: str) -> str:
    """Writes "the British politician" as "a British politician"."""
    words = re.sub(r"^(?:the|an?)\s+", "", phrase, flags=re.IGNORECASE)
    return f"{'an' if words[:1].lower() in 'aeio' else 'a'} {words}"
