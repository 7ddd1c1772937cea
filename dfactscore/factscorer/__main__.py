"""``python -m dfactscore.factscorer``: the command of the ``factscore`` package."""

from dfactscore.factscorer.command import main

if __name__ == "__main__":
    main()
