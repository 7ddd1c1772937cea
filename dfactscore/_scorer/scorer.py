"""The Python interface: `score` for a single text, and `Scorer` for several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, Unpack

from dfactscore._errors import InputError
from dfactscore._evidence.entities import all_entities
from dfactscore._evidence.owners import Owners
from dfactscore._evidence.pages import ListedNames, open_dataset, open_pages
from dfactscore._jobs.job import Job, job_signature
from dfactscore._jobs.workers import JudgesOfRoles, check_workers
from dfactscore._readers import Columns, read_biographies, read_records
from dfactscore._readers.record_fields import RecordError
from dfactscore._readers.records import biography_from_record
from dfactscore._readers.shown_text import Cuts
from dfactscore._results.result import Result
from dfactscore._scorer.blocks import fill_over_workers
from dfactscore._scorer.input_warnings import warn_of_bad, warn_of_cuts, warn_of_languages
from dfactscore._scorer.options import DEFAULTS, Pages, ScorerOptions, settings_of
from dfactscore._scorer.results import Results
from dfactscore._scorer.roles import ScorerRoles
from dfactscore._scorer.run_folder import RunSaver
from dfactscore._util.reporting import Progress
from dfactscore._util.reporting import progress as shown_progress
from dfactscore._util.roles import known_arguments, with_options
from dfactscore._util.tasks import map_in_order, run_sync
from dfactscore._util.usage import Usage
from dfactscore.engines._roles import Engine

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource


class Scorer:
    """Scores biographies with one engine and one set of options.

    Args:
        decomposer: Splits text into facts: an object, ``"builtin"`` or ``"llm"``. By default, each
            role is filled by the built-in engine.
        grouper: Groups facts by perceived individual: an object, ``"builtin"`` or ``"llm"``.
        verifier: Judges facts against an entity's documents: an object or, as on the command line,
            ``"builtin"``, ``"llm"``, ``"strict"``, ``"cascade"``, ``"no-context"``, or
            ``"nli:MODEL"`` for an entailment model (a folder or a hub id).
        model: A language model (`OpenAIModel`, `GGUFModel`) for the roles that are not given;
            without it, the built-in engine fills them.
        llm: Additional settings for the model, as in the command line's YAML file (see
            `dfactscore._jobs.settings.Config`): ``{"verifier": "strict", "max_calls": 1000}``.
        pages: Evidence: a mapping of title to text or texts, a file, a page store or any
            `dfactscore.retrieval.KnowledgeSource`; by default, the biographies' passages. A
            biography without passages is judged against the pages whose title or redirect bears its
            name, and against those that `dataset` lists for the name. If there are none, it is
            judged against all pages, provided that there are at most 20.
        link: ``"argmax"`` (as in the paper) or ``"hungarian"``.
        candidates: The entities that a group may be linked to.
        dataset: Titles of each name's entities, or an AmbigBio file, used if candidates is
            ``"dataset"``.
        unreadable: How verdicts that could not be read count in the scores.
        irrelevant: Whether irrelevant facts are kept in the denominator.
        threshold: Minimum probability at which a fact counts as supported; by default, the
            verifier's own.
        counts: Values that scores are based on: ``"expected"`` (probabilities of support) or
            ``"verdicts"``; by default, ``"expected"`` if the verifier is calibrated.
        gamma: FActScore's length penalty (10 in that paper); none by default.
        min_foreign: Number of facts of a namesake at which a group counts as mixed; by default,
            more than a twentieth of the text's facts.
        keep_repeats: Whether F1@K counts a repeated fact every time it occurs; by default, it is
            counted once.
        language: Language of the texts that the built-in engine reads: only ``"english"`` (other
            texts get the status ``"not_english"`` and a `LanguageWarning`) or ``"any"``.
        text_as: The part of a text to score: ``"answer"`` excludes reasoning, later turns, links
            and lists of sources; ``"raw"`` is the whole text.
        entities: How to determine the person that a passage is about: ``"titles"`` uses the
            passage's title, ``"passages"`` uses the person that its text introduces. By default,
            the text is used only if the title is not a name (but a file name, a number or an
            address, for example).
        concurrency: Number of biographies judged at the same time, for engines that wait for
            answers.
        workers: Number of processes that score; 0 for one per core. If there are several, your own
            roles must be classes in an importable module.
        on: Where the processes run: None for this machine, ``"ray"`` or ``"ray://HOST:PORT"``.

    Raises:
        InputError: If an argument is unknown (the message suggests a similar name) or has an
            invalid value.

    Example:
        >>> pages = {
        ...     "Ann Lee (painter)": "Ann Lee (born 1950) is an English painter of landscapes.",
        ...     "Ann Lee (rower)": "Ann Lee (born 1971) is a rower. She rowed for Canada in 1996.",
        ... }
        >>> result = Scorer(pages=pages).score(
        ...     "Ann Lee is an English painter. She rowed for Canada in 1996.", name="Ann Lee")
        >>> round(result.fs, 2), round(result.dfs, 2), result.n_bio, result.n_ent
        (1.0, 0.51, 1, 2)
        >>> result.scores.fs_verdicts, result.scores.dfs_verdicts
        (1.0, 0.5)
    """

    @known_arguments
    @with_options(ScorerOptions, DEFAULTS)
    def __init__(
        self,
        *,
        pages: Pages | Sequence[Any] | KnowledgeSource | str | None = None,
        workers: int = 1,
        on: str | None = None,
        **options: Unpack[ScorerOptions],
    ) -> None:
        chosen: ScorerOptions = {**DEFAULTS, **options}
        self._roles = ScorerRoles(chosen)
        check_workers(workers, on, chosen["model"] is not None)
        self._settings = settings_of(chosen)
        dataset = chosen["dataset"]
        if self._settings.candidates == "dataset" and not dataset:
            raise InputError("candidates='dataset' needs dataset={name: titles}")
        self._pages = pages
        self._listed = (
            open_dataset(Path(dataset), self._settings.candidates)
            if isinstance(dataset, (str, Path))
            else ListedNames(dataset)
        )
        self._concurrency = chosen["concurrency"]
        self._workers, self._on = workers, on

    @property
    def engine(self) -> Engine:
        """The three roles; the built-in ones are created on first use."""
        return self._roles.engine(any_language=self._settings.language == "any")

    async def aclose(self) -> None:
        """Closes the running event loop's connections and frees any in-process model.

        The scorer can be used again.
        """
        await self._roles.aclose()

    def score(
        self, text: str, *, name: str, pages: Pages | Sequence[Any] | None = None, id: str = "0"
    ) -> Result:
        """Scores one text.

        Args:
            text: The biography; citations like ``[1]`` and anything other than the answer are
                removed.
            name: The target name.
            pages: Evidence for this text only: a mapping of title to text or texts, whose titles
                are the entities, or a list of texts, documents, or pairs of title and text.
            id: The id of the text in the result.

        Raises:
            InputError: If text, name or pages are invalid.
        """
        return run_sync(self._roles.closing(self.ascore(text, name=name, pages=pages, id=id)))

    async def ascore(
        self, text: str, *, name: str, pages: Pages | Sequence[Any] | None = None, id: str = "0"
    ) -> Result:
        """Scores one text; the asynchronous version of `score`."""
        cuts = Cuts()
        fields: dict[str, Any] = {"id": id, "name": name, "text": text}
        if pages is not None and not isinstance(pages, Mapping):
            fields["passages"] = pages
        try:
            biography = biography_from_record(fields, text=self._settings.text, cuts=cuts)
        except RecordError as error:
            message = str(error).replace("field 'passages", "'pages")
            raise InputError(f"record 0: {message}") from None
        biography = Owners(self._settings.entities)(biography)
        entities = all_entities(pages, open_pages(pages)) if isinstance(pages, Mapping) else None
        job = self._job().settled()
        if entities is None:
            job.check_evidence([biography])
        result = Result(await job.fill(biography, entities))
        warn_of_languages([result])
        warn_of_cuts(cuts)
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
        reader: Callable[[Any], Any] | None = None,
        progress: bool | Progress = False,
    ) -> Results:
        """Scores many biographies.

        Args:
            records: Biographies or dicts with at least a name and a text (fields as in the JSONL
                format), a DataFrame, a Hugging Face ``Dataset`` or ``DatasetDict``, a dict of
                columns, or a file that `read_biographies` reads.
            text: The column with the text; by default, columns are recognized by their usual names.
            name: The column with the target name.
            id: The column with a unique id.
            passages: The column with the passages.
            model: The column with the model that wrote the text.
            reader: A function that turns a record into a `Biography`, a dict in the JSONL format,
                or a list of these, and replaces all rules for columns.
            progress: Whether to show a progress bar, or a function to call with the number of
                finished biographies and the total number.

        Returns:
            The results in the order of the records. Invalid records are skipped: they are listed in
            `Results.bad` and count as errors in the summary, and a warning names the first one.

        Raises:
            InputError: If all records are invalid; the message gives the reason.
        """
        columns = Columns(text, name, id, passages, model, reader=reader)
        return run_sync(self._roles.closing(self._score_many(records, columns, progress)))

    async def _score_many(
        self, records: Any, columns: Columns, progress: bool | Progress
    ) -> Results:
        owners = Owners(self._settings.entities)
        read = read_biographies if isinstance(records, (str, Path)) else read_records
        reading = read(records, columns=columns, text=self._settings.text, owners=owners)
        job = self._job().settled(reading.biographies)
        job.check_evidence(reading.biographies)
        usage_before = Usage() if job.session is None else deepcopy(job.session.usage)
        with _progress(progress, len(reading.biographies)) as advance:
            if job.judges is not None:
                filled = fill_over_workers(job, reading.biographies, advance)
            else:
                filled = await map_in_order(
                    job.attempt, reading.biographies, concurrency=self._concurrency, advance=advance
                )
        results = [Result(record) for record in filled]
        warn_of_languages(results)
        warn_of_bad(reading)
        warn_of_cuts(reading.notes)
        usage = Usage() if job.session is None else job.session.usage.since(usage_before)
        return Results(
            results,
            RunSaver(replace(job, usage=usage if job.session else None), reading.bad),
            bad=reading.bad,
            usage=usage.total(),
            signed=lambda: job_signature(job, filled),
        )

    def _job(self) -> Job:
        pages, titles, settings = self._pages, self._listed.titles, self._settings
        return Job(
            engine=self.engine,
            source=None if pages is None else open_pages(pages, listed=titles),
            options=settings.score_options(),
            by_judge=settings.counts is None,
            candidates=settings.candidates,
            listed=self._listed,
            session=self._roles.session,
            concurrency=self._concurrency,
            workers=self._workers,
            on=self._on,
            judges=self._worker_judges(),
        )

    def _worker_judges(self) -> JudgesOfRoles | None:
        """Returns judges for other processes; None if this process does all the work."""
        if self._workers == 1 and self._on is None:
            return None
        engine = self.engine
        judges = JudgesOfRoles(
            engine.decomposer,
            engine.grouper,
            engine.verifier,
            engine.any_language,
            self._pages,
            self._listed.titles,
        )
        judges.check()
        return judges


@known_arguments
@with_options(ScorerOptions, DEFAULTS)
def score(
    text: str,  # biography; citations like `[1]` are removed
    *,
    name: str,
    pages: Pages | Sequence[Any] | KnowledgeSource | str,
    **options: Unpack[ScorerOptions],
) -> Result:
    """Scores one text, by default with the built-in engine."""
    if isinstance(pages, Mapping) or _are_passages(pages):
        return Scorer(**options).score(text, name=name, pages=pages)
    return Scorer(pages=pages, **options).score(text, name=name)


def _are_passages(pages: Any) -> TypeGuard[Sequence[Any]]:
    """Whether evidence is a list of passages rather than of whole pages `{title, text}`."""
    return isinstance(pages, (list, tuple)) and not all(
        isinstance(page, Mapping) and "title" in page and "text" in page for page in pages
    )


@contextmanager
def _progress(progress: bool | Progress, total: int) -> Iterator[Callable[[int], object] | None]:
    """Yields a callback for the number of finished biographies; None if progress is not shown."""
    if not isinstance(progress, bool):
        yield lambda done: progress(done, total)
    elif not progress:
        yield None
    else:
        with shown_progress("scoring") as bar:
            yield None if bar is None else lambda done: bar(done, total)
