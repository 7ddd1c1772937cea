from __future__ import annotations

import pytest


def test_a_notebook_shows_a_figure_as_it_is():
    pytest.importorskip("matplotlib")
    from dfactscore._util.plotting import figure

    drawn, axes = figure(2, 1)
    axes.plot([0, 1], [0, 1])
    assert drawn._repr_png_().startswith(b"\x89PNG")
