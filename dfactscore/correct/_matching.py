"""Matches labels to texts by text, id and name, never by position."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from dfactscore._errors import InputError
from dfactscore._text.clean_text import one_line
from dfactscore.annotation._paragraphs import public_text
from dfactscore.correct._texts import Scores, Text, texts_by

_Indexes = Mapping[str, Mapping[str, Sequence[Text]]]  # texts by attribute and attribute value


def match(run: Scores, labels: Scores, *, single_run: bool = True) -> dict[int, Text]:
    """Finds the labels for a run's texts."""
    places = {id(text): i for i, text in enumerate(run.texts)}
    indexes = {key: texts_by(run.texts, key) for key in ("text", "id", "paired_by")}
    labels_by_index: dict[int, Text] = {}
    for label in labels.texts:
        text = _text_of(label, run, indexes, single_run)
        if text is None:
            continue
        place = places[id(text)]
        other = labels_by_index.get(place)
        if other is not None and other.values != label.values:
            raise InputError(
                f"{other.place} and {label.place} label the text of {_description(text)} "
                "differently; keep one of them"
            )
        labels_by_index[place] = label
    return labels_by_index


def _text_of(label: Text, run: Scores, indexes: _Indexes, single_run: bool) -> Text | None:
    models = {text.model for text in run.texts if text.model}
    if not single_run and label.run and label.run not in (run.label, *models):
        return None
    if label.model and models and label.model not in models:
        return None
    models_of_label = {label.model, label.run} & models
    equal_texts = _like("text", label, indexes, models_of_label)
    if not label.text:  # empty texts are equal; they are distinguished by id or name
        equal_texts = [t for t in equal_texts if t.id == label.id or (t.name and label.name)]
    if equal_texts:
        return next((text for text in equal_texts if text.id == label.id), equal_texts[0])
    candidates = _like("id" if label.id else "paired_by", label, indexes, models_of_label)
    if label.text is not None and any(text.text is not None for text in run.texts):
        other = next((text for text in candidates if text.text is not None), None)
        if other is not None and other.text is not None and single_run:
            raise InputError(
                f"{label.place}: labels another text about {_description(other)} than the run's: "
                f"it begins {one_line(label.text, 60)!r}, but in {other.place} "
                f"{one_line(other.text, 60)!r}"
            )
        return None
    if not candidates and label.id and label.name and indexes["id"].get(label.id):
        text = indexes["id"][label.id][0]
        raise InputError(
            f"{label.place}: id {label.id!r} is {label.name!r} here and {text.name!r} in "
            f"{text.place}"
        )
    if len(candidates) > 1:
        raise InputError(
            f"{label.place}: {len(candidates)} texts of {run.source} are about "
            f"{_description(candidates[0])}; labels need the ids of the texts"
            f"{' or a column model' if len(models) > 1 else ''}"
        )
    if candidates and not single_run and not label.run and not models_of_label:
        raise InputError(
            f"{label.place}: the run of this label is unknown; add a column 'run' with the "
            f"run's name ({run.label!r}), or the texts"
        )
    return candidates[0] if candidates else None


def _like(key: str, label: Text, indexes: _Indexes, writers: Collection[str]) -> list[Text]:
    """Returns the texts by `writers` that have the label's `key` and name."""
    value = getattr(label, key)
    equal = indexes[key].get(public_text(value), ()) if value is not None else ()
    same_name = [t for t in equal if not label.name or not t.name or t.paired_by == label.paired_by]
    return [text for text in same_name if not writers or text.model in writers]


def _description(text: Text) -> str:
    return f"{text.name!r}" + (f" (id {text.id!r})" if text.id else "")
