"""What must hold after a fault: nothing lost, words true, exit codes as documented, no traceback."""

import re
from pathlib import Path

from small_commands import Command
from starting import Ended
from whole_files import neither

from climatebn.files import PART
from climatebn.jobs.lock import LOCK

CODES = {  # a process that had done its work when the fault came ends with 0
    "kill": {-9, 0},
    "Ctrl-C": {130, -2, 0},
    "Ctrl-C twice": {130, -2, 0},
    "SIGTERM": {143, -15, 0},
    "closed pipe": {141, 0},
    "full disk": {1, 0},
}


def contents(folder: Path) -> dict[str, bytes]:
    """Every file with what it holds."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def left_behind(folder: Path) -> list[str]:
    """Temporary files and locks."""
    return [path.name for path in folder.rglob("*") if path.name.startswith((PART, LOCK))]


def cells(target: Path) -> int:
    return len(list((target / "cells").glob("*.cell")))


def faults_found(
    command: Command, fault: str, ended: Ended, folder: Path, earlier: dict[str, bytes], reference: Path, again: Path
) -> list[str]:
    """What is wrong, in words; nothing when all is well. ``reference`` and ``again`` are two undisturbed results."""
    target = folder / command.target
    wrong = []
    if ended.code is None:
        return ["it hangs"]
    if ended.code not in CODES[fault]:
        wrong.append(f"exit code {ended.code}")
    if "Traceback" in ended.words or "Exception ignored" in ended.words:
        wrong.append("a traceback")
    if "leaked" in ended.words and fault != "kill":  # then nobody else is left to clean up, and Python says that it did
        wrong.append("semaphores of the system are left behind")
    if fault not in ("kill", "Ctrl-C twice") and left_behind(folder):
        wrong.append(f"left behind: {', '.join(left_behind(folder))}")
    whole = _is_whole(command, target, reference)
    if ended.code == 0 and not whole:
        wrong.append("exit code 0, and the result is not whole")
    if not command.resumable and "the best network so far is saved" not in ended.words:
        wrong += neither(folder, earlier, reference.parent, again.parent)
    if fault != "kill" and ended.code not in (0, 141, -2, -15):
        wrong += _untrue(command, ended, folder, earlier, whole)
    return wrong


def _is_whole(command: Command, target: Path, reference: Path) -> bool:
    try:
        return command.whole(target, reference)
    except Exception:  # whatever a half-written file makes of it
        return False


def _untrue(command: Command, ended: Ended, folder: Path, earlier: dict[str, bytes], whole: bool) -> list[str]:
    """The last line is ours, and what it says is so."""
    last = ended.words.strip().splitlines()[-1] if ended.words.strip() else ""
    last = last.rpartition("\r")[2]
    if not last.startswith("climatebn: "):
        return [f"the last line is not ours: {last[-200:]!r}"]
    target = folder / command.target
    if found := re.search(r"stopped with (\d+) of \d+ cells", last):
        return [] if int(found[1]) == cells(target) else [f"{last!r}, but {cells(target)} are stored"]
    if found := re.search(r"all (\d+) cells are stored", last):
        return [] if int(found[1]) == cells(target) else [f"{last!r}, but {cells(target)} are stored"]
    if "as it was before" in last:
        return [] if contents(folder) == earlier else [f"{last!r}, but files have changed"]
    if "all files were in" in last:
        return [] if whole else [f"{last!r}, but they are not"]
    if "saved to" in last:
        from climatebn import load_network

        load_network(target)
        return [] if contents(folder) != earlier else [f"{last!r}, but the file is the earlier one"]
    return []
