"""Tiny T5s, built here, go through the real loading and scoring code."""

from __future__ import annotations

import json

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

import tiny_models as tiny  # noqa: E402
from dfactscore.retrieval import Passage  # noqa: E402

from dfactscore.citations import Query  # noqa: E402
from dfactscore.citations.nli import Seq2SeqEntailer, true_prompt  # noqa: E402
from dfactscore.errors import InputError  # noqa: E402

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
    return tiny.save(tmp_path_factory.mktemp("t5"), model, tokenizer)


def asked(query):
    premise = "\n".join(f"Title: {p.title}\n{p.text}" for p in query.passages)
    return f"premise: {premise} hypothesis: {query.sentence}"


def by_hand(folder, query):
    """One question alone, without batching, padding or the shipped code."""
    model = transformers.T5ForConditionalGeneration.from_pretrained(folder).eval()
    vocabulary = {w: i for i, w in enumerate((*tiny.SPECIAL, "0", "1", *tiny.WORDS))}
    ids = [vocabulary.get(w, 2) for w in asked(query).split()] + [1]
    with torch.no_grad():
        hidden = model.encoder(torch.tensor([ids])).last_hidden_state
        out = model.decoder(torch.tensor([[0]]), encoder_hidden_states=hidden).last_hidden_state
        scale = model.model_dim**-0.5 if model.config.tie_word_embeddings else 1.0
        zero, one = (float((out[0, 0] * scale) @ model.lm_head.weight[i]) for i in (3, 4))
    return 1 / (1 + 2.718281828459045 ** (zero - one))


def test_equals_a_hand_computation(folder):
    entailer = Seq2SeqEntailer(str(folder), device="cpu", batch_size=2)
    found = entailer.judge(QUERIES)
    expected = [by_hand(folder, q) for q in QUERIES]
    assert [j.probability for j in found] == pytest.approx(expected, abs=2e-6)
    assert [j.entailed for j in found] == [p >= 0.5 for p in expected]
    assert max(expected) - min(expected) > 0.01  # the questions do matter
    assert found == Seq2SeqEntailer(str(folder), device="cpu", batch_size=1).judge(QUERIES)
    assert entailer.judge([]) == []
    assert entailer.truncated == 0
    assert entailer.settings["model"] == str(folder)


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
    found = Seq2SeqEntailer(str(tiny.save(tmp_path, model, tokenizer)), device="cpu").judge(
        [query for query, _ in PAIRS]
    )
    assert [judgment.entailed for judgment in found] == [answer == "1" for answer in said]
    step, zero, one = {"t5": (0, "▁", "▁1"), "words": (0, "0", "1"), "split": (1, "0", "1")}[
        vocabulary
    ]
    pieces = tokenizer.convert_tokens_to_ids([zero, one])
    expected = written.scores[step][:, pieces].softmax(dim=-1)[:, 1].tolist()
    assert [judgment.probability for judgment in found] == pytest.approx(expected, abs=2e-6)


def test_long_premise_is_cut_not_the_sentence(folder):
    entailer = Seq2SeqEntailer(str(folder), device="cpu", max_tokens=16)
    ids = entailer._encode(QUERIES[2])
    tail = entailer._ids("hypothesis: Bo sang in Lund .")
    assert len(ids) == 16
    assert ids[-len(tail) :] == tail
    entailer.judge(QUERIES)
    assert entailer.truncated >= 2


def test_prompt():
    assert true_prompt("Al swam.", "He swam.") == "premise: Al swam. hypothesis: He swam."


def test_bad_models(folder, tmp_path):
    with pytest.raises(InputError, match="cannot be loaded"):
        Seq2SeqEntailer(str(tmp_path))
    with pytest.raises(InputError, match="dtype 'float128x'"):
        Seq2SeqEntailer(str(folder), device="cpu", dtype="float128x")
    with pytest.raises(InputError, match="too small"):
        Seq2SeqEntailer(str(folder), batch_size=0)


def test_refuses_a_vocabulary_that_cannot_answer(tmp_path):
    tokenizer = tiny.t5_tokenizer("words")
    cannot = json.loads(tokenizer.backend_tokenizer.to_str())
    cannot["model"]["vocab"] = {
        {"0": "zero", "1": "one"}.get(word, word): i for word, i in cannot["model"]["vocab"].items()
    }
    tiny.save(tmp_path, tiny.t5(tokenizer), tokenizer)
    (tmp_path / "tokenizer.json").write_text(json.dumps(cannot))
    with pytest.raises(InputError, match="cannot write the answers '0' and '1' apart"):
        Seq2SeqEntailer(str(tmp_path), device="cpu")


def test_biographies_through_the_command(folder, tmp_path, monkeypatch, capsys):
    from dfactscore.cli.app import main

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
    assert found["entailment"]["model"] == str(folder)
    assert found["n_sentences"] == 2
    queries = [
        Query("Al swam in Lund.", QUERIES[1].passages[:1], "Al"),
        Query("He won a race.", QUERIES[1].passages, "Al"),
    ]
    expected = sum(by_hand(folder, q) >= 0.5 for q in queries) / 2
    assert found["citation_recall"] == expected
