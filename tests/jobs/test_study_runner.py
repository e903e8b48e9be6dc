"""The machinery on toy cells: what is stored, run again, refused, and that the executor does not matter."""

import errno
import hashlib
import json
import os
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import xarray as xr
from toy_study import Toy, study

from climatebn import provenance
from climatebn.errors import ClimateBNError
from climatebn.files import PART
from climatebn.jobs import open_executor, read_table, run_study, runner
from climatebn.jobs.folder import StudyFolder
from climatebn.jobs.lock import LOCK, locked
from climatebn.jobs.run_record import RUNS, read_runs
from climatebn.jobs.study import Record
from climatebn.provenance import commit
from climatebn.study.registry import find


def run(folder, config=study.default, workers=1):
    with open_executor(workers) as executor:
        return run_study(study, folder, config, executor=executor, progress=False)


def ran(config):
    with open(config.log) as file:
        return sorted(file.read().split("\n")[:-1])


@pytest.fixture
def logged(tmp_path):
    (tmp_path / "log").touch()
    return Toy(log=str(tmp_path / "log"))


def test_table_holds_every_cell_in_order(tmp_path):
    assert run(tmp_path / "out") == "12 squares"
    table = read_table(tmp_path / "out")
    assert list(table.columns) == ["colour", "number", "ended", "budget", "threads", "square", "seconds"]
    assert table["square"].tolist() == [(i / 2) ** 2 / 3 for i in range(6)] * 2
    with xr.open_dataset(tmp_path / "out" / "results.nc") as dataset:
        assert float(dataset["square"].sel(colour="blue", number=2.5)) == 2.5**2 / 3
        assert "seconds" in dataset


def test_arrays_come_back_as_they_were(tmp_path):
    run(tmp_path)
    record = StudyFolder(tmp_path, study, Toy()).read(("red", 2.0))
    assert record.arrays["values"].tolist() == [0, 1, 2, 3]
    assert record.arrays["values"].dtype == "int32"


def test_only_missing_and_damaged_cells_are_run_again(tmp_path, logged):
    out = tmp_path / "out"
    run(out, logged)
    before = (out / "results.csv").read_bytes()
    (tmp_path / "log").write_text("")
    missing, cut, edited, other = (out / "cells" / f"blue_{name}.cell" for name in ("0", "0.5", "1", "2.5"))
    missing.unlink()
    cut.write_bytes(cut.read_bytes()[:-20])
    assert b"0.333" in edited.read_bytes()
    edited.write_bytes(edited.read_bytes().replace(b"0.333", b"0.444"))
    other.write_bytes((out / "cells/blue_2.cell").read_bytes())  # whole, but of another cell
    run(out, logged)
    assert ran(logged) == ["blue 0.0", "blue 0.5", "blue 1.0", "blue 2.5"]
    assert (out / "results.csv").read_bytes() == before


def test_each_run_that_made_something_is_noted(tmp_path, logged):
    out = tmp_path / "out"
    with pytest.raises(ClimateBNError, match="cells failed"):
        run(out, replace(logged, colours=("broken", "red")))
    (out / "cells/red_1.cell").unlink()
    with pytest.raises(ClimateBNError, match="cells failed"):
        run(out, replace(logged, colours=("broken", "red")))
    assert [(run["cells"], run["made"]) for run in read_runs(out)] == [(12, 6), (7, 1)]
    assert all(run["commit"] == commit() and run["seconds"] >= 0 for run in read_runs(out))
    (out / RUNS).write_text("damaged")
    assert read_runs(out) == []
    run(tmp_path / "whole", logged)
    run(tmp_path / "whole", logged)  # nothing is missing
    assert [run["made"] for run in read_runs(tmp_path / "whole")] == [12]


def test_the_commit_is_that_of_a_repository_which_holds_the_package(tmp_path, monkeypatch):
    def git(*arguments):
        words = ("-c", "user.name=a", "-c", "user.email=b", *arguments)
        return subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    monkeypatch.setattr(provenance, "__file__", str(tmp_path / "provenance.py"))
    (tmp_path / "__init__.py").write_text("")
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message", "without the package, as around an environment")
    found = provenance.commit.__wrapped__
    assert found() == provenance._installed_commit()
    git("add", "__init__.py")
    git("commit", "--quiet", "--message", "with it")
    assert found() == git("rev-parse", "--short", "HEAD").strip()
    (tmp_path / "__init__.py").write_text("changed = True")
    assert found().endswith("-dirty")


