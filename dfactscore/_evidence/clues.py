"""Reads what a passage says about the bearer of the asked name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from dfactscore._evidence.asked_name import NUMERAL, AskedName
from dfactscore._evidence.title_forms import Form, title_form
from dfactscore._evidence.words import FURNITURE, MORE_ROLES, NOT_ALONE, WOMEN
from dfactscore._text.clean_text import fold_accents
from dfactscore._text.names import is_numbered_otherwise
from dfactscore._text.person_names import TITLES, PersonName, mention_at, read_name
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore._text.sentences import sentence_spans
from dfactscore._text.thing_names import KINDS
from dfactscore.engines._builtin.group.mentions import NO_LIFE, Life, life_years
from dfactscore.engines._builtin.language.tokens import CANONICAL, STOP_WORDS, tokens
from dfactscore.engines._builtin.language.word_classes import MONTHS

Bears = Literal["subject", "title", "mention", "short", "pronoun", "no"]

_OFFICE = (
    r"(?:head|ceo|cto|cfo|coo|vp|chief|president|chair(?:man|woman)?|director|partner|general "
    r"counsel|secretary|professor|mayor|manager|senior|vice|managing|founder|co-founder|editor|dean|captain"
    r"|minister|former|retired)"
)
_BE = r"(?:is|was|are|were|has been|had been|remains|became)"
_IS_A = re.compile(
    rf"(?:^|[\s,)]){_BE}\s+(?:\w+ly\s|also\s|now\s)?(?=(?:an?|the|one)\b|(?:[a-z-]+\s){{0,2}}{_OFFICE}\b)",
    re.IGNORECASE,
)
_WORKS_AS = re.compile(
    r"\b(?:works?|worked|serves|served|acts|plays|played|practi[sc]es)\b[^.;]{0,40}? as "
    r"(?:an?|the) ([^.;]{3,60})"
)
_STOP = re.compile(
    r"[.;:!?\n]|,? (?:who|which|that|where|whose|best|known|released|directed|starring|written|"
    r"produced|and (?:is|was)|he|she|it|they|by|with|featuring)\b|, (?:and|but)\b"
)
_PHRASE = re.compile(r"\b(?:of|in|for|at|by|from|with|based|on|to|about|and)\b|,")
_BRACKET = re.compile(r"[ \t]*+(?:,\s*+|\s++)?\(((?:[^()]|\([^()]*\)){0,200})\)")
_LATER_BRACKET = re.compile(r"[^.;()\n]{1,100}?\(((?:[^()]|\([^()]*\)){0,200})\)")
_LIFE_CLAUSE = re.compile(r"\b(?:was born|born|died)\b[^.;]{0,60}")
_HEADED = re.compile(r"[\s|:#*]*[\n|][\s|]*(?:(?:He|She|It|They) (?:is|was|are|were) )?")
_YEAR = re.compile(r"(?<![\d,.])(1[0-9]\d\d|20[0-4]\d)(?![\d,]|\.\d)")
_MADE_IN = re.compile(
    r"\b(?:founded|established|opened|launched|formed|incorporated|released|created|passed|built|"
    r"commissioned|of|from|in)(?: in| at [A-Z]\w+ in)?(?: \w+)? (1[0-9]\d\d|20[0-4]\d)\b"
    r"|\b(1[0-9]\d\d|20[0-4]\d) (?:\w+ ){0,3}(?:film|album|song|novel|book|play|series|game|single|"
    r"act|law|comedy|drama|musical|painting|documentary|tv|television)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:in|at|from|near|of|off|to|on)\s+(?:the\s+)?((?:[A-Z][\w'’.-]+(?:,?\s+(?=[A-Z]))?)+)"
)
_PROPER = re.compile(r"(?<!^)\b[A-Z][\w'’-]+")
_LONG_NUMBER = re.compile(r"(?<![\d.,])(?:[1-9]\d\d|\d{1,3}(?:,\d{3})+)(?![\d,.]*\d)")
_POPULATION = re.compile(r"population (?:of|was|is)?\s?(?:about |around )?([\d,]{3,})")
_NUMBER = re.compile(r"[ -](?:of )?(\d{1,4}|[IVX]{1,4})\b(?!,\d)")
_EPITHET = re.compile(r"(?:^|[.!?]\s+|\n)(?:The|A|As an?)\s+(?:[a-z-]+ ){0,3}?([a-z-]+)\b(?!['’-])")
_HE = re.compile(r"\b(?:[Hh]e|[Hh]is|[Hh]im(?:self)?)\b")
_SHE = re.compile(r"\b(?:[Ss]he|[Hh]ers?(?:elf)?)\b")
_NO_KIND = frozenset(("a", "an", "the", "and", "or", "former", "retired", "late", "of", "also"))
_ROLE_OF_TITLE = {
    "judge": "judge", "justice": "judge", "professor": "professor", "prof": "professor",
    "senator": "politician", "governor": "politician", "mayor": "politician", "captain": "officer",
    "colonel": "officer", "general": "officer", "admiral": "officer", "sergeant": "officer",
    "lieutenant": "officer", "rev": "priest", "reverend": "priest", "bishop": "bishop",
    "coach": "coach",
}  # fmt: skip
_BEFORE_SUBJECT = re.compile(
    r"[\s#*•|\-–—\d.)\"“'‘]*(?:(?:The|the|A|An|[A-Z][\w.]*)\s+){0,3}[\"“'‘]?"
)
_PRONOUN = re.compile(r"(?:He|She|His|Her|It|They|Its|Their)\b")
_OTHER_FIRST = re.compile(r"(?<![\w.'’-])([A-Z][\w.'’-]++)\s+$")
_QUALIFIED = re.compile(r" \([^()]{1,60}\)|")
_PLACED = re.compile(r"(?:, [A-Z][^,.;:()\n]{1,40}){1,3} ")
_SPACED = re.compile(r" (?=[,;:.?!)](?:\s|$))|\( ")  # "( born 1950 ) , a poet ."
_MARKUP = re.compile(r"'''|\*\*|</?b>")
_LEAD = 1500  # characters
_OPENING = 600
_MOST_ADDED = 2  # names that a full name adds to the asked one
_WINDOW = 60  # characters before a name
_MOST_TEXT = 20_000  # characters of a passage that are read


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition of a passage's subject: "N (born 1961) is a Danish biologist"."""

    life: Life = NO_LIFE
    roles: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    head: str = ""  # the main role or kind
    label: str = ""  # the main role or kind with a noun before it: "chess player"
    origins: frozenset[str] = frozenset()  # countries
    employers: frozenset[str] = frozenset()  # proper names in the description
    proper: frozenset[str] = frozenset()  # proper names in the whole sentence
    places: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()  # years of founding, release and the like
    years: frozenset[str] = frozenset()  # all years of the sentence
    words: frozenset[str] = frozenset()  # keys of the words of the description


