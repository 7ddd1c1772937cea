"""Matches labels to texts by text, id and name, never by position."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from dfactscore._errors import InputError
from dfactscore._text.clean_text import one_line
from dfactscore.annotation._paragraphs import public_text
from dfactscore.correct._texts import Scores, Text, texts_by

_Indexes = Mapping[str, Mapping[str, Sequence[Text]]]  # texts by what they have, by key


def match(run: Scores, labels: Scores, *, alone: bool = True) -> dict[int, Text]:
    """The labels of a run's texts.

    Args:
        run: The texts that the judge scored.
        labels: The texts that were labeled; those of other runs are passed over.
        alone: Whether this is the only run, so that a name says enough.

    Returns:
        Labels by the place of the text in the run.

    Raises:
        InputError: If a label is of another text with the same id or name, two labels of one text
            differ, or a name does not say which text is meant.
    """
    places = {id(text): i for i, text in enumerate(run.texts)}
    indexes = {key: texts_by(run.texts, key) for key in ("text", "id", "paired_by")}
    found: dict[int, Text] = {}
    for label in labels.texts:
        text = _text_of(label, run, indexes, alone)
        if text is None:
            continue
        place = places[id(text)]
        other = found.get(place)
        if other is not None and other.values != label.values:
            raise InputError(
                f"{other.place} and {label.place} label the text of {_who(text)} differently; "
                "keep one of them"
            )
        found[place] = label
    return found


def _text_of(label: Text, run: Scores, indexes: _Indexes, alone: bool) -> Text | None:
    models = {text.model for text in run.texts if text.model}
    if not alone and label.run and label.run not in (run.label, *models):
        return None
    if label.model and models and label.model not in models:
        return None
    wrote = {label.model, label.run} & models
    same = _like("text", label, indexes, wrote)
    if not label.text:  # all empty texts are alike: the id or the name says which one is meant
        same = [t for t in same if t.id == label.id or (t.name and label.name)]
    if same:
        return next((text for text in same if text.id == label.id), same[0])
    near = _like("id" if label.id else "paired_by", label, indexes, wrote)
    if label.text is not None and any(text.text is not None for text in run.texts):
        other = next((text for text in near if text.text is not None), None)
        if other is not None and other.text is not None and alone:
            raise InputError(
                f"{label.place}: labels another text of {_who(other)} than the run's: it begins "
                f"{one_line(label.text, 60)!r}, in {other.place} {one_line(other.text, 60)!r}"
            )
        return None
    if not near and label.id and label.name and indexes["id"].get(label.id):
        text = indexes["id"][label.id][0]
        raise InputError(
            f"{label.place}: id {label.id!r} is {label.name!r} here and {text.name!r} in "
            f"{text.place}"
        )
    if len(near) > 1:
        raise InputError(
            f"{label.place}: {len(near)} texts of {run.source} are of {_who(near[0])}; labels need "
            f"the ids of the texts{' or a column model' if len(models) > 1 else ''}"
        )
    if near and not alone and not label.run and not wrote:
        raise InputError(
            f"{label.place}: nothing says which run this label is of; add a column 'run' with the "
            f"run's name ({run.label!r}), or the texts"
        )
    return near[0] if near else None


def _like(key: str, label: Text, indexes: _Indexes, wrote: Collection[str]) -> list[Text]:
    """The run's texts that are like the label in `key`, not of another name, by one of `wrote`."""
    value = getattr(label, key)
    among = indexes[key].get(public_text(value), ()) if value is not None else ()
    named = [t for t in among if not label.name or not t.name or t.paired_by == label.paired_by]
    return [text for text in named if not wrote or text.model in wrote]


def _who(text: Text) -> str:
    return f"{text.name!r}" + (f" (id {text.id!r})" if text.id else "")