def test_cells_that_do_not_end_are_kept_and_run_again_only_with_a_larger_budget(tmp_path, logged):
    out, config = tmp_path / "out", replace(logged, slow_from=2)
    run(out, config)
    assert read_table(out)["ended"].tolist() == [True, True, True, True, False, False] * 2
    (tmp_path / "log").write_text("")
    run(out, config)
    run(out, replace(config, max_seconds=1))
    assert ran(config) == []
    run(out, replace(config, max_seconds=200))
    assert ran(config) == ["blue 2.0", "blue 2.5", "red 2.0", "red 2.5"]
    assert read_table(out)["ended"].all()


def test_failed_cells_are_named_and_the_others_kept(tmp_path, logged, caplog):
    config = replace(logged, colours=("broken", "red"))
    with pytest.raises(ClimateBNError, match=r"6 of 12 cells failed \(broken, 2.5: ValueError: a broken cell"):
        run(tmp_path / "out", config)
    assert len(list((tmp_path / "out" / "cells").iterdir())) == 6
    assert not (tmp_path / "out" / "results.csv").exists()
    assert caplog.messages[0] == "cell broken, 2.5 failed: a broken cell"  # at once, not only at the end


def test_any_key_has_a_file_of_its_own(tmp_path):
    keys = [("a/b", 0.1234567), ("a/b", 0.1234568), ("..", 1), ("A b", 1.0)]
    store = StudyFolder(tmp_path / "out", study, Toy())
    with store.at_work("a study"):
        for number, key in enumerate(keys):
            store.write(key, Record({"number": number}))
    assert [record.measures["number"] for record in store.records(keys).values()] == [0, 1, 2, 3]
    assert len(list((tmp_path / "out/cells").iterdir())) == 4


def test_another_configuration_is_refused(tmp_path):
    run(tmp_path)
    with pytest.raises(ClimateBNError, match=r"another configuration \(size: 6 there, 7 now\)"):
        run(tmp_path, Toy(size=7))