@dataclass(frozen=True, slots=True)
class Clues:
    """A passage, or a part of one, and what it says about the bearer of the asked name."""

    passage: int
    text: str
    title: str = ""
    form: Form = "none"
    qualifier: str = ""
    document: str = ""
    bears: Bears = "no"
    other: str = ""  # another name, with whose definition the text begins
    fuller: bool = False  # whether the title is a name with more parts than the asked one
    names: tuple[PersonName, ...] = ()
    numerals: frozenset[str] = frozenset()
    definition: Definition = Definition()
    gender: str = ""
    years: frozenset[int] = frozenset()
    population: frozenset[str] = frozenset()
    content: frozenset[str] = frozenset()
    folded: str = ""

    @property
    def only_title(self) -> bool:
        """Whether nothing but the title was read."""
        return self.bears == "title" and not self.folded

    @property
    def introduces(self) -> bool:
        """Whether the text itself says who or what the subject is."""
        d = self.definition
        return self.bears == "subject" and (
            bool(d.roles or d.kinds) or d.life != NO_LIFE or len(d.words) > 1
        )

    @property
    def identifies(self) -> bool:
        """Whether the passage tells its subject apart from other bearers of the name."""
        return self.introduces or self.form == "qualified"

    @property
    def thing(self) -> bool:
        """Whether the text defines a thing, not a person."""
        return self.introduces and not self.definition.roles and self.definition.life == NO_LIFE

    @property
    def classes(self) -> frozenset[str]:
        """The kinds of thing that the subject may be."""
        d = self.definition
        person = {"person"} if d.roles or d.life.born else set()
        return frozenset(person.union(*(KINDS[kind] for kind in d.kinds)))


