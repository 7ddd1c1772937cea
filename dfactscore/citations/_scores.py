"""Citation recall and precision of paragraphs (paper appendix D; ALCE, Gao et al. 2023)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from dfactscore._errors import InputError
from dfactscore._records import Citation
from dfactscore._text.sentences import split_sentences
from dfactscore._util.numbers import mean
from dfactscore._util.roles import role_fault
from dfactscore.citations._entailment import CountsTruncated, Entailer, Judgment, Query, judged
from dfactscore.retrieval import Passage


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence and the passages that it cites.

    Attributes:
        text: The sentence without citations.
        citations: Citation numbers in order of occurrence, starting at 1. A number may have no
            corresponding passage, and a number cited twice is listed twice, as in ALCE.
        span: Start and end (exclusive) in characters of the paragraph without citations.
    """

    text: str
    citations: tuple[int, ...]
    span: tuple[int, int]


def cited_sentences(text: str, citations: Sequence[Citation]) -> tuple[CitedSentence, ...]:
    """Splits a paragraph into sentences and assigns each citation to one of them.

    A citation belongs to the sentence that contains or precedes it, even after the period ("He
    died. [1] She did not."). A citation at the start of a line belongs to the next sentence.

    Args:
        text: The paragraph without citations.
        citations: The result of `dfactscore._readers.shown_text.strip_citations`.

    Example:
        >>> for s in cited_sentences("Al rowed. He won.", (Citation(8, (1,)), Citation(17, (2,)))):
        ...     print(s.citations, s.text)
        (1,) Al rowed.
        (2,) He won.
    """
    spans = _spans(text)
    numbers: list[list[int]] = [[] for _ in spans]
    for citation in citations:
        if spans:
            numbers[_owner(text, spans, citation.position)].extend(citation.numbers)
    return tuple(
        CitedSentence(text[start:end], tuple(cited), (start, end))
        for (start, end), cited in zip(spans, numbers, strict=True)
    )


def _owner(text: str, spans: Sequence[tuple[int, int]], position: int) -> int:
    preceding = [i for i, (start, _) in enumerate(spans) if start < position]
    if not preceding:
        return 0
    last = preceding[-1]
    opens_line = "\n" in text[spans[last][1] : position]
    return last + 1 if opens_line and last + 1 < len(spans) else last


def _spans(text: str) -> list[tuple[int, int]]:
    """Returns sentence spans; a sentence without letters or digits is joined to the previous."""
    spans: list[tuple[int, int]] = []
    for sentence in split_sentences(text):
        if any(c.isalnum() for c in sentence.text):
            spans.append((sentence.start, sentence.end))
        elif spans and "\n" not in text[spans[-1][1] : sentence.start]:
            spans[-1] = (spans[-1][0], sentence.end)
    return spans


MAX_CITATIONS = 3
"""The maximum number of citations that are read per sentence, as in ALCE."""

Outcome = Literal["entailed", "not_entailed", "uncited", "no_such_passage", "unreadable"]

Status = Literal["scored", "abstained", "no_answer", "failed", "empty", "not_judged", "error"]


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """The outcome of one sentence.

    Attributes:
        text: The sentence without citations.
        citations: All citation numbers, as they appear in the text.
        outcome: ``"entailed"`` means that recall is 1; for every other outcome, it is 0.
        precise: For each of the first `MAX_CITATIONS` citations, whether it is necessary or
            sufficient for entailment; None if precision was not requested.
        probability: The probability that the citations together entail the sentence; None if the
            model returned no probability or was not asked.
    """

    text: str
    citations: tuple[int, ...]
    outcome: Outcome
    precise: tuple[bool, ...] | None = ()
    probability: float | None = None

    @property
    def recall(self) -> int:
        """1 if the cited passages together entail the sentence; otherwise 0."""
        return int(self.outcome == "entailed")


