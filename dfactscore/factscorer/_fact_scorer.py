"""`FactScorer`: the ``factscore`` package's class, with this package's engines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._evidence.entities import GatheredEntities, entities_of_passages
from dfactscore._jobs.job import Job
from dfactscore._readers.shown_text import Cuts, TextChoice, no_text, shown_text
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._results.result import Result
from dfactscore._runs import begin_records, record_work
from dfactscore._scorer.results import Results
from dfactscore._scoring import Record, ScoreOptions
from dfactscore._scoring.matrix import Counts
from dfactscore._scoring.record import RecordStatus
from dfactscore._text.language import language_reason, other_language
from dfactscore._text.remarks import is_abstention
from dfactscore._util.message_text import warn_caller
from dfactscore._util.tasks import in_sync, map_in_order, resolve
from dfactscore.engines._answers import checked_facts, count_facts
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._roles import Decomposer, Engine, RoleError, Verifier, as_role
from dfactscore.factscorer._arguments import (
    DEFAULT,
    Roles,
    check_gamma,
    facts_given,
    one_of,
    open_judge,
    pairs,
    use_key,
)
from dfactscore.factscorer._knowledge import (
    EvidenceKind,
    Format,
    KnowledgeSources,
    Missing,
    PassageVerifier,
    say,
)
from dfactscore.factscorer._result import (
    aggregate,
    decisions_of,
    dscore_result,
    passages_given,
    responses_of,
    warn_of,
)
from dfactscore.work import Asked, would_ask
from dfactscore.work._work import all_asked

if TYPE_CHECKING:
    from dfactscore._asking.settings import ChatModel
    from dfactscore._results.frames import RunFrames


DEFAULT_SOURCE = "enwiki-20230401"
_ABSTENTIONS = (None, "none", "generic", "perplexity_ai")
_UNUSED = {"model_dir": ".cache/factscore", "cost_estimate": "consider_cache", "batch_size": 256}
_CONCURRENCY = 24


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A text to score."""

    biography: Biography
    abstains: bool
    entity: Entity | None = None
    by_passages: bool = False  # whether the text is judged against passages instead of a whole page


