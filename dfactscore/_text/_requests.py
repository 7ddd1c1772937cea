"""Recognizes requests and questions, and finds the words after "tell me about" and the like."""

from __future__ import annotations

import re

from dfactscore._text.person_names import PARTICLES

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