@dataclass(frozen=True, slots=True)
class CitationScore:
    """Citation recall and precision of one paragraph.

    Attributes:
        id: The id of the biography.
        name: The target name.
        sentences: One score per sentence.
        status: Only ``"scored"`` paragraphs are included in the means. An abstention or an empty
            text has no statement to cite; ``"not_judged"`` means that every answer was unreadable,
            and ``"error"`` that judging failed.
        n_passages: The number of passages that could be cited.
        trimmed: Numbers of the passages that the writing model saw only in part or not at all.
    """

    id: str
    name: str
    sentences: tuple[SentenceScore, ...]
    status: Status = "scored"
    n_passages: int = 5
    trimmed: tuple[int, ...] = ()

    def on_unseen_text(self, sentence: SentenceScore) -> bool:
        """Whether a sentence cites a passage that the writing model did not see completely."""
        return not set(self.trimmed).isdisjoint(sentence.citations[:MAX_CITATIONS])

    @property
    def recall(self) -> float | None:
        """The share of sentences that their citations entail, in [0, 1]; None if not scored."""
        if self.status != "scored":
            return None
        return sum(s.recall for s in self.sentences) / len(self.sentences)

    @property
    def precision(self) -> float | None:
        """The share of precise citations among those read; 0 if none were read, as in ALCE.

        None if the paragraph is not scored or precision was not requested.
        """
        if self.status != "scored":
            return None
        flags: list[bool] = []
        for sentence in self.sentences:
            if sentence.precise is None:
                return None
            flags.extend(sentence.precise)
        return sum(flags) / len(flags) if flags else 0.0

    @property
    def n_citations(self) -> int:
        """The number of citations that were read."""
        return sum(min(len(s.citations), MAX_CITATIONS) for s in self.sentences)


@dataclass(frozen=True, slots=True)
class CitationSummary:
    """Means over paragraphs, as fractions.

    Attributes:
        citation_recall: The mean recall of scored paragraphs; None if there are none.
        citation_precision: The mean precision of scored paragraphs; None if there are none or if
            one of them has no precision.
        citation_recall_all: The mean recall when unscored paragraphs are counted as 0.
        citation_recall_cited: The mean recall of paragraphs with at least one citation.
        n_paragraphs: The total number of paragraphs.
        n_scored: The number of paragraphs included in the means: those scored and those missing
            from a log.
        n_sentences: The number of sentences in scored paragraphs.
        n_citations: The number of citations that were read in scored paragraphs.
        outcomes: The number of sentences by outcome, in paragraphs whose status is ``"scored"`` or
            ``"not_judged"``.
        n_missing: The number of paragraphs missing from the log, which count as 0.
    """

    citation_recall: float | None
    citation_precision: float | None
    citation_recall_all: float | None
    citation_recall_cited: float | None
    n_paragraphs: int
    n_scored: int
    n_sentences: int
    n_citations: int
    outcomes: Mapping[str, int]
    n_missing: int = 0


def status_of(sentences: Sequence[SentenceScore], status: Status = "scored") -> Status:
    """Returns the status of a paragraph; ``"not_judged"`` if all answers were unreadable."""
    outcomes = {s.outcome for s in sentences}
    unread = "unreadable" in outcomes and outcomes.isdisjoint({"entailed", "not_entailed"})
    return "not_judged" if status == "scored" and unread else status


Paragraph = tuple[str, str, Sequence[CitedSentence], Sequence[Passage]]


def score_sentence(cited: CitedSentence, n_passages: int) -> tuple[SentenceScore, tuple[int, ...]]:
    """Scores a sentence as far as possible without the entailment model."""
    # Returns the score, and the zero-based indices of the passages to judge together. If the
    # sentence cites no passage, or cites a number that has no passage, there are no indices and the
    # score is final.
    numbers = cited.citations
    score = SentenceScore(
        cited.text, numbers, "uncited", (False,) * min(len(numbers), MAX_CITATIONS)
    )
    if not numbers:
        return score, ()
    if any(not 1 <= n <= n_passages for n in numbers):
        return replace(score, outcome="no_such_passage"), ()
    return score, tuple(n - 1 for n in numbers[:MAX_CITATIONS])


