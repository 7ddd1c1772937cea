"""A comparison as Markdown and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dfactscore._scoring.run_measures import THIN_NOTE
from dfactscore.comparison._cells import caption_of, columns, legend, test_name
from dfactscore.comparison._tables import differences_table, levels_table
from dfactscore.comparison._text import ranks_lines
from dfactscore.measures._markup import latex_text, markdown_text, to_latex, to_markdown
from dfactscore.measures._measure import Measure

if TYPE_CHECKING:
    from dfactscore.comparison._types import ComparisonData


def render_markdown(comparison: ComparisonData, caption: str | None = None) -> str:
    """Tables of levels and differences, rank stability and notes."""
    shown = columns(comparison)
    above = caption_of(comparison) if caption is None else caption
    lines = [f"**{markdown_text(above.rstrip('.'))}.**", ""] if above else []
    lines += [to_markdown(levels_table(comparison, shown)), ""]
    lines += [markdown_text(_notes(comparison, shown))]
    if comparison.differences:
        lines += ["", to_markdown(differences_table(comparison))]
    order = [markdown_text(line.strip()) for line in ranks_lines(comparison)[1:]]
    if order:
        lines += ["", order[0], "", *(f"- {line}" for line in order[1:])]
    for note in (*comparison.remarks, *comparison.signatures):
        lines += ["", markdown_text(note)]
    return "\n".join(lines) + "\n"


def _notes(comparison: ComparisonData, shown: list[Measure]) -> str:
    """Legend of the columns, and of the marks if there are any."""
    text = legend(shown, comparison.judge)
    if any(comparison.marks(m.label, c.name) for m in comparison.models for c in shown):
        text += (
            f" Raised letters: significantly higher than those runs ({test_name(comparison)}, "
            f"Holm-corrected, level {1 - comparison.confidence:.2g})."
        )
    return text


def render_latex(comparison: ComparisonData, caption: str | None = None) -> str:
    """The table of levels; marks are raised letters, intervals are under their values."""
    shown = columns(comparison)
    above = caption_of(comparison) if caption is None else caption
    around = [r"\begin{table}", r"\centering", rf"\caption{{{latex_text(above.rstrip('.'))}.}}"]
    lines = [r"% \usepackage{booktabs}", *(around if above else ())]
    lines.append(to_latex(levels_table(comparison, shown)))
    if not above:
        lines += [f"% {signature}" for signature in comparison.signatures]
    else:
        said = _notes(comparison, shown)
        if any(model.thin for model in comparison.models):
            said += f" {THIN_NOTE}."
        for text in (said, *comparison.signatures):
            lines.append(rf"\par\smallskip{{\footnotesize {latex_text(text)}\par}}")
        lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"
