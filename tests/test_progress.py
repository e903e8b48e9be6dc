"""The progress display."""

import time
from types import SimpleNamespace

import pytest
import tqdm.std

from climatebn.progress import Progress


def test_clock_goes_on_while_a_long_step_runs(monkeypatch, capsys):
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.delenv("CLIMATEBN_QUIET", raising=False)
    monkeypatch.setattr(tqdm.std, "time", lambda: clock.now)
    with Progress("study", 100, "cell", time_left=False) as progress:
        for seconds, steps in [(10, 1), (10, 1), (10, 0), (10, 0)]:
            clock.now += seconds
            progress.update(steps, running=2)
        shown = capsys.readouterr().err.split("\r")
    assert [line.split("[")[1][:5] for line in shown if "[" in line] == ["00:10", "00:20", "00:30", "00:40"]


@pytest.mark.parametrize("quiet", ["1", ""])
def test_quiet_by_environment(monkeypatch, capsys, quiet):
    monkeypatch.setenv("CLIMATEBN_QUIET", quiet)
    monkeypatch.setattr(tqdm.std, "time", iter(range(1000, 2000, 10)).__next__)
    with Progress("study", 2) as progress:
        progress.update(1)
    assert bool(capsys.readouterr().err) == (not quiet)


def test_a_bar_that_was_seen_is_cleared_however_short_its_last_phase(monkeypatch, capsys):
    """What is said next stood on the line of the bar."""
    monkeypatch.delenv("CLIMATEBN_QUIET", raising=False)
    with Progress("tables", 2) as progress:
        progress.update()
        time.sleep(0.6)
        progress.update()
        progress.describe("moves", 5)
    shown = capsys.readouterr().err
    assert "tables" in shown
    assert shown.endswith("\r")


def test_units_are_words_and_bytes_are_scaled(monkeypatch, capsys):
    monkeypatch.delenv("CLIMATEBN_QUIET", raising=False)
    monkeypatch.setattr(tqdm.std, "time", iter(range(1000, 3000, 10)).__next__)
    with Progress("compiling", None, "function") as progress:
        progress.update(3)
    with Progress("air.mon.mean.nc", 29_583_703, "B") as progress:
        progress.update(15_000_000)
    shown = capsys.readouterr().err
    assert "3 functions [" in shown
    assert "15.0M/29.6M" in shown