async def score_paragraphs(
    paragraphs: Sequence[Paragraph],
    entailer: Entailer,
    *,
    precision: bool = True,
) -> list[tuple[SentenceScore, ...]]:
    """Scores the sentences of many paragraphs, querying the model in a few large batches.

    A sentence has recall 1 if its first `MAX_CITATIONS` cited passages, read together, entail it.
    A citation is imprecise if its passage alone does not entail the sentence *and* the sentence's
    other citations still do without it. All citations of a sentence with recall 0 are imprecise.

    Args:
        paragraphs: Tuples of ``(id, name, sentences, passages)``.
        entailer: The entailment model.
        precision: Whether to ask the additional questions needed for precision.

    Returns:
        The sentence scores of each paragraph, in order.

    Raises:
        InputError: If the entailer lacks a method, or does not return one judgment per question.
    """
    fault = role_fault(entailer, Entailer, optional=(CountsTruncated,))
    if fault:
        raise InputError(f"entailer: {fault}")
    scores: list[SentenceScore] = []
    joint: dict[int, tuple[Query, tuple[int, ...]]] = {}
    for _, name, sentences, passages in paragraphs:
        for sentence in sentences:
            score, cited = score_sentence(sentence, len(passages))
            if cited:
                query = Query(sentence.text, tuple(passages[i] for i in cited), name)
                joint[len(scores)] = (query, cited)
            scores.append(score)
    answers = await judged(entailer, [query for query, _ in joint.values()])
    for index, answer in zip(joint, answers, strict=True):
        scores[index] = replace(
            scores[index], outcome=_outcome(answer), probability=answer.probability
        )
    supported = {i: q for i, (q, _) in joint.items() if scores[i].outcome == "entailed"}
    if precision:
        for index, flags in (await _precise(entailer, supported)).items():
            scores[index] = replace(scores[index], precise=flags)
    else:
        scores = [replace(score, precise=None) for score in scores]
    remaining = iter(scores)
    return [tuple(next(remaining) for _ in sentences) for _, _, sentences, _ in paragraphs]


def _outcome(answer: Judgment) -> Outcome:
    if answer.entailed is None:
        return "unreadable"
    return "entailed" if answer.entailed else "not_entailed"


async def _precise(
    entailer: Entailer, supported: Mapping[int, Query]
) -> dict[int, tuple[bool, ...]]:
    """Returns, for each entailed sentence, whether its citations are precise."""
    slots = [
        (index, place, replace(query, passages=(passage,)))
        for index, query in supported.items()
        if len(query.passages) > 1
        for place, passage in enumerate(query.passages)
    ]
    alone = await judged(entailer, [query for _, _, query in slots])
    doubtful = [
        (i, p) for (i, p, _), answer in zip(slots, alone, strict=True) if not answer.entailed
    ]
    queries = [
        replace(supported[i], passages=_without(supported[i].passages, place))
        for i, place in doubtful
    ]
    judgments = await judged(entailer, queries)
    needless = {slot for slot, answer in zip(doubtful, judgments, strict=True) if answer.entailed}
    return {
        index: tuple((index, place) not in needless for place in range(len(query.passages)))
        for index, query in supported.items()
    }


def _without(passages: tuple[Passage, ...], place: int) -> tuple[Passage, ...]:
    return passages[:place] + passages[place + 1 :]


def summarize(scores: Iterable[CitationScore], *, paragraphs: int | None = None) -> CitationSummary:
    """Averages over paragraphs, giving each the same weight regardless of its length.

    Args:
        scores: The scores of the paragraphs.
        paragraphs: The total number of paragraphs, if a log leaves some out; ALCE's log leaves out
            paragraphs without a readable citation. Missing paragraphs count as 0 in the means of
            both recall and precision.

    Raises:
        InputError: If there are more scores than paragraphs.

    Example:
        >>> rows = [CitationScore("1", "Al", (SentenceScore("He swam.", (1,), "entailed"),))]
        >>> summarize(rows).citation_recall, summarize(rows, paragraphs=4).citation_recall
        (1.0, 0.25)
    """
    rows = list(scores)
    scored = [row for row in rows if row.status == "scored"]
    recalls = [row.recall for row in scored if row.recall is not None]
    precisions = [row.precision for row in scored if row.precision is not None]
    cited = [row.recall for row in scored if any(s.citations for s in row.sentences)]
    if paragraphs is not None:
        if paragraphs < len(rows):
            raise InputError(
                f"paragraphs={paragraphs}: there are {len(rows)} already, so none can be missing"
            )
        missing = [0.0] * (paragraphs - len(rows))
        if len(precisions) == len(recalls):
            precisions += missing
        recalls += missing
    total = len(rows) if paragraphs is None else paragraphs
    sentences = [s for row in scored for s in row.sentences]
    counted = [
        s.outcome for row in rows if row.status in ("scored", "not_judged") for s in row.sentences
    ]
    outcomes = {outcome: counted.count(outcome) for outcome in get_args(Outcome)}
    return CitationSummary(
        citation_recall=mean(recalls),
        citation_precision=mean(precisions) if len(precisions) == len(recalls) else None,
        citation_recall_all=sum(recalls) / total if total else None,
        citation_recall_cited=mean(cited),
        n_paragraphs=total,
        n_missing=total - len(rows),
        n_scored=len(recalls),
        n_sentences=len(sentences),
        n_citations=sum(row.n_citations for row in scored),
        outcomes=outcomes,
    )
