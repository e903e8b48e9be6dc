"""`python -m climatebn.study.reproduction numbers|climate FOLDER|simulation FOLDER|more FOLDER|page`: what docs keep.

Run in the root of a working copy. ``numbers`` learns the paper's networks again (about ten minutes on two cores);
``climate`` and ``simulation`` take over the results of a finished study folder (with its commit behind it, if it was
made without a repository at hand and cannot tell); ``more`` takes over cells of a simulation study that did not end in
the one that is kept; ``page`` writes the tables of docs/reproduction.md anew from what is stored.
"""

import sys
from pathlib import Path

from climatebn.study.reproduction import store

if __name__ == "__main__":
    store.run(sys.argv[1:], Path("docs"))
