"""Opens named knowledge sources, finds topics' pages, and selects passages that fit a prompt."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_pages
from dfactscore._readers.files import file_rows
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._util.files import digest, make_folder, write_text
from dfactscore._util.jsonl import read_json
from dfactscore._util.message_text import near_miss, short_repr, warn_caller
from dfactscore.engines._answers import verify_together
from dfactscore.engines._roles import Verifier
from dfactscore.factscorer._arguments import one_of
from dfactscore.retrieval import KnowledgeSource, MissingPage, Page, RetrievalError, build_store
from dfactscore.retrieval._documents import split_text
from dfactscore.retrieval._factscore import write_factscore_db
from dfactscore.retrieval._page_bm25 import PageBM25
from dfactscore.retrieval._retriever import Retriever
from dfactscore.work import Asks

_NAMED = 10  # missing pages that a message lists

Format = Literal["store", "factscore"]
Missing = Literal["error", "skip", "unsupported"]
EvidenceKind = Literal["page", "top5"]


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


class KnowledgeSources:
    """The registered knowledge sources, and the pages of topics in them."""

    def __init__(
        self,
        data_dir: Path,
        cache_dir: Path,
        *,
        missing: Missing,
        evidence: EvidenceKind,
        reuse_retrieval: bool,
    ) -> None:
        self._data_dir, self._cache_dir = data_dir, cache_dir
        self._missing: Missing = missing
        self._evidence: EvidenceKind = evidence
        self._reuse = reuse_retrieval
        self._opened: dict[str, KnowledgeSource] = {}

    def register(
        self,
        name: str,
        db_path: str | Path | None = None,
        data_path: str | Path | None = None,
        *,
        format: Format = "store",
        redirects: str | Path | None = None,
    ) -> None:
        """Opens a source and registers it."""
        self._check_new(name)
        one_of("format", format, ("store", "factscore"))
        self._opened[name] = open_registered(
            name,
            self._data_dir / f"{name}.db" if db_path is None else db_path,
            self._data_dir / f"{name}.jsonl" if data_path is None else data_path,
            format=format,
            redirects=None if redirects is None else Path(redirects),
        )

    def add_pages(self, name: str, pages: Any) -> None:
        """Registers a mapping from titles to texts, or any knowledge source."""
        self._check_new(name)
        self._opened[name] = open_pages(pages)

    def _check_new(self, name: str) -> None:
        if name in self._opened:
            raise InputError(f"knowledge source {name!r} is registered already")

    def source(self, name: str) -> KnowledgeSource:
        """Returns a source; a database in the data folder is registered on first use."""
        if name not in self._opened:
            if not (self._data_dir / f"{name}.db").exists() and self._opened:
                known = ", ".join(self._opened)
                hint = near_miss(name, self._opened)
                raise InputError(
                    f"knowledge_source {name!r} is not registered{hint} (there are {known})"
                )
            self.register(name)
        return self._opened[name]

    def retrieved(self, name: str) -> Mapping[str, Sequence[Document]] | None:
        """The passages retrieved by the original package, if `reuse_retrieval` is set."""
        path = self._cache_dir / f"retrieval-{name}.json"
        if not self._reuse:
            return None
        if not path.exists():
            raise InputError(f"{path}: no such file; reuse_retrieval reads it")
        return read_retrieval(path)

    def best_pages(self, name: str, texts: Sequence[str]) -> list[str]:
        """Returns the title of the best page for each text in an index."""
        source = self.source(name)
        if not isinstance(source, IndexPages):
            raise InputError(
                f"topics=None needs an index to find pages, and {name!r} is not an index; "
                "register one with db_path=FOLDER (dfactscore index build)"
            )
        titles = [source.best_title(text) if text.strip() else "" for text in texts]
        for i, title in enumerate(titles):
            say(f"text {i}: judged against {title!r}")
        return titles

    def pages_of(self, names: Sequence[str], source_name: str) -> dict[str, Entity | None]:
        """The page of each topic; missing pages are reported before any text is judged."""
        source, entities = self.source(source_name), dict[str, Entity | None]()
        missing: list[MissingPage] = []
        for name in names:
            if name in entities:
                continue
            pages = source.documents(name) if name.strip() else ()
            entities[name] = None
            if pages:
                entities[name] = self._entity(pages[0].title, [page.text for page in pages])
            elif name.strip():
                page = source.lookup(name)
                missing.append(page if isinstance(page, MissingPage) else MissingPage(name))
            else:
                missing.append(MissingPage(name))
        if missing:
            file = self._cache_dir / f"missing-{source_name}.txt"
            listed = list_missing([page.reason for page in missing], file)
            text = f"{source_name}: {len(missing)} of {len(entities)} topics have no page: {listed}"
            if self._missing == "error":
                raise InputError(
                    f"{text}; missing='skip' (--missing skip) leaves them out, "
                    "missing='unsupported' counts their facts as unsupported"
                )
            warn_caller(f"{text} (missing={self._missing!r})")
        empty = [name for name, entity in entities.items() if entity and not entity.documents]
        if empty:
            warn_caller(
                f"{source_name}: pages without text, their facts are unsupported: "
                f"{', '.join(empty[:10])}"
            )
        return entities

    def _entity(self, title: str, texts: Sequence[str]) -> Entity:
        passages = [text for text in texts if text.strip()]
        if self._evidence == "top5" and len(passages) == 1:
            passages = split_text(passages[0])  # the source stores whole pages
        return Entity(title, title, tuple(Document(title, text) for text in passages))


def say(line: str) -> None:
    """Prints a line on standard error."""
    print(f"factscorer: {line}", file=sys.stderr, flush=True)


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
    for line, record in file_rows(path):
        title = record.get("title")
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
