"""``python -m dfactscore``: the command line."""

from dfactscore._util.standard_streams import standard_streams
from dfactscore._util.stopping import stoppable


def main() -> None:
    """Runs the command line."""
    # Before the slow imports.
    with standard_streams("dfactscore"), stoppable("dfactscore", last=True):
        from dfactscore._cli.app import main as run

        run()


if __name__ == "__main__":
    main()
