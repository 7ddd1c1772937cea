"""Checks answers inside deepeval, ragas, LangSmith, Phoenix, LangChain and LlamaIndex."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError, MissingExtraError
from dfactscore._evidence.owners import with_owners
from dfactscore._readers.record_fields import FIELDS
from dfactscore._records import QUESTIONS, Biography
from dfactscore._text.questions import name_of_question
from dfactscore._util.message_text import message_line
from dfactscore.mixing._check import Check, check, nothing_to_check
from dfactscore.retrieval import Passage

if TYPE_CHECKING:
    import pandas as pd

_PERSON = "person"  # the metadata field with the people that a node may be about


def _checked(answer: Any, contexts: Any, question: Any) -> Check:
    """Checks an answer; an error becomes the reason why there is nothing to check."""
    asked = question if isinstance(question, str) else None
    text = answer if isinstance(answer, str) else ""
    try:
        return check(text, [] if contexts is None else contexts, question=asked)
    except Exception as error:  # a live request is worth more than its check
        return nothing_to_check(text, f"the check failed: {message_line(error)}")


def _of_record(record: Mapping[str, Any]) -> Check:
    """Checks the answer in a record with the fields of any known format."""

    def first(names: Sequence[str]) -> Any:
        return next((record[name] for name in names if record.get(name) is not None), None)

    return _checked(first(FIELDS["text"]), first(FIELDS["passages"]), first(QUESTIONS))


def _fails(found: Check, threshold: float, *, allow_abstention: bool) -> bool:
    """Whether an answer mixes people or has too low a D-FActScore."""
    if found.dfs is None:
        return not (allow_abstention and found.outcome == "nothing to check")
    return found.mixed is True or found.dfs < threshold


def deepeval_metric(
    contexts: Any = None, *, threshold: float = 0.9, allow_abstention: bool = False
) -> Any:
    """Returns a metric for deepeval (extra ``deepeval``): the D-FActScore of the actual output.

    An answer that mixes people fails whatever its score.

    Args:
        contexts: The evidence, as for `dfactscore.check`; by default, the test case's
            ``retrieval_context``.
        threshold: The minimum score.
        allow_abstention: Whether an answer with nothing to check, such as a refusal, passes.

    Raises:
        MissingExtraError: If deepeval is not installed.
    """
    try:
        from deepeval.metrics import BaseMetric
    except ImportError:
        raise MissingExtraError("The metric for deepeval", "deepeval") from None

    class DFactScoreMetric(BaseMetric):
        """The D-FActScore of an answer."""

        def __init__(self) -> None:
            self.threshold = threshold
            self.async_mode = True

        @property
        def __name__(self) -> str:
            return "D-FActScore"

        def measure(self, test_case: Any, *args: Any, **kwargs: Any) -> float | None:
            """Scores a test case."""
            evidence = test_case.retrieval_context if contexts is None else contexts
            self.check = _checked(test_case.actual_output, evidence, test_case.input)
            self.score, self.reason = self.check.dfs, str(self.check)
            self.success = not _fails(self.check, threshold, allow_abstention=allow_abstention)
            return self.score

        async def a_measure(self, test_case: Any, *args: Any, **kwargs: Any) -> float | None:
            """Scores a test case."""
            return self.measure(test_case)

        def is_successful(self) -> bool:
            """Whether the last test case passed."""
            return bool(self.success)

    return DFactScoreMetric()


def ragas_metric(name: str = "dfs") -> Any:
    """Returns a metric for ragas (extra ``ragas``): the D-FActScore of a single-turn sample.

    The score is NaN if there is nothing to check.

    Args:
        name: The name of its column.

    Raises:
        MissingExtraError: If ragas is not installed.
    """
    try:
        from ragas.metrics.base import MetricType, SingleTurnMetric
    except ImportError:
        raise MissingExtraError("The metric for ragas", "ragas") from None

    class DFactScoreMetric(SingleTurnMetric):
        """The D-FActScore of an answer."""

        def init(self, run_config: Any) -> None:
            """Needs no model."""

        async def _single_turn_ascore(self, sample: Any, callbacks: Any) -> float:
            found = _checked(sample.response, sample.retrieved_contexts, sample.user_input)
            return float("nan") if found.dfs is None else found.dfs

    columns = {MetricType.SINGLE_TURN: {"user_input", "response", "retrieved_contexts"}}
    return DFactScoreMetric(_required_columns=columns, name=name)


def langsmith_evaluator(run: Any, example: Any = None) -> dict[str, Any]:
    """Evaluates a run for LangSmith: whether the answer mixes people, and its D-FActScore.

    The question, the answer and the contexts are read from the run's inputs and outputs, by the
    names of any known format; contexts also from its retriever runs, or from the example's inputs.

    Args:
        run: The run, or an object or mapping with ``inputs`` and ``outputs``.
        example: The example.

    Example:
        >>> found = langsmith_evaluator({
        ...     "inputs": {"question": "Who is Ann Lee?"},
        ...     "outputs": {"answer": "Ann Lee is a painter. She rowed for Canada.", "context": [
        ...         "Ann Lee (born 1950) is a painter.",
        ...         "Ann Lee (born 1971) is a rower. She rowed for Canada."]}})
        >>> [(result["key"], result["score"]) for result in found["results"]][0]
        ('mixed', 1)
    """
    record: dict[str, Any] = {}
    for part in (_field(example, "inputs"), _field(run, "inputs"), _field(run, "outputs")):
        record |= part if isinstance(part, Mapping) else {}
    if not any(record.get(name) is not None for name in FIELDS["passages"]):
        record["contexts"] = list(_retrieved(run))
    found = _of_record(record)
    return {
        "results": [
            {
                "key": "mixed",
                "score": None if found.mixed is None else int(found.mixed),
                "value": found.outcome,
                "comment": "; ".join(found.reasons),
            },
            {"key": "dfs", "score": found.dfs, "comment": str(found)},
        ]
    }


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _retrieved(run: Any) -> Iterator[Any]:
    """Yields the documents of a run's retriever runs."""
    for child in _field(run, "child_runs") or ():
        if _field(child, "run_type") == "retriever":
            yield from (_field(child, "outputs") or {}).get("documents") or ()
        yield from _retrieved(child)


