"""The HTML report of a run."""

from dfactscore.report.page import render_report

__all__ = ["render_report"]
