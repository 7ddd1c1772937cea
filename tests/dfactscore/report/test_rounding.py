"""The page and the terminal round a share once, from its exact value."""

from __future__ import annotations

import json
import re

import pytest

from dfactscore._report import render_report
from dfactscore._results.tables import score_row
from dfactscore._util.numbers import percent

INDEX = re.compile(r'(<script type="application/json" id="index">)(.*?)(</script>)', re.DOTALL)
FS, DFS = 3, 4


def index_of(html):
    return json.loads(INDEX.search(html)[2])


@pytest.mark.parametrize(("k", "n"), [(15, 19), (1, 16), (2, 3), (7, 60)])
def test_the_page_has_the_exact_share(make_scored, k, n):
    """15 of 19 was rounded first to 0.7895, and then to 79.0 instead of 78.9."""
    made = make_scored(
        support=[(i < k,) for i in range(n)], titles=("Ann Lee",), groups=(range(n),)
    )
    (row,) = index_of(render_report([made]))["rows"]
    assert (row[FS], row[DFS]) == (k / n, k / n)
    assert score_row(made)["fs"] == k / n


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_every_share_of_up_to_60_facts(make_scored, open_report, tmp_path):
    shares = [k / n for n in range(1, 61) for k in range(n + 1)]
    html = render_report([make_scored()])
    index = index_of(html)
    (row,) = index["rows"]
    # FS is the share, and the gap its negative: ties of both signs
    index["rows"] = [[str(i), *row[1:FS], s, 2 * s, *row[DFS + 1 :]] for i, s in enumerate(shares)]
    path = tmp_path / "shares.html"
    path.write_text(INDEX.sub(lambda m: m[1] + json.dumps(index) + m[3], html), encoding="utf-8")
    page = open_report([], path=path, link="#sort=none")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")  # makes all rows
    cells = page.evaluate(
        "[...document.querySelectorAll('tr.row')].map(r => [1, 3].map(c => r.cells[c].textContent))"
    )
    assert len(cells) == len(shares)
    wrong = [
        (share, shown)
        for share, (shown, gap) in zip(shares, cells, strict=True)
        if (shown, gap) != (percent(share), percent(share - 2 * share))
    ]
    assert wrong == []
