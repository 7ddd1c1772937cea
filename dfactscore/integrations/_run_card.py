"""The dataset card of an exported run: metrics, intervals, settings, licenses."""

from __future__ import annotations

from collections.abc import Mapping

from dfactscore._evidence.snapshots import describe_snapshots
from dfactscore._results.summary import summary_table
from dfactscore._runs import Run
from dfactscore._scoring.summary import summarize_records
from dfactscore._util.datasets_folder import Card
from dfactscore._version import __version__
from dfactscore.comparison import compare
from dfactscore.measures._measure import EVERY
from dfactscore.measures._table import aligned

_FIELDS = """
- `biographies`: one row per text, the columns of `scores.csv` and the `text` without its citations.
- `facts`: one row an atomic fact. `start` and `end` place it in the text. `group` is the
  individual that a reader of the text alone takes it to be about, `linked_entity` the page that
  supports most of that group; `supported` says whether that page supports the fact,
  `supported_by` which pages do; `evidence` and `conflict` are the words that decided. Of an
  unsupported fact `why_not` says whether a page contradicts it or does not state it. `counted`
  says whether the fact is in the denominator, `fs` and `dfs` what it adds: the FActScore of a
  text is the mean of `fs` over its counted facts, the D-FActScore the mean of `dfs`{penalty}.
- `entities`: one row per text and page: its rank, whether a group could be linked to it
  (`candidate`), which groups are, and how many facts it supports.
"""
_LICENSES = """
License of the texts as given by whoever exported them: `{license}`. `evidence` and `conflict` quote
the pages that the facts were judged against; they keep the license of those pages (Wikipedia's text
is under [CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/), and its titles lead to
its authors). Facts and verdicts were made by the engines named above.
"""
_LIMITS = """
The verdicts are a machine's. An FActScore of a text that abstains is not defined; the response rate
stands beside the means. Splitting one person into several raises D-FActScore, so the lower bound
with all facts in one group is given too. Intervals are over names only.
"""


def run_card(run: Run, rows: Mapping[str, int], *, license: str) -> Card:
    """Describes a run.

    Args:
        run: The run.
        rows: The number of rows by configuration.
        license: Of the texts, as an identifier of the Hub.
    """
    import yaml

    summary = summarize_records(run.records(texts=False), n_bad=run.n_bad)
    label = run.folder.resolve().name
    settings = {
        k: v for k, v in run.settings.items() if k not in ("dataset", "outside", "snapshots")
    }
    shown = yaml.safe_dump(settings, sort_keys=True, allow_unicode=True).strip()
    dates = describe_snapshots(run.settings.get("snapshots") or {})
    levels = "nothing is scored"
    if summary.n_scored:
        levels = compare({label: run.folder}, by="run", tests=False).to_markdown()
    models = ", ".join(f"`{model or 'unknown'}`" for model in summary.models) or "unknown"
    counts = ", ".join(f"{number} {name}" for name, number in rows.items())
    penalty = "" if run.options.gamma is None else ", times the length penalty of the settings"
    return Card(
        title=f"D-FActScore of {label}",
        license=license,
        language="en",
        tags=("dfactscore", "factuality", "entity-ambiguity"),
        size=rows["biographies"],
        configs=tuple(rows),
        intro=(
            f"Texts about people who share a name, written by {models}, cut into atomic facts and "
            f"judged against the pages of the people of that name: {counts}. Written by dfactscore "
            f"{__version__}."
        ),
        sections=(
            ("Metrics", f"```\n{aligned(summary_table(summary, columns=(EVERY,)))}\n```"),
            ("Intervals", levels),
            ("Fields", _FIELDS.format(penalty=penalty)),
            ("Settings", f"```yaml\n{shown}\n```" + (f"\n\nSnapshots: {dates}." if dates else "")),
            ("Limits", _LIMITS),
            ("Licenses", _LICENSES.format(license=license)),
        ),
    )
