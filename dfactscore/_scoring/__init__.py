"""A biography's record, the stages that fill it, and the functions that score it."""

from dfactscore._scoring.biography_scores import BiographyScores, Category, categorize
from dfactscore._scoring.linked_facts import length_penalty
from dfactscore._scoring.matrix import Standing, credited_entities
from dfactscore._scoring.matrix_scores import score_matrix
from dfactscore._scoring.record import (
    FactCounts,
    Record,
    RecordStatus,
    cell_values,
    count_facts,
    fact_values,
    linked_values,
)
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
