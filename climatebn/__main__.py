"""``python -m climatebn``: the command line."""

from climatebn.cli import main

main()
