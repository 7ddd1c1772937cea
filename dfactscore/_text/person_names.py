"""Parses people's names into words, titles, honors, suffix and nicknames.

`read_name` parses a name, and `mention_at` parses the mention at the start of a text. Titles,
ranks, honors, particles ("van") and nicknames in quotes or brackets are not words of the name.
`same_person` decides which names may refer to one person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dfactscore._text.clean_text import fold_accents
from dfactscore._text.word_files import word_lists

_LISTS = {
    k: frozenset(v.split()) for k, v in word_lists("dfactscore._text", "name_words.txt").items()
}
TITLES = _LISTS["before"]
"""Titles before a name, in lower case without accents and dots."""
SUFFIXES = _LISTS["suffixes"]
"""Suffixes that distinguish members of a family: "jr", "iii", "elder"."""
HONORS = _LISTS["honors"]
"""Letters after a name: "kbe", "phd"."""
PARTICLES = _LISTS["particles"]
"""Small words of surnames, which a mention may leave out."""
THINGS = _LISTS["things"]
"""Head nouns of names that are not those of people: "revolution", "treaty", "university"."""
_KIN = frozenset(("brother", "father", "mother", "sister"))
_OWNERS = frozenset(("her", "his", "my", "our", "their", "your"))
_STYLES = _LISTS["styles"]
_OF_MOST = frozenset(("excellent", "gracious", "illustrious", "noble", "worshipful"))
_LATER = frozenset(("afterwards", "eventually", "formerly", "later", "now", "subsequently",
                    "temporary", "then"))  # fmt: skip
_QUOTED = re.compile(r"\([^()]*[\"“„«‹'‘][^()]*[\"”“»›'’]\)")
_BRACKETED = _LISTS["behind"] | {  # "MA (Oxon.)", "Hafiz Karim (RA)"
    *("hons", "honours", "honors", "oxon", "cantab", "lond", "edin", "dunelm", "ra", "pbuh", "saw"),
}
_BEFORE = TITLES | _LISTS["joined"]
_SHORTENED = SUFFIXES | TITLES
_TOKEN = re.compile(
    r"(?P<word>[^\W\d_](?:[^\W_]|[\u0300-\u036f]|\.?['’ʼ.‐‑-](?=[^\W_]))*(?:\.|['’](?=\s|\Z))?)"
    r"|(?P<ordinal>\d{1,2}(?:st|nd|rd|th)\b)|(?P<comma>,)"
    r"|(?P<nick>[\"“„«‹][^\"“”„«»‹›]{1,40}[\"”“»›]|(?<![^\W_])['‘][^'‘’\"]{1,40}['’](?![^\W_])"
    r"|\((?:aka|a\.k\.a\.|alias|called|dite?|genannt|nicknamed|(?:\w+ )?known as)? ?"
    r"[\"“„«‹'‘][^()]{1,40}[\"”“»›'’]\)"  # "(dit «Jo»)"
    r"|\((?:[^\W\d_][\w.'’-]* ?){1,3}\))"
)
_QUALIFIER = re.compile(r"(?<!\s)\s*\([^()]*\)\s*\Z")
_POSSESSIVE = re.compile(r"['’ʼ]s?\Z")
_PARTS = re.compile(r"[^\W_]+(?:['’ʼ][^\W_]+)*")
_BAR = re.compile(r",? (?:&|and) (?:two |2 )?bars?\b,?", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_][.‐‑-]+)+[^\W\d_]?\Z")
_INNER = re.compile(r"['’ʼ‐‑-]")
_LONGEST = 24  # tokens


@dataclass(frozen=True, slots=True)
class PersonName:
    """The parts of a name.

    Example:
        >>> name = read_name('Lt. Gen. Sir Francis "Frank" van Hill Jr., KBE')
        >>> name.words, name.suffix, name.nicknames
        (('francis', 'hill'), 'jr', ('frank',))
        >>> name.titles, name.text
        (('lt', 'gen', 'sir', 'kbe'), 'Francis van Hill Jr.')
    """

    # The given names and surname in order, in lower case, without accents or particles. An initial
    # is a single letter; each part of a hyphenated name is a separate word.
    words: tuple[str, ...]
    surnames: int = 1
    suffix: str = ""  # suffix, such as "jr", "iii" or "elder"; empty if there is none
    nicknames: tuple[str, ...] = ()
    # The titles and honors before, within and after the words of the name, without dots.
    titles: tuple[str, ...] = ()
    text: str = ""  # name as written, but without nicknames, titles and honors

    @property
    def peerage(self) -> tuple[str, ...]:
        """The numbered title of a peer or baronet, as words: "1st", "viscount", "elm"."""
        number = next((n for n, word in enumerate(self.titles) if word[0].isdigit()), None)
        return () if number is None else self.titles[number : number + 3]


@dataclass(frozen=True, slots=True)
class PersonMention:
    """A mention of a person at the start of a text."""

    end: int
    name: PersonName


@lru_cache(maxsize=65536)
def read_name(text: str) -> PersonName:
    """Parses a text that consists of a name, such as a page's title; case does not matter.

    A qualifier in parentheses is removed, and "Lee, Ann" is read as "Ann Lee".
    """
    bare = _QUALIFIER.sub("", text).strip() or text.strip()
    first = _read(bare, whole=True)
    if first is None:
        return PersonName((), text=bare)
    before, comma, after = bare.partition(",")
    if comma and first.end <= len(before) and len(first.name.words) == 1:
        turned = f"{after.strip()} {before.strip()}"
        turned_name = _read(turned, whole=True)
        if turned_name is not None and turned_name.end == len(turned):
            return turned_name.name
    return first.name


@lru_cache(maxsize=65536)
def mention_at(text: str) -> PersonMention | None:
    """Parses the mention of a person at the start of a text; returns None if there is none.

    Example:
        >>> text = "Dr. Ann Lee, PhD, joined the Elm School."
        >>> mention = mention_at(text)
        >>> mention.name.text, text[mention.end :]
        ('Ann Lee', ' joined the Elm School.')
    """
    return _read(text, whole=False)


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    kind: str
    text: str  # without "'s"
    key: str  # without case, accents and dots

    @property
    def capital(self) -> bool:
        """Whether a part begins with a capital ("al-Bakr") or a letter of a script without case."""
        parts = (self.text[:1], *(part[:1] for part in _INNER.split(self.text)[1:]))
        return any(part.isalpha() and not part.islower() for part in parts)


@lru_cache(maxsize=4096)  # a name is read as a mention and as a whole
def _tokens(text: str) -> Sequence[_Token]:
    """Splits a text into tokens, up to a possessive or a character that no name contains."""
    tokens: list[_Token] = []
    place = 0
    while len(tokens) < _LONGEST:
        while place < len(text) and text[place].isspace():
            place += 1
        match = _TOKEN.match(text, place)
        if match is None:
            break
        token = match[0]
        possessive = _POSSESSIVE.search(token) if match.lastgroup == "word" else None
        bare = token[: possessive.start()] if possessive else token
        place = match.end()
        key = fold_accents(bare.casefold()).replace(".", "").replace("’", "'")
        tokens.append(
            _Token(match.start(), match.start() + len(bare), match.lastgroup or "", bare, key)
        )
        if possessive:
            break
    return tokens


def _read(text: str, *, whole: bool) -> PersonMention | None:
    tokens = _tokens(text)
    start = _leading(tokens)
    stop, core, nicknames = _core(tokens, start, whole=whole)
    if not core and start and tokens[start - 1].key not in _STYLES:
        # "Prince was born": a title alone is a name
        start -= 1
        stop, core, nicknames = _core(tokens, start, whole=whole)
    if not core or (
        core[0].key in _LISTS["openers"] and not core[0].text.endswith(".") and not whole
    ):
        return None
    if start and len(core) == 1 and tokens[start - 1].key in _LISTS["names"]:
        start -= 1
        core = [tokens[start], *core]
    titles = [word for token in tokens[:start] for word in _title_words(token)]
    core = _without_repetition(core)
    inner_titles = [t for t in core[1:-1] if t.key in _LISTS["between"]]
    core = [token for token in core if token not in inner_titles]
    suffix, honors, end = _trailing(text, tokens, stop, core)
    name_tokens = [token for token in core if not _is_particle(token, core)] or core
    words = [part for token in name_tokens for part in _parts(token, shouted=text[:40].isupper())]
    plain = [token.text.removesuffix(".") if not _is_short(token) else token.text for token in core]
    name = PersonName(
        tuple(words),
        max(1, len(_parts(name_tokens[-1], shouted=True))),
        suffix.key if suffix else "",
        tuple(nicknames),
        (*titles, *(t.key for t in inner_titles), *honors),
        " ".join([*plain, *([_suffix_text(suffix)] if suffix else [])]),
    )
    return PersonMention(end, name)


def _without_repetition(core: list[_Token]) -> list[_Token]:
    """Removes a repetition of the name, as can occur after a heading."""
    for place in range(1, len(core)):
        if core[place].key == core[0].key and core[place - 1].key == core[-1].key and place > 1:
            return core[place:]
    return core


def leading_titles(words: Sequence[str]) -> int:
    """Returns the number of titles at the start of a name's words.

    Example:
        >>> leading_titles(("sir", "ann", "lee")), leading_titles(("dean", "lee"))
        (1, 0)
    """
    tokens = [_Token(0, len(word), "word", word.title(), word) for word in words]
    count = max(0, min(_leading(tokens), len(words) - 1))
    alone = count > 0 and len(words) - count == 1
    return count - (alone and words[count - 1] in _LISTS["names"])


def _suffix_text(suffix: _Token) -> str:
    return f"the {suffix.text}" if suffix.key in ("elder", "younger") else suffix.text


def _leading(tokens: Sequence[_Token]) -> int:
    """Counts the tokens in the titles before a name, such as "The late Lieutenant General"."""
    last = 0
    if len(tokens) > 1 and tokens[0].key in _OWNERS and tokens[1].key not in _STYLES:
        return 0  # "his doctor Tom Hill" is another person's
    style = _style(tokens)
    for count, token in enumerate(tokens, 1):
        if count <= style:
            last = style
            continue
        parts = token.key.split("-")
        if last and (token.key.strip("()") in _LISTS["behind"] or _is_later_title(token)):
            last = count  # "Lt.-Col. (Ret.)", "Major (later Colonel)"
            continue
        if token.kind != "word" or not (token.key in _BEFORE or _BEFORE.issuperset(parts)):
            break
        honor = "." in token.text[:-1] and token.key in HONORS
        if token.text.endswith(".") and (len(token.key) == 1 or honor):
            break  # initials: "M. P. Hill", "M.P. Hill"
        if token.key in _KIN and not token.capital:
            break  # "the brother Tom Hill"
        if not TITLES.isdisjoint(parts) or (last and token.key == "class"):
            last = count  # "Private First Class"
    return last


def _style(tokens: Sequence[_Token]) -> int:
    """Counts the tokens in a style such as "Her Royal Highness" or "The Most Noble"."""
    if not tokens or tokens[0].key not in _OWNERS | {"the"}:
        return 0
    count = 1
    while count < len(tokens) and tokens[count].key in _STYLES and tokens[count].capital:
        count += 1
    if tokens[0].key == "the":
        after = [token.key for token in tokens[count : count + 2]]
        of_most = tokens[count - 1].key == "most" and len(after) > 1 and after[0] in _OF_MOST
        return count + 1 if of_most and after[1] not in THINGS else 0
    return count if count > 1 and tokens[count - 1].key != "most" else 0


def _is_later_title(token: _Token) -> bool:
    """Whether a token is a title in brackets, such as "(later Colonel)"."""
    if token.kind != "nick" or token.text[0] != "(":
        return False
    words = _title_words(token)
    return bool(words) and words[-1] in TITLES and _BEFORE.issuperset(words)


def _title_words(token: _Token) -> list[str]:
    """Splits a title in brackets into its words, without "later" and the like."""
    if token.kind != "nick":
        return [token.key]
    words = token.key.strip("()").replace("-", " ").split()
    return [word for word in words if word not in _LATER]


def _core(
    tokens: Sequence[_Token], start: int, *, whole: bool
) -> tuple[int, list[_Token], list[str]]:
    """Returns the index after the given names and surname, then their tokens and any nicknames."""
    core: list[_Token] = []
    nicknames: list[str] = []
    place = start
    while place < len(tokens):
        token = tokens[place]
        if token.kind == "nick":
            following = tokens[place + 1] if place + 1 < len(tokens) else None
            if token.text[0] == "(" and not (
                _QUOTED.match(token.text)
                or (following and following.kind == "word" and following.capital)
            ):
                break  # "Ann Hill (poet)"
            nicknames += _PARTS.findall(fold_accents(token.text.casefold()))
        elif token.kind != "word" or (core and _is_added(tokens, place)):
            break
        elif whole or token.capital or (core and _continues(tokens, place)):
            core.append(token)
        else:
            break
        place += 1
        if token.kind == "word" and token.text.endswith(".") and not _is_short(token) and not whole:
            break  # the end of a sentence
    while place > start and tokens[place - 1].kind == "nick" and not whole and not core:
        place -= 1
    return place, core, nicknames


def _continues(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a name continues with particles and a capitalized word: "van Hill"."""
    while place < len(tokens) and tokens[place].key in PARTICLES - {"and", "the", "of"}:
        place += 1
        if place < len(tokens) and tokens[place].kind == "word" and tokens[place].capital:
            return True
    return False