def test_foreign_folders_are_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ClimateBNError, match="not empty and not a study folder"):
        run(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(ClimateBNError, match="is a file; a study needs a folder"):
        run(tmp_path / "thesis.tex")


def test_a_folder_with_a_damaged_mark_is_refused(tmp_path):
    (tmp_path / "study.json").write_text("[1, 2")
    with pytest.raises(ClimateBNError, match=r"study\.json is damaged"):
        run(tmp_path)


def test_every_executor_gives_the_same_table(tmp_path):
    run(tmp_path / "here")
    with ThreadPoolExecutor(2) as threads:  # any executor of the standard library serves
        run_study(study, tmp_path / "threads", Toy(), executor=threads, progress=False)
    assert (tmp_path / "here/results.csv").read_bytes() == (tmp_path / "threads/results.csv").read_bytes()


def test_a_killed_process_costs_its_cell_only(tmp_path, logged):
    config = replace(logged, kill=str(tmp_path / "killed"))
    run(tmp_path / "pool", config, workers=2)
    assert (tmp_path / "killed").exists()
    assert len(ran(config)) == 12  # none was run twice, but for the one that died before it could say so
    table = read_table(tmp_path / "pool")
    run(tmp_path / "here", config)
    assert table["square"].equals(read_table(tmp_path / "here")["square"])
    assert (table["threads"] == 1).all()


def test_workers_must_be_positive():
    with pytest.raises(ClimateBNError, match="workers must be 1 or more"), open_executor(0):
        pass


def test_unknown_study():
    with pytest.raises(ClimateBNError, match="unknown study 'climat'; did you mean 'climate'"):
        find("climat")


def test_a_study_stopped_at_its_very_beginning_goes_on(tmp_path):
    for left in (["cells"], [], ["cells", f"{PART}1234"], [LOCK]):
        folder = tmp_path / "-".join(["at", *left])
        folder.mkdir()
        for name in left:
            (folder / name).mkdir() if name == "cells" else (folder / name).write_text("")
        if LOCK in left:
            os.utime(folder / LOCK, (0, 0))
        assert run(folder) == "12 squares"
        assert not list(folder.glob(f"{PART}*"))


def test_a_full_disk_leaves_a_folder_to_go_on_from(tmp_path, monkeypatch):
    folder, count = tmp_path / "out", iter(range(100))
    whole = runner.StudyFolder.write

    def full(self, key, record):
        if next(count) == 5:
            raise OSError(errno.ENOSPC, "No space left on device")
        return whole(self, key, record)

    monkeypatch.setattr(runner.StudyFolder, "write", full)
    with pytest.raises(OSError, match="No space"):
        run(folder)
    assert not (folder / LOCK).exists()
    assert run(folder) == "12 squares"


def test_whole_files_that_no_study_wrote_are_run_again(tmp_path, logged):
    out = tmp_path / "out"
    run(out, logged)
    before = (out / "results.csv").read_bytes()
    (tmp_path / "log").write_text("")
    wrong = [
        b"[]",
        b"5",
        b"{}",
        b'{"key": ["blue", 1.0]}',
        b"\xff",
        b'{"key": ["blue", 2.0], "ended": 1}',
        b"[" * 100_000,
    ]
    for number, body in enumerate(wrong[:6]):
        name = str(number / 2).removesuffix(".0")
        (out / "cells" / f"blue_{name}.cell").write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    run(out, logged)
    assert len(ran(logged)) == 6
    assert (out / "results.csv").read_bytes() == before


def test_what_is_in_the_way_is_named(tmp_path):
    run(tmp_path / "a")
    cell = tmp_path / "a" / "cells" / "blue_1.cell"
    cell.unlink()
    cell.mkdir()
    with pytest.raises(ClimateBNError, match=r"blue_1.cell is a folder where a cell should be stored; remove it"):
        run(tmp_path / "a")
    for damage in ("{", "[]", "5", "[" * 100_000):
        (tmp_path / "a" / "study.json").write_text(damage)
        with pytest.raises(ClimateBNError, match=r"study.json is damaged: it does not say"):
            run(tmp_path / "a")


def test_cells_that_ran_out_of_time_are_tried_again_when_asked(tmp_path, logged):
    slow = replace(logged, slow_from=2)
    run(tmp_path / "out", slow)
    (tmp_path / "log").write_text("")
    run(tmp_path / "out", slow)
    assert ran(logged) == []
    run_study(study, tmp_path / "out", slow, retry=True, progress=False)
    assert ran(logged) == ["blue 2.0", "blue 2.5", "red 2.0", "red 2.5"]


def test_stopped_while_figures_are_drawn_the_words_are_true(tmp_path):
    def interrupted(*_):
        raise KeyboardInterrupt

    drawing = replace(study, finish=interrupted)
    with pytest.raises(KeyboardInterrupt, match="stopped while tables and figures were made; all 12 cells are stored"):
        run_study(drawing, tmp_path, progress=False)
    assert run(tmp_path) == "12 squares"


@pytest.mark.parametrize(
    "holder",
    [
        {"pid": 2**22 + 5, "host": socket.gethostname(), "since": ""},  # no such process
        {"pid": os.getpid(), "host": socket.gethostname(), "since": "1"},  # its number has gone to another
    ],
)
def test_stale_locks_are_taken_over(tmp_path, holder):
    (tmp_path / LOCK).write_text(json.dumps(holder))
    with locked(tmp_path, "a study"):
        assert json.loads((tmp_path / LOCK).read_text())["pid"] == os.getpid()
    assert not (tmp_path / LOCK).exists()


def test_a_lock_of_another_host_is_respected(tmp_path):
    (tmp_path / LOCK).write_text(json.dumps({"pid": 1, "host": "elsewhere", "since": ""}))
    with pytest.raises(ClimateBNError, match=r"a study is running in .* \(process 1 on elsewhere\)"):
        locked(tmp_path, "a study").__enter__()
    assert (tmp_path / LOCK).exists()
