"""The functions used by `dfactscore factor score`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._asking.budget import estimate_tokens
from dfactscore._asking.session import estimated_request
from dfactscore._errors import InputError
from dfactscore._util.files import read_bytes
from dfactscore._util.message_text import near_miss
from dfactscore._util.reporting import Progress
from dfactscore.factor._contexts import (
    CONTEXTS,
    NEED_PAGES,
    ItemReading,
    Retrieval,
    all_pages,
    open_retrieval,
    pages_digest,
    readings_in,
)
from dfactscore.factor._factor_items import FactorFile, join, read_factor
from dfactscore.factor._factor_results import FactorResults
from dfactscore.factor._scoring import (
    Asking,
    FactorOptions,
    Readings,
    evaluate_factor_async,
    factor_work,
    one_reading,
)
from dfactscore.factor._settings import FactorSettings
from dfactscore.likelihood import open_likelihood
from dfactscore.likelihood._open_model import PROBE, likelihood_client
from dfactscore.likelihood._transformers_engine import model_digest
from dfactscore.retrieval import Page, Retriever
from dfactscore.work import Asked, count_asked, in_folder, would_ask

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession
    from dfactscore._util.usage import Usage


def read_items(settings: FactorSettings) -> FactorFile:
    """Reads the items for a command, up to its limit."""
    if settings.file is None:
        raise InputError("factor score: name a file of items (.csv, .jsonl)")
    file = read_factor(settings.file, prefix=settings.prefix)
    return FactorFile(file.items[: settings.limit], file.bad, file.column)


def score_asking(
    settings: FactorSettings, file: FactorFile, session: LLMSession, contexts: Sequence[str] = ()
) -> Asking:
    """Returns the items, model and options for a command."""
    assert settings.file is not None
    readings, about = _readings(settings, file, contexts)
    options = FactorOptions(
        normalize=settings.normalize,
        policy=settings.policy,
        retrieval=_retrieval(settings, file, contexts),
        brief=settings.brief,
        confidence=settings.confidence,
        resamples=settings.resamples,
        seed=settings.seed or 0,
        concurrency=settings.at_once,
        context_tokens=settings.context_tokens,
    )
    digest = hashlib.sha256(read_bytes(settings.file, error=InputError)).hexdigest()
    return Asking(
        file.items,
        lambda: open_likelihood(settings, session),
        options,
        readings,
        about={
            "column": file.column,
            "contexts": list(contexts) or ["retrieved" if options.retrieval else "none"],
            **about,
            "asked": _asked(settings, session),
            "limit": settings.limit,
        },
        source={"file": settings.file.name, "sha256": digest, "bad": len(file.bad)},
        bad=file.bad,
        asks=_asks(settings, session),
    )


async def score_items(
    settings: FactorSettings,
    file: FactorFile,
    session: LLMSession,
    *,
    contexts: Sequence[str] = (),
    progress: Progress | None = None,
) -> FactorResults:
    """Scores items into a run folder."""
    if settings.out is None:
        raise InputError("factor score: give --out RUN")
    asking = score_asking(settings, file, session, contexts)
    return await evaluate_factor_async(asking, settings.out, progress)


def _readings(
    settings: FactorSettings, file: FactorFile, contexts: Sequence[str]
) -> tuple[Readings, dict[str, Any]]:
    owned = any(contradiction.kind for item in file.items for contradiction in item.contradictions)
    if not owned and tuple(contexts) in ((), ("none",), ("retrieved",)):
        return one_reading, {}
    unknown = next((name for name in contexts if name not in CONTEXTS), None)
    if unknown is not None:
        known = ", ".join(CONTEXTS)
        raise InputError(
            f"--before {unknown!r} is unknown; choose among {known}{near_miss(unknown, CONTEXTS)}"
        )
    chosen = list(dict.fromkeys(contexts)) or ["none"]
    if owned:
        chosen.append("prior")
    pages: dict[str, Page] = {}
    about: dict[str, Any] = {}
    if any(name in NEED_PAGES for name in chosen):
        assert settings.file is not None
        place = settings.pages or default_pages(settings.file)
        if not place.exists():
            raise InputError(
                f"{place}: no such file; --before {chosen[0]} needs the pages: give --pages PAGES"
            )
        pages = all_pages(place)
        about["pages"] = pages_digest(pages)
    retriever = None
    if "retrieved" in chosen:
        if settings.retrieve is None:
            raise InputError("--before retrieved needs --retrieve INDEX")

        retriever = Retriever(settings.retrieve)
        about["index"] = retriever.manifest.corpus_hash
    return readings_in(chosen, pages, retriever), about


def _retrieval(
    settings: FactorSettings, file: FactorFile, contexts: Sequence[str]
) -> Retrieval | None:
    if settings.retrieve is None:
        if tuple(contexts) == ("retrieved",):
            raise InputError("--before retrieved needs --retrieve INDEX")
        if settings.stride is not None:
            raise InputError("--stride needs --retrieve INDEX")
        return None
    owned = any(contradiction.kind for item in file.items for contradiction in item.contradictions)
    if owned or tuple(contexts) not in ((), ("retrieved",)):
        return None
    return open_retrieval(
        settings.retrieve,
        query_tokens=settings.query_tokens,
        doc_tokens=settings.doc_tokens,
        exclude=settings.exclude,
        stride=settings.stride,
    )


def _asked(settings: FactorSettings, session: LLMSession) -> dict[str, Any]:
    """Identifies the model as far as possible without opening it."""
    common = {"bos": settings.bos, "context_tokens": settings.context_tokens}
    if settings.hf is not None:
        name, digest = model_digest(settings.hf)
        return {"hf": name, "sha256": digest, **common}
    client = likelihood_client(settings, session)
    return {"endpoint": client.transport.endpoint, "model": settings.model, **common}


def _asks(
    settings: FactorSettings, session: LLMSession
) -> Callable[[ItemReading], Iterator[Asked]]:
    """Estimates the requests for an item; for a transformers model, there are none."""
    if settings.hf is not None:
        return lambda reading: iter(())
    client = likelihood_client(settings, session)

    def asks(reading: ItemReading) -> Iterator[Asked]:
        prefix = reading.item.prefix if reading.prefix is None else reading.prefix
        for text in reading.item.completions:
            context, continuation = join(prefix, text)
            size = estimate_tokens(reading.front + context)
            prompt = min(size, settings.context_tokens)
            yield estimated_request(client, "likelihood", prompt, estimate_tokens(continuation))

    return asks


def estimate_score(
    settings: FactorSettings,
    file: FactorFile,
    session: LLMSession,
    contexts: Sequence[str] = (),
) -> Usage:
    """Estimates calls, tokens and cost for the remaining items without calling a model.

    The estimate ignores cached answers because their keys contain token ids that only the server
    knows.
    """
    work = factor_work(score_asking(settings, file, session, contexts))
    usage = would_ask(work, None if settings.out is None else in_folder(settings.out)).usage
    if not usage.tallies:
        return usage
    probe = estimated_request(
        likelihood_client(settings, session), "probe", estimate_tokens(PROBE), 1
    )
    return count_asked([probe] * 2, usage)


def default_pages(file: Path) -> Path:
    """The page file next to an AmbigFACTOR file."""
    return file.with_suffix(".pages.jsonl")
