"""The filter of contradictions reads a model as the engines do."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import tiny_models as tiny

from dfactscore._errors import InputError
from dfactscore.factor._build.candidates import ContradictionModel


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    import torch

    made = {}

    def make(*labels):
        if labels not in made:
            torch.manual_seed(2)
            tokenizer = tiny.encoder_tokenizer("deberta", max_length=64)
            model = tiny.encoder("deberta", tokenizer, list(labels), longest=64)
            place = tmp_path_factory.mktemp("models") / "nli"
            made[labels] = tiny.save(place, model.eval(), tokenizer)
        return made[labels]

    return make


def test_the_probability_is_that_of_the_output_named_contradiction(folder):
    import torch
    import transformers

    place = folder("entailment", "neutral", "CONTRADICTION")
    pairs = [
        (" ".join(tiny.PEOPLE[:5]), " ".join(tiny.DEEDS[:i])) for i in range(1, len(tiny.DEEDS))
    ] * 3
    tokenizer = transformers.AutoTokenizer.from_pretrained(place)
    network = transformers.AutoModelForSequenceClassification.from_pretrained(place).eval()
    with torch.inference_mode():
        expected = [
            float(network(**tokenizer(*pair, return_tensors="pt")).logits.softmax(-1)[0, 2])
            for pair in pairs
        ]
    model = ContradictionModel(place)
    assert model.contradiction(pairs) == pytest.approx(expected, abs=1e-4)
    assert model.contradiction([]) == []
    assert len(set(expected)) > 1
    assert set(model.settings) == {"model", "sha256"}
    long = (" ".join(tiny.PEOPLE * 100), tiny.DEEDS[0])
    assert 0 <= model.contradiction([long])[0] <= 1


@pytest.mark.parametrize(
    "labels", [("not_entailment", "entailment"), ("contradiction", "contradicts")]
)
def test_a_model_without_one_such_output_is_refused(folder, labels):
    with pytest.raises(InputError, match=f"'nli' has no output .*{labels[0]}"):
        ContradictionModel(folder(*labels))
