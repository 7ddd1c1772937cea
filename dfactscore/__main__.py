"""``python -m dfactscore``: the command line."""

from dfactscore._util.stopping import stoppable


def main() -> None:
    """Runs the command line."""
    with stoppable("dfactscore", last=True):  # before the slow imports
        from dfactscore._cli.app import main as run

        run()


if __name__ == "__main__":
    main()
