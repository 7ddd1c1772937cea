"""A script for the factscore package with its import line changed: the result written as JSON."""

import json
import tempfile

from dfactscore.factscorer import FactScorer  # was: from factscore.factscorer import FactScorer

with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/mine.jsonl", "w") as file:
        file.write('{"title": "Mill", "text": "The mill was built in 1804."}\n')
    fs = FactScorer(data_dir=folder, cache_dir=folder, abstain_detection_type="generic")
    fs.register_knowledge_source("mine")
    texts = ["The mill was built in 1804.", "I'm sorry, I do not know."]
    out = fs.get_score(["Mill", "Mill"], texts, gamma=10, knowledge_source="mine")
    with open(f"{folder}/out.json", "w") as file:
        json.dump(out, file)
    with open(f"{folder}/out.json") as file:
        print("keys:", ", ".join(json.load(file)))
