"""What must hold after a fault: nothing lost, words true, exit codes as documented, no traceback."""

import hashlib
import re
from pathlib import Path

from small_commands import Command
from starting import Ended

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


def contents(folder: Path) -> dict[str, str]:
    """Every file with its hash."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def left_behind(folder: Path) -> list[str]:
    """Temporary files and locks."""
    return [path.name for path in folder.rglob("*") if path.name.startswith((PART, LOCK))]


def cells(target: Path) -> int:
    return len(list((target / "cells").glob("*.cell")))


def faults_found(
    command: Command, fault: str, ended: Ended, folder: Path, earlier: dict[str, str], reference: Path
) -> list[str]:
    """What is wrong, in words; nothing when all is well."""
    target = folder / command.target
    wrong = []
    if ended.code is None:
        return ["it hangs"]
    if ended.code not in CODES[fault]:
        wrong.append(f"exit code {ended.code}")
    if "Traceback" in ended.words or "Exception ignored" in ended.words:
        wrong.append("a traceback")
    if fault not in ("kill", "Ctrl-C twice") and left_behind(folder):
        wrong.append(f"left behind: {', '.join(left_behind(folder))}")
    whole = _is_whole(command, target, reference)
    if ended.code == 0 and not whole:
        wrong.append("exit code 0, and the result is not whole")
    if not command.resumable and not whole and not _kept(folder, earlier, fault):
        wrong.append("the earlier result is lost")
    if fault != "kill" and ended.code not in (0, 141, 143, -2, -15):
        wrong += _untrue(command, ended, folder, earlier, whole)
    return wrong


def _is_whole(command: Command, target: Path, reference: Path) -> bool:
    try:
        return command.whole(target, reference)
    except Exception:  # whatever a half-written file makes of it
        return False


def _kept(folder: Path, earlier: dict[str, str], fault: str) -> bool:
    """Whether the earlier result is as it was; several files of one command may be some old, some new, each whole."""
    now = {name: digest for name, digest in contents(folder).items() if PART not in name and LOCK not in name}
    return set(now) >= set(earlier) if fault == "kill" else now == earlier or _one_replaced(now, earlier)


def _one_replaced(now: dict[str, str], earlier: dict[str, str]) -> bool:
    """`propagate` and `learn` write one file after the other: those before the fault are new."""
    return set(now) == set(earlier) and len(earlier) <= 2


def _untrue(command: Command, ended: Ended, folder: Path, earlier: dict[str, str], whole: bool) -> list[str]:
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
