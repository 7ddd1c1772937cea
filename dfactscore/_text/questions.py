"""Extracts the name that a question asks about, or that an answer speaks of first."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re

from dfactscore._text.page_sentences import sentence_spans
from dfactscore._text.person_names import PARTICLES, mention_at
from dfactscore._text.tags import without_entities

_QUESTION = re.compile(
    r"\s*+(?:question:\s*+)?(?:tell\s+me|write|give\s+me)\s+(?:an?\s+)?(?:short\s+)?"
    r"bio(?:graphy)?\s+(?:of|about|for)\s+(?P<name>.+)",
    re.IGNORECASE | re.DOTALL,
)
_AFTER_BIO = re.compile(
    r"(?<![\s,])[\s,]*+\bplease\b[\s.!]*+$|(?<![\s?!])[\s?!]++$|"
    r",? in (?:\w+ ){1,3}(?:words|sentences?|paragraphs?|lines)\W*$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]+)[\"”]")
_WHOLLY_QUOTED = re.compile(r"[\"“‘«']\s*([^\"“”«»\n]+?)\s*[\"”’»']")
_ABBREVIATED = re.compile(r"(?:\b[A-Z]|\b(?:Jr|Sr|Esq|St|Ph\.D|M\.D))\.$")
_DISAMBIGUATION = re.compile(r"(?<!\s)\s*\(disambiguation\)\s*$", re.IGNORECASE)
# The question at the end of a prompt that holds more: instructions, contexts
_LABEL = re.compile(r"(?:\A|\n)[^\S\n]{0,9}(?:question|query|user|q)[^\S\n]{0,9}:", re.IGNORECASE)
_TITLE = re.compile(r"Who (?:Is|Was|Are|Were) ")  # "Who Is Jill Scott" is an album
_LONGEST = 2000  # characters; the end of a longer prompt
_POLITE = (
    r"(?:(?:based on|according to|using|given|from) [^,?!]{1,80}, |"
    r"(?:hi|hello|hey|ok|okay|so|now|well|please|kindly|just)\b[ ,!.]*|"
    r"(?:can|could|would|will) you (?:please |kindly )?|"
    r"i(?:['’]d| would) (?:like|love) (?:(?:you )?to (?:know )?)?|"
    r"i (?:want|need) (?:you )?to (?:know )?|"
    r"i(?:['’]m| am) (?:looking for|interested in|curious about) |i need |i want |do you know )*"
)
_WRITING = (
    r"(?:tell|write|give|provide|generate|create|compose|draft|prepare|share|show|produce|find|"
    r"describe|summari[sz]e|introduce|explain|present|outline|discuss|research|profile)"
)
_KIND = (
    r"bio(?:graph(?:y|ies|ical \w+))?s?|profile|summary|overview|introduction|description|"
    r"paragraphs?|article|essay|information|info|details|facts?|sketch|account|story|background|"
    r"portrait|text|sentences?|words|lines?|things?|something|everything|anything|more|bit|little|"
    r"all|obituary|r[ée]sum[ée]|life|career|history|note|report"
)
_ABOUT = r"(?:of|about|on|for|regarding|concerning|covering|describing)"
_LIFE_OF = (
    r"(?:(?:the )?(?:life|career|work|story|life story|biography|person)(?: (?:and|&) \w+)? of )?"
)
# What stands before the person of a request, and of a question about who one is
_REQUESTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_POLITE}{_WRITING}\b[^.?!\n]{{0,60}}?\b(?:{_KIND})\b[^.?!\n]{{0,40}}?\b{_ABOUT} "
        rf"{_LIFE_OF}",
        rf"{_POLITE}{_WRITING}\b[^.?!]{{0,80}}? (?:about|regarding|concerning) {_LIFE_OF}",
        rf"{_POLITE}(?:tell|write|inform|talk|speak|teach|report)\b(?: to)?(?: me| us)?"
        rf"(?: \w+){{0,3}}? (?:about|on) {_LIFE_OF}",
        rf"{_POLITE}(?:describe|summari[sz]e|introduce|explain|present|outline|discuss|research|"
        rf"profile) (?:to |for )?(?:me |us )?(?:briefly )?(?:who )?{_LIFE_OF}"
        r"(?=[\"“'‘«]?(?-i:[A-Z])|(?:who|the|an?) )",
        rf"{_POLITE}who(?:['’]s| is| was| are| were)(?: exactly)?(?: (?:he|she))? ",
        rf"{_POLITE}what (?:all )?(?:do|did|can|could|should) (?:you|i|we) "
        rf"(?:know|tell me|tell us|find out|learn|say|find) (?:about|of|on) {_LIFE_OF}",
        rf"{_POLITE}what is (?:there to know|known|the {_LIFE_OF.strip('()?')}) ?(?:about|of) ",
        rf"{_POLITE}(?:have you (?:ever )?heard (?:of|about)|are you familiar with) ",
        rf"{_POLITE}(?:an? |the |some |more )?(?:[\w-]+ ){{0,2}}?(?:{_KIND}) {_ABOUT} {_LIFE_OF}"
        r"(?=[\"“'‘«]?(?-i:[A-Z])|(?:the|an?) )",
        r"i(?:['’]m| am) (?:interested in|curious about) (?=(?-i:[A-Z])|the )",
        rf"{_POLITE}(?:who|which person|what person) (?:the )?(?=(?-i:[A-Z]))(?=.* (?:is|was)\W*$)",
    )
)
_END = re.compile(
    r"[\s,;:–—-]*(?:\bplease\b|\bthanks?\b|\bthank you\b|\bexactly\b|\breally\b|[?!]|$"
    r"|\b(?:to|for) (?:me|us)\b"
    r"|(?<=[a-z]{3})\. (?=(?-i:[A-Z]))|,? that (?-i:[a-z])"
    r"|,? (?:who|whose|which) (?:is|was|were|are|had|has|did|won|played|[a-z]+ed)\b"
    r"|,? and (?:what|why|how|when|where|his|her|their|the|tell|list|explain|describe)\b"
    r"|,? (?:in|within|using|with|based on|from the|according to|for (?:a|my)|as a|as an|"
    r"so that|including|focusing|limited to|no more|not more|at most|about (?:his|her|their)) "
    r"(?-i:[a-z\d])"
    r"|,? (?:known|famous|noted|best known|born|died|good|important)\b"
    r"|,? (?:the|an?) (?-i:[a-z\d])|,? (?:the|an?) (?-i:[A-Z])\w+ (?-i:[a-z])| \((?!disambig)"
    r"| [–—-] |,? (?:is|was|has|had|does|did|do)\b(?-i:.*)).*",
    re.IGNORECASE | re.DOTALL,
)
_WHAT_OF = re.compile(
    r"['’]s? (?:life|career|bio|biography|profession|background|job|work|story|history|"
    r"[a-z]+)\b.*",
    re.DOTALL,
)
_MARKS = " \t\n\"“”'‘’«»*_`"
_WORD = re.compile(r"[^\W_][^\s]*")
# "Charles III of Spain", "Ann Lee (disambiguation)"
_GOES_ON = re.compile(
    r"\.?(?:,? (?:of|the|de|van|von|di|da) (?-i:[A-Z])\S*(?: (?-i:[A-Z])\S*)?)*"
    r"(?: \(disambiguation\))?",
    re.IGNORECASE,
)
_PARTICLES = PARTICLES - {"and", "of", "the"}
_NO_ROLE = PARTICLES | frozenset(
    "of in for at from by on to with the a an and or as is was did does do has had been".split()
)
_NOT_NAMES = _NO_ROLE - _PARTICLES | frozenset("he she they it him her them this that you".split())
_COMMON = frozenset(
    "who what when where why how which whose in on at is was are were did does do has have can "
    "could would should will tell give write describe please according after before the a an i "
    "hi hello hey ok so and but or use using question answer context based if".split()
)


def name_of_question(question: str) -> str:
    """The name that a question asks about (paper section 2.2), or the question itself.

    Example:
        >>> name_of_question("Tell me a bio of Dick Hanley (disambiguation)")
        'Dick Hanley'
        >>> name_of_question("Question: Tell me a bio of Ken Griffey Jr.")
        'Ken Griffey Jr.'
        >>> name_of_question("Who was the painter Ann Lee?"), name_of_question("Who won in 1996?")
        ('Ann Lee', 'Who won in 1996?')
    """
    question = without_entities(question)
    found = _QUESTION.fullmatch(question)
    if found is None and is_request(question):
        return _asked(question) or question.strip()
    name = (found.group(1) if found else question).strip()
    if found:
        name = _AFTER_BIO.sub("", name)
    if whole := _WHOLLY_QUOTED.fullmatch(name):
        name = whole[1]
    if found and name.endswith(".") and not _ABBREVIATED.search(name):
        name = name[:-1]
    return _DISAMBIGUATION.sub("", name).strip()


def name_in(question: str) -> str | None:
    """The name that a prompt asks about: the one quotation, or what a bio is asked of.

    Example:
        >>> name_in('Write about “Ann Lee”.'), name_in("Tell me a bio of Bo Ray."), name_in("Hi!")
        ('Ann Lee', 'Bo Ray', None)
    """
    quoted = list(dict.fromkeys(_QUOTED.findall(question)))
    if len(quoted) == 1:
        return str(quoted[0]).strip() or None
    name = name_of_question(question)
    return name if name and name != question.strip() else None


def is_request(text: str) -> bool:
    """Whether a text asks or requests something; names, also "Will Young", do not.

    Example:
        >>> is_request("Who is Ann Lee"), is_request("Tell me about her."), is_request("Will Young")
        (True, True, False)
    """
    asked = _question_in(text)
    if _TITLE.match(asked) and not asked.endswith("?"):
        return False
    if asked.endswith("?") or any(pattern.match(asked) for pattern in _REQUESTS):
        return True
    opening = re.match(
        rf"{_POLITE}{_WRITING} (?:me|us|an?|the|about|to|who|how)\b"
        rf"|{_POLITE}(?:name|list) (?:the|all|some|any)\b",
        asked,
        re.I,
    )
    return opening is not None or ("\n" in text.strip() and len(text) > 80)


def first_subject(text: str) -> str | None:
    """The person that a text names first, of several words rather than of one.

    Example:
        >>> first_subject("Based on the context, Ann Lee was a painter. Bo Ray taught her.")
        'Ann Lee'
    """
    for start, end in sentence_spans(text[:2000])[:4]:
        if (name := _mentioned(text[start:end])) is not None:
            return name
    opening = mention_at(text)
    return opening.name.text if opening is not None and opening.name.words else None


def _question_in(text: str) -> str:
    """A question without what stands before it in a prompt, in one line."""
    return " ".join(_LABEL.split(text[-_LONGEST:])[-1].split()).strip('"“”*_` ')


def _asked(question: str) -> str | None:
    """The name in a request; None where it names no person."""
    asked = _question_in(question)
    for pattern in _REQUESTS:
        if found := pattern.match(asked):
            return _named(asked[found.end() :])
    quoted = list(dict.fromkeys(_QUOTED.findall(asked)))
    if len(quoted) == 1 and " " in quoted[0].strip() and mention_at(quoted[0]):
        return str(quoted[0]).strip()
    return _mentioned(asked)


def _named(rest: str) -> str | None:
    """The name in what follows "who was": a description, the name, and what is said further."""
    rest = rest.strip(_MARKS)
    if rest and rest == rest.lower():
        plain = _END.sub("", rest).strip(f"{_MARKS}.,")
        named = 0 < len(plain.split()) <= 4 and plain.split()[0] not in _NOT_NAMES
        return plain if named else None
    single = None
    before = ""
    for word in _WORD.finditer(rest):
        plain = word[0].strip(_MARKS)
        capital = plain[:1].isupper()
        if not before and plain in _PARTICLES:
            return _END.sub("", rest).strip(f"{_MARKS}.,") or None  # "von Neumann"
        if capital and (before not in _NO_ROLE or rest[: word.start()].casefold() == "the "):
            name = _name_from(rest[word.start() :].lstrip(_MARKS))
            whole = _END.sub("", rest[word.start() :] if before == "the" else rest)
            ends = name == whole.strip(f"{_MARKS}.,")
            if name and (ends or (" " in name and before != "the")):
                return name
            single = single or name
        before = "of" if capital else plain.casefold()  # no name begins within a run of capitals
    return single


def _name_from(text: str) -> str | None:
    """The name with which a text begins, without what is said of it."""
    mention = mention_at(text)
    if mention is None:
        return None
    whole = _WHAT_OF.sub("", _END.sub("", text)).strip(_MARKS)
    if whole.endswith(".") and not _ABBREVIATED.search(whole):
        whole = whole[:-1]
    whole = whole.strip(_MARKS)
    short = text[: mention.end].rstrip(" ,")
    if short.endswith(".") and not _ABBREVIATED.search(short):
        short = short[:-1]
    further = whole[len(short) :] if whole.startswith(short) else ""
    name = whole if len(whole) >= len(short) and _GOES_ON.fullmatch(further) else short
    return _DISAMBIGUATION.sub("", _unquoted(name)).strip(" ,") or None


def _mentioned(text: str) -> str | None:
    """The first name of several words in a sentence, not that of a place or a prize."""
    earlier = before = ""
    for word in _WORD.finditer(text):
        plain = word[0].strip(_MARKS)
        key = plain.casefold()
        common = key in _COMMON and before in ("", "start")
        allowed = before not in ("of", "the", "run") or (before == "of" and earlier != "run")
        if plain[:1].isupper() and allowed and not common:
            mention = mention_at(text[word.start() :].lstrip(_MARKS))
            if mention is not None and len(mention.name.words) > 1:
                return mention.name.text
        earlier, before = before, "run" if plain[:1].isupper() and key not in _COMMON else key
        if word[0][-1:] in ",:;.!":
            earlier = before = ""
    return None


def _unquoted(name: str) -> str:
    """A name without quotation marks around it."""
    bare = name.strip(" \t\n*_`")
    if len(bare) > 2 and bare[0] in "\"“'‘«" and bare[-1] in "\"”'’»":
        return bare[1:-1].strip()
    return bare
