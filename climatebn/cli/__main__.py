"""`python -m climatebn.cli` is the command `climatebn`."""

from climatebn.cli import main

main()
