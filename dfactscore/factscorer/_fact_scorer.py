"""`FactScorer`: the class of the ``factscore`` package, with the engines of this one."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from dfactscore._errors import InputError, LanguageWarning
from dfactscore._evidence.entities import GatheredEntities, entities_of_passages
from dfactscore._evidence.pages import open_pages
from dfactscore._jobs.job import Job
from dfactscore._readers.shown_text import Cuts, TextChoice, shown_text, why_no_answer
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._results.result import Result
from dfactscore._runs import begin_records, record_work
from dfactscore._scorer.results import Results
from dfactscore._scoring import Record
from dfactscore._scoring.biography import NOTHING_READ
from dfactscore._scoring.record import RecordStatus
from dfactscore._text.abstention import is_abstention
from dfactscore._text.language import language_reason, other_language, unscored_languages
from dfactscore._util.near import near_miss
from dfactscore._util.printable import short_repr
from dfactscore._util.role_answers import resolve
from dfactscore._util.tasks import map_in_order, run_sync
from dfactscore.engines._answers import checked_facts
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._counting import count_facts
from dfactscore.engines._roles import Decomposer, Engine, RoleError, Verifier, as_role
from dfactscore.factscorer._arguments import check_gamma, facts_given, pairs
from dfactscore.factscorer._databases import Format, IndexPages, list_missing, open_registered
from dfactscore.factscorer._disambiguated import dscore_result, passages_given
from dfactscore.factscorer._fitting_passages import PassageVerifier, read_retrieval
from dfactscore.factscorer._models import DEFAULT, Roles, open_judge, use_key
from dfactscore.factscorer._result import aggregate
from dfactscore.retrieval import KnowledgeSource, MissingPage
from dfactscore.retrieval._splitting import split_text
from dfactscore.work import Asked, would_ask
from dfactscore.work._asks import all_asked

if TYPE_CHECKING:
    from dfactscore._asking.settings import ChatModel
    from dfactscore._results.frames import RunFrames


Missing = Literal["error", "skip", "unsupported"]
EvidenceKind = Literal["page", "top5"]
DEFAULT_SOURCE = "enwiki-20230401"
_ABSTENTIONS = (None, "none", "generic", "perplexity_ai")
_UNUSED = {"model_dir": ".cache/factscore", "cost_estimate": "consider_cache", "batch_size": 256}
_CONCURRENCY = 24


@dataclass(frozen=True, slots=True)
class _Asked:
    """A text, with the facts that are given, and what it is judged against.

    Attributes:
        biography: The text and its topic.
        abstains: Whether it is said to abstain.
        entity: The page of its topic, if there is one.
        own: Whether it is judged against its own passages instead.
    """

    biography: Biography
    abstains: bool
    entity: Entity | None = None
    own: bool = False


class FactScorer:
    """Scores texts about topics: FActScore, with the calls and the results of the old package.

    Args:
        model_name: ``"retrieval+builtin"`` needs no key and no network; ``"retrieval+ChatGPT"``
            and ``"retrieval+llama"`` let a model decompose and judge each fact by one call.
        data_dir: Folder of the knowledge sources.
        model_dir: Accepted, and changes nothing, as `cost_estimate`, `batch_size` and `is_logits`.
        cache_dir: Folder of the answers of models (SQLite), and of old retrieval caches.
        openai_key: File with a key in its first line; a key in the environment goes before it.
        cost_estimate: See `model_dir`.
        abstain_detection_type: None; ``"generic"``, texts that begin with "I'm sorry" or contain
            "provide more"; ``"perplexity_ai"``, this package's own detector.
        batch_size: See `model_dir`.
        model: `OpenAIModel` or `GGUFModel`; else ``DFACTSCORE_MODEL`` and ``DFACTSCORE_BASE_URL``.
        missing: The treatment of a topic without a page: an early error; skipped, but
            answered; or a text whose facts are all unsupported.
        evidence: The whole page, or the five passages of it that BM25 ranks best for topic and
            fact; by default the page for the built-in verifier and the passages for a model.
        afv_model: Model that verifies (OpenFActScore).
        afg_model: Model that makes the facts (OpenFActScore).
        is_npm: Refused: the nonparametric model is not part of this package.
        is_logits: See `model_dir`.
        reuse_retrieval: Read ``retrieval-NAME.json`` in the cache folder as evidence.
        text_as: Part of a text to score: the answer alone, without thoughts, next turns, links and
            lists of sources; or ``"raw"``, all as it is written.
        decomposer: A decomposer of your own.
        verifier: A verifier of your own.

    Raises:
        InputError: If a name is unknown, or no model is given where one is needed.

    Example:
        >>> scorer = FactScorer()
        >>> scorer.add_pages("mine", {"Ann Lee": "Ann Lee (born 1950) is an English painter."})
        >>> out = scorer.get_score("Ann Lee", "Ann Lee is a painter. She was born in 1871.",
        ...                        gamma=0, knowledge_source="mine")
        >>> out["score"], [fact["is_supported"] for fact in out["decisions"][0]]
        (0.5, [True, False])
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
    ) -> None:
        _one_of("missing", missing, ("error", "skip", "unsupported"))
        _one_of("text_as", text_as, ("answer", "raw"))
        _one_of("evidence", evidence, (None, "page", "top5"))
        _one_of("abstain_detection_type", abstain_detection_type, _ABSTENTIONS)
        given = {"model_dir": model_dir, "cost_estimate": cost_estimate, "batch_size": batch_size}
        unused = [name for name, value in given.items() if str(value) != str(_UNUSED[name])]
        if unused := unused + (["is_logits"] if is_logits else []):
            warnings.warn(f"{', '.join(unused)}: accepted, and changes nothing here", stacklevel=2)
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
        asks = self._judge.session is not None and verifier is None
        self._evidence: EvidenceKind = evidence or ("top5" if asks else "page")
        self._asks = asks
        self._missing: Missing = missing
        self._detector = abstain_detection_type
        self._text: TextChoice = text_as
        self._reuse = reuse_retrieval
        self._sources: dict[str, KnowledgeSource] = {}
        self._results = Results([])
        if old := sorted(path.name for path in self.cache_dir.glob("*.pkl")):
            _say(
                f"{self.cache_dir}: {', '.join(old[:3])}: pickled caches are never opened, for "
                "loading one runs what is in it"
            )

    @property
    def judge(self) -> Roles:
        """The roles and the session of the models."""
        return self._judge

    @property
    def results(self) -> Results:
        """The results of the last call: evidence, probabilities, status of each fact."""
        return self._results

    def frames(self) -> RunFrames:
        """The tables of the last call's results."""
        return self._results.frames()

    def save_cache(self) -> None:
        """Does nothing: answers are kept as they come."""

    def register_knowledge_source(
        self,
        name: str = DEFAULT_SOURCE,
        db_path: str | Path | None = None,
        data_path: str | Path | None = None,
        *,
        format: Format = "store",
        redirects: str | Path | None = None,
    ) -> None:
        """Opens a knowledge source; where its database is not there, it is built first.

        Args:
            name: Its name.
            db_path: A page store, a page database of the old layout, or an index folder; by
                default ``DATA_DIR/NAME.db``.
            data_path: JSON lines of ``{title, text}``; by default ``DATA_DIR/NAME.jsonl``.
            format: The format to build: a page store, or the old layout (``"factscore"``).
            redirects: JSON lines ``{title, target}`` for a database of the old layout.

        Raises:
            InputError: If the name is taken, or nothing usable is there.
        """
        if name in self._sources:
            raise InputError(f"knowledge source {name!r} is registered already")
        _one_of("format", format, ("store", "factscore"))
        self._sources[name] = open_registered(
            name,
            self.data_dir / f"{name}.db" if db_path is None else db_path,
            self.data_dir / f"{name}.jsonl" if data_path is None else data_path,
            format=format,
            redirects=None if redirects is None else Path(redirects),
        )

    def add_pages(self, name: str, pages: Any) -> None:
        """Registers pages that are open: a mapping of title to text, or any knowledge source.

        Raises:
            InputError: If the name is taken, or the pages cannot be used.
        """
        if name in self._sources:
            raise InputError(f"knowledge source {name!r} is registered already")
        self._sources[name] = open_pages(pages)

    def get_score(
        self,
        topics: Any,
        generations: Any,
        gamma: float | None = 10,
        atomic_facts: Any = None,
        knowledge_source: str | None = None,
        verbose: bool = False,
    ) -> dict[str, Any]:
        """Scores texts, each against the page of its topic.

        Args:
            topics: A topic, or one per text; None takes the best page of a registered index.
            generations: A text, or several.
            gamma: Facts below which a text is penalized; 0 or None for no penalty.
            atomic_facts: Facts of each text, or None for an abstention.
            knowledge_source: Name of a registered source.
            verbose: Say on standard error how far it is.

        Returns:
            ``score``, ``respond_ratio``, ``decisions``, ``num_facts_per_response``, and
            ``init_score`` where gamma is not 0 or None.

        Raises:
            InputError: If an argument does not fit, or pages are missing.
        """
        return run_sync(
            self.aget_score(topics, generations, gamma, atomic_facts, knowledge_source, verbose)
        )

    async def aget_score(
        self,
        topics: Any,
        generations: Any,
        gamma: float | None = 10,
        atomic_facts: Any = None,
        knowledge_source: str | None = None,
        verbose: bool = False,
    ) -> dict[str, Any]:
        """As `get_score`, for use with ``await``."""
        penalty, name = check_gamma(gamma), knowledge_source or DEFAULT_SOURCE
        asked, given = self._with_pages(topics, generations, atomic_facts, name)
        job = self._job(self._known(name))
        return (await self._scored(job, asked, penalty, given, verbose))[0]

    def count_calls(
        self,
        topics: Any,
        generations: Any,
        atomic_facts: Any = None,
        knowledge_source: str | None = None,
    ) -> int:
        """Returns about the number of calls `get_score` would make; no model is called.

        Facts that a model would make are counted as the built-in decomposer makes them.

        Raises:
            InputError: As `get_score`.
        """
        name = knowledge_source or DEFAULT_SOURCE
        asked, _ = self._with_pages(topics, generations, atomic_facts, name)
        engine = self._job(self._known(name)).engine
        texts = [o.biography for o in asked if o.biography.text.strip() and not self._abstains(o)]

        async def asks(record: Record) -> AsyncIterator[Asked]:
            biography, entity = record.biography, asked[int(record.id)].entity
            found: list[Asked] = []
            facts = await count_facts(biography, engine.decomposer, found)
            if entity is not None and entity.documents:
                found += await all_asked(engine.verifier.asks(biography, [(facts, entity)]))
            for one in found:
                yield one

        work = record_work(begin_records(texts), engine, None, lambda found: None, asks=asks)
        return would_ask(work).usage.total().calls

    def get_dscore(
        self,
        topics: Any,
        generations: Any,
        gamma: float | None = 10,
        atomic_facts: Any = None,
        docs: Any = None,
        knowledge_source: str | None = None,
        verbose: bool = False,
    ) -> dict[str, Any]:
        """D-FActScore: scores texts, each against the pages of everyone who shares its name.

        Args:
            topics: A name, or one per text.
            generations: A text, or several.
            gamma: As in `get_score`; on the number of facts here too.
            atomic_facts: Facts of each text, or None for an abstention.
            docs: For each text the documents: ``{title, text}``, or titles of the source.
            knowledge_source: Name of a registered source, for titles.
            verbose: Say on standard error how far it is.

        Returns:
            The keys of `get_score` with facts supported by any document, then ``global_score``,
            ``init_global_score``, ``global_decisions``, ``num_groups``,
            ``num_supporting_topics``.

        Raises:
            InputError: If an argument does not fit, or pages are missing.
        """
        return run_sync(
            self.aget_dscore(
                topics, generations, gamma, atomic_facts, docs, knowledge_source, verbose
            )
        )

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
        """As `get_dscore`, for use with ``await``."""
        names, texts = pairs(topics, generations)
        if names is None:
            raise InputError("topics: get_dscore needs a name for each text")
        penalty, facts = check_gamma(gamma), facts_given(atomic_facts, len(texts))
        name, single = knowledge_source or DEFAULT_SOURCE, isinstance(generations, str)
        file = self.cache_dir / f"missing-{name}.txt"
        passages = passages_given(docs, len(texts), single, lambda: self._source(name), file)
        asked = [
            replace(one, biography=replace(one.biography, passages=own), own=True)
            for one, own in zip(self._asked(names, texts, facts), passages, strict=True)
        ]
        result, records = await self._scored(
            self._job(None), asked, penalty, facts is not None, verbose
        )
        return dscore_result(result, records, penalty)

    def _with_pages(
        self, topics: Any, generations: Any, atomic_facts: Any, source_name: str
    ) -> tuple[list[_Asked], bool]:
        """The texts with the pages of their topics, and whether their facts are given."""
        names, texts = pairs(topics, generations)
        facts = facts_given(atomic_facts, len(texts))
        source = self._source(source_name)
        if names is None:
            names = self._best_pages(source, source_name, texts)
        entities = self._pages_of(names, source, source_name)
        asked = [
            replace(o, entity=entities[o.biography.name]) for o in self._asked(names, texts, facts)
        ]
        return asked, facts is not None

    async def _scored(
        self,
        job: Job,
        asked: Sequence[_Asked],
        gamma: float | None,
        given: bool,
        verbose: bool,
    ) -> tuple[dict[str, Any], list[Record]]:
        """The result of texts and the records behind it."""
        say = (lambda done: _say(f"{done} of {len(asked)} scored")) if verbose else None
        try:
            records = await map_in_order(
                lambda one: self._record(job, one), asked, concurrency=_CONCURRENCY, advance=say
            )
        finally:
            if self._judge.session is not None:
                await self._judge.session.aclose()
        result = aggregate(
            [_decisions(record) for record in records],
            gamma=gamma,
            responses=_responses(records, given),
            config_name=self._judge.config_name,
        )
        self._end(records, result)
        return result, records

    def _source(self, name: str) -> KnowledgeSource:
        if name not in self._sources:
            if not (self.data_dir / f"{name}.db").exists() and self._sources:
                known = ", ".join(self._sources)
                hint = near_miss(name, self._sources)
                raise InputError(
                    f"knowledge_source {name!r} is not registered{hint} (there are {known})"
                )
            self.register_knowledge_source(name)
        return self._sources[name]

    def _known(self, name: str) -> Mapping[str, Sequence[Document]] | None:
        """Passages that the old package found, if they are to be used again."""
        path = self.cache_dir / f"retrieval-{name}.json"
        if not self._reuse:
            return None
        if not path.exists():
            raise InputError(f"{path}: no such file; reuse_retrieval reads it")
        return read_retrieval(path)

    def _best_pages(self, source: KnowledgeSource, name: str, texts: Sequence[str]) -> list[str]:
        if not isinstance(source, IndexPages):
            raise InputError(
                f"topics=None needs an index to find the pages in, and {name!r} is none; register "
                "one with db_path=FOLDER (dfactscore index build)"
            )
        found = [source.best_title(text) if text.strip() else "" for text in texts]
        for i, title in enumerate(found):
            _say(f"text {i}: judged against {title!r}")
        return found

    def _pages_of(
        self, names: Sequence[str], source: KnowledgeSource, source_name: str
    ) -> dict[str, Entity | None]:
        """The page of each topic; all are looked up before anything is judged or paid."""
        found: dict[str, Entity | None] = {}
        lacking: list[MissingPage] = []
        for name in names:
            if name in found:
                continue
            pages = source.documents(name) if name.strip() else ()
            found[name] = None
            if pages:
                found[name] = self._entity(pages[0].title, [page.text for page in pages])
            elif name.strip():
                page = source.lookup(name)
                lacking.append(page if isinstance(page, MissingPage) else MissingPage(name))
            else:
                lacking.append(MissingPage(name))
        if lacking:
            file = self.cache_dir / f"missing-{source_name}.txt"
            listed = list_missing([page.reason for page in lacking], file)
            text = f"{source_name}: {len(lacking)} of {len(found)} topics have no page: {listed}"
            if self._missing == "error":
                raise InputError(
                    f"{text}; missing='skip' (--missing skip) leaves them out, "
                    "missing='unsupported' counts their facts as unsupported"
                )
            warnings.warn(f"{text} (missing={self._missing!r})", stacklevel=4)
        empty = [name for name, entity in found.items() if entity and not entity.documents]
        if empty:
            warnings.warn(
                f"{source_name}: pages without text, their facts are unsupported: "
                f"{', '.join(empty[:10])}",
                stacklevel=4,
            )
        return found

    def _entity(self, title: str, texts: Sequence[str]) -> Entity:
        kept = [text for text in texts if text.strip()]
        if self._evidence == "top5" and len(kept) == 1:
            kept = split_text(kept[0])  # a page that is stored whole
        return Entity(title, title, tuple(Document(title, text) for text in kept))

    def _job(self, known: Mapping[str, Sequence[Document]] | None) -> Job:
        verifier = self._verifier
        if self._evidence == "top5" or known:
            verifier = PassageVerifier(verifier, worst_first=self._asks, known=known)
        engine = Engine(self._decomposer, BuiltinGrouper(), verifier)
        return Job(engine=engine, session=self._judge.session)

    async def _record(self, job: Job, one: _Asked) -> Record:
        biography, entity = one.biography, one.entity
        name, text, makes = biography.name, biography.text, biography.facts is None
        if makes and (reason := why_no_answer(biography)):
            return _ended(biography, "no_answer", reason)
        if self._abstains(one):
            return _ended(biography, "abstained", "")
        if makes and self._decomposer.english_only and (other := other_language(text)):
            return _ended(biography, "not_english", language_reason(other))
        if not one.own and entity is None and self._missing == "skip":
            if makes and (not text.strip() or is_abstention(text)):
                return _ended(biography, "abstained", "")
            return _ended(biography, "no_candidates", f"no page {name!r}")
        atoms = biography.facts
        if atoms is None:
            try:
                made = await resolve(self._decomposer.decompose(biography)) if text.strip() else ()
            except RoleError as error:
                return _ended(biography, "error", error.reason)
            atoms = checked_facts(made, self._decomposer)
        if not atoms:
            return _ended(biography, "no_facts", "the text makes no statement")
        biography = replace(biography, facts=atoms)
        if one.own:
            return await job.fill(biography, GatheredEntities(entities_of_passages(biography)))
        if entity is None or not entity.documents:
            # There is nothing to read: nothing is asked, and nothing supported.
            title = name if entity is None else entity.id
            entity = Entity(title, title, ())
            verdicts = {title: (Verdict("not_supported", 0.0),) * len(atoms)}
            biography = replace(biography, verdicts=verdicts)
        return await job.fill(biography, GatheredEntities((entity,)))

    def _asked(
        self,
        names: Sequence[str],
        texts: Sequence[str],
        facts: Sequence[tuple[str, ...] | None] | None,
    ) -> list[_Asked]:
        """The texts with their facts, where these are given; None is an abstention."""
        cuts, asked = Cuts(), list[_Asked]()
        given = facts or [None] * len(texts)
        for i, (name, raw, own) in enumerate(zip(names, texts, given, strict=True)):
            shown = shown_text(raw, name, choice=self._text)
            cuts.add(shown)
            made = None if own is None else tuple(map(Fact, own))
            biography = Biography(str(i), name, shown.text, shown.citations, raw=raw, facts=made)
            asked.append(_Asked(biography, facts is not None and own is None))
        for line in cuts:
            warnings.warn(line, stacklevel=5)
        return asked

    def _abstains(self, one: _Asked) -> bool:
        text = one.biography.text
        if one.abstains or one.biography.facts is not None:
            return one.abstains
        if self._detector == "generic":
            return text.strip().startswith("I'm sorry") or "provide more" in text
        return self._detector == "perplexity_ai" and is_abstention(text)

    def _end(self, records: Sequence[Record], result: Mapping[str, Any]) -> None:
        self._results = Results([Result(record) for record in records])
        failed = sum(record.status == "error" for record in records)
        if failed:
            warnings.warn(f"{failed} texts could not be decomposed", stacklevel=4)
        if others := [record for record in records if record.status == "not_english"]:
            warnings.warn(
                f"{unscored_languages(Counter(r.reason for r in others), len(records))}; the "
                "built-in engine reads English only",
                LanguageWarning,
                stacklevel=4,
            )
        unread = sum(int((~r.matrix.readable).sum()) for r in records if r.matrix is not None)
        if unread:
            warnings.warn(
                f"{unread} verdicts could not be read and are not support (coverage in results)",
                stacklevel=4,
            )
        if unjudged := sum(record.status == "not_judged" for record in records):
            warnings.warn(f"{unjudged} texts have no score: {NOTHING_READ}", stacklevel=4)
        elif result["score"] is None:
            warnings.warn("no text is answered: there is no score", stacklevel=4)


