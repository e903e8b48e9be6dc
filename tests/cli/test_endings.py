"""How commands end when they are told to, in processes of their own: exit codes, and nothing but our own words."""

import os
import signal
import subprocess
import sys

import pytest

SLOW = """
import ctypes, signal, sys, threading, time
from contextlib import nullcontext
import click
import climatebn.cli
from climatebn import cli
from climatebn.jobs.stopping import if_stopped

def compiled():  # as the compiler of kernels calls back
    space = {"__name__": "llvmlite.binding.executionengine", "click": click, "time": time}
    exec("def store():\\n    click.echo('started')\\n    time.sleep(1)", space)
    ctypes.CFUNCTYPE(None)(space["store"])()

class Closed:
    def __del__(self):  # as tqdm closes its bar
        click.echo("started")
        time.sleep(1)

@click.command()
@click.argument("how")
def slow(how):
    try:
        if how == "closing":
            Closed()
        if how == "compiling":
            compiled()
        if how == "hanging":  # as a pool of workers whose closing was interrupted
            cli.ending.PATIENCE = 0.5
            threading.Thread(target=time.sleep, args=(90,)).start()
        with if_stopped(lambda: "stopped with 2 of 3 cells stored") if how == "said" else nullcontext():
            click.echo("started")
            time.sleep(60)
    except KeyboardInterrupt:
        if how == "wrapped":
            raise ImportError("a library made this of it")
        if how == "full":
            raise OSError("No space left on device")
        raise
    finally:
        click.echo("cleaned", err=True)

cli.LazyGroup.get_command = lambda self, ctx, name: slow
sys.argv = ["climatebn", "slow", *sys.argv[1:]]
cli.main()
"""


def told(number, how="plainly", times=1):
    """Exit code and error output of a command that is sent a signal while it works."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "started\n"
    for _ in range(times):
        process.send_signal(number)
    _, words = process.communicate(timeout=60)
    return process.returncode, [line for line in words.splitlines() if line]


@pytest.mark.parametrize(
    ("number", "how", "code", "last"),
    [
        (signal.SIGINT, "plainly", 130, ["climatebn: interrupted"]),
        (signal.SIGINT, "said", 130, ["climatebn: stopped with 2 of 3 cells stored"]),
        (signal.SIGINT, "wrapped", 130, ["climatebn: stopped (a library made this of it)"]),
        (signal.SIGINT, "full", 130, ["climatebn: stopped (No space left on device)"]),
        (signal.SIGINT, "closing", 130, ["climatebn: interrupted"]),
        (signal.SIGINT, "hanging", 130, ["climatebn: interrupted"]),
        (signal.SIGTERM, "hanging", 143, ["climatebn: ended by SIGTERM"]),
        (signal.SIGINT, "compiling", 130, ["climatebn: interrupted"]),
        (signal.SIGTERM, "closing", 143, ["climatebn: ended by SIGTERM"]),
        (signal.SIGTERM, "said", 143, ["climatebn: stopped with 2 of 3 cells stored"]),
        (signal.SIGTERM, "plainly", 143, ["climatebn: ended by SIGTERM"]),
    ],
)
def test_exit_codes_and_words(number, how, code, last):
    assert told(number, how) == (code, ["cleaned", *last])


def test_a_signal_that_is_ignored_stays_so():
    """As under nohup, or in the background of a script."""
    code = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n" + SLOW.replace("sleep(60)", "sleep(0.5)")
    process = subprocess.Popen([sys.executable, "-c", code, "plainly"], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "started\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("arguments", [["--help"], ["learn", "--help"], ["learn", "no.nc"], ["nonsense"]])
def test_nobody_reads(arguments):
    """As in `climatebn … 2>&1 | head -0`."""
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen([sys.executable, "-m", "climatebn.cli", *arguments], stdout=writer, stderr=writer)
    os.close(writer)
    assert process.wait(timeout=60) == 141


PROGRESS = """
import sys, time
import click
from climatebn import cli
from climatebn.progress import Progress

@click.command()
def slow():
    with Progress("outer", 1000) as outer:
        for _ in range(1000):
            with Progress("inner", 10) as inner:
                time.sleep(0.03)
                inner.update()
            outer.update()

cli.LazyGroup.get_command = lambda self, ctx, name: slow
sys.argv = ["climatebn", "slow"]
cli.main()
"""


def test_a_reader_that_goes_away_ends_the_display_of_progress():
    """Once a process sat for ever, as tqdm kept its lock when writing failed."""
    reader, writer = os.pipe()
    environment = {name: value for name, value in os.environ.items() if name != "CLIMATEBN_QUIET"}
    process = subprocess.Popen([sys.executable, "-c", PROGRESS], stdout=writer, stderr=writer, env=environment)
    os.close(writer)
    assert os.read(reader, 10)
    os.close(reader)
    assert process.wait(timeout=120) == 141
