"""``python -m climatebn.cli``: the command line."""

from climatebn.cli import main

main()
