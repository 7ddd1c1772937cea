"""The record of a biography, the stages that fill it, and scores as pure functions of it."""

from dfactscore.scoring.biography import BiographyScores, ScoreOptions, score_matrix
from dfactscore.scoring.category import Category, categorize
from dfactscore.scoring.counts import (
    FactCounts,
    cell_values,
    count_facts,
    fact_values,
    linked_values,
)
from dfactscore.scoring.credit import credited_entities
from dfactscore.scoring.length import length_penalty
from dfactscore.scoring.record import Record, RecordStatus
from dfactscore.scoring.score import score_record
from dfactscore.scoring.stages import judge
from dfactscore.scoring.standing import Standing
from dfactscore.scoring.summary import Summary, summarize, summarize_records

__all__ = [
    "BiographyScores",
    "Category",
    "FactCounts",
    "Record",
    "RecordStatus",
    "ScoreOptions",
    "Standing",
    "Summary",
    "categorize",
    "cell_values",
    "count_facts",
    "credited_entities",
    "fact_values",
    "judge",
    "length_penalty",
    "linked_values",
    "score_matrix",
    "score_record",
    "summarize",
    "summarize_records",
]