def keys(text: str, without: Collection[str] = ()) -> frozenset[str]:
    """Returns the keys of the words in a text that carry meaning."""
    left_out = FURNITURE.union(without)
    return frozenset(w.key for w in tokens(text) if w.kind == 1 and w.exact not in left_out)


def _content(text: str, asked: AskedName) -> frozenset[str]:
    """Returns the keys of the words and longer numbers in a text; a year tells little."""
    return keys(text, asked.words).union(_LONG_NUMBER.findall(text))


def read_clues(passage: int, text: str, title: str, document: str, asked: AskedName) -> Clues:
    """Reads what a passage says about the bearer of a name."""
    title_read = title_form(title, asked)
    plain = _MARKUP.sub("", unicodedata.normalize("NFC", text[:_MOST_TEXT])).strip()
    plain = _SPACED.sub(lambda m: m[0].strip() if m[0][0] == " " else m[0][0], plain)
    if title_read.form in ("none", "dressed"):
        inner, plain = _page_title(plain, asked)
        if inner and (read := title_form(inner, asked)).form == "qualified":
            title, title_read = inner, read
    other = _other_name(plain, asked)
    found = [] if other else list(asked.find(plain))
    subject = _subject(plain, found, asked)
    bears = "no" if other else _bears(plain, found, subject, title_read.form, asked)
    clues = Clues(passage, text, title, *title_read, document, bears, other)
    if bears == "no":
        return replace(clues, content=_content(plain, asked))
    names = [read_name(m[0]) for m in found if "," not in m[0]]
    whole = mention_at(plain[subject.start() :].split("\n", 1)[0]) if subject else None
    longest = len(asked.name.words) + _MOST_ADDED
    if subject and whole and whole.end > len(subject[0]) and len(whole.name.words) <= longest:
        names.append(whole.name)
    definition = _definition(plain, subject, clues, asked)
    number = _NUMBER.match(plain, subject.end()) if subject else None
    numerals = [n for name in names for n in name.text.split()[1:] if NUMERAL.fullmatch(n)]
    return replace(
        clues,
        fuller=clues.form == "bare" and len(read_name(title).words) > len(asked.name.words),
        names=tuple(dict.fromkeys(name for name in names if name.words)),
        numerals=frozenset([*numerals, *([number[1]] if number else [])]),
        definition=definition,
        gender=_gender(plain, definition),
        years=frozenset(map(int, _YEAR.findall(plain))),
        population=frozenset(_POPULATION.findall(plain)),
        content=_content(plain, asked),
        folded=fold_accents(plain).casefold(),
    )


def title_clues(passage: int, text: str, title: str, document: str, asked: AskedName) -> Clues:
    """Reads the title of a passage alone."""
    form, qualifier = title_form(title, asked)
    fuller = form == "bare" and len(read_name(title).words) > len(asked.name.words)
    return Clues(passage, text, title, form, qualifier, document, "title", fuller=fuller)


def continues(clues: Clues) -> Clues:
    """Returns a passage that names no one, read as a part of a document about a bearer."""
    years = frozenset(map(int, _YEAR.findall(clues.text)))
    return replace(clues, bears="pronoun", years=years, folded=fold_accents(clues.text).casefold())


