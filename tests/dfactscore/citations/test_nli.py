"""Tiny T5s, built here, go through the real loading and scoring code."""

from __future__ import annotations

import json

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

import tiny_models as tiny  # noqa: E402

from dfactscore._errors import InputError  # noqa: E402
from dfactscore.citations import Judgment, Query  # noqa: E402
from dfactscore.citations._entailment import NLIEntailer  # noqa: E402
from dfactscore.retrieval import Passage  # noqa: E402

QUERIES = [
    Query("Al swam .", (Passage("Al", "Al swam in Lund ."),)),
    Query("He won a race .", (Passage("Al", "Al sang ."), Passage("Bo", "Bo won a race ."))),
    Query("Bo sang in Lund .", (Passage("Bo", "in Lund " * 9),)),
]
#: Every person with every deed; every second one is entailed.
PAIRS = [
    (Query(f"{person} {deed} .", (Passage(person, f"{person} won ."),)), str(place % 2))
    for person in tiny.PEOPLE[:3]
    for place, deed in enumerate(tiny.DEEDS)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    torch.manual_seed(2)
    tokenizer = tiny.t5_tokenizer("words")
    model = tiny.t5(tokenizer, initializer_factor=2.0, num_layers=2)
    return tiny.save(tmp_path_factory.mktemp("models") / "true", model, tokenizer)


def asked(query):
    premise = "\n".join(f"Title: {p.title}\n{p.text}" for p in query.passages)
    return f"premise: {premise} hypothesis: {query.sentence}"


def by_hand(folder, question):
    """One question alone, without batching, padding or the shipped code."""
    model = transformers.T5ForConditionalGeneration.from_pretrained(folder).eval()
    vocabulary = {w: i for i, w in enumerate((*tiny.SPECIAL, "0", "1", *tiny.WORDS))}
    ids = [vocabulary.get(w, 2) for w in question.split()] + [1]
    with torch.no_grad():
        hidden = model.encoder(torch.tensor([ids])).last_hidden_state
        out = model.decoder(torch.tensor([[0]]), encoder_hidden_states=hidden).last_hidden_state
        scale = model.model_dim**-0.5 if model.config.tie_word_embeddings else 1.0
        zero, one = (float((out[0, 0] * scale) @ model.lm_head.weight[i]) for i in (3, 4))
    return 1 / (1 + 2.718281828459045 ** (zero - one))


def test_equals_a_hand_computation(folder):
    entailer = NLIEntailer(folder, device="cpu", batch_tokens=60)
    found = entailer.judge(QUERIES)
    expected = [by_hand(folder, asked(q)) for q in QUERIES]
    assert [j.probability for j in found] == pytest.approx(expected, abs=1e-4)
    assert [j.entailed for j in found] == [p >= 0.5 for p in expected]
    assert max(expected) - min(expected) > 0.01  # the questions do matter
    assert found == NLIEntailer(str(folder), device="cpu", batch_tokens=1).judge(QUERIES)
    assert entailer.judge([]) == []
    assert entailer.settings["model"] == folder.name
    assert (entailer.settings["form"], entailer.settings["label"]) == ("true", "1")


@pytest.mark.parametrize("vocabulary", tiny.ANSWERS)
def test_entailed_is_what_generate_writes_as_1(vocabulary, tmp_path):
    """T5 writes 0 as two pieces and 1 as one; other vocabularies write both alike."""
    torch.manual_seed(3)
    tokenizer = tiny.t5_tokenizer(vocabulary)
    model = tiny.t5(tokenizer)
    questions = [asked(query) for query, _ in PAIRS]
    tiny.train_t5(model, tokenizer, questions, [answer for _, answer in PAIRS])
    rows = tokenizer(questions, return_tensors="pt", padding=True)
    written = model.generate(
        input_ids=rows.input_ids,
        attention_mask=rows.attention_mask,
        max_new_tokens=4,
        output_scores=True,
        return_dict_in_generate=True,
    )
    texts = tokenizer.batch_decode(written.sequences, skip_special_tokens=True)
    said = [text.strip() for text in texts]
    assert set(said) == {"0", "1"}
    entailer = NLIEntailer(tiny.save(tmp_path, model, tokenizer), device="cpu", form="true")
    found = entailer.judge([query for query, _ in PAIRS])
    assert [judgment.entailed for judgment in found] == [answer == "1" for answer in said]
    step, zero, one = {"t5": (0, "▁", "▁1"), "words": (0, "0", "1"), "split": (1, "0", "1")}[
        vocabulary
    ]
    pieces = tokenizer.convert_tokens_to_ids([zero, one])
    expected = written.scores[step][:, pieces].softmax(dim=-1)[:, 1].tolist()
    assert [judgment.probability for judgment in found] == pytest.approx(expected, abs=1e-4)


def test_a_long_premise_is_judged_in_parts(folder):
    query = Query("He won a race .", (Passage("Al", "Al sang\nBo rode\nCy died"),))
    whole = by_hand(folder, asked(query))
    parts = ["Title: Al\nAl sang", "Bo rode\nCy died"]
    best = max(by_hand(folder, f"premise: {p} hypothesis: {query.sentence}") for p in parts)
    for tokens, expected in ((2048, whole), (4, best)):
        (judgment,) = NLIEntailer(folder, device="cpu", chunk_tokens=tokens).judge([query])
        assert judgment.probability == pytest.approx(expected, abs=1e-4)
    assert abs(whole - best) > 0.01


def test_a_threshold_and_a_sentence_that_is_too_long(folder):
    p = NLIEntailer(folder, device="cpu").judge(QUERIES[:1])[0].probability
    for threshold in (p - 0.01, p + 0.01):
        (judgment,) = NLIEntailer(folder, device="cpu", threshold=threshold).judge(QUERIES[:1])
        assert judgment.entailed is (p >= threshold)
    with pytest.raises(InputError, match="threshold 2"):
        NLIEntailer(folder, threshold=2)
    long = Query("He won " * 2000, QUERIES[0].passages)
    assert NLIEntailer(folder, device="cpu").judge([long]) == [Judgment(None)]


def test_biographies_through_the_command(folder, tmp_path, monkeypatch, capsys):
    from dfactscore._cli.app import main

    bios = tmp_path / "bios.jsonl"
    row = {
        "name": "Al",
        "output": "Al swam in Lund [1]. He won a race [1][2].",
        "passages": [{"title": p.title, "text": p.text} for p in QUERIES[1].passages],
    }
    bios.write_text(json.dumps(row))
    words = ["citations", str(bios), "--entailment", "nli", "--nli-model", str(folder)]
    monkeypatch.setattr("sys.argv", ["dfactscore", *words, "--format", "json", "-q"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    found = json.loads(capsys.readouterr().out)
    assert found["entailment"]["model"] == "true"
    assert found["n_sentences"] == 2
    queries = [
        Query("Al swam in Lund.", QUERIES[1].passages[:1], "Al"),
        Query("He won a race.", QUERIES[1].passages, "Al"),
    ]
    expected = sum(by_hand(folder, asked(q)) >= 0.5 for q in queries) / 2
    assert found["citation_recall"] == expected