class FactScorer:
    """Scores texts with FActScore; calls and results are those of the ``factscore`` package.

    Args:
        model_name: ``"retrieval+builtin"`` needs neither a key nor a network. With
            ``"retrieval+ChatGPT"`` and ``"retrieval+llama"``, a language model decomposes texts and
            judges each fact in one call.
        data_dir: Folder that contains the knowledge sources.
        model_dir: Accepted, but has no effect.
        cache_dir: Folder for cached model answers (SQLite) and the ``factscore`` package's
            retrieval caches.
        openai_key: File whose first line is a key; a key in the environment takes precedence.
        cost_estimate: Accepted, but has no effect.
        abstain_detection_type: ``"generic"`` for texts that begin with "I'm sorry" or contain
            "provide more", ``"perplexity_ai"`` for the detector of this package, or None.
        batch_size: Accepted, but has no effect.
        model: An `OpenAIModel` or a `GGUFModel`; by default, the model named by the environment
            variables ``DFACTSCORE_MODEL`` and ``DFACTSCORE_BASE_URL``.
        missing: How to treat a topic that has no page: ``"error"`` raises before any text is
            judged, ``"skip"`` excludes the text from the score but counts it as answered, and
            ``"unsupported"`` counts its facts as unsupported.
        evidence: ``"page"`` for the whole page, or ``"top5"`` for the five passages that BM25
            ranks best for topic and fact; by default, the page for the built-in verifier and the
            passages for a model.
        afv_model: Model that verifies facts (OpenFActScore).
        afg_model: Model that decomposes texts (OpenFActScore).
        is_npm: Rejected, because the nonparametric model is not part of this package.
        is_logits: Accepted, but has no effect.
        reuse_retrieval: Use ``retrieval-NAME.json`` in the cache folder as evidence.
        text_as: Which part of a text to score: ``"answer"`` for the text excluding reasoning,
            further turns, links and lists of sources, or ``"raw"`` for the full text.
        decomposer: A custom decomposer.
        verifier: A custom verifier.
        counts: ``"verdicts"`` counts supported facts, as the ``factscore`` package does;
            ``"expected"`` adds up the probabilities in ``support``, as all other commands do. By
            default, ``"expected"`` if the verifier is calibrated, as the built-in one is.

    Raises:
        InputError: If an argument is invalid, or a required model is missing.

    Example:
        >>> scorer = FactScorer()
        >>> scorer.add_pages("mine", {"Ann Lee": "Ann Lee (born 1950) is an English painter."})
        >>> out = scorer.get_score("Ann Lee", "Ann Lee is a painter. She was born in 1871.",
        ...                        gamma=0, knowledge_source="mine")
        >>> [fact["is_supported"] for fact in out["decisions"][0]], out["score_verdicts"]
        ([True, False], 0.5)
        >>> [round(fact["support"], 1) for fact in out["decisions"][0]], round(out["score"], 1)
        ([0.9, 0.0], 0.5)
    """

    def __init__(
        self,
        model_name: str = DEFAULT,
        data_dir: str | Path = ".cache/factscore",
        model_dir: str | Path = ".cache/factscore",
        cache_dir: str | Path = ".cache/factscore",
        openai_key: str | Path = "api.key",
        cost_estimate: str = "consider_cache",
        abstain_detection_type: str | None = None,
        batch_size: int = 256,
        *,
        model: ChatModel | None = None,
        missing: Missing = "error",
        evidence: EvidenceKind | None = None,
        afv_model: str | None = None,
        afg_model: str | None = None,
        is_npm: bool = False,
        is_logits: bool = False,
        reuse_retrieval: bool = False,
        text_as: TextChoice = "answer",
        decomposer: Decomposer | None = None,
        verifier: Verifier | None = None,
        counts: Counts | None = None,
    ) -> None:
        one_of("counts", counts, (None, "expected", "verdicts"))
        one_of("missing", missing, ("error", "skip", "unsupported"))
        one_of("text_as", text_as, ("answer", "raw"))
        one_of("evidence", evidence, (None, "page", "top5"))
        one_of("abstain_detection_type", abstain_detection_type, _ABSTENTIONS)
        values = {"model_dir": model_dir, "cost_estimate": cost_estimate, "batch_size": batch_size}
        unused = [name for name, value in values.items() if str(value) != str(_UNUSED[name])]
        if unused := unused + (["is_logits"] if is_logits else []):
            warn_caller(f"{', '.join(unused)}: accepted without effect")
        if decomposer is not None:
            decomposer = as_role(decomposer, Decomposer, "decomposer")
        if verifier is not None:
            verifier = as_role(verifier, Verifier, "verifier")
        use_key(openai_key)
        self.model_name = model_name
        self.data_dir, self.cache_dir = Path(data_dir), Path(cache_dir)
        self._judge = open_judge(
            model_name,
            model=model,
            afg_model=afg_model,
            afv_model=afv_model,
            is_npm=is_npm,
            cache_dir=self.cache_dir,
        )
        self._decomposer: Decomposer = decomposer or self._judge.decomposer
        self._verifier: Verifier = verifier or self._judge.verifier
        self._counts: Counts = counts or ("expected" if self._verifier.calibrated else "verdicts")
        asks = self._judge.session is not None and verifier is None
        self._evidence: EvidenceKind = evidence or ("top5" if asks else "page")
        self._asks = asks
        self._missing: Missing = missing
        self._detector = abstain_detection_type
        self._text: TextChoice = text_as
        self._sources = KnowledgeSources(
            self.data_dir,
            self.cache_dir,
            missing=missing,
            evidence=self._evidence,
            reuse_retrieval=reuse_retrieval,
        )
        self._results = Results([])
        if pickles := sorted(path.name for path in self.cache_dir.glob("*.pkl")):
            say(
                f"{self.cache_dir}: {', '.join(pickles[:3])}: pickled caches are not read, because "
                "loading a pickle can run code"
            )

    @property
    def judge(self) -> Roles:
        """The decomposer and verifier for the model name, with the models' session."""
        return self._judge

    @property
    def results(self) -> Results:
        """Detailed results of the last call: each fact's evidence, probabilities and status."""
        return self._results

    def frames(self) -> RunFrames:
        """The last call's results as data frames."""
        return self._results.frames()

    def save_cache(self) -> None:
        """Does nothing, because answers are cached at once."""

    def register_knowledge_source(
        self,
        name: str = DEFAULT_SOURCE,
        db_path: str | Path | None = None,
        data_path: str | Path | None = None,
        *,
        format: Format = "store",
        redirects: str | Path | None = None,
    ) -> None:
        """Opens a knowledge source, first building its database if it does not exist.

        Args:
            name: Name of the source.
            db_path: A page store, a page database of the ``factscore`` package, or an index
                folder; by default ``DATA_DIR/NAME.db``.
            data_path: JSON lines of ``{title, text}``; by default ``DATA_DIR/NAME.jsonl``.
            format: The format to build: a page store, or the layout of the ``factscore`` package.
            redirects: JSON lines ``{title, target}``, used for the ``factscore`` package's layout.

        Raises:
            InputError: If the name is already registered, or the files cannot be used.
        """
        self._sources.register(name, db_path, data_path, format=format, redirects=redirects)

    def add_pages(self, name: str, pages: Any) -> None:
        """Registers a mapping from titles to texts, or any knowledge source.

        Raises:
            InputError: If the name is already registered, or the pages cannot be used.
        """
        self._sources.add_pages(name, pages)

    async def aget_score(
        self,
        topics: Any,
        generations: Any,
        gamma: float | None = 10,
        atomic_facts: Any = None,
        knowledge_source: str | None = None,
        verbose: bool = False,
    ) -> dict[str, Any]:
        """Scores texts against the pages of their topics.

        Args:
            topics: A topic, or one per text; if None, an index finds the best page for each text.
            generations: A text, or several.
            gamma: Number of facts below which a text is penalized; 0 or None for no penalty.
            atomic_facts: The facts of each text, or None for an abstention.
            knowledge_source: Name of a registered source.
            verbose: Print progress on standard error.

        Returns:
            ``score``, ``respond_ratio``, ``decisions``, ``num_facts_per_response``, and, if there
            is a penalty, ``init_score``. A decision has ``support``, the value that `counts` adds
            up, beside the verdict ``is_supported``; expected counts also give ``counts`` and
            ``score_verdicts``.

        Raises:
            InputError: If an argument is invalid, or pages are missing.
        """
        penalty, name = check_gamma(gamma), knowledge_source or DEFAULT_SOURCE
        prepared, has_facts = self._with_pages(topics, generations, atomic_facts, name)
        job = self._job(self._sources.retrieved(name))
        return (await self._scored(job, prepared, penalty, has_facts, verbose))[0]

    get_score = in_sync(aget_score)
    """Synchronous version of `aget_score`; also works inside a running event loop."""

    def count_calls(
        self,
        topics: Any,
        generations: Any,
        atomic_facts: Any = None,
        knowledge_source: str | None = None,
    ) -> int:
        """Estimates the number of calls that `get_score` would make, without calling a model.

        The number of facts is estimated with the built-in decomposer instead of a model.

        Raises:
            InputError: For the same reasons as in `get_score`.
        """
        name = knowledge_source or DEFAULT_SOURCE
        prepared, _ = self._with_pages(topics, generations, atomic_facts, name)
        engine = self._job(self._sources.retrieved(name)).engine
        texts = [
            o.biography for o in prepared if o.biography.text.strip() and not self._abstains(o)
        ]

        async def asks(record: Record) -> AsyncIterator[Asked]:
            biography, entity = record.biography, prepared[int(record.id)].entity
            requests: list[Asked] = []
            facts = await count_facts(biography, engine.decomposer, requests)
            if entity is not None and entity.documents:
                requests += await all_asked(engine.verifier.asks(biography, [(facts, entity)]))
            for request in requests:
                yield request

        work = record_work(begin_records(texts), engine, None, lambda requests: None, asks=asks)
        return would_ask(work).usage.total().calls

    async def aget_dscore(
        self,
        topics: Any,
        generations: Any,
        gamma: float | None = 10,
        atomic_facts: Any = None,
        docs: Any = None,
        knowledge_source: str | None = None,
        verbose: bool = False,
    ) -> dict[str, Any]:
        """Scores texts with D-FActScore against the pages of people who share the name.

        Args:
            topics: A name, or one per text.
            generations: A text, or several.
            gamma: Number of facts below which a text is penalized; 0 or None for no penalty.
            atomic_facts: The facts of each text, or None for an abstention.
            docs: The documents for each text: ``{title, text}``, or titles of pages.
            knowledge_source: Name of a registered source, used to look up titles.
            verbose: Print progress on standard error.

        Returns:
            The keys returned by `get_score` (where any document may support a fact), plus the
            D-FActScore keys: ``global_score``, ``init_global_score``, ``global_decisions``,
            ``num_groups``, ``num_supporting_topics``.

        Raises:
            InputError: If an argument is invalid, or pages are missing.
        """
        names, texts = pairs(topics, generations)
        if names is None:
            raise InputError("topics: get_dscore needs a name for each text")
        penalty, facts = check_gamma(gamma), facts_given(atomic_facts, len(texts))
        name, single = knowledge_source or DEFAULT_SOURCE, isinstance(generations, str)
        file = self.cache_dir / f"missing-{name}.txt"
        passages = passages_given(
            docs, len(texts), single, lambda: self._sources.source(name), file
        )
        prepared = [
            replace(
                text, biography=replace(text.biography, passages=text_passages), by_passages=True
            )
            for text, text_passages in zip(
                self._prepared(names, texts, facts), passages, strict=True
            )
        ]
        result, records = await self._scored(
            self._job(None), prepared, penalty, facts is not None, verbose
        )
        return dscore_result(result, records, penalty)

    get_dscore = in_sync(aget_dscore)
    """Synchronous version of `aget_dscore`; also works inside a running event loop."""

    def _with_pages(
        self, topics: Any, generations: Any, atomic_facts: Any, source_name: str
    ) -> tuple[list[_Prepared], bool]:
        """Returns the texts with their topics' pages, and whether the caller gave facts."""
        names, texts = pairs(topics, generations)
        facts = facts_given(atomic_facts, len(texts))
        if names is None:
            names = self._sources.best_pages(source_name, texts)
        entities = self._sources.pages_of(names, source_name)
        prepared = [
            replace(o, entity=entities[o.biography.name])
            for o in self._prepared(names, texts, facts)
        ]
        return prepared, facts is not None

    async def _scored(
        self,
        job: Job,
        prepared: Sequence[_Prepared],
        gamma: float | None,
        has_facts: bool,
        verbose: bool,
    ) -> tuple[dict[str, Any], list[Record]]:
        """Scores texts and returns the result and the records."""
        advance = (lambda done: say(f"{done} of {len(prepared)} scored")) if verbose else None
        try:
            records = await map_in_order(
                lambda text: self._record(job, text),
                prepared,
                concurrency=_CONCURRENCY,
                advance=advance,
            )
        finally:
            if self._judge.session is not None:
                await self._judge.session.aclose()
        result = aggregate(
            [decisions_of(record) for record in records],
            gamma=gamma,
            responses=responses_of(records, has_facts),
            config_name=self._judge.config_name,
            counts=self._counts,
        )
        self._results = Results([Result(record) for record in records])
        warn_of(records, result)
        return result, records

    def _job(self, known: Mapping[str, Sequence[Document]] | None) -> Job:
        verifier = self._verifier
        if self._evidence == "top5" or known:
            verifier = PassageVerifier(verifier, worst_first=self._asks, known=known)
        engine = Engine(self._decomposer, BuiltinGrouper(), verifier)
        options = ScoreOptions(counts=self._counts)
        return Job(engine=engine, session=self._judge.session, options=options)

    async def _record(self, job: Job, prepared: _Prepared) -> Record:
        biography, entity = prepared.biography, prepared.entity
        name, text, decomposes = biography.name, biography.text, biography.facts is None
        if (ending := no_text(biography)) is not None and ending.status != "abstained":
            return _ended(biography, ending.status, ending.reason)
        if self._abstains(prepared):
            return _ended(biography, "abstained", "")
        if decomposes and self._decomposer.english_only and (language := other_language(text)):
            return _ended(biography, "not_english", language_reason(language))
        if not prepared.by_passages and entity is None and self._missing == "skip":
            if decomposes and (not text.strip() or is_abstention(text)):
                return _ended(biography, "abstained", "")
            return _ended(biography, "no_candidates", f"no page {name!r}")
        atoms = biography.facts
        if atoms is None:
            try:
                decomposed = (
                    await resolve(self._decomposer.decompose(biography)) if text.strip() else ()
                )
            except RoleError as error:
                return _ended(biography, "error", error.reason)
            atoms = checked_facts(decomposed, self._decomposer)
        if not atoms:
            return _ended(biography, "no_facts", "the text makes no statement")
        biography = replace(biography, facts=atoms)
        if prepared.by_passages:
            return await job.fill(biography, GatheredEntities(entities_of_passages(biography)))
        if entity is None or not entity.documents:
            # Without evidence, all facts are unsupported and no verifier is called.
            title = name if entity is None else entity.id
            entity = Entity(title, title, ())
            verdicts = {title: (Verdict("not_supported", 0.0),) * len(atoms)}
            biography = replace(biography, verdicts=verdicts)
        return await job.fill(biography, GatheredEntities((entity,)))

    def _prepared(
        self,
        names: Sequence[str],
        texts: Sequence[str],
        facts: Sequence[tuple[str, ...] | None] | None,
    ) -> list[_Prepared]:
        """Prepares the texts and any given facts; facts that are None mean an abstention."""
        cuts, prepared = Cuts(), list[_Prepared]()
        rows = facts or [None] * len(texts)
        for i, (name, raw, row) in enumerate(zip(names, texts, rows, strict=True)):
            shown = shown_text(raw, name, choice=self._text)
            cuts.add(shown)
            text_facts = None if row is None else tuple(map(Fact, row))
            biography = Biography(
                str(i), name, shown.text, shown.citations, raw=raw, facts=text_facts
            )
            prepared.append(_Prepared(biography, facts is not None and row is None))
        for line in cuts:
            warn_caller(line)
        return prepared

    def _abstains(self, prepared: _Prepared) -> bool:
        text = prepared.biography.text
        if prepared.abstains or prepared.biography.facts is not None:
            return prepared.abstains
        if self._detector == "generic":
            return text.strip().startswith("I'm sorry") or "provide more" in text
        return self._detector == "perplexity_ai" and is_abstention(text)


def _ended(biography: Biography, status: RecordStatus, reason: str) -> Record:
    (record,) = begin_records([biography])
    return replace(record, status=status, reason=reason)
