"""Creates variants with pronouns for a different person or with reversed connectives."""

from __future__ import annotations

import re

from dfactscore._text.names import plain_name
from dfactscore.factor._build.name_kinds import mentions
from dfactscore.factor._build.variants import Candidate, Edit, candidate

_TO_HER = {"he": "she", "him": "her", "his": "her", "himself": "herself"}
_TO_HIM = {"she": "he", "hers": "his", "herself": "himself"}
_PRONOUN = re.compile(
    r"(?<![\w’'-])(he|him|his|himself|she|her|hers|herself)(?![\w-])", re.IGNORECASE
)
_POSSESSED = re.compile(
    r" (?!(?:in|on|at|to|from|as|and|for|with|by|when|until|while|after|before|was|is|were|a|an|"
    r"the|that|out|up|off|away|back|into|over)\b)[\w“\"(]"
)
_SUBJECT = re.compile(r"(?<![\w’'-])(He|She|he|she)(?= [a-z])")

#: Words that join clauses or phrases, with their opposites.
LINKS: tuple[tuple[str, str], ...] = (
    (r"before(?= [\w’']+)", "after"), (r"after(?= [\w’']+)", "before"),
    ("because of", "in spite of"), ("despite", "because of"), ("in spite of", "because of"),
    ("although", "because"), ("though", "because"), (r"because(?! of)", "although"),
    ("together with", "without"), ("during", "after"), ("more than", "fewer than"),
    ("at least", "at most"), ("no more than", "no fewer than"), ("as well as", "but not"),
    ("for the first time", "for the last time"), ("except", "including"),
    (r"(?<=his )first(?= [a-z])", "last"), (r"(?<=her )first(?= [a-z])", "last"),
    (r"(?<=the )first(?= [a-z])", "last"), (r"(?<=the )last(?= [a-z])", "first"),
)  # fmt: skip


def coreference_candidates(sentence: str, prefix: str, title: str) -> list[Candidate]:
    """Creates variants with pronouns of the other gender, or with a name in place of a pronoun."""
    pronouns = list(_PRONOUN.finditer(sentence))
    kinds = {_gender(m[1]) for m in pronouns}
    if len(kinds) != 1:
        return []
    if re.search(r"\b(?:ship|carrier|liner|yacht|vessel|sloop|boat)\b", prefix):
        return []  # A ship is "she" and never "he".
    (kind,) = kinds
    if not re.search(rf"\b(?:{'he|his' if kind == 'm' else 'she|her'})\b", prefix + sentence, re.I):
        return []
    edits = [Edit(m[1], _other(m[1], sentence[m.end() :], kind), m.span(1)) for m in pronouns]
    candidates = [candidate("coreference", sentence, edits)]
    subject = _SUBJECT.search(sentence)
    title_words = set(plain_name(title).split())
    if subject is not None:
        others = [
            one.text
            for one in mentions(prefix)
            if one.kind in ("he", "she", "kin") and not title_words & set(one.text.split())
        ]
        for name in list(dict.fromkeys(reversed(others)))[:2]:
            if name not in sentence:
                edit = Edit(subject[1], name, subject.span(1))
                candidates.append(candidate("coreference", sentence, [edit]))
    return candidates


def _gender(pronoun: str) -> str:
    return "m" if pronoun.lower() in _TO_HER else "f"


def _other(pronoun: str, after: str, kind: str) -> str:
    low = pronoun.lower()
    if kind == "m":
        new = _TO_HER[low]
        if low == "his" and not _POSSESSED.match(after):
            new = "hers"
    elif low == "her":
        new = "his" if _POSSESSED.match(after) else "him"
    else:
        new = _TO_HIM[low]
    return new.capitalize() if pronoun[0].isupper() else new


def link_candidates(sentence: str) -> list[Candidate]:
    """Creates variants in which a connective is replaced with its opposite.

    Example:
        >>> link_candidates("He taught there before he moved to Oslo.")[0].text
        'He taught there after he moved to Oslo.'
    """
    candidates = []
    taken: set[int] = set()
    for old, new in LINKS:
        for match in re.finditer(rf"\b{old}\b", sentence, re.IGNORECASE):
            if match.start() in taken or _fixed(sentence, match):
                continue
            taken.add(match.start())
            word = match.group()
            replacement = new.capitalize() if word[0].isupper() else new
            candidates.append(candidate("link", sentence, [Edit(word, replacement, match.span())]))
    return candidates


def _fixed(sentence: str, match: re.Match[str]) -> bool:
    """Whether a connective is part of a fixed expression, such as "named after" or "soon after"."""
    before = sentence[: match.start()].rstrip().split()
    last = before[-1].lower() if before else ""
    return last in ("named", "called", "year", "years", "soon", "shortly", "look", "took", "day",
                    "days", "months", "weeks", "long", "the", "ever", "not", "even")  # fmt: skip