def _page_title(plain: str, asked: AskedName) -> tuple[str, str]:
    """Splits a page's title from the text after it: "Elm, Ohio Elm is", "Ann Lee - Wikipedia …"."""
    opening = asked.full.match(plain)
    again = asked.full.search(plain, opening.end()) if opening else None
    if opening and again and _PLACED.fullmatch(plain, opening.end(), again.start()):
        return plain[: again.start()].strip(), plain[again.start() :]
    headed = _QUALIFIED.match(plain, opening.end()) if opening else None
    if opening is None or headed is None or life_years(headed[0]).born:
        return "", plain
    title, end = plain[: headed.end()].strip(), headed.end()
    if site := re.match(r" ?[-–—|•:] ", plain[end:]):
        again = asked.full.search(plain, end + site.end())
        words = {word.casefold() for word in re.findall(r"\w+", plain[end : end + 120])}
        if words & FURNITURE:
            return title, plain[again.start() :] if again else plain[end:]
    opens = headed[0].startswith(" (") and re.match(r" (?:The |\W)?[A-Z]\w*", plain[end:])
    return (title, plain[end:].lstrip()) if opens else ("", plain)


def _subject(plain: str, found: Sequence[re.Match[str]], asked: AskedName) -> re.Match[str] | None:
    """Returns the mention of the name with which a line or sentence begins, if any."""
    starts = [start for start, _ in sentence_spans(plain[:_LEAD])]
    for match in found:
        if match.start() >= _OPENING:
            break
        start = max((s for s in starts if s <= match.start()), default=0)
        start = max(start, plain.rfind("\n", 0, match.start()) + 1)
        before = plain[start : match.start()]
        if plain.startswith(("'s", "’s"), match.end()):
            continue
        if not _BEFORE_SUBJECT.fullmatch(before) and not _described_before(before):
            continue
        gap = plain[match.end() : match.end() + 1] in (" ", "\n")
        return asked.full.match(plain, match.end() + gap) or match  # "Ann Lee Ann Lee was"
    return None


def _other_name(plain: str, asked: AskedName) -> str:
    """Returns the other name with whose definition a passage begins, if any."""
    opening = mention_at(plain[:_OPENING])
    if opening is None or not _DEFINED.match(plain, opening.end):
        return ""
    name, written = opening.name, asked.full.search(plain[: opening.end])
    alike = not asked.words.isdisjoint(name.words) and asked.fits(name.text)
    own = (alike or written) and not is_numbered_otherwise(name, [asked.name])
    return "" if own or name.text.casefold() in STOP_WORDS or not name.words else name.text


def _described_before(before: str) -> bool:
    """Whether a role or kind stands before a name: "the poet Ann Lee", "the town of Elm"."""
    words = before.split()
    if words and words[-1] == "of":
        words.pop()
    return 0 < len(words) < 6 and bool(_head(words[-1])) and not words[-1].endswith(",")


def _bears(
    plain: str,
    found: Sequence[re.Match[str]],
    subject: re.Match[str] | None,
    form: Form,
    asked: AskedName,
) -> Bears:
    """Returns where a passage names a bearer of the asked name."""
    if subject:
        return "subject"
    if form in ("qualified", "bare", "dressed"):
        return "title"
    if form == "other":
        return "no"
    if found:
        return "mention"
    if asked.short and any(_is_own(plain, m.start()) for m in asked.short.finditer(plain)):
        return "short"
    return "pronoun" if _PRONOUN.match(plain) else "no"


def _is_own(plain: str, start: int) -> bool:
    """Whether a surname stands without another person's first name: "Lee", "Dr. Lee"."""
    before = plain[max(0, start - _WINDOW) : start]
    first = _OTHER_FIRST.search(before)
    if first is None:
        return True
    word = first[1].rstrip(".").casefold()
    if word in TITLES or (first[1].endswith(".") and len(word) > 2):
        return True
    opens = re.search(r"(?:^|[.!?]\s)$", before[: -len(first[0])])
    return bool(opens) and word in STOP_WORDS  # "Under Lee"


