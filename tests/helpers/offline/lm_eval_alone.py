"""``python -m lm_eval`` without the index of the thousands of tasks that it comes with.

The command line is the host's own. Reading its 26,000 task files takes longer than all else.
"""

from __future__ import annotations

import inspect
from functools import partialmethod

from lm_eval.__main__ import cli_evaluate
from lm_eval.tasks import TaskManager

if __name__ == "__main__":
    if "include_defaults" in inspect.signature(TaskManager.__init__).parameters:
        TaskManager.__init__ = partialmethod(TaskManager.__init__, include_defaults=False)
    cli_evaluate()