def phoenix_annotations(spans: pd.DataFrame) -> pd.DataFrame:
    """Returns annotations of a frame of OpenInference spans, for Phoenix.

    Each trace's root span with an output is checked against the documents of all retriever spans of
    the trace. `phoenix.client.Client().spans.log_span_annotations_dataframe` takes the result.

    Args:
        spans: Spans, such as those of ``Client().spans.get_spans_dataframe()``.

    Returns:
        One row per answer: ``span_id`` (the index), ``name``, ``annotator_kind``, ``label`` (the
        outcome), ``score`` (1 if people are mixed, 0 if not), ``explanation`` and ``metadata``.

    Raises:
        InputError: If a column is missing.
    """
    import pandas as pd

    frame = spans.reset_index()
    ids, traces = (_column(frame, (f"context.{name}", name)) for name in ("span_id", "trace_id"))
    rows = []
    for _, trace in frame.groupby(traces, sort=False):
        documents = [
            document
            for value in trace.get("attributes.retrieval.documents", ())
            if isinstance(value, (list, tuple)) or hasattr(value, "tolist")
            for document in list(value)
        ]
        for _, span in trace.iterrows():
            output = _opened(span.get("attributes.output.value"))
            parent = span.get("parent_id")
            if not isinstance(output, str) or (isinstance(parent, str) and parent):
                continue
            found = _checked(output, documents, _opened(span.get("attributes.input.value")))
            rows.append(
                {
                    "span_id": span[ids],
                    "name": "mixed people",
                    "annotator_kind": "CODE",
                    "label": found.outcome,
                    "score": None if found.mixed is None else float(found.mixed),
                    "explanation": str(found),
                    "metadata": {"fs": found.fs, "dfs": found.dfs},
                }
            )
    columns = ["span_id", "name", "annotator_kind", "label", "score", "explanation", "metadata"]
    found_rows = pd.DataFrame(rows, columns=columns, dtype=object)  # None stays None
    return found_rows.set_index("span_id")


