"""A script for the factscore package with its import line changed: a source in its own layout."""

import sqlite3
import tempfile

from dfactscore.factscorer import FactScorer  # was: from factscore.factscorer import FactScorer

SEPARATOR = "####SPECIAL####SEPARATOR####"
with tempfile.TemporaryDirectory() as folder:
    database = sqlite3.connect(f"{folder}/mine.db")
    database.execute("CREATE TABLE documents (title PRIMARY KEY, text)")
    first = "<s>The mill was built in 1804.</s><s>It burned in 1855.</s>"
    page = f"{first}{SEPARATOR}<s>It is gone.</s>"
    database.execute("INSERT INTO documents VALUES (?, ?)", ("Mill", page))
    database.commit()
    database.close()
    fs = FactScorer(data_dir=folder, cache_dir=folder)
    fs.register_knowledge_source("mine", db_path=f"{folder}/mine.db")
    facts = [["The mill was built in 1804.", "The mill burned in 1855.", "The mill is in Leith."]]
    out = fs.get_score(["Mill"], ["(given)"], 10, facts, "mine")
    supported = sum(fact["is_supported"] for fact in out["decisions"][0])
    print(f"{supported} of {len(facts[0])} facts, with penalty {out['score']:.6f}")
