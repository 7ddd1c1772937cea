"""A comparison as Markdown and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dfactscore.comparison.cells import (
    Column,
    caption_of,
    cell,
    columns,
    interval,
    legend,
    pvalue,
    signed,
)
from dfactscore.comparison.text import ranks_lines, superscript

if TYPE_CHECKING:
    from dfactscore.comparison.result import Comparison

__all__ = ["render_latex", "render_markdown"]

_LATEX = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    "×": r"$\times$", "≤": r"$\leq$", "–": "--", "−": "$-$", "·": r"$\cdot$", "…": r"\ldots{}",
}  # fmt: skip
_MARKDOWN = str.maketrans({c: f"\\{c}" for c in r"\`*_{}[]<>|#"})


def render_markdown(comparison: Comparison, caption: str | None = None) -> str:
    """Tables of levels and differences, rank stability and notes."""
    shown = columns(comparison)
    above = caption_of(comparison) if caption is None else caption
    lines = [f"**{_plain(above.rstrip('.'))}.**", ""] if above else []
    lines += [
        _row(["", "run", "n", *(_plain(c.title) for c in shown)]),
        _row(["---", "---", *["---:"] * (len(shown) + 1)]),
    ]
    for model in comparison.models:
        cells = []
        for column in shown:
            value = cell(model, column) + superscript(comparison.marks(model.label, column.key))
            under = interval(model, column)
            cells.append(f"{value} ({under})" if under else value)
        n = f"{model.scored}/{model.n}"
        lines.append(_row([model.letter, _plain(model.label), n, *cells]))
    lines += ["", _plain(_notes(comparison, shown))]
    if comparison.differences:
        percent = f"{100 * comparison.confidence:g} %"
        lines += [
            "",
            _row(["difference", "score", "n", "points", percent, "p", "Holm", "significant"]),
            _row(["---", "---", *["---:"] * 5, "---"]),
        ]
        titles = {"fs": "FS", "dfs": "D-FS", "gap": "gap"}
        for d in comparison.differences:
            low, high = (f"{100 * x:+.1f}".replace("-", "−") for x in d.interval)
            lines.append(
                _row([
                    f"{_plain(d.first)} − {_plain(d.second)}", titles[d.measure], str(d.n),
                    signed(d), f"{low} to {high}", pvalue(d.p).replace("<", "\\<"),
                    pvalue(d.p_holm).replace("<", "\\<"), "yes" if d.significant else "no",
                ])
            )  # fmt: skip
    order = [_plain(line.strip()) for line in ranks_lines(comparison)[1:]]
    if order:
        lines += ["", order[0], "", *(f"- {line}" for line in order[1:])]
    for note in comparison.notes:
        lines += ["", _plain(note)]
    return "\n".join(lines) + "\n"


def _notes(comparison: Comparison, shown: list[Column]) -> str:
    """What each column means, and the marks where there are any."""
    text = f"n: scored of all. {legend(shown)}"
    if any(comparison.marks(m.label, c.key) for m in comparison.models for c in shown):
        text += (
            " Raised letters: significantly higher than those runs (paired permutation test, "
            f"Holm-corrected, level {1 - comparison.confidence:.2g})."
        )
    return text


def render_latex(comparison: Comparison, caption: str | None = None) -> str:
    """The table of levels; marks are raised letters, intervals stand under their values."""
    shown = columns(comparison)
    above = caption_of(comparison) if caption is None else caption
    around = [r"\begin{table}", r"\centering", rf"\caption{{{_tex(above.rstrip('.'))}.}}"]
    lines = [
        r"% \usepackage{booktabs}",
        *(around if above else ()),
        r"\begin{tabular}{ll" + "r" * (len(shown) + 1) + "}",
        r"\toprule",
        " & ".join(["", "", "$n$", *(_tex(c.title) for c in shown)]) + r" \\",
        r"\midrule",
    ]
    for model in comparison.models:
        top, under = [], []
        for column in shown:
            marks = comparison.marks(model.label, column.key)
            raised = f"$^{{{marks}}}$" if marks else ""
            top.append(_tex(cell(model, column)) + raised)
            below = interval(model, column)
            under.append(rf"{{\scriptsize {_tex(below)}}}" if below else "")
        n = f"{model.scored}/{model.n}"
        lines.append(" & ".join([model.letter, _tex(model.label), n, *top]) + r" \\")
        lines.append(" & ".join(["", "", "", *under]) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    if above:
        notes = rf"\par\smallskip{{\footnotesize {_tex(_notes(comparison, shown))}\par}}"
        lines += [notes, r"\end{table}"]
    return "\n".join(lines) + "\n"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _plain(text: str) -> str:
    return " ".join(text.split()).translate(_MARKDOWN)


def _tex(text: str) -> str:
    return "".join(_LATEX.get(c, c) for c in text)
