"""The input format and the output for support, from a model's config."""

from __future__ import annotations

import pytest

from dfactscore._errors import InputError
from dfactscore.engines._nli.forms import find_form, find_label, question

CLASSIFIER = ["RobertaForSequenceClassification"]
WRITER = ["T5ForConditionalGeneration"]


def test_questions():
    assert question("pair", "Al swam.", "He swam.") == ("Al swam.", "He swam.")
    assert question("joined", "Al swam.", "He swam.", "</s>") == ("Al swam.</s>He swam.", None)
    assert question("true", "Al swam.", "He swam.") == (
        "premise: Al swam. hypothesis: He swam.",
        None,
    )
    assert question("minicheck-t5", "A.", "B.", "</s>") == ("predict: A.</s>B.", None)


@pytest.mark.parametrize(
    ("name", "architectures", "writes", "form"),
    [
        ("deberta-v3-base-mnli", ["DebertaV2ForSequenceClassification"], False, "pair"),
        ("roberta-large-mnli", CLASSIFIER, False, "pair"),
        ("facebook/bart-large-mnli", ["BartForSequenceClassification"], True, "pair"),
        ("lytang/MiniCheck-RoBERTa-Large", CLASSIFIER, False, "joined"),
        ("minicheck-deberta", ["DebertaV2ForSequenceClassification"], False, "joined"),
        ("lytang/MiniCheck-Flan-T5-Large", WRITER, True, "minicheck-t5"),
        ("google/t5_xxl_true_nli_mixture", WRITER, True, "true"),
        ("TRUE", WRITER, True, "true"),
    ],
)
def test_known_forms(name, architectures, writes, form):
    assert find_form(name, architectures, writes=writes) == form


@pytest.mark.parametrize("name", ["flan-t5-base", "construed-t5"])
def test_an_unknown_encoder_decoder_must_be_told(name):
    with pytest.raises(InputError, match=r"say how .* --nli form=true .* minicheck-t5"):
        find_form(name, WRITER, writes=True)
    assert find_form(name, WRITER, writes=True, form="minicheck-t5") == "minicheck-t5"


def test_forms_of_the_other_kind_are_refused():
    with pytest.raises(InputError, match=r"classifier: --nli form=true .* pair or joined"):
        find_form("m", CLASSIFIER, writes=False, form="true")
    with pytest.raises(InputError, match="an encoder-decoder: --nli form=pair"):
        find_form("m", WRITER, writes=True, form="pair")
    assert find_form("MiniCheck-x", CLASSIFIER, writes=False, form="pair") == "pair"


@pytest.mark.parametrize("architectures", [["BertModel"], ["LlamaForCausalLM"], []])
def test_other_models_are_refused(architectures):
    with pytest.raises(InputError, match="neither a sequence classifier nor an encoder-decoder"):
        find_form("m", architectures, writes=False)


@pytest.mark.parametrize(
    ("form", "labels", "given", "found"),
    [
        ("pair", ["contradiction", "neutral", "entailment"], None, 2),
        ("pair", ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"], None, 0),
        ("pair", ["not_entailment", "entailment"], None, 1),
        ("pair", ["Supported", "unsupported"], None, 0),
        ("pair", ["inconsistent", "consistent"], None, 1),
        ("pair", ["entailed", "not entailed"], None, 0),
        ("pair", ["contradiction", "neutral", "entailment"], 0, 0),
        ("pair", ["LABEL_0", "LABEL_1"], 1, 1),
        ("pair", ["LABEL_0"], None, None),
        ("pair", ["LABEL_0"], 0, None),
        ("joined", ["LABEL_0", "LABEL_1"], None, 1),
        ("joined", ["supported", "unsupported"], None, 0),
        ("joined", ["LABEL_0", "LABEL_1"], 0, 0),
    ],
)
def test_labels(form, labels, given, found):
    assert find_label("m", form, dict(enumerate(labels)), given) == found


@pytest.mark.parametrize(
    ("form", "labels", "given", "words"),
    [
        ("pair", ["LABEL_0", "LABEL_1", "LABEL_2"], None, "no label named as support"),
        ("pair", ["LABEL_0", "LABEL_1"], None, "--nli label=N .*--nli form=joined"),
        ("joined", ["LABEL_0", "LABEL_1", "LABEL_2"], None, "say which with --nli label=N"),
        ("pair", ["entailment", "supported"], None, "several labels that mean support"),
        ("pair", ["no", "entailment"], 2, "no label 2: its labels are 0 no, 1 entailment"),
        ("pair", ["LABEL_0"], 1, "no label 1"),
    ],
)
def test_unclear_labels_are_refused(form, labels, given, words):
    with pytest.raises(InputError, match=words):
        find_label("m", form, dict(enumerate(labels)), given)
