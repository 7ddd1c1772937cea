"""A biography's record, the stages that fill it, and the functions that score it."""

from dfactscore._scoring.biography_scores import BiographyScores
from dfactscore._scoring.category import Category, categorize
from dfactscore._scoring.counts import (
    FactCounts,
    cell_values,
    count_facts,
    fact_values,
    linked_values,
)
from dfactscore._scoring.credited_entities import credited_entities
from dfactscore._scoring.fact_standings import Standing
from dfactscore._scoring.length import length_penalty
from dfactscore._scoring.matrix_scores import score_matrix
from dfactscore._scoring.record import Record, RecordStatus
from dfactscore._scoring.score import score_record
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore._scoring.stages import judge
from dfactscore._scoring.summary import Summary, summarize, summarize_records

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
