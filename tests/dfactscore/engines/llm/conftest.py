from __future__ import annotations

from stub_model import biographies, contents, job, stub, stub_process, write_biographies

__all__ = ["biographies", "contents", "job", "stub", "stub_process", "write_biographies"]
