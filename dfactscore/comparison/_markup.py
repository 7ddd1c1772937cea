"""Renders a comparison as Markdown and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dfactscore._scoring.run_measures import THIN_NOTE
from dfactscore.comparison._cells import caption_of, columns, legend, test_name
from dfactscore.comparison._tables import differences_table, levels_table
from dfactscore.comparison._text import ranks_lines
from dfactscore.measures._rendering import latex_text, markdown_text, to_latex, to_markdown
from dfactscore.measures._table import Measure

if TYPE_CHECKING:
    from dfactscore.comparison._types import ComparisonData


def render_markdown(comparison: ComparisonData, caption: str | None = None) -> str:
    """Renders the tables of levels and differences, rank stability and notes."""
    measures = columns(comparison)
    title = caption_of(comparison) if caption is None else caption
    lines = [f"**{markdown_text(title.rstrip('.'))}.**", ""] if title else []
    lines += [to_markdown(levels_table(comparison, measures)), ""]
    lines += [markdown_text(_notes(comparison, measures))]
    if comparison.differences:
        lines += ["", to_markdown(differences_table(comparison))]
    order = [markdown_text(line.strip()) for line in ranks_lines(comparison)[1:]]
    if order:
        lines += ["", order[0], "", *(f"- {line}" for line in order[1:])]
    for note in (*comparison.remarks, *comparison.signatures):
        lines += ["", markdown_text(note)]
    return "\n".join(lines) + "\n"


def _notes(comparison: ComparisonData, measures: list[Measure]) -> str:
    """Returns the legend for the columns and the significance marks."""
    text = legend(measures, comparison.judge)
    if any(comparison.marks(m.label, c.name) for m in comparison.models for c in measures):
        text += (
            f" Superscripts: significantly higher than these runs ({test_name(comparison)}, "
            f"Holm-corrected, level {1 - comparison.confidence:.2g})."
        )
    return text


def render_latex(comparison: ComparisonData, caption: str | None = None) -> str:
    """Renders the table of levels, with superscript marks and with intervals below the values."""
    measures = columns(comparison)
    title = caption_of(comparison) if caption is None else caption
    opening = [r"\begin{table}", r"\centering", rf"\caption{{{latex_text(title.rstrip('.'))}.}}"]
    lines = [r"% \usepackage{booktabs}", *(opening if title else ())]
    lines.append(to_latex(levels_table(comparison, measures)))
    if not title:
        lines += [f"% {signature}" for signature in comparison.signatures]
    else:
        notes = _notes(comparison, measures)
        if any(model.thin for model in comparison.models):
            notes += f" {THIN_NOTE}."
        for text in (notes, *comparison.signatures):
            lines.append(rf"\par\smallskip{{\footnotesize {latex_text(text)}\par}}")
        lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"
