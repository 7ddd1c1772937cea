"""A script for the factscore package with its import line changed: positional arguments."""

import tempfile
from pathlib import Path

from dfactscore.factscorer import FactScorer  # was: from factscore.factscorer import FactScorer

with tempfile.TemporaryDirectory() as folder:
    data = Path(folder) / "pages.jsonl"
    data.write_text(
        '{"title": "Ann Lee", "text": "Ann Lee (born 1950) is an English painter from Leeds."}\n'
    )
    fs = FactScorer("retrieval+builtin", folder, folder, folder, "api.key", "consider_cache")
    fs.register_knowledge_source("mine", str(Path(folder) / "mine.db"), str(data))
    topics = ["Ann Lee", "Ann Lee"]
    generations = [
        "Ann Lee is an English painter. She was born in 1950.",
        "Ann Lee is a Canadian rower. She was born in 1950.",
    ]
    out = fs.get_score(topics, generations, 0, None, "mine", False)
    print(f"FActScore {100 * out['score']:.1f}%, respond ratio {out['respond_ratio']:.0%}")
