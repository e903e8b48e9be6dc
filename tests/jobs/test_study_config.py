"""Configuration files: what is right is read back, what is wrong is named."""

from dataclasses import replace

import pytest
from toy_study import Toy

from climatebn.errors import ClimateBNError
from climatebn.jobs.config import read_config, to_toml, with_settings


def read(tmp_path, text):
    path = tmp_path / "toy.toml"
    path.write_text(text)
    return read_config(Toy(), path)


def test_values_replace_defaults_and_whole_numbers_serve_as_numbers(tmp_path):
    config = read(tmp_path, 'colours = ["green"]\npause = 2\n')
    assert config == replace(Toy(), colours=("green",), pause=2.0)
    assert isinstance(config.pause, float)


def test_written_configuration_reads_back(tmp_path):
    config = replace(Toy(), colours=("a\\b", 'c"d'), pause=1e-7)
    assert read(tmp_path, to_toml(config)) == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour = []", "unknown key 'colour'; did you mean 'colours'?"),
        ("size = 2.5", "size must be a whole number; got 2.5"),
        ("size = true", "size must be a whole number; got True"),
        ("size = 0", "size must be 1 or more; got 0"),
        ('colours = "red"', "colours must be a list, each item a text; got 'red'"),
        ("colours = [1]", r"colours\[0\] must be a text; got 1"),
        ("size = ?", "is not a TOML file: .*line 1"),
    ],
)
def test_wrong_files_are_refused_in_words(tmp_path, text, message):
    with pytest.raises(ClimateBNError, match=message) as caught:
        read(tmp_path, text)
    assert "toy.toml" in str(caught.value)


def test_single_settings():
    assert with_settings(Toy(), ["size=3", "kill=a file", 'colours=["x"]']) == Toy(
        size=3, kill="a file", colours=("x",)
    )
    with pytest.raises(ClimateBNError, match="form KEY=VALUE; got 'size'"):
        with_settings(Toy(), ["size"])
    with pytest.raises(ClimateBNError, match="size must be a whole number; got 'many'"):
        with_settings(Toy(), ["size=many"])


def test_missing_file(tmp_path):
    with pytest.raises(ClimateBNError, match="there is no configuration file"):
        read_config(Toy(), tmp_path / "none.toml")
