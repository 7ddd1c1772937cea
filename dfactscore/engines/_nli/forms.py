"""Settings and input formats of entailment models, and the output that means support."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._util.settings import Settings, setting

Form = Literal["pair", "joined", "true", "minicheck-t5"]
Meaning = Literal["support", "contradiction"]
WRITING: tuple[Form, ...] = ("true", "minicheck-t5")
"""The forms of models that write ``1`` (supported) or ``0``."""
_SUPPORT = frozenset({"entailment", "entailed", "supported", "consistent"})
_TRUE = re.compile(r"(?<![a-z])true(?![a-z])")


def question(form: Form, chunk: str, fact: str, separator: str = "") -> tuple[str, str | None]:
    """Returns the tokenizer's input: one text, or two for the format ``"pair"``.

    The formats are those that the models were trained with: a pair of segments for NLI models;
    ``joined`` and ``minicheck-t5`` for MiniCheck (Tang et al. 2024); ``true`` for TRUE (Honovich et
    al. 2022).

    >>> question("true", "Ann Lee swam.", "She swam.")
    ('premise: Ann Lee swam. hypothesis: She swam.', None)
    >>> question("minicheck-t5", "Ann Lee swam.", "She swam.", "</s>")
    ('predict: Ann Lee swam.</s>She swam.', None)
    """
    if form == "pair":
        return chunk, fact
    if form == "joined":
        return f"{chunk}{separator}{fact}", None
    if form == "true":
        return f"premise: {chunk} hypothesis: {fact}", None
    return f"predict: {chunk}{separator}{fact}", None


def find_form(
    name: str, architectures: Sequence[str], *, writes: bool, form: Form | None = None
) -> Form:
    """Finds the input format of a model.

    >>> find_form("nli-deberta-v3-base", ["DebertaV2ForSequenceClassification"], writes=False)
    'pair'
    >>> find_form("MiniCheck-RoBERTa-Large", ["RobertaForSequenceClassification"], writes=False)
    'joined'
    """
    classifies = any(a.endswith("ForSequenceClassification") for a in architectures)
    writes = writes and not classifies
    if not classifies and not writes:
        kind = ", ".join(architectures) or "a model of no stated architecture"
        raise InputError(
            f"NLI model {name!r} is {kind}: neither a sequence classifier nor an encoder-decoder "
            "(a language model that is asked in words goes with --verifier llm)"
        )
    fitting: tuple[Form, ...] = WRITING if writes else ("pair", "joined")
    if form is not None:
        if form not in fitting:
            kind = "an encoder-decoder" if writes else "a sequence classifier"
            raise InputError(
                f"NLI model {name!r} is {kind}: --nli form={form} is not for it; "
                f"choose {' or '.join(fitting)}"
            )
        return form
    lowered = name.lower()
    if "minicheck" in lowered:
        return "minicheck-t5" if writes else "joined"
    if not writes:
        return "pair"
    if _TRUE.search(lowered):
        return "true"
    raise InputError(
        f"NLI model {name!r} is an encoder-decoder whose form is not known: say how it is asked "
        "with --nli form=true ('premise: … hypothesis: …') or minicheck-t5 ('predict: …')"
    )


def find_label(
    name: str,
    form: Form,
    labels: Mapping[int, str],
    label: int | None = None,
    *,
    meaning: Meaning = "support",
) -> int | None:
    """Finds the output of a sequence classifier that means support or contradiction.

    >>> find_label("m", "pair", {0: "contradiction", 1: "neutral", 2: "entailment"})
    2
    """
    # Returns the index of the output; None for a model with a single output, to which the logistic
    # function is applied.
    listing = ", ".join(f"{i} {labels[i]}" for i in sorted(labels))
    if label is not None and label not in labels:
        raise InputError(f"NLI model {name!r} has no label {label}: its labels are {listing}")
    if meaning == "contradiction":
        indexes = [i for i, text in labels.items() if "contradict" in str(text).lower()]
        if len(indexes) == 1:
            return indexes[0]
        raise InputError(
            f"NLI model {name!r} has no output for a contradiction: its labels are {listing}"
        )
    if len(labels) == 1:
        return None
    if label is not None:
        return label
    indexes = [i for i, text in labels.items() if str(text).strip().lower() in _SUPPORT]
    if len(indexes) == 1:
        return indexes[0]
    if not indexes and form == "joined" and len(labels) == 2:
        return 1  # the label in MiniCheck's models
    problem = "several labels that mean support" if indexes else "no label named as support"
    minicheck = " (or, for one of MiniCheck's, --nli form=joined)" if len(labels) == 2 else ""
    raise InputError(
        f"NLI model {name!r} has {problem}: its labels are {listing}; "
        f"say which with --nli label=N{minicheck}"
    )


_model = partial(setting, panel="Model")


class NLISettings(Settings):
    """Settings for a Hugging Face entailment model: its input format and how it reads evidence."""

    keyed = "--nli: How an entailment model reads"

    nli_form: Form | None = _model(
        None,
        "Input format of the model.",
        named="by its config and name",
        flags=("--nli form",),
    )
    nli_label: int | None = _model(
        None,
        "Label of a classifier that means support.",
        ge=0,
        named="by its name",
        flags=("--nli label",),
    )
    nli_chunk_tokens: int | None = _model(
        None,
        "Tokens of evidence read at once.",
        ge=1,
        named="400; 2048 in citations",
        flags=("--nli chunk-tokens",),
    )
    nli_chunks: int | None = _model(
        None,
        "Chunks of a page read for a fact, best by BM25; 0: all.",
        ge=0,
        named="3 on a CPU, else all; all in citations",
        flags=("--nli chunks",),
    )

    def nli_options(self) -> dict[str, Any]:
        """Returns the settings as arguments for `NLIJudge`, omitting those that are None."""
        names = ("form", "label", "chunk_tokens", "chunks")
        options = {name: getattr(self, f"nli_{name}") for name in names}
        return {name: value for name, value in options.items() if value is not None}