def _definition(
    plain: str, subject: re.Match[str] | None, clues: Clues, asked: AskedName
) -> Definition:
    """Reads the description in brackets, in "is a …", in an apposition and in epithets."""
    after = _after_name(plain, subject, asked)
    bracket = _BRACKET.match(after)
    if bracket is None and (later := _LATER_BRACKET.match(after)):
        bracket = later if life_years(later[1]) != NO_LIFE else None
    life, heads = NO_LIFE, _heads_before(plain, subject)
    if bracket:
        life = life_years(bracket[1])
        if life == NO_LIFE and (year := re.search(r",\s*(1\d\d\d|20\d\d)\s*$", bracket[1])):
            life = Life(int(year[1]))
        heads += _heads(bracket[1]) if life == NO_LIFE else []
        after = after[bracket.end() :]
    headed = _HEADED.match(after)
    rest = after[headed.end() if headed else 0 :].split("\n", 1)[0]
    first = rest[: (sentence_spans(rest) or [(0, len(rest))])[0][1]]
    if life == NO_LIFE and (clause := _LIFE_CLAUSE.search(first)):
        life = life_years(clause[0])
    described = _described(first, headed=bool(headed), subject=bool(subject))
    stop = _STOP.search(described, 3)
    core = described[: stop.start()] if stop else described
    heads += (own := _heads(core))
    if not subject and clues.form in ("none", "other"):
        heads, own, first, core, life = [], [], "", "", NO_LIFE
    heads += _epithets(plain, asked)
    if clues.qualifier:
        heads += _heads(clues.qualifier)
        life = life_years(clues.qualifier) if life == NO_LIFE else life
    roles = [h for h in heads if h not in KINDS or (is_role(h) and life.born)]
    kinds = [] if life.born and not roles else [h for h in heads if h in KINDS]
    if kinds and roles:  # "member of the band", "town and seat": the first head decides
        roles, kinds = (roles, []) if heads[0] in roles else ([], kinds)

    def proper(text: str) -> frozenset[str]:
        words = (word.casefold().removesuffix("'s") for word in _PROPER.findall(text))
        return frozenset(
            CANONICAL.get(w, w)
            for w in words
            if w not in asked.words and not is_demonym(w) and w[:3] not in _MONTHS
        )

    return Definition(
        life,
        frozenset(roles),
        frozenset(kinds),
        head := (roles or kinds or [""])[0],
        _label(core or clues.qualifier, head),
        _origins(core),
        proper(f" {described[:120]}" if own else ""),
        proper(first[:300]),
        frozenset().union(*(proper(f" {p}") for p in _PLACE.findall(f"{core} . {first}"))),
        frozenset(a or b for a, b in _MADE_IN.findall("" if life.born else after[:300])),
        frozenset() if life.born else frozenset(_YEAR.findall(first[:300])),
        keys(core, asked.words),
    )


_MONTHS = frozenset(month[:3] for month in MONTHS) | {"the"}


def _after_name(plain: str, subject: re.Match[str] | None, asked: AskedName) -> str:
    """Returns the text after the name of the subject, or after another opening with its name."""
    if subject is None:
        opening = mention_at(plain)
        fits = opening and not asked.words.isdisjoint(opening.name.words)
        return plain[opening.end if opening and fits else 0 :][:500]
    end = subject.end()
    whole = mention_at(plain[subject.start() :].split("\n", 1)[0])
    return plain[max(end, subject.start() + whole.end if whole else 0) :][:500]


def _described(first: str, *, headed: bool, subject: bool) -> str:
    """Returns the part of the first sentence that says what its subject is."""
    if is_a := _IS_A.search(first[:240]):
        return first[is_a.end() :]
    if apposition := re.match(r"\s*[,:–—-]\s*([^\n]{3,120})", first):
        return apposition[1]
    if works := _WORKS_AS.search(first):
        return works[1]
    opens = re.match(r"\s*(?:[Aa]n?|Former)\b", first)
    return first if (opens and not subject) or (headed and _heads(first[:60])) else ""


def _heads_before(plain: str, subject: re.Match[str] | None) -> list[str]:
    """Returns the roles and kinds before a name: "the poet Ann Lee", "the town of Elm"."""
    if subject is None:
        return []
    before = re.split(r"[.!?:;\n]", plain[max(0, subject.start() - 60) : subject.start()])[-1]
    words = re.findall(r"[\w'’-]+", before)[-3:]
    title = _ROLE_OF_TITLE.get(words[-1].casefold(), "") if words else ""
    last = next((word for word in reversed(words) if word != "of"), "")
    return [title] if title else _heads(last) if last.islower() else []


