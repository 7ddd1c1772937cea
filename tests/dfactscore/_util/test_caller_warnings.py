"""Warnings of the library name the line that called it, and have one category."""

from __future__ import annotations

import warnings
from threading import Thread

import pytest

from dfactscore import DFactScoreWarning, LanguageWarning, Scorer, score

PAGES = {"Ann Lee": "Ann Lee is a painter."}
FRENCH = "Ann Lee est une peintre anglaise. Elle est née à Leeds et elle a étudié avec lui."


def scored_now():
    score(FRENCH, name="Ann Lee", pages=PAGES)


def scored_many():
    Scorer(pages=PAGES).score_many([{"name": "Ann Lee", "text": FRENCH}])


def scored_in_a_thread():
    thread = Thread(target=scored_now)
    thread.start()
    thread.join()


@pytest.mark.parametrize("call", [scored_now, scored_many, scored_in_a_thread])
def test_a_warning_names_the_line_of_the_caller(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert [(w.category, w.filename) for w in caught] == [(LanguageWarning, __file__)]
    assert issubclass(LanguageWarning, DFactScoreWarning)
