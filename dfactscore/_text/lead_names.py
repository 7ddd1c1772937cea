"""Finds the names of a page's subject in its opening sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from dfactscore._text.names import may_be_one
from dfactscore._text.person_names import PersonName, mention_at, read_name
from dfactscore._text.sentences import sentence_spans

_LEAD = 1500  # characters
_SENTENCES = 2
_BOLD = re.compile(r"'''(.+?)'''(?!')|\*\*([^*\n]+)\*\*|</?b>([^<>\n]+)</b>")
_MARKUP = re.compile(r"'{2,5}|\*\*|</?[bi]>")
_INTRODUCES = re.compile(
    r"\b(?:born(?: as)?|n[ée]e?|baptized|christened"
    r"|(?:known|credited|billed|styled|stylized|performing|writing)"
    r"(?: \w+ly)?(?: as| by| under)(?: (?:his|her|their|the)(?: \w+)? ?(?:name|nickname|pseudonym|"
    r"alias)s?(?: of)?)?|nicknamed|nickname|pseudonym|alias|a\.?k\.?a\.?"
    r"|(?:birth|full|given|legal|maiden|pen|real|ring|stage) name:?(?: is| was| of)?)"
    r"[ ,]+(?:simply |just )?(?=[\"“'‘«]?(?-i:[^\W\d_a-z]))"
    r"|\A ?\((?-i:[A-Z][a-z]+): (?=(?-i:[^\W\d_a-z]))"  # "(Russian: …"
    r"|\A,? (?:or|also)(?: spelled| written)? (?=(?-i:[^\W\d_a-z]))",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(r"[\"”'’»]?,? (?:and|or) (?:as )?[\"“'‘«]?(?=[^\W\d_a-z])")
_NEE = re.compile(r"n[ée]e?", re.IGNORECASE)
_MONTH = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r",? \d|[^,;()]{1,40}?,? (?:in|on) |[^,;() ]+(?: [^,;() ]+)?, \d"
)
_LIFE = re.compile(r"[ ,]*\([^()]*(?:\d{3}|born|b\.|n[ée]e?|c\.)")
_SAYS = re.compile(r"\b(?:is|was|are|were)\b")


@lru_cache(maxsize=4096)
def lead_names(text: str, title: str = "", *, anywhere: bool = True) -> tuple[PersonName, ...]:
    """Finds the names of a page's subject: its first words, bold names, "born …" and "known as …".

    Example:
        >>> text = "Ann Maria Lee (née Hill; born 1901), known as Annie Lee, was a nun."
        >>> [name.text for name in lead_names(text, "Ann Lee")]
        ['Ann Maria Lee', 'Ann Maria Hill', 'Annie Lee']
    """
    # `text`: the page, or a passage of it. The opening may come after the title, as in passages
    # that begin with their page's title; a passage without an opening yields no names.
    # `anywhere`: whether to look after each occurrence of the title too.
    starts = [0]
    if anywhere and len(title) > 3:
        starts += [match.end() for match in re.finditer(f"{re.escape(title)}\\s", text)]
    for start in starts:
        names = _opening(text[start : start + _LEAD], title)
        if names:
            return names
    return ()


def _opening(text: str, title: str) -> tuple[PersonName, ...]:
    """Returns the names in a text that begins like a page; returns no names for other texts."""
    lead = text.lstrip("\ufeff \n\t'*\"“")
    spans = sentence_spans(lead)[:_SENTENCES]
    if not spans:
        return ()
    first, second = lead[: spans[0][1]], lead[spans[0][1] : spans[-1][1]]
    sentence = _MARKUP.sub("", first)
    opening = mention_at(sentence)
    if opening is None or not _SAYS.search(sentence, opening.end):
        return ()
    named = list(_introduced(sentence[opening.end :], opening.name))
    if not _opens_page(sentence[opening.end :], opening.name, read_name(title), named):
        return ()
    bold = (read_name(next(filter(None, groups))) for groups in _BOLD.findall(first))
    names = (opening.name, *bold, *named, *_introduced(_MARKUP.sub("", second), opening.name))
    return tuple(dict.fromkeys(name for name in names if name.words))


def _opens_page(
    after_name: str, opening: PersonName, title: PersonName, names: Iterable[PersonName]
) -> bool:
    """Whether the first sentence is about the page's subject rather than another person."""
    if not title.words or any(may_be_one(title, name) for name in (opening, *names)):
        return True
    if set(title.words) <= set(opening.words):
        return True
    return opening.words[-1] == title.words[-1] and _LIFE.match(after_name) is not None


def _introduced(text: str, opening: PersonName) -> Iterator[PersonName]:
    """Yields the names after "born", "née", "known as" and the like."""
    for match in _INTRODUCES.finditer(text):
        place = match.end() + (text[match.end()] in "\"“'‘«")
        while True:
            mention = mention_at(text[place : place + 120])
            if mention is None or _MONTH.match(text, place):
                break
            name = mention.name
            if _NEE.match(match[0]) and len(name.words) == 1:
                yield read_name(f"{opening.text.rpartition(' ')[0]} {name.text}")
            elif len(name.words) > 1 or not match[0].lower().startswith("born"):
                yield name
            conjunction = _CONJUNCTION.match(text, place + mention.end)
            if conjunction is None:
                break
            place = conjunction.end()


def people_of(
    documents: Iterable[tuple[str, str]], aliases: Iterable[str] = ()
) -> tuple[tuple[PersonName, ...], ...]:
    """Returns the names of the people in documents, one person per title."""
    people: dict[str, list[PersonName]] = {}
    for number, (title, text) in enumerate(documents):
        # Texts without a title may be about different people.
        names = people.setdefault(title or f"{number}", [read_name(title)])
        names += lead_names(text, title)
    for names in list(people.values())[:1]:
        names += map(read_name, aliases)
    distinct = (dict.fromkeys(n for n in names if n.words) for names in people.values())
    return tuple(tuple(names) for names in distinct if names)
