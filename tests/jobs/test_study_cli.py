"""`climatebn study` as it is typed."""

import os

import pytest
from click.testing import CliRunner
from toy_study import study

from climatebn.cli.study import command
from climatebn.errors import ClimateBNError
from climatebn.study.registry import STUDIES


@pytest.fixture
def call(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "environ", dict(os.environ))  # the command limits threads
    monkeypatch.setitem(STUDIES, "toy", "toy_study")
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(command, list(arguments))


def test_a_study_from_its_name_to_its_summary(call, tmp_path):
    result = call("toy", "--workers", "1", "--set", "size=3")
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "6 squares")
    assert (tmp_path / "toy-study" / "results.csv").exists()


def test_quick_config_and_quiet(call, tmp_path):
    (tmp_path / "blue.toml").write_text('colours = ["blue"]')
    result = call("toy", "--quick", "--config", "blue.toml", "--out", "here", "--workers", "1", "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    assert len((tmp_path / "here" / "results.csv").read_text().splitlines()) == 1 + study.quick.size


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["climat"], "unknown study 'climat'; did you mean 'climate'"),
        (["toy", "--config", "none.toml"], "there is no configuration file none.toml"),
        (["toy", "--set", "siz=3"], "unknown key 'siz'; did you mean 'size'"),
        (["toy", "--out", "."], "not empty and not a study folder"),
    ],
)
def test_what_was_wrong_is_said(call, tmp_path, arguments, message):
    (tmp_path / "thesis.tex").touch()
    result = call(*arguments)
    assert isinstance(result.exception, ClimateBNError)
    assert message in str(result.exception)


def test_workers_and_scheduler_exclude_each_other(call):
    result = call("toy", "--workers", "2", "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "exclude each other" in result.output


def test_interrupt_is_one_line(call, monkeypatch):
    def stop(*arguments, **options):
        raise KeyboardInterrupt("stopped with 3 of 6 cells")

    monkeypatch.setattr("climatebn.jobs.runner.run_study", stop)
    result = CliRunner().invoke(command, ["toy", "--workers", "1"], standalone_mode=False)  # as `climatebn` calls it
    assert str(result.exception.__cause__) == "stopped with 3 of 6 cells"


def test_a_report_from_a_kept_table(call, tmp_path):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    for table, words in (
        ("none.csv", "there is no table none.csv"),
        ("other.csv", "other.csv is not a table of results"),
    ):
        result = call("simulation", "--from-table", table)
        assert isinstance(result.exception, ClimateBNError)
        assert words in str(result.exception)
    result = call("simulation", "--from-table", "kept.csv", "--quick")
    assert (result.exit_code, "runs nothing" in result.output) == (2, True)
    assert "cannot be reported from a table alone" in str(call("toy", "--from-table", "kept.csv").exception)