def _column(frame: pd.DataFrame, names: Sequence[str]) -> str:
    """Returns the first of the columns that a frame has."""
    for name in names:
        if name in frame:
            return name
    raise InputError(f"phoenix_annotations: no column {names[0]!r} (found: {list(frame)[:20]})")


def _opened(value: Any) -> Any:
    """Returns the question or answer in the JSON that a span holds, or else the value."""
    try:
        opened = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value
    if isinstance(opened, Mapping):
        names = (*FIELDS["text"], *QUESTIONS)
        return next((opened[n] for n in names if isinstance(opened.get(n), str)), value)
    return opened if isinstance(opened, str) else value


def langchain_runnable(*, rewrite: bool = True) -> Any:
    """Returns a runnable for LangChain (extra ``langchain``) that follows a chain with an answer.

    It takes the chain's mapping, with the question, the answer and the documents under the names of
    any known format, and adds ``check`` (see `dfactscore.Check`). It never raises.

    Args:
        rewrite: Whether a mixed answer is replaced by one with a paragraph per person.

    Raises:
        MissingExtraError: If LangChain is not installed.
    """
    try:
        from langchain_core.runnables import RunnableLambda
    except ImportError:
        raise MissingExtraError("The runnable for LangChain", "langchain") from None

    def checked(given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        found = _of_record(given)
        answer = next((name for name in FIELDS["text"] if given.get(name) is not None), None)
        changed = {answer: found.unmixed} if rewrite and found.mixed and answer else {}
        return {**given, **changed, "check": found}

    return RunnableLambda(checked, name="dfactscore")


def llamaindex_postprocessor() -> Any:
    """Returns a node postprocessor for LlamaIndex (extra ``llamaindex``).

    It writes the people that each node may be about into the node's metadata (``person``), which
    the prompt shows to the model that answers. It never raises, and leaves out no node.

    Raises:
        MissingExtraError: If LlamaIndex is not installed.
    """
    try:
        from llama_index.core.postprocessor.types import BaseNodePostprocessor
    except ImportError:
        raise MissingExtraError("The postprocessor for LlamaIndex", "llamaindex") from None

    class PeoplePostprocessor(BaseNodePostprocessor):
        """Writes the people that each node may be about into its metadata."""

        def _postprocess_nodes(self, nodes: list[Any], query_bundle: Any = None) -> list[Any]:
            try:
                _name_people(nodes, getattr(query_bundle, "query_str", "") or "")
            except Exception as error:  # a live request is worth more than its labels
                _note(error)
            return nodes

    return PeoplePostprocessor()


def _name_people(nodes: Sequence[Any], question: str) -> None:
    """Writes the people that each node may be about into its metadata."""
    passages = tuple(
        Passage(
            str(scored.node.metadata.get("title") or ""),
            scored.node.get_content(),
            source=str(scored.node.ref_doc_id or ""),
        )
        for scored in nodes
    )
    owned = with_owners(Biography("", name_of_question(question), "", passages=passages)).owners
    people: dict[int, list[str]] = {}
    for text in owned.texts if owned is not None else ():
        named = [label for label in text.owners if label in owned.named] if owned else []
        people.setdefault(text.passage, []).extend(named)
    for number, scored in enumerate(nodes):
        if found := list(dict.fromkeys(people.get(number, ()))):
            scored.node.metadata[_PERSON] = " or ".join(found)


def _note(error: Exception) -> None:
    import logging

    logging.getLogger("dfactscore").warning("people of nodes: %s", message_line(error))
