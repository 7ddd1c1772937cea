"""``timing.json`` has every call from the moment it is sent, in case the process is killed."""

from __future__ import annotations

import json

from dfactscore._util.usage import Usage, note_call
from dfactscore.work import Work, in_folder, run


def test_a_call_is_on_disk_before_its_item_is_finished(tmp_path):
    usage, seen = Usage(), []

    async def ask(item, journals):
        usage.tally("ask", "m").add(calls=1, prompt_tokens=9)
        note_call()
        seen.append(json.loads((tmp_path / "o" / "timing.json").read_text())["sessions"])
        journals["lines"].append(item, {})

    work = Work(
        name="ask",
        settings={},
        items=["a", "b"],
        key=str,
        label=str,
        journals={"lines": None},
        do=ask,
        finish=lambda finished: None,
    )
    session = lambda: {"asked": usage.to_dict()}  # noqa: E731
    run(work, in_folder(tmp_path / "o"), concurrency=1, session=session)
    calls = [[entry["asked"]["ask"]["m"]["calls"] for entry in sessions] for sessions in seen]
    assert calls == [[1], [2]]
