"""A task as a value: its items, the function applied to each, and the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from dfactscore._util.validated import Form
from dfactscore.work._asks import Asks
from dfactscore.work._lines import Journals
from dfactscore.work._manifest import WorkManifest

if TYPE_CHECKING:
    from dfactscore.work._blocks import Sent, Taken
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

    Attributes:
        name: The command, as the manifest has it.
        settings: All that decides what a line holds; ``limit`` alone may change.
        items: What is done, in the order of the finished files.
        key: The key of an item: a hash of everything that its line rests on.
        label: What messages call an item.
        journals: The journals with the form of their lines. The first has a line of each item that
            is done.
        do: Does an item: asks, and keeps lines. It raises `Later` for what may pass; any other
            exception but the packages' own is noted, and the other items are done.
        finish: Makes the result of the lines, and writes it where there is a place for it.
        again: Whether a line of the first journal says that its item is to be tried again.
        done: Whether an item needs nothing more, where its line in the first journal does not say.
        enough: Whether no further item is needed; asked before each.
        order: In which order items are done, where that is not theirs.
        asks: What an item would ask.
        opens: Opens what is asked, where something is left to be done; gives settings that are
            known only then.
        later: The names of those settings.
        close: Frees what was opened.
        lost: Keeps that an item failed, where its lines say so.
        keys: The keys of all items, where they are known without the items.
        drawn_from: The keys of what the items were drawn from, where they are a sample.
        elsewhere: Does a block in another process.
        sends: The items as they are sent there, None for each that is done; each as it is by
            default.
        shared: Journals whose lines belong to several items and do not change.
        source: What the manifest says of the input.
        bad: Records of the input that cannot be used, for ``errors.jsonl``.
        things: What messages call the items.
        form: What its manifest must look like.
        writes_errors: Whether `finish` itself writes ``errors.jsonl``.
    """

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
    enough: Callable[[], bool] | None = None
    order: Callable[[Item], Any] | None = None
    asks: Callable[[Item], Asks] = _nothing
    opens: Callable[[], Awaitable[Mapping[str, Any]]] | None = None
    later: Sequence[str] = ()
    close: Callable[[], Awaitable[None]] | None = None
    lost: Callable[[Item, Journals, Failure], None] | None = None
    keys: Sequence[str] | None = None
    drawn_from: Sequence[str] = ()
    elsewhere: Callable[[Sequence[Sent]], Taken] | None = None
    sends: Callable[[Journals], Iterable[Sent | None]] | None = None
    shared: frozenset[str] = frozenset()
    source: Mapping[str, Any] = field(default_factory=dict)
    bad: Sequence[Mapping[str, Any]] = ()
    things: str = "items"
    form: type[Form] = WorkManifest
    writes_errors: bool = False

    @property
    def main(self) -> str:
        """The journal with a line of each item that is done."""
        return next(iter(self.journals))

    def all_keys(self) -> Sequence[str]:
        """The keys of all items, in order, each once."""
        if self.keys is not None:
            return self.keys
        return list(dict.fromkeys(map(self.key, self.items)))

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
