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
from dfactscore.measures._table import EVERY, aligned

_FIELDS = """
- `biographies`: one row per text, with the columns of `scores.csv` and the `text` without
  citations.
- `facts`: one row per atomic fact, at `start` to `end` of the text. `group` is the person that the
  fact is about according to the text, `linked_entity` the page that supports most facts of that
  group, `supported` whether this page supports the fact, and `supported_by` the pages that do.
  `evidence` and `conflict` quote the decisive words, and `why_not` tells whether a page contradicts
  an unsupported fact or does not state it. `counted` facts are in the denominator: the FActScore of
  a text is the mean of their `fs`, the D-FActScore the mean of their `dfs`{penalty}.
- `entities`: one row per text and page: the rank, whether groups can be linked to the page
  (`candidate`), the linked groups, and the number of supported facts.
"""
_LICENSES = """
The license of the texts, as specified at the export: `{license}`. `evidence` and `conflict` quote
the pages that the facts were judged against, and keep their license (Wikipedia's text is under
[CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/); its titles lead to its authors).
The engines in the settings above generated the facts and verdicts.
"""
_LIMITS = """
A machine gave the verdicts. Texts that abstain have no FActScore; the response rate is next to the
means. Splitting one person into several raises D-FActScore; the lower bound has all facts in one
group. Intervals are over names only.
"""


def run_card(run: Run, rows: Mapping[str, int], *, license: str) -> Card:
    """Describes a run."""
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
            f"Texts about people who share a name, written by {models}, split into atomic facts "
            f"and judged against the pages of the people of that name: {counts}. Written by "
            f"dfactscore {__version__}."
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
