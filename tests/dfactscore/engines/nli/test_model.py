"""Probabilities of tiny models equal those computed by hand, one question at a time."""

from __future__ import annotations

import math
import re

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

import tiny_models as tiny  # noqa: E402

from dfactscore._errors import InputError, MissingExtraError  # noqa: E402
from dfactscore.engines._nli.judge import FactsAndTexts, NLIJudge  # noqa: E402
from dfactscore.engines._nli.loading import load_model  # noqa: E402

PAGES = (
    "Al swam in Lund . Bo won a race .",
    "Cy died .",
    "Di wrote in Lund . Al taught a race . Bo sang . Bo rode . Al won .",
)
FACTS = ("Al swam .", "Bo won a race in Lund .", "Di died")


def pieces(text):
    return re.findall(r"\w+|[^\w\s]+", text)


def by_hand(folder, kind, form, page, fact, label):
    """The logits of one question, tokenized by hand, without padding and batches."""
    loaded = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    words = (*(("<s>", "<pad>", "</s>", "<unk>") if kind == "roberta" else
               ("[PAD]", "[CLS]", "[SEP]", "[UNK]")), *tiny.WORDS)  # fmt: skip
    ids = {word: i for i, word in enumerate(words)}
    first, last = ("<s>", "</s>") if kind == "roberta" else ("[CLS]", "[SEP]")
    between = [last, last] if kind == "roberta" and form == "pair" else [last]
    head, tail = [first, *pieces(page), *between], [*pieces(fact), last]
    segments = [0] * len(head) + [1] * len(tail)
    more = {"token_type_ids": torch.tensor([segments])} if kind == "bert" else {}
    with torch.no_grad():
        logits = loaded(torch.tensor([[ids[w] for w in head + tail]]), **more).logits[0].tolist()
    if len(logits) == 1:
        return 1 / (1 + math.exp(-logits[0]))
    return math.exp(logits[label]) / sum(map(math.exp, logits))


def judged(folder, **more):
    judge = NLIJudge(folder, device="cpu", chunks=0, **more)
    rows = [judge.judge([FactsAndTexts(FACTS, (page,))])[0] for page in PAGES]
    together = judge.judge([FactsAndTexts(FACTS, (page,)) for page in PAGES])
    # In any batch; float32 sums may round the fourth digit either way.
    for one, shared in zip(rows, together, strict=True):
        assert [f.probability for f in shared] == pytest.approx(
            [f.probability for f in one], abs=1.01e-4
        )
        assert [(f.text, f.start, f.end) for f in shared] == [(f.text, f.start, f.end) for f in one]
    return judge, [[found.probability for found in row] for row in rows]


@pytest.mark.parametrize(
    ("kind", "form", "name", "labels", "label"),
    [
        ("deberta", "pair", "nli", ("contradiction", "neutral", "entailment"), 2),
        ("deberta", "pair", "nli", ("entailment", "neutral", "contradiction"), 0),
        ("deberta", "joined", "MiniCheck-DeBERTa", ("LABEL_0", "LABEL_1"), 1),
        ("roberta", "pair", "nli", ("not_entailment", "entailment"), 1),
        ("roberta", "pair", "nli", ("LABEL_0",), 0),
        ("bert", "pair", "nli", ("contradiction", "entailment", "neutral"), 1),
        ("roberta", "joined", "MiniCheck-RoBERTa", ("LABEL_0", "LABEL_1"), 1),
    ],
)
def test_classifiers_equal_a_hand_computation(folders, kind, form, name, labels, label):
    folder = folders(kind, labels, name=name)
    judge, found = judged(folder, batch_tokens=60)
    assert judge.model.form == form
    for page, row in zip(PAGES, found, strict=True):
        expected = [by_hand(folder, kind, form, page, fact, label) for fact in FACTS]
        assert row == pytest.approx(expected, abs=1e-4)
        assert all(p == round(p, 4) for p in row)
    flat = [p for row in found for p in row]
    assert max(flat) - min(flat) > 0.05  # the questions do matter


@pytest.mark.parametrize("vocabulary", tiny.ANSWERS)
@pytest.mark.parametrize("form", ["true", "minicheck-t5"])
def test_encoder_decoders_equal_a_hand_computation(folders, vocabulary, form):
    folder = folders("t5", vocabulary=vocabulary)
    _, found = judged(folder, form=form, batch_tokens=60)
    model = transformers.T5ForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer = tiny.t5_tokenizer(vocabulary)
    start, zero, one = {
        "t5": ([0], "▁", "▁1"),
        "words": ([0], "0", "1"),
        "split": ([0, tokenizer.convert_tokens_to_ids("▁")], "0", "1"),
    }[vocabulary]
    for page, row in zip(PAGES, found, strict=True):
        for fact, p in zip(FACTS, row, strict=True):
            if form == "true":
                ids = tokenizer(f"premise: {page} hypothesis: {fact}").input_ids
            else:
                ids = [*tokenizer(f"predict: {page}").input_ids, *tokenizer(fact).input_ids]
            with torch.no_grad():
                logits = model(
                    input_ids=torch.tensor([ids]), decoder_input_ids=torch.tensor([start])
                ).logits[0, -1]
            a, b = (float(logits[tokenizer.convert_tokens_to_ids(piece)]) for piece in (zero, one))
            assert p == pytest.approx(1 / (1 + math.exp(a - b)), abs=1e-4)


