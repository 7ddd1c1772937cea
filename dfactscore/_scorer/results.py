"""The results of several texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from dfactscore._errors import InputError
from dfactscore._readers.record_fields import BadRecord
from dfactscore._report import render_report
from dfactscore._results.frames import RunFrames, run_frames
from dfactscore._results.html import results_html
from dfactscore._results.result import Result
from dfactscore._results.signature import signature_lines
from dfactscore._results.summary import summary_table
from dfactscore._results.tables import COLUMNS, score_row
from dfactscore._scoring.summary import Summary, summarize_records
from dfactscore._util.files import write_text
from dfactscore._util.usage import Tally
from dfactscore.comparison import compare
from dfactscore.measures._table import aligned

if TYPE_CHECKING:
    import pandas as pd

    from dfactscore.comparison import Comparison


_MAX_SHOWN = 5  # skipped records


class Results(Sequence[Result]):
    """The results of several texts; prints as the summary table.

    Args:
        results: The results.
        saver: Callable that saves results as a run folder; supplied by `Scorer.score_many`.
        bad: Input records that could not be used; these count as errors.
        usage: Usage for the requests made to obtain the results: ``calls``, ``cached``,
            ``prompt_tokens``, ``completion_tokens``, ``cost`` and more; None for a slice of
            results.
        signed: Callable that returns the signature; supplied by `Scorer.score_many`.
    """

    def __init__(
        self,
        results: Sequence[Result],
        saver: Callable[[Sequence[Result], Path], Path] | None = None,
        *,
        bad: Sequence[BadRecord] = (),
        usage: Tally | None = None,
        signed: Callable[[], str] = str,
    ) -> None:
        self._results = tuple(results)
        self._saver = saver
        self.bad = tuple(bad)
        self.usage = usage
        self._signed = signed

    @overload
    def __getitem__(self, index: int) -> Result: ...

    @overload
    def __getitem__(self, index: slice) -> Results: ...

    def __getitem__(self, index: int | slice) -> Result | Results:
        if isinstance(index, slice):
            return Results(self._results[index], self._saver, signed=self._signed)
        return self._results[index]

    def __len__(self) -> int:
        return len(self._results)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Results):
            return NotImplemented
        return (self._results, self.bad) == (other._results, other.bad)

    def __hash__(self) -> int:
        return hash(self._results)

    @cached_property
    def summary(self) -> Summary:
        """Means over the texts."""
        return summarize_records([r.record for r in self._results], n_bad=len(self.bad))

    @cached_property
    def signature(self) -> str:
        """The line to quote in a paper so that others can reproduce the scores.

        It is empty for results that do not come from `Scorer.score_many`. ``dfactscore rescore
        --signature`` explains each field.
        """
        return self._signed()

    def save(self, folder: str | Path) -> Path:
        """Writes the run folder that ``dfactscore score`` would write, without judging again.

        If the folder already contains a run with the same settings, that run is continued.

        Returns:
            The folder.

        Raises:
            InputError: If these results do not come from `Scorer.score_many` or an id is repeated.
            RunError: If the folder holds another run or cannot be written.
        """
        if self._saver is None:
            raise InputError("only what Scorer.score_many returns can be saved as a run")
        return self._saver(self._results, Path(folder))

    def report(self, path: str | Path = "report.html", *, title: str = "results") -> Path:
        """Writes the HTML report, which shows each text, fact, group, link and verdict.

        Args:
            path: The file.
            title: Title to show in the report.

        Returns:
            The file.

        Raises:
            InputError: If the file cannot be written.
        """
        records = [result.record for result in self._results]
        settings = {"signature": self.signature} if self.signature else {}
        page = render_report(records, title=title, settings=settings, n_bad=len(self.bad))
        write_text(Path(path), page)
        return Path(path)

    def compare(
        self, *others: Any, labels: Sequence[str] | None = None, **options: Any
    ) -> Comparison:
        """Compares these results with others (see `dfactscore.compare`).

        Args:
            *others: Results, run folders or data frames.
            labels: Labels for these results and then the others, in order; by default,
                ``"results 1"``, ``"results 2"`` and so on.
            **options: Options of `dfactscore.compare`.

        Raises:
            InputError: If the number of labels is wrong.
        """
        sources = (self, *others)
        names = list(labels or (f"results {i}" for i in range(1, len(sources) + 1)))
        if len(names) != len(sources):
            raise InputError(f"labels: {len(names)} were given for {len(sources)} results")
        return compare(dict(zip(names, sources, strict=True)), **options)

    def to_latex(self, *, caption: str | None = None) -> str:
        """Returns the scores and their intervals as a LaTeX table (see `Comparison.to_latex`)."""
        return self.compare(labels=["results"]).to_latex(caption=caption)

    def to_frame(self) -> pd.DataFrame:
        """Returns a data frame with a row per text and the columns of ``scores.csv``."""
        import pandas as pd

        return pd.DataFrame([score_row(r.record) for r in self._results], columns=list(COLUMNS))

    def frames(self) -> RunFrames:
        """Returns biographies, facts, groups, links and cells as data frames."""
        return run_frames(r.record for r in self._results)

    def __repr__(self) -> str:
        fs, dfs = self.summary.fs, self.summary.dfs
        return f"Results(n={len(self)}, fs={fs}, dfs={dfs})"

    def __str__(self) -> str:
        skipped = [f"skipped {record}" for record in self.bad[:_MAX_SHOWN]]
        if len(self.bad) > _MAX_SHOWN:
            skipped.append(f"and {len(self.bad) - _MAX_SHOWN} more, in .bad")
        means = summary_table(self.summary, ((r.name, r.fs, r.dfs) for r in self))
        lines = signature_lines({"": self.signature})
        return "\n".join([aligned(means), *lines, *skipped])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        records = [r.record for r in self]
        return results_html(records, self.summary, self.bad, signature=self.signature)
