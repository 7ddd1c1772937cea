"""A script for the factscore package with its import line changed: one call per text."""

import tempfile

from dfactscore.factscorer import FactScorer  # was: from factscore.factscorer import FactScorer

TEXTS = {
    "Mill": "The mill was built in 1804.",
    "Quay": "The quay was built in 1731. The quay is in Leith.",
}
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/mine.jsonl", "w") as file:
        file.write('{"title": "Mill", "text": "The mill was built in 1804."}\n')
        file.write('{"title": "Quay", "text": "The quay is in Leith. It is of stone."}\n')
    fs = FactScorer(data_dir=folder, cache_dir=folder)
    fs.register_knowledge_source("mine")
    for topic, text in TEXTS.items():
        out = fs.get_score(topic, text, gamma=None, knowledge_source="mine")
        print(f"{topic}: {out['score']:.2f} of {out['num_facts_per_response']:.0f} facts")
    fs.save_cache()