def _decisions(record: Record) -> list[dict[str, Any]] | None:
    """One entry per fact: whether any of the pages supports it; None without facts or verdicts."""
    if record.matrix is None or not record.facts or record.status == "not_judged":
        return None
    support: list[bool] = np.asarray(record.decided.support.any(axis=1)).tolist()
    return [
        {"atom": fact.text.strip(), "is_supported": yes}
        for fact, yes in zip(record.facts, support, strict=True)
    ]


def _responses(records: Sequence[Record], given: bool) -> list[bool]:
    """Whether each text that did not fail answered; an empty list of given facts is an answer."""
    silent = {"abstained", "no_answer"} if given else {"abstained", "no_answer", "no_facts"}
    return [record.status not in silent for record in records if record.status != "error"]


def _ended(biography: Biography, status: RecordStatus, reason: str) -> Record:
    (record,) = begin_records([biography])
    return replace(record, status=status, reason=reason)


def _one_of(argument: str, value: object, known: tuple[Any, ...]) -> None:
    if value not in known:
        words = [str(one) for one in known if one is not None]
        raise InputError(
            f"{argument}: {short_repr(value)} is unknown{near_miss(value, words)} (there are "
            f"{', '.join(words)})"
        )


def _say(line: str) -> None:
    print(f"factscorer: {line}", file=sys.stderr, flush=True)
