"""Extracts the name that a question asks about, or the first name mentioned in an answer."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re

from dfactscore._text.answer_markup import without_entities
from dfactscore._text.person_names import PARTICLES, THINGS, mention_at
from dfactscore._text.sentences import sentence_spans

# The label of the question in a prompt that also contains instructions or contexts
_LABEL = re.compile(
    r"(?:\A|\n)[#*\s]{0,9}(?:question|query|user|human|task|q)\W{0,9}?:[* ]*"
    r"|(?:\A|\n|[.!?] )[#*\s]{0,9}(?:topic|subject|entity|person|input|(?:full )?name|profile|"
    r"(?:short )?bio(?:graphy)?|summari[sz]e|describe|introduce|search|request)\W{0,2}?:[* ]*",
    re.IGNORECASE,
)
_REPLY = re.compile(
    r"\n[#*\s]{0,9}(?:assistant|answer|response|output|bio(?:graphy)?|a)\W{0,2}:[*\s]*\Z",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"<\|[^|<>\n]{1,40}\|>|\[/?INST\]|</?s>")
_TITLE = re.compile(r"Who (?:Is|Was|Are|Were) ")  # "Who Is Jill Scott" is an album
_BRACKETS = re.compile(r"\([^()]*\)")
_SMALL = (PARTICLES | {"of", "and"}) - {"the"}
_AROUND = '"“”*_` '
_LONGEST = 2000  # characters; only the end of a longer prompt is read
# Short spellings used in chats; capitalized words are left unchanged ("U Thant").
_CHAT = {
    "u": "you", "ya": "you", "ur": "your", "pls": "please", "plz": "please", "thx": "thanks",
    "abt": "about", "bout": "about", "gimme": "give me", "lemme": "let me", "wanna": "want to",
    "whats": "what's", "whos": "who's", "dont": "don't", "asap": "please",
}  # fmt: skip
_CHAT_WORD = re.compile(rf"(?<![\w'’.-])(?:{'|'.join(_CHAT)})(?![\w'’-])")
_POLITE = (
    r"(?:(?:based on|according to|using|given|from) [^,?!]{1,80}, |"
    r"(?:hi|hello|hey|yo|ok|okay|so|now|well|please|kindly|just)\b[ ,!.]*|"
    r"(?:can|could|would|will) you (?:please |kindly )?|need |"
    r"i(?:['’]d| would) (?:like|love) (?:(?:you )?to (?:know )?)?|"
    r"i (?:want|need) (?:you )?to (?:know )?|"
    r"i(?:['’]m| am) (?:looking for|interested in|curious about) |i need |i want |"
    r"(?:do )?you know |"
    r"i (?:was )?wonder(?:ing)? |(?:help me|remind me|let me know)(?: with| of)? )*"
)
_WRITING = (
    r"(?:tell|write|give|provide|generate|create|compose|draft|prepare|share|show|produce|find|"
    r"describe|summari[sz]e|introduce|explain|present|outline|discuss|research|profile)"
)
_KIND = (
    r"bio(?:graph(?:y|ies|ical \w+))?s?|profile|summary|overview|introduction|description|"
    r"paragraphs?|article|essay|information|info|details|facts?|sketch|account|story|background|"
    r"education|early life|childhood|youth|death|marriage|family|achievements|awards|works|legacy|"
    r"influence|impact|portrait|text|sentences?|words|lines?|things?|something|everything|anything|more|bit|little|"
    r"all|obituary|r[ée]sum[ée]|life|career|history|note|report|rundown"
)
# "Ann Lee biography", "Ann Lee's age"
_HEADED = re.compile(
    r"(?:[^\W\d_a-z][\w.'’-]+ ){2,6}"
    rf"(?:{_KIND}|wiki(?:pedia)?|age|family|birth\w+|death|works?)\W*$"
)
_ABOUT = r"(?:of|about|on|for|regarding|concerning|covering|describing)"
_LIFE = r"(?:life|career|work|story|life story|biography|person)(?: (?:and|&) \w+)?"
_LIFE_OF = rf"(?:(?:the )?{_LIFE} of )?"
# In a text without capitals: "theodore okafor's career", "info on theodore okafor please"
_LOWER_OWNER = r"(?-i:[a-z][\w.-]+(?: [a-z][\w.-]+){1,3}['’]s )"
_LOWER_NAME = (
    r"(?-i:(?:(?!(?:an?|and|for|her|his|how|in|my|of|on|the|this|to|your)\b)[a-z][\w.'’-]{1,30}"
    r"(?: |\b)){2,4})\W{0,3}(?:(?:please|thanks?)\W{0,3})?"
)
# The words before the person's name in a request, or in a question ("Who was …")
_REQUESTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_POLITE}{_WRITING}\b[^.?!\n]{{0,60}}?\b(?:{_KIND})\b[^.?!\n]{{0,40}}?\b{_ABOUT} "
        rf"{_LIFE_OF}",
        rf"{_POLITE}{_WRITING}\b[^.?!]{{0,80}}? (?:about|regarding|concerning) {_LIFE_OF}",
        rf"{_POLITE}(?:tell|write|inform|talk|speak|teach|report)\b(?: to)?(?: me| us)?"
        rf"(?: \w+){{0,3}}? (?:about|on) {_LIFE_OF}",
        rf"{_POLITE}(?:describe|summari[sz]e|introduce|explain|present|outline|discuss|research|"
        rf"profile|identify|compare|characteri[sz]e|elaborate on|consider) (?:to |for )?"
        rf"(?:me |us )?(?:briefly )?(?:who )?{_LIFE_OF}(?=[\"“'‘«]?(?-i:[A-Z])|(?:who|the|an?) |"
        rf"{_LOWER_OWNER})",
        rf"{_POLITE}who(?: on earth| in the world| exactly)?(?:['’]s| is| was| are| were)"
        r"(?: exactly)?(?: (?:he|she))? ",
        rf"{_POLITE}what (?:all )?(?:do|did|can|could|should) (?:you|i|we) "
        rf"(?:know|tell me|tell us|find out|learn|say|find) (?:about|of|on) {_LIFE_OF}",
        rf"{_POLITE}what(?:['’]s| is) (?:(?:there to know|known) (?:about|of)|the {_LIFE} of) ",
        rf"{_POLITE}(?:know|learn|hear|find out) (?:something |more |anything )?about {_LIFE_OF}",
        rf"(?-i:[^A-Z]{{0,60}}?\b)(?:{_KIND}) (?:about|of|on|for) {_LIFE_OF}(?={_LOWER_NAME}$)",
        rf"{_POLITE}(?:have you (?:ever )?heard (?:of|about)|are you familiar with) ",
        rf"{_POLITE}(?:an? |the |some |more )?(?:[\w-]+ ){{0,2}}?(?:{_KIND})(?: (?:and|&) \w+)? "
        rf"{_ABOUT} {_LIFE_OF}(?=[\"“'‘«]?(?-i:[A-Z])|(?:the|an?) )",
        r"(?:i(?:['’]m| am) (?:interested in|curious about)|regarding|concerning|about|as for|"
        r"as to) (?=(?-i:[A-Z])|the )",
        rf"{_POLITE}(?:who|which person|what person) (?:the )?(?=(?-i:[A-Z]))(?=.* (?:is|was)\W*$)",
    )
)


def is_request(text: str) -> bool:
    """Whether a text is a question or a request rather than a name such as "Will Young".

    Example:
        >>> is_request("Who is Ann Lee"), is_request("Tell me about her."), is_request("Will Young")
        (True, True, False)
    """
    question = question_in(text)
    if _TITLE.match(question) and not question.endswith("?"):
        return False
    label = _LABEL.search(text[-_LONGEST:])
    if (
        question.endswith("?")
        or label
        or asked_about(question) is not None
        or _HEADED.match(question)
    ):
        return True
    return says_more(question)


def says_more(text: str) -> bool:
    """Whether a text has more common words than a name would.

    Example:
        >>> [says_more(text) for text in ("Juan de la Cruz y Vega", "ann lee", "Ann Lee as a poet")]
        [False, False, True]
    """
    lower_words = [word for word in _BRACKETS.sub("", text).split() if word.islower()]
    number = sum(word not in _SMALL for word in lower_words)
    return number >= (2 if len(lower_words) < len(text.split()) else 4)


def asked_about(question: str) -> str | None:
    """Returns the words after "who was", "tell me about" and the like; None if there are none."""
    match = next(filter(None, (pattern.match(question) for pattern in _REQUESTS)), None)
    return question[match.end() :] if match else None


def question_in(text: str) -> str:
    """Extracts the question from a prompt as one line."""
    prompt = _REPLY.sub("", _TEMPLATE.sub(" ", text[-_LONGEST:]))
    return with_full_words(" ".join(_LABEL.split(prompt)[-1].split()).strip(_AROUND))


def with_full_words(text: str) -> str:
    """Replaces spellings that are common in chats with the full words.

    Example:
        >>> with_full_words("can u tell me abt U Thant pls")
        'can you tell me about U Thant please'
    """
    return _CHAT_WORD.sub(lambda match: _CHAT[match[0]], text)


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
_LOWER_OWNED = re.compile(
    r"(?<=[a-z])['’]s (?:life|career|bio\w*|work|story|history|background)\b.*"
)
_MARKS = " \t\n\"“”'‘’«»*_`"
_WORD = re.compile(r"[^\W_][^\s]*")
# "Charles III of Spain", "Ann Lee (disambiguation)"
_CONTINUATION = re.compile(
    r"\.?(?:,? (?:(?:duchess|duke|queen|king|prince|princess|count|countess|earl|lady|lord) )?"
    r"(?:of|the|de|van|von|di|da) (?-i:[A-Z])\S*(?: (?-i:[A-Z])\S*)?)*"
    r"(?: \(disambiguation\))?",
    re.IGNORECASE,
)
_OFFICE = re.compile(r"[A-Z]{2,4} of ")  # "CEO of"
_OF_PERSON = re.compile(
    r" (?:(?!(?:who|and|or|of|in|for|from|at|by|on|to|with|as|is|was|the|an?)\b)[a-z][\w-]+ ){1,3}"
    r"[A-Z][\w.'’-]+ [A-Z]"
)
_PARTICLES = PARTICLES - {"and", "of", "the"}
_NO_ROLE = PARTICLES | frozenset(
    "of in for at from by on to with the a an and or as is was did does do has had been".split()
)
_NOT_NAMES = _NO_ROLE - _PARTICLES | frozenset("he she they it him her them this that you".split())
_PLACES = frozenset("mount new north south east west united world great".split())
_NUMERAL = re.compile(r" (?:[IVX]+|\d+)$")
_AUXILIARY = re.compile(
    r"(?:\b(?:is|was|are|were|do|does|did|has|had|have|can|could|will|would)|\b[Ww]hat['’]s)\s"
    r"(?=[\"“'‘«]?(?:(?:the|an?) (?:[a-z][\w-]* ){1,4})?[^\W\d_a-z])"
)
_PERSON = re.compile(r"\b(?:entity|name|person|subject|topic)\W{0,2}:\s*(.+)", re.IGNORECASE)
_PASSIVE = re.compile(r" [a-z]+ (?:to|by|with|from|for|after|in)$")  # "ann lee married to"
_NICKNAMED = re.compile(r"[\"“‘'][A-Z][\w.-]+[\"”’'] [A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+)*")
# "when was ann lee born", "Where did Pelé grow up?"
_LIVED = re.compile(
    r"\b(?:is|was|does|did|do|has|had) ([\w.'’-]+(?: [\w.'’-]+){0,3}?) (?:still \w+|(?:best |most |"
    r"really |ever |first )?(?:born|die|died|dead|alive|marry|married|live|study|grow up|work|play|"
    r"paint|write|win|teach|become|known|famous|remembered|come from|retire|serve|direct|compose|"
    r"sing|act|invent|discover|raised|educated|buried|have|receive|attend|leave|join|meet|found|move|do))\b"
    r"|\bwho ([\w.'’-]+(?: [\w.'’-]+){0,3}?) (?:is|was)\W*(?:(?:please|thanks?)\W*)?$"
    r"|\bhow (?:old|tall|rich) (?:is|was) ([\w.'’-]+(?: [\w.'’-]+){0,3})\W*$",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"(?<!^)\b[A-Z][\w'’&-]*(?:(?: of| the| de)* (?:[A-Z][\w'’&-]*|\d+))*")

_BULLETS = ' \t\n-*•#>"“'
_THE = re.compile(r"The (?=[A-Z])")
# After a subject: years in brackets or an apposition, then a verb.
_VERB = re.compile(
    r"(?:\s?\([^()]{1,80}\)|,[^,.]{1,80},)?+\s(?:(?:also|now|later|first|then) )?"
    r"(?:is|are|was|were|has|had|may|can|does|did|won|led|wrote|made|sang|ran|sold|built|taught|"
    r"[a-z]{2,}(?:ed|[^s\W]s))\b"
)

_COMMON = frozenset(
    "who what when where why how which whose in on at is was are were did does do has have can "
    "could would should will tell give write describe please according after before the a an i "
    "hi hello hey ok so and but or use using question answer context based if".split()
)


def name_of_question(question: str) -> str:
    """Returns the name that a question asks about (paper section 2.2), or else the question itself.

    Example:
        >>> name_of_question("Tell me a bio of Dick Hanley (disambiguation)")
        'Dick Hanley'
        >>> name_of_question("Question: Tell me a bio of Ken Griffey Jr.")
        'Ken Griffey Jr.'
        >>> name_of_question("Who was the painter Ann Lee?"), name_of_question("Who won in 1996?")
        ('Ann Lee', 'Who won in 1996?')
    """
    question = without_entities(question)
    request = _QUESTION.fullmatch(with_full_words(question))
    is_plain = request is not None and "\n" not in request[1].strip() and not says_more(request[1])
    if not is_plain and is_request(question):
        return _requested_name(question) or question.strip()
    name = (request.group(1) if request else question).strip()
    if request:
        name = _AFTER_BIO.sub("", name)
    if quotation := _WHOLLY_QUOTED.fullmatch(name):
        name = quotation[1]
    if request and name.endswith(".") and not _ABBREVIATED.search(name):
        name = name[:-1]
    return _DISAMBIGUATION.sub("", name).strip()


def name_in(question: str) -> str | None:
    """Returns the name that a prompt asks about: the only quotation, or else a name in the request.

    Example:
        >>> name_in('Write about “Ann Lee”.'), name_in("Tell me a bio of Bo Ray."), name_in("Hi!")
        ('Ann Lee', 'Bo Ray', None)
    """
    quoted = list(dict.fromkeys(_QUOTED.findall(question)))
    if len(quoted) == 1:
        return str(quoted[0]).strip() or None
    name = name_of_question(question)
    return name if name and name != question.strip() else None


def subjects(text: str) -> tuple[str, ...]:
    """Returns the names that sentences begin with as their subjects, in order.

    Example:
        >>> subjects("Ann Lee (born 1950) was a painter. Lumen makes lamps. In 1996 she rowed.")
        ('Ann Lee', 'Lumen')
    """
    found: dict[str, None] = {}
    for start, end in sentence_spans(text):
        sentence = text[start:end].lstrip(_BULLETS)
        sentence = sentence[len(match[0]) :] if (match := _THE.match(sentence)) else sentence
        mention = mention_at(sentence)
        named = mention is not None and mention.name.words and not _OFFICE.match(sentence)
        if mention is None or not named or not _VERB.match(sentence, mention.end):
            continue
        name = sentence[: mention.end] if len(mention.name.words) == 1 else mention.name.text
        if name.casefold() not in _COMMON | _NOT_NAMES:
            found[name.strip(" ,.")] = None
    return tuple(found)


def first_subject(text: str) -> str | None:
    """Returns the first person's name in a text, preferably a subject or one of several words.

    Example:
        >>> first_subject("Based on the context, Ann Lee was a painter. Bo Ray taught her.")
        'Ann Lee'
        >>> first_subject("Lumen is a brand that was founded by Bo Ray.")
        'Lumen'
    """
    if named := next((name for name in subjects(text[:200]) if text.startswith(name)), None):
        return named
    for start, end in sentence_spans(text[:2000])[:4]:
        if (name := _first_mention(text[start:end])) is not None:
            return name
    opening = mention_at(text)
    return opening.name.text if opening is not None and opening.name.words else None


def shared_name(question: str, text: str) -> str | None:
    """Returns the longest name in a question that the text has, too.

    Example:
        >>> shared_name("What is the Elm Bank?", "The Elm Bank was founded by Bo Ray.")
        'Elm Bank'
    """
    runs = (run.strip() for run in _CAPITALS.findall(question))
    names = [run for run in runs if run.casefold() not in _COMMON and run in text]
    return max(names, key=len, default=None)


def _requested_name(question: str) -> str | None:
    """Returns the name in a request, or None if the request names no person."""
    request = question_in(question)
    if (object_of_request := asked_about(request)) is not None and (
        name := _described_name(object_of_request)
    ) is not None:
        return name
    quoted = list(dict.fromkeys(_QUOTED.findall(request)))
    if len(quoted) == 1 and " " in quoted[0].strip() and mention_at(quoted[0]):
        return str(quoted[0]).strip()
    places = [*(verb.end() for verb in _AUXILIARY.finditer(request)), 0]
    if name := next(filter(None, (_first_mention(request[place:]) for place in places)), None):
        return name
    if labeled := _PERSON.search(question):
        return _first_mention(labeled[1])
    if (life := _LIVED.search(request)) is None:
        return None
    words = next(filter(None, life.groups())).split()
    if not _COMMON.isdisjoint(words) or not _NOT_NAMES.isdisjoint(words):
        return None
    is_name = len(words) > 1 or (words[0][0].isupper() and not life[0].endswith("have"))
    return " ".join(words) if is_name else None


def _described_name(text: str) -> str | None:
    """Finds the name in the words after "who was": a description, the name, and other words."""
    if nicknamed := _NICKNAMED.match(text):
        return nicknamed[0]
    text = text.strip(_MARKS)
    plain = _END.sub("", text).strip(f"{_MARKS}.,")
    if text and text == text.lower():
        plain = _PASSIVE.sub("", _LOWER_OWNED.sub("", plain)).removeprefix("who ")
        is_name = 0 < len(plain.split()) <= 4 and plain.split()[0] not in _NOT_NAMES
        return plain if is_name else None
    if re.fullmatch(r"[A-Z][\w-]+ (?!in\b|of\b|to\b|for\b)[a-z][\w-]+", plain):
        return plain  # "Ann lee"
    single = None
    before = ""
    for word in _WORD.finditer(text):
        plain = word[0].strip(_MARKS)
        capital = plain[:1].isupper()
        if not before and plain in _PARTICLES:
            return _END.sub("", text).strip(f"{_MARKS}.,") or None  # "von Neumann"
        if capital and (before not in _NO_ROLE or text[: word.start()].casefold() == "the "):
            name = _name_from(text[word.start() :].lstrip(_MARKS))
            is_last = name == _END.sub("", text[word.start() :]).strip(f"{_MARKS}.,")
            after_name = text[word.start() + len(name or "") :]
            if name and _is_no_person(name, before):
                return None
            if _OF_PERSON.match(after_name):  # "BBC presenter Ann Lee"
                before = "of"
                continue
            if name and (is_last or (" " in name and before != "the")):
                return name
            if name and (" " in name or not before):
                single = single or name
        before = "of" if capital else plain.casefold()  # a run of capitals is one name
    return single


def _is_no_person(name: str, before: str) -> bool:
    """Whether a name that follows "the" or is like "World War II" denotes an event or a place.

    A name that follows a title ("the Reverend Tom Church") or a role is that of a person.
    """
    words = _NUMERAL.sub("", name.partition(" of ")[0]).casefold().split()
    if before != "the" and words[0] not in _PLACES:
        return False
    mention = mention_at(name)
    titled = mention is not None and mention.name.titles
    return words[-1] in THINGS and not titled


def _name_from(text: str) -> str | None:
    """Returns the name at the start of a text, without any words about its bearer."""
    mention = mention_at(text)
    if mention is None or _OFFICE.match(text):
        return None
    name_with_rest = _WHAT_OF.sub("", _END.sub("", text)).strip(_MARKS)
    if name_with_rest.endswith(".") and not _ABBREVIATED.search(name_with_rest):
        name_with_rest = name_with_rest[:-1]
    name_with_rest = name_with_rest.strip(_MARKS)
    short = text[: mention.end].rstrip(" ,")
    if short.endswith(".") and not _ABBREVIATED.search(short):
        short = short[:-1]
    after_mention = name_with_rest[len(short) :] if name_with_rest.startswith(short) else ""
    name = (
        name_with_rest
        if len(name_with_rest) >= len(short) and _CONTINUATION.fullmatch(after_mention)
        else short
    )
    return _DISAMBIGUATION.sub("", _unquoted(name)).strip(" ,") or None


def _first_mention(text: str) -> str | None:
    """Returns the first name in a sentence that has several words and is not a place or a prize."""
    earlier = before = ""
    for word in _WORD.finditer(text):
        plain = word[0].strip(_MARKS)
        key = plain.casefold()
        common = key in _COMMON and before in ("", "start")
        allowed = before not in ("of", "the", "run") or (before == "of" and earlier != "run")
        if plain[:1].isupper() and allowed and not common:
            mention = mention_at(text[word.start() :].lstrip(_MARKS))
            if mention is not None and " " in mention.name.text and key not in _PLACES:
                return mention.name.text
        earlier, before = before, "run" if plain[:1].isupper() and key not in _COMMON else key
        if word[0][-1:] in ",:;.!":
            earlier = before = ""
    return None


def _unquoted(name: str) -> str:
    """Removes quotation marks from around a name."""
    bare = name.strip(" \t\n*_`")
    if len(bare) > 2 and bare[0] in "\"“'‘«" and bare[-1] in "\"”'’»":
        return bare[1:-1].strip()
    return bare
