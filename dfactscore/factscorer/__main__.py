"""``python -m dfactscore.factscorer``: the ``factscore`` package's command."""

from dfactscore._util.standard_streams import standard_streams
from dfactscore._util.stopping import stoppable

if __name__ == "__main__":
    with standard_streams("factscorer"), stoppable("factscorer", last=True):
        from dfactscore.factscorer._command import main

        main()
