"""Lists the commands without importing their modules."""

from __future__ import annotations

from typing import Final

FIRST: Final = 10
"""The number of commands, from the first, that a beginner uses."""
# In the order of help: the module that adds the command to `app`, and what help says of it.
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "demo": ("demo", "Score the shipped example: people (or ships) with one name."),
    "score": ("score", "Score a file of biographies."),
    "report": ("views", "Write a run as one HTML file to look at."),
    "compare": ("compare", "Compare runs: intervals, paired tests, rank stability."),
    "annotate": (
        "annotate",
        "Evaluate runs by people: annotation pages, agreement, a report.",
    ),
    "correct": ("correct", "Correct a judge's means by labels of a few texts."),
    "ambigbio": ("ambigbio", "Build and check AmbigBio: names that several people share."),
    "index": ("index", "Build and search indexes of passages, and page stores."),
    "generate": ("generate", "Write a biography for each name from retrieved passages."),
    "run": ("run", "Run an experiment, from names to a comparison."),
    "cache": ("cache", "Show, clear or export saved answers of language models."),
    "citations": ("citations", "Score citations: recall and precision."),
    "doctor": (
        "doctor",
        "Say what is installed, which extras, the cache, and whether a model answers.",
    ),
    "explain": ("views", "Show the individual, the deciding rule and the facts of each clause."),
    "export": ("views", "Write a run as a dataset: Parquet files and a card."),
    "factor": (
        "factor",
        "FACTOR and AmbigFACTOR: which of several completions a model finds likelier.",
    ),
    "integrations": ("integrations", "Show what other evaluation tools are pointed to."),
    "longfact": ("longfact", "List and draw the prompts of LongFact."),
    "meta": (
        "meta",
        "How good is a factuality evaluator? Measure it on data that people labeled.",
    ),
    "mixing": ("views", "Show how a run mixes entities of one name, and the cost."),
    "popularity": ("views", "Test whether biographies are about the most viewed entity."),
    "rescore": ("score", "Recompute scores from saved verdicts, with other options."),
    "safe": ("safe", "Score texts by searched evidence (SAFE, D-SAFE, F1@K)."),
    "unmix": ("unmix", "Tell the people apart that texts mix, and score the result."),
}
