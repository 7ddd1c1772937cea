"""Scores texts about ships that share a name: nothing in the metric is about people."""

from dfactscore import Scorer, read_biographies
from dfactscore.examples import example

ships = example("ships")
biographies = read_biographies(ships.biographies).biographies
results = Scorer(pages=str(ships.pages)).score_many(biographies)
print(results[0], end="\n\n")
print(results)
