"""Compares an entailment model as a verifier with the built-in one, and measures its speed.

    python benchmarks/nli.py --model FOLDER --folds runs/folds      # how well it judges
    python benchmarks/nli.py --speed                                # a base-size random model

Human labels: WiCE dev. Models' labels: `fact_entity_pairs`, each fact against its page's passages.
The built-in verifier judges the names of each fold with a model not trained on them, and WiCE with
the shipped model. Intervals (95 %) resample names, or claims. Both verifiers use their default
thresholds.

``--speed`` builds a RoBERTa of base size with random weights and an artificial vocabulary, since
speed does not depend on the weights.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("training", "benchmarks", "")]

import numpy as np  # noqa: E402
from intervals import interval, show  # noqa: E402
from running import default_data  # noqa: E402
from verifier_data import Pair, load_pairs, read  # noqa: E402
from verifier_folds import out_of_fold  # noqa: E402
from verifier_scores import auc, balanced_accuracy  # noqa: E402

from dfactscore._records import Document  # noqa: E402
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier  # noqa: E402
from dfactscore.engines._nli.judge import FactsAndTexts, NLIJudge  # noqa: E402

AT_ONCE = 64  # pairs per call of the judge, as in a biography


def row(label: str, pairs: list[Pair], values: np.ndarray, thresholds: np.ndarray | float) -> None:
    labels = np.array([pair.label for pair in pairs])
    said = values >= thresholds
    clusters = [pair.name or pair.fact for pair in pairs]
    a = show(auc(labels, values), interval(clusters, lambda i: auc(labels[i], values[i])))
    b = show(
        balanced_accuracy(labels, said),
        interval(clusters, lambda i: balanced_accuracy(labels[i], said[i])),
    )
    print(f"  {label:34} AUC {a}  balanced accuracy {b}", flush=True)


def judged(judge: NLIJudge, pairs: Sequence[Pair]) -> np.ndarray:
    """Returns probabilities; a pair that cannot be judged is not supported."""
    started, before = time.perf_counter(), judge.calls
    values = []
    for start in range(0, len(pairs), AT_ONCE):
        part = pairs[start : start + AT_ONCE]
        found = judge.judge(
            [FactsAndTexts((p.fact,), tuple(t for _, t in p.documents)) for p in part]
        )
        values += [one[0].probability for one in found]
    seconds = time.perf_counter() - started
    unread = sum(v is None or v != v for v in values)
    print(
        f"  {len(pairs)} pairs in {seconds:.0f} s ({len(pairs) / seconds:.1f}/s), "
        f"{judge.calls - before} calls, {unread} not judged, "
        f"{1 - judge.tokens / max(1, judge.padded_tokens):.1%} of the tokens padding"
    )
    return np.array([0.0 if v is None or v != v else v for v in values])


def sample(pairs: list[Pair], limit: int | None) -> list[Pair]:
    """Returns a number of items, evenly spaced."""
    return pairs if limit is None else pairs[:: max(1, len(pairs) // limit)][:limit]


def quality(judge: NLIJudge, data: Path, folds: Path | None, limit: int | None) -> None:
    builtin = BuiltinVerifier()
    claims = [
        Pair("", r["claim"], (("", "\n".join(r["evidence"])),), int(r["label"] == "supported"), 0)
        for r in read(data / "wice" / "claim_dev.jsonl")
    ]
    claims = sample(claims, limit)
    print(f"WiCE dev claims (people), supported or not: {len(claims)}")
    values = np.array(
        [builtin.probabilities([p.fact], [Document(*d) for d in p.documents])[0] for p in claims]
    )
    row("built-in verifier", claims, values, builtin.threshold)
    row(judge.model.name, claims, judged(judge, claims), 0.5)
    facts = sample([pair for pair in load_pairs(data) if pair.kind == 0], limit)
    print(f"fact_entity_pairs (ChatGPT), passages of the page: {len(facts)}")
    if folds is not None:
        row("built-in verifier, out of fold", facts, *out_of_fold(facts, folds))
    row(judge.model.name, facts, judged(judge, facts), 0.5)


def made_model(folder: Path) -> Path:
    """Builds a RoBERTa of base size (125 million weights) with random weights."""
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    marks = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    tokenizer = Tokenizer(models.WordLevel(marks, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", pad_token="<pad>", eos_token="</s>",
        unk_token="<unk>", model_max_length=512,
        model_input_names=["input_ids", "attention_mask"],
    ).save_pretrained(folder)  # fmt: skip
    config = transformers.RobertaConfig(
        max_position_embeddings=514, id2label={0: "not_entailment", 1: "entailment"}
    )
    transformers.RobertaForSequenceClassification(config).save_pretrained(folder)
    return folder


def speed(model: str | None, pairs: int, make: Callable[[Path], Path]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        judge = NLIJudge(model or make(Path(folder) / "base-size"))
    print(judge.describe())
    room = judge.model.room(["She won a race."])[0]
    size = min(400, judge.model.max_tokens) - (judge.model.max_tokens - room)
    texts = [" ".join(f"w{i}x{k}" for k in range(size)) for i in range(pairs)]
    while (longest := max(judge.model.count(texts))) > size:  # words of several pieces
        texts = [" ".join(t.split()[: len(t.split()) * size // longest]) for t in texts]
    judge.judge([FactsAndTexts(("She won a race.",), (texts[0],))])
    started = time.perf_counter()
    judge.judge([FactsAndTexts(("She won a race.",), (text,)) for text in texts])
    seconds = time.perf_counter() - started
    print(
        f"{pairs} pairs of {size + judge.model.max_tokens - room} tokens: {pairs / seconds:.2f} "
        f"pairs/s, load {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="folder or hub id")
    parser.add_argument("--nli-form", choices=("pair", "joined", "true", "minicheck-t5"))
    parser.add_argument("--nli-label", type=int)
    parser.add_argument("--nli-chunks", type=int)
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--folds", type=Path, help="built-in models by fold, of train_verifier.py")
    parser.add_argument("--limit", type=int, help="only N pairs of each set")
    parser.add_argument("--speed", action="store_true", help="only pairs of 400 tokens a second")
    parser.add_argument("--pairs", type=int, default=64, help="for --speed")
    given = parser.parse_args()
    if given.speed:
        speed(given.model, given.pairs, made_model)
        return
    if given.model is None:
        parser.error("--model FOLDER, or --speed")
    judge = NLIJudge(
        given.model, form=given.nli_form, label=given.nli_label, chunks=given.nli_chunks
    )
    print(judge.describe())
    quality(judge, given.data, given.folds, given.limit)


if __name__ == "__main__":
    from running import run

    run(main)
