"""Opens named knowledge sources, and selects the passages of a page that fit a prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_pages
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._util.files import digest, make_folder, write_text
from dfactscore._util.jsonl import read_json, read_jsonl
from dfactscore._util.message_text import short_repr
from dfactscore.engines._answers import verify_together
from dfactscore.engines._roles import Verifier
from dfactscore.retrieval import KnowledgeSource, Page, RetrievalError, build_store
from dfactscore.retrieval._factscore import write_factscore_db
from dfactscore.retrieval._page_bm25 import PageBM25
from dfactscore.retrieval._retriever import Retriever
from dfactscore.work import Asks

_NAMED = 10  # missing pages that a message lists

Format = Literal["store", "factscore"]


class IndexPages(KnowledgeSource):
    """An index used as a knowledge source: gives passages by page title, and searches."""

    def __init__(self, folder: Path) -> None:
        self._retriever = Retriever(folder)

    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns the passages of a page, in order; empty if the page is missing."""
        (hits,) = self._retriever.search([title], 10_000, method="title")
        return tuple(Page(hit.passage.title, hit.passage.text) for hit in hits)

    def titles_for(self, name: str) -> tuple[str, ...]:
        """Returns the title itself if it has passages."""
        pages = self.documents(name)
        return (pages[0].title,) if pages else ()

    def best_title(self, text: str) -> str:
        """Title of the page that contains the best passage for a text; empty if nothing matches."""
        (hits,) = self._retriever.search([text], 1)
        return hits[0].passage.title if hits else ""


def open_registered(
    name: str,
    db_path: str | Path,  # page store, a page database of the factscore package, or an index folder
    # JSON lines of `{title, text}` to build the database from. The text is a string or a list of
    # strings. If a title occurs more than once, its first line is used.
    data_path: str | Path,
    *,
    format: Format = "store",
    # JSON lines `{title, target}`, used for the `factscore` package's layout.
    redirects: Path | None = None,
) -> KnowledgeSource:
    """Opens a source's database, building it first if it does not exist."""
    db, data = Path(db_path).expanduser(), Path(data_path).expanduser()
    try:
        if db.is_dir():
            return IndexPages(db)
        if not db.exists():
            if not data.exists():
                raise InputError(
                    f"knowledge source {name!r}: neither {db} nor {data} exists; give db_path "
                    "(a database) or data_path (JSON lines of {title, text})"
                )
            make_folder(db.parent, error=InputError)
            if format == "factscore":
                write_factscore_db(_pages(data), db, source_hash=digest(data))
            else:
                build_store(_as_pages(_pages(data)), db, source=data.name, source_hash=digest(data))
        if db.suffix not in (".db", ".sqlite", ".sqlite3"):
            raise InputError(f"knowledge source {name!r}: {db}: expected a file *.db or *.sqlite")
        opened = open_pages(db, redirects)
        _check_source(name, opened, db, data)
        return opened
    except RetrievalError as error:
        raise InputError(f"knowledge source {name!r}: {error}") from None


def _check_source(name: str, opened: Any, db: Path, data: Path) -> None:
    """Rejects a database that was built from a different version of `data`."""
    built_from = getattr(opened, "source_hash", "")
    if built_from and data.is_file() and not digest(data).startswith(built_from):
        raise InputError(
            f"knowledge source {name!r}: {db} was built from another version of {data}; delete "
            f"{db} to build it again, or give another db_path (--db_path)"
        )


def list_missing(reasons: Sequence[str], file: Path) -> str:
    """Lists the first missing pages and, if there are more, writes all of them to a file."""
    first = "; ".join(reasons[:_NAMED])
    if len(reasons) <= _NAMED:
        return first
    make_folder(file.parent, error=InputError)
    write_text(file, "".join(f"{reason}\n" for reason in reasons))
    return f"{first}; and {len(reasons) - _NAMED} more (all in {file})"


