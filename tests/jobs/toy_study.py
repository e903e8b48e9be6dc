"""A study whose cells take a moment and prove nothing: squares, an array, one that may not end, one that may fail."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from climatebn.jobs.config import require
from climatebn.jobs.study import Record, Study
from climatebn.progress import Progress


@dataclass(frozen=True)
class Toy:
    colours: tuple[str, ...] = ("red", "blue")
    size: int = 6
    pause: float = 0.0
    slow_from: int = 100  # numbers from here on do not end in their budget
    kill: str = ""  # the first cell that finds no such file makes it and kills its own process
    log: str = ""
    max_seconds: float = 5.0

    def __post_init__(self):
        require(self.size > 0, "size", "1 or more", self.size)


def cells(config):
    return [(colour, number / 2) for colour in config.colours for number in range(config.size)]


def run_cell(config, key):
    colour, number = key
    with Progress("a cell", enabled=False):  # as those that learn
        time.sleep(config.pause)
    if config.kill and number == 1 and not Path(config.kill).exists():
        Path(config.kill).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if config.log:
        with open(config.log, "a") as file:
            file.write(f"{colour} {number}\n")
    if colour == "broken":
        raise ValueError("a broken cell")
    if number >= config.slow_from:
        return Record({"threads": None, "square": None}, ended=config.max_seconds > 100)
    values = np.arange(int(2 * number), dtype=np.int32)
    return Record({"threads": os.environ.get("OMP_NUM_THREADS"), "square": number**2 / 3}, {"values": values})


def finish(config, table, records, folder):
    (folder / "report.txt").write_text(f"{table['square'].sum()!r}\n")
    return f"{len(table)} squares"


study = Study(
    "toy", ("colour", "number"), Toy(), Toy(size=2), cells, run_cell, finish, cost=lambda config, key: 1 + key[1]
)
