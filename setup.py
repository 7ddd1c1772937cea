"""Finds the packages; all metadata is in setup.cfg.

The folders ``ambigbio``, ``linking`` and ``retrieval`` lie beside ``dfactscore`` and are installed
below it, which a ``find:`` in setup.cfg cannot express.
"""

from setuptools import find_packages, setup

BESIDE = ("ambigbio", "linking", "retrieval")
found = find_packages(include=["dfactscore", "dfactscore.*"])
beside = find_packages(include=[pattern for name in BESIDE for pattern in (name, f"{name}.*")])
setup(
    packages=found + [f"dfactscore.{name}" for name in beside],
    package_dir={f"dfactscore.{name}": name for name in BESIDE},
)