def _label(core: str, head: str) -> str:
    """Returns the main role or kind with the noun before it, if any: "chess player"."""
    found = re.search(rf"(?<![^\W\d_])([^\W\d_]+) {re.escape(head)}\b", core) if head else None
    kind = found[1] if found else ""
    return f"{kind} {head}" if kind.islower() and kind not in _NO_KIND else head


def _heads(text: str) -> list[str]:
    """Returns the roles and kinds in a description, the main one first.

    The last noun of the first phrase decides: "film producer", "railway station in Elm".
    """
    words = re.findall(r"[^\W\d_][\w'’-]*", text)
    phrase = len(re.findall(r"[^\W\d_][\w'’-]*", _PHRASE.split(text, maxsplit=1)[0]))
    first = [head for word in words[:phrase] if (head := _head(word))]
    return [*reversed(first), *(head for word in words[phrase:] if (head := _head(word)))]


@lru_cache(maxsize=65536)
def _head(word: str) -> str:
    """Returns the role or kind that a word gives, in the singular; empty if it gives none."""
    low = word.casefold().removesuffix("'s").removesuffix("’s")
    if is_demonym(low):
        return ""
    singular = low[:-3] + "y" if low.endswith("ies") else low.removesuffix("s")
    for part in (low, singular, *low.split("-")):
        if part in KINDS or is_role(part) or part in MORE_ROLES:
            return part
    return ""


def _origins(text: str) -> frozenset[str]:
    """Returns the countries of the nationalities in a description."""
    words = re.findall(r"\b[A-Z][\w’-]+", text)
    return frozenset(p for w in words if is_demonym(w) for p in w.casefold().split("-"))


def _epithets(plain: str, asked: AskedName) -> list[str]:
    """Returns the roles that sentences give their subject ("The rower"), and those of titles."""
    roles = [m[1] for m in _EPITHET.finditer(plain)]
    found = [r for r in roles if _head(r) == r and r not in KINDS and r not in NOT_ALONE]
    mentions = (*asked.find(plain), *(asked.short.finditer(plain) if asked.short else ()))
    for mention in mentions:
        words = plain[max(0, mention.start() - 20) : mention.start()].split()
        if words and (role := _ROLE_OF_TITLE.get(words[-1].rstrip(".").casefold())):
            found.append(role)
    return found


def _gender(plain: str, definition: Definition) -> str:
    """Returns "m", "f" or "it" if pronouns, or else the role, tell it; otherwise an empty text."""
    he, she = len(_HE.findall(plain)), len(_SHE.findall(plain))
    if he > 2 * she:
        return "m"
    if she > 2 * he or (not he and not definition.roles.isdisjoint(WOMEN)):
        return "f"
    return "it" if not he and not she and re.match(r"Its?\b", plain) else ""


_DEFINED = re.compile(
    rf"\s*(?:\([^()]{{0,120}}\d\d[^()]{{0,80}}\)"
    rf"|(?:\([^()]{{2,80}}\)\s*)?,? {_BE} (?:an?|the|one|born)\b)"
)
_DEFINES = re.compile(rf"\s*(?:\([^()]{{2,80}}\)|,? {_BE} (?:an?|the)\b|\s*$|[^\S\n]*\n|[,:|–]\s)")
_OPENS = re.compile(r"(?:^|\n|[.!?:;]\s)[\s#*•|\-–—\d.)]*(?:The )?$")


def parts_of(text: str, asked: AskedName) -> list[str]:
    """Splits a passage in which several lines or sentences each introduce a bearer of the name."""
    starts: list[int] = []
    for match in asked.find(text):
        window = max(0, match.start() - _WINDOW)
        opens = _OPENS.search(text[window : match.start()])
        if opens is None or not _DEFINES.match(text, match.end()):
            continue
        start = window + opens.start() + len(opens[0]) - len(opens[0].lstrip(".!?:; \n"))
        if not starts or start - starts[-1] > len(asked.text) + 8:
            starts.append(start)
    if len(starts) < 2:
        return [text]
    if not re.search(r"\w", text[: starts[0]]):
        starts[0] = 0
    bounds = [*([0] if starts[0] else []), *starts, len(text)]
    pieces = (text[a:b].strip() for a, b in pairwise(bounds))
    return [piece for piece in pieces if piece]
