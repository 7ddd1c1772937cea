from __future__ import annotations

import json

import pytest

from dfactscore._errors import InputError
from dfactscore._readers.released_labels import labeled_scores


def write(path, **record):
    made = {"prompt": "Tell me a bio of Ann Lee.", "facts": ["a", "b"], "X_Labels": ["S", "NS"]}
    path.write_text(json.dumps({**made, **record}) + "\n")
    return path


def test_the_share_of_each_labeler(tmp_path):
    path = write(tmp_path / "l.jsonl", Y_Labels=["S", "S"])
    found = labeled_scores(path, of=2)
    assert (found["score (X)"], found["score (Y)"]) == (0.5, 1.0)
    assert (found["num_facts_per_response"], found["respond_ratio"]) == (2, 0.5)


@pytest.mark.parametrize(
    ("labels", "said"),
    [(["S", ["NS"]], "expected S, NS or IR, found"), (["S"], "expected 2 labels"),
     ({"S": 1, "NS": 2}, "expected 2 labels"), (3, "expected 2 labels")],
)  # fmt: skip
def test_labels_that_are_none_are_refused(tmp_path, labels, said):
    with pytest.raises(InputError, match=rf"l\.jsonl:1: field 'X_Labels': {said}"):
        labeled_scores(write(tmp_path / "l.jsonl", X_Labels=labels))
