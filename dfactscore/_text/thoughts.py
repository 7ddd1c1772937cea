"""Detects the thoughts of reasoning models, by the marks that models and servers write.

One list of marks for all who read an answer: texts that are scored, verdicts, generated texts.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Words that only a mark of thinking has, and words that a text may have in brackets: those count
# where the mark is closed.
_SURE = (
    r"(?:inner|internal|chain[_ -]of|ant|longcat)?[_ -]?"
    r"(?:think(?:ing)?|thoughts?|reasoning|monologue|scratch[_ -]?pad|cot)"
    r"(?:[_ -](?:process|trace|content|steps?|block))?"
)
_PAIRED = (
    r"analysis|reflect(?:ion)?|rationale|reason|plan(?:ning)?|deliberation|commentary"
    r"|step[_ -]by[_ -]step"
)
_OPEN = r"(?:<|&lt;|＜|◁|⟨|\[|【|\{)\|?[^\S\n]?"
_CLOSE = r"[^\S\n]?\|?(?:>|&gt;|＞|▷|⟩|\]|】|\})"
_MARK = re.compile(
    rf"(?P<bracket>{_OPEN})(?P<end>[/\\])?(?:[a-z]{{1,12}}:)?(?:(?P<edge>begin|start"
    rf"|end)_(?:of_)?)?"
    rf"(?:(?P<sure>{_SURE})|(?P<paired>{_PAIRED}))(?:_(?P<side>begin|start|open|end|close))?"
    rf"(?P<attributes>[^\S\n][^<>\[\]\n]{{0,200}})?(?P<empty>/)?{_CLOSE}"
    # Pairs of tokens: Gemma, MedGemma, Apertus; the block that Open WebUI shows; a fence.
    r"|(?P<opening><\|channel>\s*(?:thought|thinking|analysis)\b|<unused94>(?:thought\b)?"
    r"|<\|inner_prefix\|>|<details\b[^<>\n]{0,80}\btype=\"?reasoning\b[^<>\n]{0,200}>"
    r"|<details>\s*<summary>[^<>\n]{0,20}\b(?:thinking|thoughts?"
    r"|reasoning)\b[^<>\n]{0,40}</summary>"
    r"|^```[^\S\n]*+(?:thinking|thoughts?|reasoning|think)[^\S\n]*+$)"
    r"|(?P<closing><channel\|>|<unused95>|<\|inner_suffix\|>|</details>|^```[^\S\n]*+$)",
    re.IGNORECASE | re.MULTILINE,
)
_PARTNER = {
    "<|channel": "<channel|>",
    "<unused94": "<unused95>",
    "<|inner_p": "<|inner_suffix|>",
    "<details": "</details>",
    "```": "```",
}
# Messages of several channels: harmony, and ChatML with a role that thinks.
_CHANNEL = re.compile(
    r"(?:<\|start\|>[^<>\n]{0,40})?<\|channel\|>\s*(?P<channel>\w+)[^<\n]{0,80}"
    r"(?:<\|constrain\|>\s*\w*\s*)?<\|message\|>"
    r"|<\|(?:im_start|start_header_id)\|>\s*(?P<role>think(?:ing)?|thoughts?|reasoning|analysis"
    r"|answer"
    r"|final|assistant)\b(?:<\|end_header_id\|>)?[^\S\n]*+\n?",
    re.IGNORECASE,
)
_MESSAGE_END = re.compile(r"<\|(?:end|return|call|im_end|eot_id|im_start|start)\|>", re.IGNORECASE)
_OTHER_TURN = re.compile(
    r"<\|(?:start|im_start|start_header_id)\|>\s*(?:user|system|developer|tool)\b", re.IGNORECASE
)
_ANSWERS = {"final", "answer", "assistant", "response"}
_NAMED = (
    r"(?:(?:my|the)\s+)?(?:thinking|thoughts?|reasoning|thought\s+process|thinking\s+process"
    r"|reasoning\s+process|chain\s+of\s+thought|internal\s+monologue|scratch\s?pad)"
)
_RESULT = r"(?:(?:my|the|final)\s+)*(?:answer|response|output|biography|bio)"
_LABEL = r"(?:#{1,6}[^\S\n]++)?[*_]{0,3}"
_COLON = r"[^\S\n]*+(?::[*_]{0,3}|[*_]{1,3}:?[^\S\n]*+$)"
# A thought in words at the start of an answer: how it begins, how it ends, and whether the
# beginning alone says so.
_SPOKEN = tuple(
    (re.compile(rf"\A{start}", re.IGNORECASE), re.compile(end, re.IGNORECASE | re.MULTILINE), alone)
    for start, end, alone in (
        # Tokens of harmony that a server left out; Ollama; Granite; labels.
        (r"\s*+(?-i:analysis(?=[A-Z\"'“(]))", r"(?-i:assistant\s?(?:channel)?\s?final)", True),
        (r"\s*+Thinking(?:\.{3}|…)[^\S\n]*+\n(?!\s*>)", r"^(?:\.{3}|…)\s?done thinking\.?", True),
        (
            r"\s*+Here(?:['’]s|\s+is)\s+my\s+(?:thought|thinking|reasoning)\s+process\b:?",
            r"^[^\S\n]*+Here(?:['’]s|\s+is)\s+my\s+(?:final\s+)?(?:response|answer)\b:?",
            True,
        ),
        (rf"\s*+{_LABEL}{_NAMED}(?:{_COLON}|[^\S\n]*+\n)", rf"^{_LABEL}{_RESULT}{_COLON}", False),
        (rf"\s*+#{{1,6}}[^\S\n]++{_NAMED}\b.*\n", rf"^#{{1,6}}[^\S\n]++{_RESULT}\b.*$", False),
    )
)
# The remains of a folded thought: one line, or a quotation.
_FOLDED = re.compile(
    r"\s*+(?:[*_>]{0,2}[^\S\n]*+Thought for (?:an?|\d+|a few|a couple of)\s+(?:seconds?|minutes?)\b"
    r"[^\n]*(?:\n|$)"
    r"|[*_>]{0,2}[^\S\n]*+Thinking(?:\.{3}|…)[*_]{0,2}[^\S\n]*+\n+(?:[^\S\n]*+>[^\n]*(?:\n|$))+)",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"\s*+<\|?(?P<word>(?:final_)?answer|output|response|final|solution|result|START_RESPONSE"
    r"|begin_of_solution)\|?>(?P<inside>.*?)(?:<(?:/|\|END_|\|end_of_)(?:(?:final_)?answer|output"
    r"|response|final|solution|result)\|?>\s*)?",
    re.IGNORECASE | re.DOTALL,
)
_QUOTES = "\"'`“”‘’«»"
_PASSES = 20  # of marks that only appear after others are removed


class ThoughtSplit(NamedTuple):
    """An answer and the thoughts in it.

    Attributes:
        text: The remaining text; the same string if there was no thought.
        thoughts: The part cut, with its marks; empty if nothing was.
        finished: Whether every thought came to its end; what follows one that did not is part of
            it.
    """

    text: str
    thoughts: str = ""
    finished: bool = True


def split_thoughts(text: str) -> ThoughtSplit:
    r"""Takes the thoughts off an answer.

    A thought is between marks (``<think>``, ``[THINK]``, ``◁think▷``, ``<reasoning>``, in any
    case and as often as it comes), in a channel of its own (harmony), or under a label that says
    so and before one that says where the answer begins. A closing mark alone ends a thought that
    the prompt opened; an opening mark alone begins one that never ended. Marks in quotation marks
    or backticks are part of what is written. An answer that is wrapped as a whole
    (``<answer>…</answer>``) loses the wrapping.

    Args:
        text: The model's output.

    Example:
        >>> split_thoughts("<think>A rower? No.</think>\n\nAnn Lee sang.")
        ThoughtSplit(text='Ann Lee sang.', thoughts='<think>A rower? No.</think>', finished=True)
        >>> split_thoughts("[THINK]Ann Lee was a rower. Or")
        ThoughtSplit(text='', thoughts='[THINK]Ann Lee was a rower. Or', finished=False)
        >>> split_thoughts("He wrote `<think>` tags.").text
        'He wrote `<think>` tags.'
    """
    thoughts: list[str] = []
    finished = True
    rest = text
    for _ in range(_PASSES):
        before = rest
        for split in (_channels, _marks, _spoken):
            rest, cut, ended = split(rest)
            thoughts += cut
            finished = finished and ended
        if (wrapped := _WRAPPED.fullmatch(rest)) is not None:
            rest = wrapped["inside"].strip()
        if rest == before:
            break
    return ThoughtSplit(rest, "\n".join(thoughts), finished)


_Split = tuple[str, list[str], bool]


def _channels(text: str) -> _Split:
    """Messages with a channel each: those of the final one are the answer."""
    found = list(_CHANNEL.finditer(text)) if "<|" in text else []
    names = [(m["channel"] or m["role"]).lower() for m in found]
    if all(m["role"] for m in found) and _ANSWERS.issuperset(names):
        return text, [], True
    other = next((m.start() for m in _OTHER_TURN.finditer(text, found[0].start())), len(text))
    head = _MESSAGE_END.split(text[: found[0].start()], maxsplit=1)[0]
    answers: list[str] = []
    thoughts: list[str] = []
    ended = True
    for i, match in enumerate(found):
        if match.start() > other:
            break
        stop = min(
            found[i + 1].start() if i + 1 < len(found) else len(text), max(other, match.end())
        )
        end = _MESSAGE_END.search(text, match.end(), stop)
        body = text[match.end() : end.start() if end else stop]
        answer = names[i] in _ANSWERS
        (answers if answer else thoughts).append(body.strip())
        ended = answer or end is not None or stop < len(text)
    if answers:
        return "\n\n".join(filter(None, answers)), [head, *thoughts] if head else thoughts, True
    return head.strip(), thoughts, ended


def _marks(text: str) -> _Split:
    """Thoughts between an opening and a closing mark."""
    marks = [m for m in _MARK.finditer(text) if not _is_quoted(text, m)]
    closings = {_kind(m): m.start() for m in marks if _closes(m)}
    length = len(text.rstrip())
    data = text.lstrip()[:1] in ("{", "`")  # a mark within a string of JSON or code
    kept: list[str] = []
    thoughts: list[str] = []
    opening: re.Match[str] | None = None
    done = read = 0  # what is before is kept or cut; and looked through for words
    leads = True
    for mark in marks:
        if opening is not None:
            if _closes(mark) and _kind(opening) == _kind(mark):
                kept.append(text[done : opening.start()])
                thoughts.append(text[opening.start() : mark.end()])
                done = read = mark.end()
                opening = None
        elif mark["empty"]:
            kept.append(text[done : mark.start()])
            done = read = mark.end()
        elif not _closes(mark):
            leads = leads and not any(map(str.isalnum, text[read : mark.start()]))
            read = mark.start()
            if closings.get(_kind(mark), -1) > mark.start() or _stands_alone(mark, leads=leads):
                opening = mark
        elif mark["sure"] and not data:
            before = text[done : mark.start()]
            if thoughts and mark.end() >= length:
                kept.append(before)  # the end of a thought that has ended already
            else:
                thoughts.append("".join([*kept, before, mark[0]]).strip())
                kept.clear()
                leads = True
            done = read = mark.end()
    kept.append(text[done : opening.start() if opening else len(text)])
    if opening is not None:
        thoughts.append(text[opening.start() :])
    return (_joined(kept) if done or opening else text), thoughts, opening is None


def _kind(mark: re.Match[str]) -> str:
    """Returns the common part of an opening mark and its closing mark."""
    if mark["sure"]:
        return "sure"
    if mark["paired"]:
        return mark["paired"].lower()
    written = mark[0].lower()
    return next((end for start, end in _PARTNER.items() if written.startswith(start)), written)


def _closes(mark: re.Match[str]) -> bool:
    if mark["sure"] or mark["paired"]:
        sides = {(mark["edge"] or "").lower(), (mark["side"] or "").lower()}
        return bool(mark["end"]) or not sides.isdisjoint({"end", "close"})
    return mark["closing"] is not None


def _stands_alone(mark: re.Match[str], *, leads: bool) -> bool:
    """Whether an opening mark that nothing closes begins a thought.

    In square and curly brackets, a word is a mark only where the answer begins with it.
    """
    if mark["opening"]:
        return leads
    angular = mark["bracket"].strip()[:1] not in "[{【⟨"
    return bool(mark["sure"]) and (leads or angular) and not (mark["attributes"] and not angular)


def _is_quoted(text: str, mark: re.Match[str]) -> bool:
    """Whether a mark is written about, or has more words in brackets that no tag has."""
    before, after = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
    if before and after and before in _QUOTES and after in _QUOTES and not mark["closing"]:
        return True
    return bool(mark["attributes"]) and mark["bracket"].strip()[:1] in "[{【⟨◁"


def _spoken(text: str) -> _Split:
    """A thought that words begin and end."""
    if (folded := _FOLDED.match(text)) is not None:
        return text[folded.end() :].lstrip(), [folded[0].strip()], True
    for start, end, alone in _SPOKEN:
        opening = start.match(text)
        if opening is None:
            continue
        closing = end.search(text, opening.end())
        if closing is not None:
            return text[closing.end() :].strip(), [text[: closing.end()].strip()], True
        if alone:
            return "", [text.strip()], False
    return text, [], True


def _joined(kept: list[str]) -> str:
    """The remaining text, with a line break in place of a thought."""
    return "\n\n".join(part for part in map(str.strip, kept) if part)
