"""The Python interface: `score` for one text, `Scorer` for many."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import (
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, Unpack, cast

from dfactscore._asking.settings import GGUFModel, OpenAIModel
from dfactscore._errors import InputError, LanguageWarning
from dfactscore._evidence.entities import all_entities
from dfactscore._evidence.owners import OwnerChoice, Owners
from dfactscore._evidence.pages import ListedNames, open_dataset, open_pages
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job, job_signature
from dfactscore._jobs.settings import JobSettings, library_settings
from dfactscore._jobs.workers import JudgesOfRoles, check_workers
from dfactscore._readers import BadRecord, Columns, Reading, read_biographies, read_records
from dfactscore._readers.problems import RecordError
from dfactscore._readers.records import biography_from_record
from dfactscore._readers.shown_text import Cuts, TextChoice
from dfactscore._records import Biography
from dfactscore._results.result import Result
from dfactscore._scorer.blocks import fill_over_workers
from dfactscore._scorer.results import Results
from dfactscore._scorer.run_folder import run_job
from dfactscore._scoring.biography import Irrelevant, Unreadable
from dfactscore._scoring.matrix import Counts
from dfactscore._text.language import unscored_languages
from dfactscore._util.callbacks import Progress
from dfactscore._util.known_arguments import known_arguments, with_options
from dfactscore._util.numbers import counted
from dfactscore._util.progress import progress as shown_progress
from dfactscore._util.settings import from_mapping, settle
from dfactscore._util.tasks import map_in_order, run_sync
from dfactscore._util.usage import Usage
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Decomposer, Engine, Grouper, Verifier, as_role
from dfactscore.linking import CandidateMode, LinkMethod

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession
    from dfactscore._asking.settings import ChatModel
    from dfactscore.retrieval import KnowledgeSource

_T = TypeVar("_T")


Pages = Mapping[str, "str | Sequence[str]"]


class ScorerOptions(TypedDict, total=False):
    """The options that `Scorer`, which documents them, and `score` have in common."""

    decomposer: Decomposer | str | None
    grouper: Grouper | str | None
    verifier: Verifier | str | None
    model: ChatModel | None
    llm: Mapping[str, Any] | None
    link: LinkMethod
    candidates: CandidateMode
    dataset: Mapping[str, Collection[str]] | str | Path | None
    unreadable: Unreadable
    irrelevant: Irrelevant
    threshold: float | None
    counts: Counts | None
    gamma: float | None
    min_foreign: int
    keep_repeats: bool
    language: Literal["english", "any"]
    text_as: Literal["answer", "raw"]
    entities: OwnerChoice
    concurrency: int


def _defaults() -> ScorerOptions:
    """The default of each option: that of the setting of the command, if it has one."""
    settings = JobSettings.model_fields
    of_settings = {name: settings.get(_SETTINGS.get(name, name)) for name in _OPTIONS}
    defaults = {name: field.default if field else None for name, field in of_settings.items()}
    return cast("ScorerOptions", {**defaults, "concurrency": 16})


_OPTIONS = tuple(ScorerOptions.__annotations__)
_SETTINGS = {"text_as": "text"}  # options with another name as settings
_OF_SCORES = _OPTIONS[_OPTIONS.index("link") :]
_DEFAULTS = _defaults()
_ROLES = {"decomposer": Decomposer, "grouper": Grouper, "verifier": Verifier}


class Scorer:
    """Scores biographies with one engine and one set of options.

    Args:
        decomposer: Splits text into facts: an object, ``"builtin"`` or ``"llm"``; the built-in
            engine's by default, as for the others.
        grouper: Groups facts by perceived individual; likewise.
        verifier: Judges facts against an entity's documents: an object, or as on the command line
            ``"builtin"``, ``"llm"``, ``"strict"``, ``"cascade"``, ``"no-context"``, or
            ``"nli:MODEL"`` for an entailment model, a folder or a hub id.
        model: A language model for the roles that are not given (`OpenAIModel`, `GGUFModel`);
            without it, the built-in engine takes them.
        llm: Further settings for the model, as in the YAML file of the command line (see
            `dfactscore._jobs.settings.Config`): ``{"verifier": "strict", "max_calls": 1000}``.
        pages: Evidence: a mapping of title to text or texts, a file, a
            page store or any `dfactscore.retrieval.KnowledgeSource`; without it, the
            biographies' passages.
            For a biography without passages, the pages of which a title or redirect bears the name,
            and those that `dataset` lists for it; if there are none, all pages if they are 20
            or fewer.
        link: ``"argmax"`` (the paper's) or ``"hungarian"``.
        candidates: The entities that a group may be linked to.
        dataset: Titles of each name's entities, or an AmbigBio file, for candidates
            ``"dataset"``.
        unreadable: The count of an unreadable cell.
        irrelevant: Whether irrelevant facts stay in the denominator.
        threshold: Probability from which a fact counts as supported; the verifier's own by default.
        counts: Values that scores add up: ``"expected"`` numbers of supported facts (probabilities)
            or ``"verdicts"``; by default ``"expected"`` of a calibrated judge.
        gamma: FActScore's length penalty (10 there); none by default.
        min_foreign: Number of facts of another entity of the name that make a group mixed.
        keep_repeats: Count facts that say the same each time in F1@K; by default once.
        language: Texts that the built-in engine reads: ``"english"`` only (others get the status
            ``"not_english"`` and a `LanguageWarning`), or ``"any"``.
        text_as: Part of a text to score: the answer alone, without thoughts, next turns, links and
            lists of sources; or ``"raw"``, all as it is written.
        entities: Whose a passage is: ``"titles"`` for what its title names; by default, where that
            names no one (a file, a number, an address), the person that the passage presents;
            ``"passages"`` for that person always.
        concurrency: Biographies at a time, if the engine takes time.
        workers: Processes that score; 0 for one per core. Roles of your own must then be classes of
            a module that can be imported.
        on: The place of the processes: None for this machine, ``"ray"`` or ``"ray://HOST:PORT"``.

    Raises:
        InputError: If an argument is unknown (the near miss is named) or its value does not fit.

    Example:
        >>> pages = {
        ...     "Ann Lee (painter)": "Ann Lee (born 1950) is an English painter of landscapes.",
        ...     "Ann Lee (rower)": "Ann Lee (born 1971) is a rower. She rowed for Canada in 1996.",
        ... }
        >>> result = Scorer(pages=pages).score(
        ...     "Ann Lee is an English painter. She rowed for Canada in 1996.", name="Ann Lee")
        >>> round(result.fs, 2), round(result.dfs, 2), result.n_bio, result.n_ent
        (0.99, 0.53, 1, 2)
        >>> result.scores.fs_verdicts, result.scores.dfs_verdicts
        (1.0, 0.5)
    """

    @known_arguments
    @with_options(ScorerOptions, _DEFAULTS)
    def __init__(
        self,
        *,
        pages: Pages | KnowledgeSource | str | None = None,
        workers: int = 1,
        on: str | None = None,
        **options: Unpack[ScorerOptions],
    ) -> None:
        chosen: ScorerOptions = {**_DEFAULTS, **options}
        model, llm = chosen["model"], chosen["llm"]
        roles: dict[str, Any] = {role: chosen[role] for role in ("decomposer", "grouper")}
        roles["verifier"] = _named(chosen["verifier"])
        names = {role: name for role, name in roles.items() if isinstance(name, str)}
        roles |= dict.fromkeys(names)
        roles |= {k: as_role(v, _ROLES[k], k) for k, v in roles.items() if v is not None}
        library_settings(names, "Scorer")  # refuses unknown names
        self._decomposer: Decomposer | None = roles["decomposer"]
        self._grouper: Grouper | None = roles["grouper"]
        self._verifier: Verifier | None = roles["verifier"]
        self._close: Callable[[], Awaitable[None]] | None = None
        self._stays = False
        self._session: LLMSession | None = None
        if model is not None:
            self._ask(model, {**(llm or {}), **names})
        elif llm or set(names.values()) - {"builtin"}:
            what = "llm settings" if llm else next(f"{r}={n!r}" for r, n in names.items())
            raise InputError(f"{what}: needs a model, Scorer(model=OpenAIModel(...), ...)")
        given = {_SETTINGS.get(k, k): v for k, v in chosen.items() if k in _OF_SCORES}
        del given["dataset"]  # a file for the command, titles here
        dataset, self._candidates = chosen["dataset"], chosen["candidates"]
        check_workers(workers, on, model is not None)
        self._workers, self._on = workers, on
        settings = settle(JobSettings, from_mapping(JobSettings, given, "Scorer"))
        if self._candidates == "dataset" and not dataset:
            raise InputError("candidates='dataset' needs dataset={name: titles}")
        self._any_language = settings.language == "any"
        self._text: Literal["answer", "raw"] = settings.text
        self._entities: OwnerChoice = settings.entities
        self._pages = pages
        self._listed = (
            open_dataset(Path(dataset), self._candidates)
            if isinstance(dataset, (str, Path))
            else ListedNames(dataset)
        )
        self._options = settings.score_options()
        self._by_judge = settings.counts is None
        self._concurrency = chosen["concurrency"]

    def _ask(self, model: ChatModel, settings: Mapping[str, Any]) -> None:
        """Lets a language model take the roles that are not given."""
        if not isinstance(model, (OpenAIModel, GGUFModel)):
            raise InputError(f"model={model!r}: expected OpenAIModel(NAME) or GGUFModel(FILE)")
        config = library_settings(settings)
        self._session = config.open_session()
        engine = build_engine(config, self._session, model=model)
        self._decomposer = self._decomposer or engine.decomposer
        self._grouper = self._grouper or engine.grouper
        self._verifier = self._verifier or engine.verifier
        self._close = engine.close
        # Connections belong to an event loop, and each call has its own; a loaded file does not.
        self._stays = isinstance(model, GGUFModel)

    async def aclose(self) -> None:
        """Closes the connections of the running event loop, frees a model in this process.

        The scorer can be used again.
        """
        if self._close is not None:
            await self._close()

    async def _closing(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        try:
            return await coroutine
        finally:
            if not self._stays:
                await self.aclose()

    @property
    def engine(self) -> Engine:
        """The three roles; the built-in ones are made when they are first needed."""
        self._decomposer = self._decomposer or BuiltinDecomposer()
        self._grouper = self._grouper or BuiltinGrouper()
        self._verifier = self._verifier or BuiltinVerifier()
        return Engine(
            self._decomposer, self._grouper, self._verifier, self._close, self._any_language
        )

    def score(self, text: str, *, name: str, pages: Pages | None = None, id: str = "0") -> Result:
        """Scores one text.

        Args:
            text: The biography; citations like ``[1]``, and all but the answer, are taken out.
            name: The target name.
            pages: Documents for this text alone, each title an entity: title to text or texts.
            id: Its id in the result.

        Raises:
            InputError: If text, name or pages cannot be used.
        """
        return run_sync(self._closing(self.ascore(text, name=name, pages=pages, id=id)))

    async def ascore(
        self, text: str, *, name: str, pages: Pages | None = None, id: str = "0"
    ) -> Result:
        """As `score`, for use with ``await``."""
        cuts = Cuts()
        biography = _biography({"id": id, "name": name, "text": text}, 0, self._text, cuts)
        entities = None
        if pages is not None:
            if not isinstance(pages, Mapping):
                raise InputError(f"pages: expected {{title: text}}, found {type(pages).__name__}")
            entities = all_entities(pages, open_pages(pages))
        job = self._job().settled()
        if entities is None:
            job.check_evidence([biography])
        result = Result(await job.fill(biography, entities))
        _warn_of_languages([result])
        _warn_of_cuts(cuts)
        return result

    def score_many(
        self,
        records: Any,
        *,
        text: str | None = None,
        name: str | None = None,
        id: str | None = None,
        passages: str | None = None,
        model: str | None = None,
        progress: bool | Progress = False,
    ) -> Results:
        """Scores many biographies.

        Args:
            records: Biographies or dicts with at least a name and a text (fields as in the JSONL
                format), a DataFrame, a Hugging Face ``Dataset`` or ``DatasetDict``, a dict of
                columns, or a file as `read_biographies` reads it.
            text: The column with the text, if it is none of the usual ones.
            name: The column with the target name.
            id: The column that tells records apart.
            passages: The column with the passages.
            model: The column with the model that wrote the text.
            progress: Show a progress bar; or a function that is called with how many are done and
                how many there are.

        Returns:
            The results in the order of the records. Records that cannot be used are skipped: they
            are in `Results.bad`, count as errors in the summary, and a warning names the first.

        Raises:
            InputError: If no record can be used; the message says why.
        """
        columns = Columns(text, name, id, passages, model)
        return run_sync(self._closing(self._score_many(records, columns, progress)))

    async def _score_many(
        self, records: Any, columns: Columns, progress: bool | Progress
    ) -> Results:
        owners = Owners(self._entities)
        if isinstance(records, (str, Path)):
            reading = read_biographies(records, columns=columns, text=self._text, owners=owners)
        else:
            reading = read_records(records, columns=columns, text=self._text, owners=owners)
        job = self._job().settled(reading.biographies)
        job.check_evidence(reading.biographies)
        before = Usage() if job.session is None else deepcopy(job.session.usage)
        with _progress(progress, len(reading.biographies)) as advance:
            if job.judges is not None:
                found = fill_over_workers(job, reading.biographies, advance)
            else:
                found = await map_in_order(
                    job.attempt, reading.biographies, concurrency=self._concurrency, advance=advance
                )
        results = [Result(record) for record in found]
        _warn_of_languages(results)
        _warn_of_bad(reading)
        _warn_of_cuts(reading.notes)
        usage = Usage() if job.session is None else job.session.usage.since(before)
        save = _Saver(replace(job, usage=usage if job.session else None), reading.bad)
        return Results(
            results,
            save,
            bad=reading.bad,
            usage=usage.total(),
            signed=lambda: job_signature(job, found),
        )

    def _job(self) -> Job:
        return Job(
            engine=self.engine,
            source=None
            if self._pages is None
            else open_pages(self._pages, listed=self._listed.titles),
            options=self._options,
            by_judge=self._by_judge,
            candidates=self._candidates,
            listed=self._listed,
            session=self._session,
            concurrency=self._concurrency,
            workers=self._workers,
            on=self._on,
            judges=self._elsewhere(),
        )

    def _elsewhere(self) -> JudgesOfRoles | None:
        """Judges for other processes; None if there are none.

        Raises:
            InputError: If a role or the pages cannot be sent.
        """
        if self._workers == 1 and self._on is None:
            return None
        roles = self.engine
        judges = JudgesOfRoles(
            roles.decomposer,
            roles.grouper,
            roles.verifier,
            self._any_language,
            self._pages,
            self._listed.titles,
        )
        judges.check()
        return judges


@known_arguments
@with_options(ScorerOptions, _DEFAULTS)
def score(
    text: str,
    *,
    name: str,
    pages: Pages | KnowledgeSource | str,
    **options: Unpack[ScorerOptions],
) -> Result:
    """Scores one text with the built-in engine, or with the roles or model that are given.

    `Scorer` explains the options that are not explained here.

    Args:
        text: The biography; citations like ``[1]`` are taken out.
        name: The name that the text is about.
        pages: Pages: title to text or texts, or any knowledge source.
        **options: As for `Scorer`.

    Raises:
        InputError: If text, name, pages or an option cannot be used.
    """
    alone = isinstance(pages, Mapping)
    scorer = Scorer(pages=None if alone else pages, **options)
    return scorer.score(text, name=name, pages=pages if isinstance(pages, Mapping) else None)


def _named(verifier: Verifier | str | None) -> Verifier | None:
    """A verifier that is given by name."""
    if not isinstance(verifier, str) or not verifier.startswith("nli:"):
        return verifier  # type: ignore[return-value]  # another text is refused with the roles
    from dfactscore.engines._nli.verifier import NLIVerifier

    return NLIVerifier(verifier.removeprefix("nli:"))


def _warn_of_languages(results: Sequence[Result]) -> None:
    """Says once that texts were not scored for their language."""
    others = [r for r in results if r.status == "not_english"]
    if others:
        line = unscored_languages(Counter(r.reason for r in others), len(results))
        if len(results) == 1:
            line = f"the text about {others[0].name} was not scored: {others[0].reason}"
        warnings.warn(
            f"{line} (language='any' scores every text)",
            LanguageWarning,
            stacklevel=3,
        )


class _Saver:
    """Writes results as a run folder: the one that the command line would make."""

    def __init__(self, job: Job, bad: Sequence[BadRecord]) -> None:
        self._job = job
        self._bad = bad
        self._saved: set[Path] = set()

    def __call__(self, results: Sequence[Result], folder: Path) -> Path:
        records = [result.record for result in results]
        twice = [id for id, n in Counter(record.id for record in records).items() if n > 1]
        if twice:
            raise InputError(
                f"the id {twice[0]!r} stands for several records; a run needs one each"
            )
        place = folder.resolve()  # where it was saved before, its calls are counted
        before = self._job.usage if place in self._saved else Usage()
        job = replace(self._job, asked_before=before)
        made = run_job(job, records, folder, name="records", bad=self._bad).folder
        self._saved.add(place)
        return made


def _warn_of_bad(reading: Reading) -> None:
    """Says once that records were skipped."""
    if reading.bad:
        n, total = len(reading.bad), len(reading.bad) + len(reading.biographies)
        warnings.warn(
            f"{n} of {counted(total, 'record')} skipped (Results.bad); the first: {reading.bad[0]}",
            stacklevel=3,
        )


def _warn_of_cuts(cuts: Iterable[str]) -> None:
    """Says once what was cut from texts, which marks are not known, and whose passages are."""
    for line in cuts:
        warnings.warn(line, stacklevel=3)


@contextmanager
def _progress(wanted: bool | Progress, total: int) -> Iterator[Callable[[int], object] | None]:
    """Yields the progress callback: none, the given one, or a bar."""
    if not isinstance(wanted, bool):
        yield lambda done: wanted(done, total)
    elif not wanted:
        yield None
    else:
        with shown_progress("scoring") as bar:
            yield None if bar is None else lambda done: bar(done, total)


def _biography(
    record: Mapping[str, Any] | Biography, number: int, text: TextChoice, cuts: Cuts
) -> Biography:
    if isinstance(record, Biography):
        return record
    try:
        return biography_from_record(record, default_id=str(number), text=text, cuts=cuts)
    except RecordError as error:
        raise InputError(f"record {number}: {error}") from None
