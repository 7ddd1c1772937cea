"""A task as a value: its items, the function applied to each, and the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from dfactscore._util.validated import Form
from dfactscore.work._asks import Asks
from dfactscore.work._blocks import Sent
from dfactscore.work._journals import Journals
from dfactscore.work._manifest import WorkManifest

if TYPE_CHECKING:
    from dfactscore.work._failures import Failure
    from dfactscore.work._finished import Finished


Item = TypeVar("Item")
Result = TypeVar("Result")


def _never(line: Mapping[str, Any]) -> bool:
    return False


def _nothing(item: Any) -> Asks:
    return ()


@dataclass(frozen=True, kw_only=True)
class Work(Generic[Item, Result]):
    """For each item, do something that costs, and keep a line; at the end make something of them.

    Few works differ from these defaults; they override a method or an attribute of the class
    (`dfactscore._runs.scoring_work.RecordWork`).

    Attributes:
        name: The command, for the manifest.
        settings: All that decides what a line holds; ``limit`` alone may change.
        items: The items to do, in the order of the finished files.
        key: The key of an item: a hash of everything that its line rests on.
        label: Name of an item in messages.
        journals: The journals with the form of their lines. The first has a line of each item that
            is done.
        do: Does an item: asks, and keeps lines. It raises `Later` for what may pass; any other
            exception but the packages' own is noted, and the other items are done.
        finish: Makes the result of the lines, and writes it where there is a place for it.
        again: Whether a line of the first journal says that its item is to be tried again.
        done: Whether an item needs nothing more, where its line in the first journal does not say.
        asks: The requests of an item.
        close: Frees what was opened.
        source: Entry of the input in the manifest.
        things: Name in messages of the items.
        form: Form of its manifest.
        shared: Journals whose lines belong to several items and do not change.
        writes_errors: Whether `finish` itself writes ``errors.jsonl``.
    """

    form: ClassVar[type[Form]] = WorkManifest
    shared: ClassVar[frozenset[str]] = frozenset()
    writes_errors: ClassVar[bool] = False

    name: str
    settings: Mapping[str, Any]
    items: Sequence[Item]
    key: Callable[[Item], str]
    label: Callable[[Item], str]
    journals: Mapping[str, type[Form] | None]
    do: Callable[[Item, Journals], Awaitable[None]]
    finish: Callable[[Finished[Item]], Result]
    again: Callable[[Mapping[str, Any]], bool] = _never
    done: Callable[[Item, Journals], bool] | None = None
    asks: Callable[[Item], Asks] = _nothing
    close: Callable[[], Awaitable[None]] | None = None
    source: Mapping[str, Any] = field(default_factory=dict)
    things: str = "items"

    @property
    def main(self) -> str:
        """The journal with a line of each item that is done."""
        return next(iter(self.journals))

    @property
    def tries_again(self) -> bool:
        """Whether a line may say that its item is to be tried again."""
        return self.again is not _never

    def is_done(self, item: Item, journals: Journals) -> bool:
        """Whether an item needs nothing more."""
        if self.done is not None:
            return self.done(item, journals)
        line = journals[self.main].get(self.key(item))
        return line is not None and not self.again(line)

    def all_keys(self) -> Sequence[str]:
        """The keys of all items, in order, each once."""
        return list(dict.fromkeys(map(self.key, self.items)))

    @property
    def drawn_from(self) -> Sequence[str]:
        """The keys of what the items were drawn from, if they are a sample."""
        return ()

    @property
    def bad(self) -> Sequence[Mapping[str, Any]]:
        """Records of the input that cannot be used, for ``errors.jsonl``."""
        return ()

    @property
    def order(self) -> Callable[[Item], Any] | None:
        """Sort key of items; None processes them in their order."""
        return None

    @property
    def opens(self) -> Callable[[], Awaitable[Mapping[str, Any]]] | None:
        """Opens what is asked, where something is left to be done; gives the `later` settings."""
        return None

    @property
    def later(self) -> Sequence[str]:
        """The names of settings that are known only when what is asked is open."""
        return ()

    def lost(self, item: Item, journals: Journals, failure: Failure) -> bool:
        """Records that an item failed, where its lines say so; whether they do."""
        return False

    def sent(self, journals: Journals) -> Iterator[Sent | None]:
        """The items as they are sent to another process; None for each that is done."""
        main = journals[self.main]
        for item in self.items:
            key = self.key(item)
            if self.is_done(item, journals):
                yield None
            else:
                main.forget(key)
                yield Sent(key, item, {}, self.label(item))
