"""A measure that is declared is one that texts, summaries and files have."""

from dataclasses import fields

from dfactscore._results.tables import COLUMNS
from dfactscore._scoring.biography_scores import MEASURES, BiographyScores, f1_measure
from dfactscore._scoring.summary import Summary


def test_what_is_averaged_is_scored_and_summed_up():
    scored, summed = ({f.name for f in fields(kind)} for kind in (BiographyScores, Summary))
    for measure in MEASURES.values():
        if measure.of == "scored":
            assert {measure.name} <= scored & summed, measure
        if measure.of == "both":
            assert measure.name in summed, measure
        if measure.compared:
            assert measure.name in COLUMNS, measure
        assert measure.count == measure.name.startswith("n_"), measure


def test_places_and_titles_are_taken_once():
    places = [m.place for m in MEASURES.values() if m.place]
    assert len(set(places)) == len(places)
    titles = [m.title for m in MEASURES.values()]
    assert len(set(titles)) == len(titles)
    assert f1_measure("f1_at_64").title == "F1@64"
