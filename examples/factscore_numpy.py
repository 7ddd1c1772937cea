"""A script for the factscore package with its import line changed: topics and texts as arrays."""

import tempfile

import numpy as np

from dfactscore.factscorer import FactScorer  # was: from factscore.factscorer import FactScorer

with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/mine.jsonl", "w") as file:
        file.write('{"title": "Mill", "text": "The mill was built in 1804."}\n')
        file.write('{"title": "Quay", "text": ["The quay is in Leith.", "", "It is of stone."]}\n')
    fs = FactScorer(data_dir=folder, cache_dir=folder)
    fs.register_knowledge_source("mine")
    topics = np.array(["Mill", "Quay"])
    texts = np.array(["The mill was built in 1804.", "The quay was built in 1731."])
    facts = [["The mill was built in 1804."], ["The quay was built in 1731."]]
    out = fs.get_score(topics, texts, gamma=0, atomic_facts=facts, knowledge_source="mine")
    print("supported:", [[fact["is_supported"] for fact in row] for row in out["decisions"]])