def _pages(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    seen: set[str] = set()
    for line, record in read_jsonl(path, error=InputError):
        title = record.get("title") if isinstance(record, Mapping) else None
        if not isinstance(title, str) or not title.strip():
            raise InputError(f"{line}: field 'title': expected a text, found {short_repr(title)}")
        text: Any = record.get("text")
        elements = [text] if isinstance(text, str) else text
        if not isinstance(elements, list) or not all(isinstance(e, str) for e in elements):
            raise InputError(
                f"{line}: field 'text': expected a text or a list, found {short_repr(text)}"
            )
        if title not in seen:
            seen.add(title)
            yield title, [element for element in elements if element.strip()]


def _as_pages(pages: Iterator[tuple[str, Sequence[str]]]) -> Iterator[Page]:
    for title, elements in pages:
        yield Page(title, "\n".join(elements))


_PASSAGES = 5  # passages per fact


class PassageVerifier(Verifier):
    """Judges each fact against the page's passages that BM25 ranks best for topic and fact."""

    def __init__(
        self,
        inner: Verifier,
        *,
        worst_first: bool = False,
        known: Mapping[str, Sequence[Document]] | None = None,
    ) -> None:
        self.inner = inner
        self._worst_first = worst_first
        self._known = known or {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the inner verifier and of the passage selection."""
        return {
            **self.inner.settings,
            "top_passages": _PASSAGES,
            "worst_first": self._worst_first,
            "retrieval": "reused" if self._known else "bm25",
        }

    @property
    def threshold(self) -> float | None:
        """The threshold of the inner verifier."""
        return self.inner.threshold

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact; evidence refers to the documents of the page."""
        questions, indices = self.questions(biography, facts, entity)
        rows = await verify_together(self.inner, biography, questions)
        return [row[0].moved(places) for row, places in zip(rows, indices, strict=True)]

    def asks(self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """The requests that the inner verifier would send for each fact and its passages."""
        questions = [self.questions(biography, facts, entity)[0] for facts, entity in pairs]
        return self.inner.asks(biography, [pair for row in questions for pair in row])

    def questions(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> tuple[list[tuple[Sequence[Fact], Entity]], list[list[int]]]:
        """The inner verifier's input for each fact, and the indices of the fact's passages."""
        texts = [document.text for document in entity.documents]
        queries = [f"{biography.name} {fact.text}" for fact in facts]
        ranked = PageBM25(texts).select_many(queries, _PASSAGES) if texts else [[]] * len(facts)
        pairs: list[tuple[Sequence[Fact], Entity]] = []
        indices: list[list[int]] = []
        for fact, query, order in zip(facts, queries, ranked, strict=True):
            passages = self._known.get(f"{biography.name}#{query}")
            if passages is not None:
                evidence = replace(entity, documents=tuple(passages))
                indices.append([])
            else:
                order = order[::-1] if self._worst_first else order
                evidence = replace(entity, documents=tuple(entity.documents[i] for i in order))
                indices.append(list(order))
            pairs.append(([fact], evidence))
        return pairs, indices


def read_retrieval(path: Path) -> dict[str, tuple[Document, ...]]:
    """Reads the passages in ``retrieval-NAME.json``, written by the ``factscore`` package."""
    content = read_json(path, error=InputError)
    problem = InputError(f"{path}: expected passages {{title, text}} by 'topic#topic fact'")
    if not isinstance(content, dict):
        raise problem
    known: dict[str, tuple[Document, ...]] = {}
    for key, passages in content.items():
        if not isinstance(passages, list) or not all(
            isinstance(p, dict) and isinstance(p.get("text"), str) for p in passages
        ):
            raise problem
        # The passages contain the original database's markers ``<s>`` and ``</s>``.
        known[key] = tuple(
            Document(str(p.get("title") or ""), " ".join(_plain(p["text"]).split()))
            for p in passages
        )
    return known


def _plain(text: str) -> str:
    return text.replace("<s>", " ").replace("</s>", " ")
