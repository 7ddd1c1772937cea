"""``python -m dfactscore``: the command line."""

from dfactscore.cli.app import main

main()