def _is_added(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a token after a name is a suffix, a title or an honor."""
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if token.key == "the":
        return following is not None and following.key in ("elder", "younger")
    follows = (
        following is not None
        and following.kind == "word"
        and following.capital
        and not _is_honor(following)
    )
    if token.key in SUFFIXES:
        return token.capital and not (follows and len(token.key) == 1)
    return not follows and (_is_honor(token) or token.key in _LISTS["behind"])


def _is_honor(token: _Token) -> bool:
    """Whether a token is an honor; having two capitals distinguishes "MA" from the surname "Ma"."""
    capitals = sum(map(str.isupper, token.text))
    return token.key in _LISTS["honors"] and capitals >= 2


def _is_short(token: _Token) -> bool:
    return len(token.key) == 1 or "." in token.text[:-1] or token.key in _SHORTENED


def _is_particle(token: _Token, core: list[_Token]) -> bool:
    """Whether a short word is a particle, not a name ("Ben Ford") or an initial ("Ann E.")."""
    if token.key not in PARTICLES or token is core[-1]:
        return False
    initial = len(token.key) == 1 and token.capital
    return not initial and not (token is core[0] and token.key in ("al", "ben"))


def _parts(token: _Token, *, shouted: bool) -> list[str]:
    """Splits a token into words: "J.R." and "JR" into two initials, "Anne-Marie" into two words."""
    text = fold_accents(token.text.replace("’", "'"))
    dotted = _INITIALS.match(text)
    if dotted or (not shouted and text.isupper() and 1 < len(text) < 4):
        return [letter for letter in text.casefold() if letter.isalpha()]
    parts = _PARTS.findall(text.casefold()) or [token.key]
    # "al-Bakr", "Al-Bakr" and "Bakr" are one surname.
    return parts[1:] if len(parts) > 1 and parts[0] in _LISTS["articles"] else parts


def _trailing(
    text: str, tokens: Sequence[_Token], place: int, core: list[_Token]
) -> tuple[_Token | None, list[str], int]:
    """Returns the suffix and honors that follow a name, and the end of the mention."""
    suffix: _Token | None = None
    honors: list[str] = []
    end = tokens[place - 1].end
    if tokens[place - 1] is core[-1] and core[-1].text.endswith(".") and not _is_short(core[-1]):
        end -= 1
    while place < len(tokens):
        comma = tokens[place].kind == "comma"
        here = place + comma
        if here >= len(tokens):
            break
        token = tokens[here]
        if token.key == "the" and here + 1 < len(tokens) and tokens[here + 1].key in SUFFIXES:
            here += 1
            token = tokens[here]
        if token.key in SUFFIXES and token.capital | (token.key in ("elder", "younger")):
            suffix = suffix or token
        elif token.kind == "word" and (_is_honor(token) or token.key in _LISTS["behind"]):
            honors.append(token.key)
        elif token.kind == "nick" and token.key.strip("()") in _BRACKETED:
            honors.append(token.key.strip("()"))  # "(Rtd)", "MA (Oxon.)"
        elif token.kind == "ordinal" and (after := _peerage(tokens, here)):
            honors += [t.key for t in tokens[here:after]]
            here = after - 1
        else:
            break
        end, place = tokens[here].end, here + 1
        if comma and text[end : end + 1] == ",":
            end += 1
    bar = _BAR.match(text, end) if honors else None  # "DSO & Bar"
    return suffix, honors, bar.end() if bar else end


def _peerage(tokens: Sequence[_Token], place: int) -> int:
    """Returns the index after a title such as "1st Viscount St Alban"; 0 for other ordinals."""
    start = place = place + 1
    if place >= len(tokens) or tokens[place].key not in TITLES | {"baronet", "bt"}:
        return 0
    while place < len(tokens) and tokens[place].kind == "word":
        if not (tokens[place].capital or tokens[place].key == "of"):
            break
        place += 1
    return place if place > start else 0
