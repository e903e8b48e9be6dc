"""Files are there whole or not at all, and nothing leads their temporary names elsewhere."""

import os

import matplotlib.pyplot as plt
import pytest

from climatebn.errors import ClimateBNError
from climatebn.files import PART, same_file, whole_file, write_figure, write_whole


def test_an_error_leaves_the_earlier_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, b"first")

    def half():
        with whole_file(path) as temporary:
            temporary.write_text("half")
            assert temporary.parent == tmp_path
            assert temporary.suffix == ".txt"
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert path.read_bytes() == b"first"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_symbolic_link_in_place_of_the_temporary_file_is_not_followed(tmp_path, monkeypatch):
    outside = tmp_path / "outside.txt"
    outside.write_text("precious")
    monkeypatch.setattr("climatebn.files.secrets.token_hex", lambda size: "known")
    (tmp_path / f"{PART}known.txt").symlink_to(outside)
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "a.txt", b"new")
    assert outside.read_text() == "precious"


def test_a_link_at_the_target_is_replaced_not_followed(tmp_path):
    (tmp_path / "there.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "there.txt")
    write_whole(tmp_path / "link.txt", b"new")
    assert (tmp_path / "there.txt").read_text() == "old"
    assert (tmp_path / "link.txt").read_text() == "new"


def test_permissions_are_those_of_any_new_file(tmp_path):
    write_whole(tmp_path / "a", b"")
    (tmp_path / "b").touch()
    assert os.stat(tmp_path / "a").st_mode == os.stat(tmp_path / "b").st_mode


@pytest.mark.parametrize("path", ["", None, 5, "a\0b"])
def test_what_is_no_path_is_said(path):
    with pytest.raises(ClimateBNError, match="path must be the name of a file"):
        write_whole(path, b"")


def test_folders_are_said(tmp_path):
    with pytest.raises(ClimateBNError, match="is a folder"):
        write_whole(tmp_path, b"")
    with pytest.raises(ClimateBNError, match="there is no folder"):
        write_whole(tmp_path / "no" / "a", b"")


def test_the_ending_of_a_figure_is_known(tmp_path):
    figure = plt.figure()
    write_figure(tmp_path / "a.PNG", figure)
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ClimateBNError, match="unknown ending of a figure 'xyz'"):
        write_figure(tmp_path / "a.xyz", figure)
    plt.close(figure)


def test_same_file(tmp_path):
    (tmp_path / "a").touch()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert same_file(tmp_path / "a", tmp_path / "b")
    assert not same_file(tmp_path / "a", tmp_path / "c")