def test_swapped_labels_with_their_rows_give_the_same(folders, tmp_path):
    straight = folders("deberta", ("contradiction", "neutral", "entailment"))
    model = transformers.AutoModelForSequenceClassification.from_pretrained(straight)
    order = [2, 0, 1]
    with torch.no_grad():
        model.classifier.weight.copy_(model.classifier.weight[order])
        model.classifier.bias.copy_(model.classifier.bias[order])
    model.config.id2label = {0: "entailment", 1: "contradiction", 2: "neutral"}
    model.config.label2id = {name: i for i, name in model.config.id2label.items()}
    tokenizer = tiny.encoder_tokenizer("deberta", max_length=64)
    swapped = tiny.save(tmp_path / "swapped", model, tokenizer)
    first, second = judged(straight), judged(swapped)
    assert first[1] == second[1]
    assert first[0].settings["label"] == 2
    assert second[0].settings["label"] == 0


def test_what_a_model_reads_at_once(folders):
    assert load_model(folders("deberta"), device="cpu").max_tokens == 64
    # RoBERTa's table of positions has two rows that no token uses.
    roberta = load_model(folders("roberta", ("a", "entailment")), device="cpu")
    assert roberta.max_tokens == 64
    roberta.encode([("Al swam . " * 100, "Al swam .")])
    rows = roberta.encode([("Al swam . " * 100, "Bo died ."), ("Cy died .", "Bo sang .")])
    assert len(rows[0].ids) <= 64
    assert roberta.probabilities(rows).shape == (2,)  # no position is out of its table
    t5 = load_model(folders("t5"), device="cpu", form="true")
    assert t5.max_tokens == 2048
    assert t5.room(["Al swam ."]) == [2048 - 6]


def test_lone_surrogates_and_odd_characters(folders):
    judge = NLIJudge(folders("deberta"), device="cpu")
    (row,) = judge.judge(
        [FactsAndTexts(("Al \ud800 swam.", "\x00 é"), ("Al \udfff swam.\x00 Bo [SEP] x",))]
    )
    assert all(0 <= found.probability <= 1 for found in row)


def test_settings_tell_one_model_from_another(folders, tmp_path):
    import shutil

    folder = folders("deberta")
    settings = NLIJudge(folder, device="cpu").settings
    assert settings == NLIJudge(folder, device="cpu", batch_tokens=50).settings
    copy = shutil.copytree(folder, tmp_path / "elsewhere" / folder.name)
    assert NLIJudge(copy, device="cpu").settings == settings
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        model.classifier.bias[0] += 1e-3
    model.save_pretrained(copy)
    changed = NLIJudge(copy, device="cpu").settings
    assert {k for k in settings if settings[k] != changed[k]} == {"sha256"}


def test_a_t5_is_never_read_in_float16(folders):
    with pytest.raises(InputError, match="a T5, which overflows in float16"):
        load_model(folders("t5"), form="true", dtype="float16", device="cpu")
    with pytest.raises(InputError, match="dtype 'half' is not one of"):
        load_model(folders("t5"), form="true", dtype="half", device="cpu")
    with pytest.raises(InputError, match="--nli label is for sequence classifiers"):
        load_model(folders("t5"), form="true", label=1, device="cpu")
    with pytest.raises(InputError, match="--nli form='pairs' is not one of"):
        load_model(folders("t5"), form="pairs", device="cpu")


def test_a_vocabulary_that_cannot_answer_is_refused(tmp_path):
    import json

    tokenizer = tiny.t5_tokenizer("words")
    cannot = json.loads(tokenizer.backend_tokenizer.to_str())
    cannot["model"]["vocab"] = {
        {"0": "zero", "1": "one"}.get(word, word): i for word, i in cannot["model"]["vocab"].items()
    }
    tiny.save(tmp_path, tiny.t5(tokenizer), tokenizer)
    (tmp_path / "tokenizer.json").write_text(json.dumps(cannot))
    with pytest.raises(InputError, match="cannot write the answers '0' and '1' apart"):
        load_model(tmp_path, form="true", device="cpu")


def test_code_from_the_hub_is_not_run(folders, tmp_path):
    import json
    import shutil

    folder = shutil.copytree(folders("deberta"), tmp_path / "custom")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "code.OwnConfig"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "code.py").write_text("raise SystemExit('it was run')")
    with pytest.raises(InputError, match="it needs its own code, which is not run"):
        load_model(folder, device="cpu")


def test_without_the_extra(folders, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"needs the extra \[nli\]"):
        load_model(folders("deberta"))


def test_weights_without_a_last_layer_are_refused(folders, tmp_path):
    folder = folders("roberta", ("not_entailment", "entailment"))
    tokenizer = tiny.encoder_tokenizer("roberta")
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
    config = model.config
    tiny.save(tmp_path, model.base_model, tokenizer)
    config.architectures = ["RobertaForSequenceClassification"]
    config.save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"its weights lack classifier\..*not trained to judge"):
        load_model(tmp_path, device="cpu")
