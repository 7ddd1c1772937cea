from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from dfactscore._errors import InputError
from dfactscore.comparison import compare
from dfactscore.comparison._plots import COMPARISON_PLOTS, plot_comparison, save_comparison_plots

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def comparison():
    rng = np.random.default_rng(0)
    return compare(
        {
            label: [{"name": f"n{i}", "fs": f, "dfs": f * k} for i, f in enumerate(rng.random(20))]
            for label, k in (("first", 0.9), ("sec<ond", 0.5))
        },
        resamples=200,
    )


def test_every_plot_is_saved_twice(comparison, tmp_path):
    written = save_comparison_plots(comparison, tmp_path / "plots")
    assert sorted(p.name for p in written) == sorted(
        f"{k}.{s}" for k in COMPARISON_PLOTS for s in ("png", "svg")
    )
    for path in written:
        if path.suffix == ".svg":
            text = "".join(ET.fromstring(path.read_text()).itertext())
            assert "first" in text
            assert "sec<ond" in text
        else:
            assert path.read_bytes().startswith(b"\x89PNG")
    assert sorted(tmp_path.joinpath("plots").iterdir()) == sorted(written)


def test_the_gap_of_names_is_called_so(comparison):
    axes = plot_comparison(comparison, "gap").axes[0]
    assert axes.get_ylabel() == "share of biographies, percent"
    assert "of a biography" in axes.get_xlabel()
    rows = [{"name": f"n{i // 2}", "fs": 1, "dfs": i / 20} for i in range(20)]
    axes = plot_comparison(compare({"run": rows}, resamples=100), "gap").axes[0]
    assert axes.get_ylabel() == "share of names, percent"
    assert "of a name (mean over its biographies)" in axes.get_xlabel()


def test_points_stand_at_the_means(comparison):
    axes = plot_comparison(comparison, "fs_dfs").axes[0]
    points = {line.get_label(): line.get_xydata()[0] for line in axes.lines}
    for model in comparison.models:
        expected = [100 * model.levels[m].mean for m in ("fs", "dfs")]
        assert points[model.label] == pytest.approx(expected)


@pytest.mark.parametrize("shares", [[1], [0.99, 1], [1, 0.98, 1], [0.5]])
def test_the_label_of_the_diagonal_covers_no_point(shares):
    rng = np.random.default_rng(0)
    runs = {
        str(n): [{"name": f"n{i}", "fs": f, "dfs": f * k} for i, f in enumerate(rng.random(20))]
        for n, k in enumerate(shares)
    }
    axes = plot_comparison(compare(runs, resamples=100), "fs_dfs").axes[0]
    axes.figure.canvas.draw()
    (label,) = (text for text in axes.texts if "no mixing" in text.get_text())
    box = label.get_window_extent()
    points = [line for line in axes.lines if line.get_linestyle() == "None"]
    assert len(points) == len(shares)
    for line in points:
        x, y = axes.transData.transform(line.get_xydata()[0])
        assert not (box.x0 - 4 <= x <= box.x1 + 4 and box.y0 - 4 <= y <= box.y1 + 4)


def test_bars_add_up_to_all_biographies(comparison):
    axes = plot_comparison(comparison, "gap").axes[0]
    for bars in axes.containers:
        assert sum(bar.get_height() for bar in bars) == pytest.approx(100)


def test_the_same_plot_has_the_same_bytes(comparison, tmp_path):
    for name in ("a.svg", "b.svg"):
        plot_comparison(comparison, "intervals", tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_one_run_with_one_name_is_drawn(tmp_path):
    alone = compare({"a": [{"name": "A", "fs": 0.5, "dfs": 0.5}]})
    assert len(save_comparison_plots(alone, tmp_path)) == 2 * len(COMPARISON_PLOTS)


def test_mistakes(comparison, tmp_path):
    with pytest.raises(InputError, match="unknown plot 'pie'; choose intervals, fs_dfs, gap"):
        plot_comparison(comparison, "pie")
    with pytest.raises(InputError, match=r"cannot draw a '\.gif'"):
        plot_comparison(comparison, "gap", tmp_path / "a.gif")
    with pytest.raises(InputError, match="no folder"):
        plot_comparison(comparison, "gap", tmp_path / "no" / "a.png")


def test_without_matplotlib_the_extra_is_named():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from dfactscore.comparison import compare\n"
        "compare({'a': [{'name': 'A', 'fs': 1, 'dfs': 1}]}).plot()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "[plot]: pip install " in done.stderr
