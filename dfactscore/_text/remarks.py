"""Recognizes sentences and answers that say nothing about the person."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from dfactscore._text._remark_patterns import (
    ABOUT_SOURCES,
    ANNOUNCES,
    BUT_STATES,
    MISSING,
    MISSING_CUES,
    PRESENTS,
    QUOTED,
    READER,
    SPEECH,
    TALK,
    WRITER,
)
from dfactscore._text.sentences import split_sentences

_LABEL = re.compile(
    r"(?:question|query|prompt|user|answer|assistant|q|a|note)\s*:\s*", re.IGNORECASE
)
_WH = r"(?:who|whom|whose|what|which|when|where|why|how)"
_AUX = (
    r"(?:is|was|are|were|am|did|does|do|has|had|have|can|could|will|would|should|may|might|is\s*n['’]t|"
    r"was\s*n['’]t|did\s*n['’]t|do\s*n['’]t)"
)
_OPENS = (
    r"(?:(?:and|but|so|now|also|or|well|then|first|finally|ok|okay)\b[,\s]+)*"
    r"(?:(?:in|at|for|from|to|by|on|with|about|of|during|since|until|after|under)\s+)?"
)
_ASKS = re.compile(
    rf"{_OPENS}(?:{_WH}\b(?:['’]s\b)?(?!\s+(?-i:[A-Z])\w+\s+(?-i:[A-Z]))|{_AUX}\s)", re.IGNORECASE
)
# Questions without a question mark: "Who is Ann Lee", "What did she paint"
_ASKS_UNMARKED = re.compile(
    rf"(?-i:Who|What|When|Where|Why|How|Which\s+\w+)\s+{_AUX}\s+(?:he|she|they|his|her|"
    r"(?-i:[A-Z])[\w.’'-]+(?:\s+(?-i:[A-Z])[\w.’'-]+)*)(?:\s+(?-i:[a-z])[\w-]+){0,5}\W*$",
    re.IGNORECASE,
)
_TITLE_ASKS = re.compile(
    r"\s[A-Z][\w'’]*\W?\?$|\s(?:Who|What|Where|When|Why|How|Is|Are|Do|Does|Did|Can)(?:['’]s)?\s.*\?$"
)


def is_question(sentence: str) -> bool:
    """Whether a sentence is a question, not one that ends with a title ("I saw Who's There?").

    Example:
        >>> is_question("So, who is Ann Lee?"), is_question("What did she paint.")
        (True, True)
        >>> is_question("She sang in Where Are You?"), is_question("What's Up, Doc? is a film.")
        (False, False)
    """
    text = _bare(sentence)
    if not text.endswith("?"):
        return _ASKS_UNMARKED.match(text) is not None
    is_name = all(word[:1].isupper() for word in text.split()) and text.count(" ") < 4
    return is_name or _ASKS.match(text) is not None or not _TITLE_ASKS.search(text)


def is_interrogative(sentence: str) -> bool:
    """Whether a sentence begins like a question: "What did she paint", but not "She paints?"."""
    return _ASKS.match(_bare(sentence)) is not None


def _bare(sentence: str) -> str:
    """Strips labels ("Q:"), quotation marks and list markers from around a sentence."""
    text = sentence.strip(" \t*_#>-")
    text = without_label(text)
    if text[:1] in "\"'“‘" and text[-1:] in "\"'”’":
        text = text[1:-1]
    return text.rstrip(" *_")


def without_label(text: str) -> str:
    """Strips a label such as "Question:" or "A:" from the start of a text."""
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


Remark = Literal[
    "a question",
    "missing knowledge",
    "about the writer",
    "about the reader",
    "about the sources",
    "talk",
    "an announcement",
]

_NO = re.compile(r"\bno\b|\bnew\s+to\b|^na\b")  # "no details", "is new to me", "n/a"
_JOINT = re.compile(r",\s+(?:and|but|so)\s+|;\s+")


@lru_cache(maxsize=4096)  # the decomposer, the grouper and `abstention` all check the same clauses
def remark_of(sentence: str) -> Remark | None:
    """Returns the kind of remark that a sentence or clause is, or None if it states something.

    Example:
        >>> remark_of("I could not find any details."), remark_of("Feel free to ask.")
        ('missing knowledge', 'about the reader')
        >>> remark_of("I Love Lucy made her famous."), remark_of("She loved you.")
        (None, None)
    """
    text = sentence.strip(" \t\"'“”*_#>-")
    if is_question(text):
        return "a question"
    text = without_label(text)
    text = QUOTED.sub(" ", text[:400]).rstrip(" .!:*")
    is_speech = SPEECH.search(sentence) is not None or sentence.count('"') % 2 == 1
    remark = _plain_remark(text, spoken=is_speech)
    parts = [] if remark == "missing knowledge" else _JOINT.split(text)
    if len(parts) > 1:  # "It is a common name, and without more context I cannot say"
        remarks = [_plain_remark(part, spoken=is_speech) for part in parts]
        if all(remarks):
            return "missing knowledge" if "missing knowledge" in remarks else remarks[0]
    return remark


def _may_miss(words: str) -> bool:
    """Whether `MISSING` can match: every match contains one of its cues."""
    low = words.lower()
    return any(map(low.__contains__, MISSING_CUES)) or _NO.search(low) is not None


def _plain_remark(words: str, *, spoken: bool) -> Remark | None:
    """Returns the kind of remark; in speech, "I" and "you" are not the writer and the reader."""
    if _may_miss(words) and MISSING.match(words):
        return None if BUT_STATES.search(words) else "missing knowledge"
    if TALK.match(words):
        return "talk"
    if spoken:
        return None
    if WRITER.match(words):
        return None if PRESENTS.search(words) else "about the writer"
    if READER.match(words):
        return "about the reader"
    if ABOUT_SOURCES.match(words):
        return "about the sources"
    return "an announcement" if ANNOUNCES.match(words) else None


# Indicates missing knowledge if the text says nothing else: "The painter could not be found"
_NOT_FOUND = re.compile(
    r"[^,:;()]{1,80}\b(?:could|can)\s*not\s+be\s+(?:found|identified|located)\W*$|"
    r"unfortunately,?\s+(?:i|we|there|no)\b|"
    # What searches and their tools report: "No relevant documents found."
    r"(?:(?:sorry|there\s+(?:is|are|was|were)|i\s+(?:have|found|see)),?\s+)?(?:no|zero|0)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:documents?|results?|information|passages?|match(?:es)?|answers?|data|sources?|pages?|articles?|"
    r"records?|entries|context|biograph(?:y|ies)|content|evidence|hits?)"
    r"(?:\s+(?:(?:was|were|is|are|could\s+be|has\s+been|have\s+been)\s+)?(?:found|available|returned|"
    r"retrieved|provided|matched|located|given|present))?(?:\s+(?:for|about|on|in|to|from|of|with)\b[^.!?;]{0,80})?\W*$|"
    r"(?:the|your|my|this)\s+(?:search|query|question|request)\s+(?:did|does|has)\s*n['’o]t\s+(?:match|return|find|yield|"
    r"produce)\w*\b[^.!?;]{0,80}\W*$|(?:nothing|no\s*one|nobody|none)\s+(?:(?:was|were|is|has\s+been)\s+)?(?:found|returned|retrieved|matched|"
    r"available)\b[^.!?;]{0,80}\W*$|(?:the|your|my|this|a|our)\s+(?:\w+\s+)?(?:search|query|lookup|retrieval|retriever|index|"
    r"database|search\s+engine|tool)\s+(?:returned|found|gave|yielded|produced|had|has|came\s+up\s+with|turned\s+up)\s+"
    r"(?:no|nothing|zero|0|empty)\b[^.!?;]{0,80}\W*$|"
    r"(?:not\s+(?:found|mentioned|provided|available|specified|known)|unknown|unanswerable|none\s+found)\W*$",
    re.IGNORECASE,
)
_ASKS_BACK = re.compile(
    r"(?:(?:could|can|would|will)\s+you\s+(?:please\s+)?(?:be\s+more\s+specific|"
    r"(?:specify|clarify|tell|provide|give|say|indicate|let|share)\b)"
    r"|please\s+(?:be\s+more\s+specific|(?:specify|clarify|tell|provide|give|say|indicate|let)\b)"
    r"|(?:which|what)\s+(?:one|person|individual|of\s+them|\w+(?:\s+\w+){0,3})\s+"
    r"(?:do|did|are|would)\s+you\b"
    r"|(?:do|did|are)\s+you\s+(?:mean|meaning|referring|asking|looking|interested)\b"
    r"|it\s+is\s+(?:unclear|not\s+clear)\s+(?:which|who|what)\b)",
    re.IGNORECASE,
)
# Sentences that accompany a refusal and state nothing about the person.
_PADDING = re.compile(
    r"^(?:however,?\s+|but\s+|therefore,?\s+|thus,?\s+|additionally,?\s+)?"
    r"(?:(?:can|could|would|will|do|did|are|is)\s+you\b|please\b|if\s+(?:you|there|possible|this)\b|"
    r"it\s+(?:is|['’]s|would|may|might|could|seems|appears)\b|(?:it['’]s)\b|there\s+(?:are|may|might|could)\b|"
    r"perhaps\b|maybe\b|without\s+(?:more|further|additional|any)\b|i\b|i['’]|we\b|let\s+me\b|"
    r"feel\s+free\b|this\s+(?:name|person|individual|may|might|could|is)\b|"
    r"the\s+name\b|more\s+(?:information|context|details)\b|thank|as\s+(?:such|an?\s+ai)\b|"
    r"(?:s?he|they)\s+(?:may|might|could)\b|to\s+(?:help|assist|provide|write)\b|what\b|which\b|who\b)",
    re.IGNORECASE,
)


def asks_back(text: str) -> bool:
    """Whether a sentence of a text asks the reader which one is meant."""
    sentences = (s.text.strip(" \t\"'*_#>-") for s in split_sentences(text))
    return any(_ASKS_BACK.match(sentence) for sentence in sentences)


def is_abstention(text: str) -> bool:
    """Whether an answer contains no biography: it refuses, reports finding nothing, or is empty.

    An answer that apologizes and then states something about a person is not an abstention: every
    sentence must be a refusal or padding such as "Could you provide more details?".

    Example:
        >>> is_abstention("I'm sorry, I couldn't find John Doe. Could you give more details?")
        True
        >>> is_abstention("I couldn't find a singer of that name. John Doe is an English actor.")
        False
        >>> is_abstention("Brenda Lee sang 'I'm Sorry' in 1960.")
        False
    """
    sentences = [s.text.strip(" \t\"'*_#>-") for s in split_sentences(text)]
    sentences = [s for s in sentences if any(map(str.isalnum, s))]
    if not sentences:
        return True
    asks = missing = False
    talks_only = True  # whether the text consists of remarks and questions to the reader
    for sentence in sentences:
        remark = remark_of(sentence)
        asks_back = _ASKS_BACK.match(sentence) is not None
        if not (remark or asks_back or _PADDING.match(sentence) or _NOT_FOUND.match(sentence)):
            return False  # in most biographies, this is the first sentence
        asks = asks or asks_back
        missing = missing or remark == "missing knowledge" or _NOT_FOUND.match(sentence) is not None
        talks_only = talks_only and (asks_back or remark is not None)
    return missing or (asks and talks_only)
