"""Selects the sentences of a page that become items."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from dfactscore._records import Biography
from dfactscore._text.names import plain_name
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.retrieval import Page

_QUOTED = re.compile(r"^[\"“'‘]|[\"“][^\"”]{15,}[\"”]")
# A number, or a name after the first word: without one there is no detail to change.
_DETAIL = re.compile(r"\d|(?<=[\s(“\"])[A-Z]")
_LIST_LINE = re.compile(r"^(?:[-*•–#]|\d+[.)])\s")


@dataclass(frozen=True, slots=True)
class Selected:
    """A sentence that may become an item.

    Attributes:
        title: Its document.
        number: Its place among the document's sentences.
        prefix: The document's text before it.
        sentence: The sentence.
    """

    title: str
    number: int
    prefix: str
    sentence: str

    @property
    def key(self) -> str:
        """Unique within a corpus."""
        return f"{self.title}|{self.number}"


def select_sentences(
    page: Page, *, most: int | None = None, min_words: int = 10, seed: int = 0
) -> list[Selected]:
    """Draws sentences of a page that state something, in the order in which they are drawn.

    Not the first sentence, no heading, list line or quotation; with a name or a number, and at
    least one fact by the built-in decomposer.

    Args:
        page: The page.
        most: The largest number; all if None.
        min_words: Minimum words of a sentence.
        seed: Decides which.
    """
    text = page.text
    sentences = split_sentences(text)
    facts = BuiltinDecomposer().decompose(Biography("page", plain_name(page.title), text))
    stated = {fact.sentence for fact in facts}
    spans = [fact.span for fact in facts if fact.span is not None]
    found = []
    for number, one in enumerate(sentences):
        sentence = text[one.start : one.end]
        line = text[: one.start].rpartition("\n")[2] + sentence
        states = number in stated or any(one.start <= a < one.end for a, _ in spans)
        if (
            number > 0
            and len(sentence.split()) >= min_words
            and sentence.rstrip()[-1:] in ".!?"
            and sentence[:1].isupper()
            and "\n" not in sentence
            and not _LIST_LINE.match(line)
            and not _QUOTED.search(sentence)
            and _DETAIL.search(sentence)
            and states
        ):
            found.append(Selected(page.title, number, text[: one.start], sentence))
    draw = random.Random(f"{seed}|{page.title}")
    return draw.sample(found, len(found))[:most]
