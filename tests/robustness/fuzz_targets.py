"""The commands that `fuzz_files.py` damages files of, and the files that each reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A command and the files that it reads, relative to its folder.

    Attributes:
        name: What it is called in the table.
        argv: Its arguments.
        files: What it reads; one of them is damaged at a time.
        made: What it writes, removed before the next one.
        program: ``dfactscore``, or ``factscorer`` for the command of the ``factscore`` package.
    """

    name: str
    argv: tuple[str, ...]
    files: tuple[str, ...]
    made: tuple[str, ...] = ()
    program: str = "dfactscore"


RUN = tuple(
    f"run/{name}"
    for name in ("manifest.json", "biographies.jsonl", "facts.jsonl", "groups.jsonl",
                 "verdicts.jsonl", "documents.jsonl", "scores.csv", "timing.json")
)  # fmt: skip
BM25 = ("manifest.json", "passages.sqlite", "bm25/bm25.json", "bm25/vocabulary.json",
        "bm25/data.npy", "bm25/indices.npy", "bm25/indptr.npy")  # fmt: skip
INDEX = tuple(f"index/{name}" for name in BM25)
DRY = ("--engine", "llm", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--dry-run")
DUMP = ("ambigbio", "build", "--out", "o.jsonl", "--dump")
DUMPED = ("o.jsonl", "o.log.jsonl", "o.pages.jsonl", "o.jsonl.cache", "o.cache")
SAFE = tuple(name.replace("run/", "safe/") for name in (*RUN, "run/safe.csv"))
ASKED = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--no-cache")
FACTOR = tuple(f"factor/{name}" for name in ("manifest.json", "samples.jsonl", "scores.csv",
                                             "summary.json"))  # fmt: skip
MADE = ("meta/manifest.json", "meta/judgements.jsonl", "meta/clusters.jsonl", "meta/scores.json")
EXPERIMENT = ("experiment/experiment.json", "experiment/passages.jsonl",
              "experiment/one/biographies.jsonl", "experiment/one/biographies.manifest.json",
              "experiment/one/citations.jsonl", "experiment/one/run/verdicts.jsonl")  # fmt: skip
META = (
    ("felm", "felm.jsonl", (), ("felm.jsonl",)),
    ("wice", "wice.jsonl", (), ("wice.jsonl",)),
    ("factcheck-stance", "stance.jsonl", (), ("stance.jsonl",)),
    ("factcheck-claims", "claims.jsonl", ("--stances", "stance.jsonl"),
     ("claims.jsonl", "stance.jsonl")),
    ("factscore-labels", "people.jsonl", ("--pages", "topics.jsonl"),
     ("people.jsonl", "topics.jsonl")),
    ("qasem", "qasem.jsonl", (), ("qasem.jsonl",)),
    ("pairs", "pairs.csv", (), ("pairs.csv",)),
)  # fmt: skip
TARGETS = (
    Target("score jsonl", ("score", "bios.jsonl", "--out", "o"), ("bios.jsonl",), ("o",)),
    Target("score json", ("score", "alce.json", "--out", "o"), ("alce.json",), ("o",)),
    Target("score csv", ("score", "bios.csv", "--out", "o"), ("bios.csv",), ("o",)),
    Target("score tsv", ("score", "bios.tsv", "--out", "o"), ("bios.tsv",), ("o",)),
    Target("score labeled", ("score", "labeled.jsonl", "--pages", "pages.jsonl", "--out", "o"),
           ("labeled.jsonl",), ("o",)),
    Target("score pages", ("score", "bios.jsonl", "--pages", "pages.jsonl", "--out", "o"),
           ("pages.jsonl",), ("o",)),
    Target("score store", ("score", "bios.jsonl", "--pages", "pages.sqlite", "--out", "o"),
           ("pages.sqlite",), ("o",)),
    Target("score dataset", ("score", "bios.jsonl", "--pages", "pages.jsonl", "--candidates",
                             "dataset", "--dataset", "ambigbio.jsonl", "--out", "o"),
           ("ambigbio.jsonl",), ("o",)),
    Target("score index", ("score", "plain.jsonl", "--pages", "pages.jsonl",
                           "--index", "index", "--out", "o"), INDEX, ("o",)),
    Target("score config", ("score", "bios.jsonl", "--config", "settings.yaml", "--out", "o"),
           ("settings.yaml",), ("o",)),
    Target("score dry", ("score", "bios.jsonl", "--prices", "prices.json", "--config",
                         "prompts.yaml", "--cache", "cache.sqlite", "--out", "o", *DRY),
           ("prices.json", "prompts/verify.txt", "cache.sqlite"), ("o",)),
    Target("score resume", ("score", "bios.jsonl", "--pages", "pages.jsonl", "--out", "run"), RUN),
    Target("rescore run", ("rescore", "run", "--link", "hungarian"), RUN),
    Target("rescore released", ("rescore", "released.json"), ("released.json",)),
    Target("rescore released lines", ("rescore", "released.jsonl"), ("released.jsonl",)),
    Target("rescore labeled", ("rescore", "labeled.jsonl"), ("labeled.jsonl",)),
    Target("compare", ("compare", "run", "other", "--resamples", "100"), RUN),
    Target("compare files", ("compare", "a=released.json", "b=released.json", "c=scores.csv",
                             "--resamples", "100"), ("released.json", "scores.csv")),
    Target("mixing", ("mixing", "run", "--graphml", "o.graphml"), RUN, ("o.graphml",)),
    Target("report", ("report", "run", "--out", "o.html"), RUN, ("o.html",)),
    Target("popularity", ("popularity", "run", "--views", "views.jsonl"), (*RUN, "views.jsonl")),
    Target("citations", ("citations", "bios.jsonl", "--out", "o.jsonl"), ("bios.jsonl",),
           ("o.jsonl",)),
    Target("citations judged", ("citations", "--judged", "judged.jsonl"), ("judged.jsonl",)),
    Target("generate passages", ("generate", "--passages", "passages.jsonl", "--generator",
                                 "extractive", "--out", "o.jsonl", "--alce", "o.json"),
           ("passages.jsonl",), ("o.jsonl", "o.json", "o.manifest.json")),
    Target("generate names", ("generate", "--names", "names.csv", "--index", "index",
                              "--generator", "extractive", "--out", "o.jsonl"),
           ("names.csv", *INDEX), ("o.jsonl", "o.manifest.json")),
    Target("generate resume", ("generate", "--passages", "passages.jsonl", "--generator",
                               "extractive", "--out", "made.jsonl"),
           ("made.jsonl", "made.manifest.json")),
    Target("run", ("run", "experiment.yaml", "--out", "o"), ("experiment.yaml",), ("o",)),
    Target("index build", ("index", "build", "pages.jsonl", "--out", "o"), ("pages.jsonl",),
           ("o", "o.errors.jsonl")),
    Target("index build gz", ("index", "build", "pages.jsonl.gz", "--out", "o"),
           ("pages.jsonl.gz",), ("o", "o.errors.jsonl")),
    Target("index build tsv", ("index", "build", "psgs.tsv", "--out", "o"), ("psgs.tsv",),
           ("o", "o.errors.jsonl")),
    Target("index build parquet", ("index", "build", "pages.parquet", "--out", "o"),
           ("pages.parquet",), ("o", "o.errors.jsonl")),
    Target("index add", ("index", "add", "index", "more.jsonl"), (*INDEX, "more.jsonl")),
    Target("index pages", ("index", "pages", "pages.jsonl", "--out", "o.sqlite"), ("pages.jsonl",),
           ("o.sqlite", "o.sqlite.partial", "o.sqlite.errors.jsonl")),
    Target("index search", ("index", "search", "index", "Dick Hanley"), INDEX),
    Target("index evaluate", ("index", "evaluate", "index", "questions.jsonl"),
           ("questions.jsonl",)),
    Target("index info", ("index", "info", "index", "--verify"), INDEX),
    Target("ambigbio dump", (*DUMP, "dump.xml", "--count", "1"), ("dump.xml",), DUMPED),
    Target("ambigbio dump gz", (*DUMP, "dump.xml.gz", "--count", "1"), ("dump.xml.gz",), DUMPED),
    Target("ambigbio dump bz2", (*DUMP, "dump.xml.bz2", "--count", "1"), ("dump.xml.bz2",),
           DUMPED),
    Target("ambigbio cache", (*DUMP, "dump.xml", "--count", "1", "--cache", "dump.cache"),
           ("dump.cache",), DUMPED),
    Target("ambigbio names", (*DUMP, "dump.xml", "--names-file", "lee.tsv"), ("lee.tsv",), DUMPED),
    Target("ambigbio info", ("ambigbio", "info", "ambigbio.jsonl"), ("ambigbio.jsonl",)),
    Target("ambigbio validate", ("ambigbio", "validate", "ambigbio.jsonl", "--pages",
                                 "ambigbio.pages.jsonl"),
           ("ambigbio.jsonl", "ambigbio.pages.jsonl")),
    Target("ambigbio export", ("ambigbio", "export", "ambigbio.jsonl", "--pages",
                               "ambigbio.pages.jsonl", "--out", "o"),
           ("ambigbio.jsonl", "ambigbio.pages.jsonl"), ("o",)),
    Target("ambigbio diff", ("ambigbio", "diff", "ambigbio.jsonl", "old.jsonl"),
           ("ambigbio.jsonl",)),
    Target("cache info", ("cache", "info", "--cache", "cache.sqlite"), ("cache.sqlite",)),
    Target("cache export", ("cache", "export", "o.jsonl", "--cache", "cache.sqlite"),
           ("cache.sqlite",), ("o.jsonl",)),
    Target("score parquet", ("score", "bios.parquet", "--out", "o"), ("bios.parquet",), ("o",)),
    Target("score xlsx", ("score", "bios.xlsx", "--out", "o"), ("bios.xlsx",), ("o",)),
    Target("score lm-eval", ("score", "samples.jsonl", "--out", "o"), ("samples.jsonl",), ("o",)),
    Target("score redirects", ("score", "bios.jsonl", "--pages", "pages.db", "--config",
                               "redirects.yaml", "--out", "o"),
           ("pages.db", "redirects.jsonl"), ("o",)),
    Target("generate prompts", ("generate", "--questions", "prompts.jsonl", "--out", "o.jsonl",
                                *DRY[2:]),
           ("prompts.jsonl",), ("o.jsonl", "o.manifest.json")),
    Target("generate demos", ("generate", "--passages", "passages.jsonl", "--demos", "demos.json",
                              "--out", "o.jsonl", *DRY[2:]),
           ("demos.json",), ("o.jsonl", "o.manifest.json")),
    Target("rescore models", ("rescore", "models.jsonl"), ("models.jsonl",)),
    Target("run resume", ("run", "experiment.yaml", "--out", "experiment"), EXPERIMENT),
    Target("export", ("export", "run", "--out", "o"), RUN, ("o",)),
    Target("explain", ("explain", "bios.jsonl"), ("bios.jsonl",)),
    Target("explain text", ("explain", "text.txt", "--name", "Dick Hanley"), ("text.txt",)),
    Target("longfact sample", ("longfact", "sample", "longfact", "--n", "2", "--out", "o.jsonl"),
           ("longfact/longfact-objects_art.jsonl", "longfact/longfact-concepts_law.jsonl"),
           ("o.jsonl",)),
    Target("safe", ("safe", "plain.jsonl", "--search", "index:index", "--out", "o"),
           ("plain.jsonl", *INDEX), ("o",)),
    Target("safe released", ("safe", "side.json", "--search", "index:index", "--out", "o"),
           ("side.json",), ("o",)),
    Target("safe resume", ("safe", "plain.jsonl", "--search", "index:index", "--per-entity",
                           "--out", "safe"), SAFE),
    Target("report safe", ("report", "safe", "--out", "o.html"), SAFE, ("o.html",)),
    Target("factor info", ("factor", "info", "items.csv"), ("items.csv",)),
    Target("factor info lines", ("factor", "info", "items.jsonl"), ("items.jsonl",)),
    Target("factor info read", ("factor", "info", "--read", "checked.csv"), ("checked.csv",)),
    Target("factor score dry", ("factor", "score", "items.jsonl", "--pages", "pages.jsonl",
                                "--out", "o", *ASKED, "--dry-run"),
           ("items.jsonl", "pages.jsonl"), ("o",)),
    Target("factor resume", ("factor", "score", "items.jsonl", "--out", "factor", *ASKED),
           ("items.jsonl", *FACTOR)),
    Target("factor compare", ("compare", "factor", "factor2", "--resamples", "100"), FACTOR),
    Target("factor ambig", ("factor", "ambig", "--pages", "ambigbio.pages.jsonl", "--dataset",
                            "ambigbio.jsonl", "--out", "o.jsonl"),
           ("ambigbio.pages.jsonl", "ambigbio.jsonl"), ("o.jsonl", "o.pages.jsonl")),
    Target("factor build", ("factor", "build", "pages.jsonl", "--items", "2", "--min-words", "5",
                            "--out", "o.jsonl"), ("pages.jsonl",), ("o.jsonl", "o.rejected.jsonl")),
    *(Target(f"meta {kind}", ("meta", "data", f"{kind}={name}", *more), files)
      for kind, name, more, files in META),
    Target("meta run", ("meta", "run", "felm=felm.jsonl", "--resamples", "100", "--out", "o"),
           ("felm.jsonl",), ("o",)),
    Target("meta resume", ("meta", "run", "felm=felm.jsonl", "--resamples", "100", "--out", "meta"),
           MADE),
    Target("meta score", ("meta", "score", "said.jsonl", "felm=felm.jsonl", "--resamples", "100"),
           ("said.jsonl", "felm.jsonl")),
    Target("meta score csv", ("meta", "score", "said.csv", "felm=felm.jsonl", "--resamples", "100",
                              "--reading", "stored"), ("said.csv",)),
    Target("meta compare", ("meta", "compare", "meta", "meta2", "--resamples", "100"), MADE),
    Target("annotate init", ("annotate", "init", "run", "--qualify", "answers.jsonl",
                             "--annotators", "ann,ben", "--out", "o.db"),
           (*RUN, "answers.jsonl"), ("o.db",)),
    Target("annotate add", ("annotate", "add", "study.db", "cat"), ("study.db",)),
    Target("annotate status", ("annotate", "status", "answered.db"), ("answered.db",)),
    Target("annotate export", ("annotate", "export", "answered.db", "--out", "o.jsonl",
                               "--with-events"), ("answered.db",), ("o.jsonl",)),
    Target("annotate export facts", ("annotate", "export", "answered.db", "--out", "o.jsonl",
                                     "--format", "factscore"), ("answered.db",), ("o.jsonl",)),
    Target("annotate import", ("annotate", "import", "study.db", "answers.jsonl"),
           ("answers.jsonl", "study.db")),
    Target("annotate import tasks", ("annotate", "import", "study.db", "tasks.json",
                                     "--annotator", "ann"), ("tasks.json", "study.db")),
    Target("annotate report", ("annotate", "report", "answered.db", "--run", "run", "--resamples",
                               "100"), ("answered.db", *RUN)),
    Target("factscorer", ("--input_path", "labeled.jsonl", "--use_atomic_facts", "--af_annotator",
                          "human-atomic-facts", "--db_path", "pages.db", "--missing", "skip",
                          "--redirects", "redirects.jsonl", "--out", "o.json"),
           ("labeled.jsonl", "pages.db", "redirects.jsonl"), ("o.json",), "factscorer"),
    Target("factscorer build", ("--input_path", "labeled.jsonl", "--db_path", "o.db",
                                "--data_path", "titled.jsonl", "--missing", "skip", "--out",
                                "o.json"),
           ("titled.jsonl",), ("o.db", "o.json"), "factscorer"),
)  # fmt: skip
