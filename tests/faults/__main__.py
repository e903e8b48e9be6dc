"""Faults at random moments: kill −9, Ctrl-C once and twice, SIGTERM, a closed pipe, a full disk; see CONTRIBUTING."""

import argparse
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from full_disk import Disk, small_disk
from judging import CODES, contents, faults_found, left_behind
from plants import PLANTS
from small_commands import COMMANDS, Command, make_inputs
from starting import PATIENCE, UNDISTURBED, Ended, Process, import_all

SIGNALS = {"kill": signal.SIGKILL, "Ctrl-C": signal.SIGINT, "Ctrl-C twice": signal.SIGINT, "SIGTERM": signal.SIGTERM}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=10, help="of each fault and command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", metavar="NAME", help="a command or a fault; repeat")
    parser.add_argument("--no-mount", action="store_true", help="full disk: a limit on the size of files")
    parser.add_argument("--plant", choices=PLANTS, help="break the package in this way first: faults must be found")
    asked = parser.parse_args()
    only = set(asked.only or [])
    commands = [one for one in COMMANDS if not only & {c.name for c in COMMANDS} or one.name in only]
    faults = [fault for fault in CODES if not only & set(CODES) or fault in only]
    started = time.monotonic()
    import_all()
    found = 0
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        inputs = Path(folder) / "inputs"
        inputs.mkdir()
        make_inputs(inputs)
        undisturbed(["learn", f"{inputs}/field.nc", "--gamma", "0.5", "--scale", "sd", "--out", f"{inputs}/network.nc"])
        if asked.plant:
            PLANTS[asked.plant]()
        for command in commands:
            found += tried(command, faults, inputs, Path(folder), asked)
    used = time.process_time() + sum(_children())
    say(f"{found} faults in {time.monotonic() - started:.0f} s ({used:.0f} CPU s), seed {asked.seed}")
    return min(found, 1)


def tried(command: Command, faults: list[str], inputs: Path, folder: Path, asked: argparse.Namespace) -> int:
    """Send all faults to one command; how many times something was wrong."""
    work = folder / command.name.replace(" ", "_")
    for variant in ("earlier", "reference"):
        (work / variant).mkdir(parents=True)
    reference = work / "reference" / command.target
    if not command.resumable:
        undisturbed(command.arguments(inputs, work / "earlier" / command.target, 0))
    undisturbed(command.arguments(inputs, reference, 1))
    again = work / "again" / command.target
    time.sleep(1.1)  # so that dates in the two results differ, and are known not to matter
    seconds = undisturbed(command.arguments(inputs, again, 1), again.parent)
    patience = PATIENCE + 10 * seconds  # a closed pipe or a full disk may be met at the very end
    sizes = [path.stat().st_size for path in (work / "reference").rglob("*") if path.is_file()]
    wrong = 0
    for fault in faults:
        draw = random.Random(f"{asked.seed} {command.name} {fault}")
        codes: Counter[object] = Counter()
        with small_disk(work / "disk", fault == "full disk" and not asked.no_mount) as disk:
            case = disk.folder / "case"
            for moment in range(asked.moments):
                share = draw.random()
                if not (command.resumable and moment):
                    shutil.rmtree(case, ignore_errors=True)
                    shutil.copytree(work / "earlier", case)
                earlier = contents(case)
                words = command.arguments(inputs, case / command.target, 1)
                if fault == "full disk":
                    ended = on_full_disk(words, disk, case, share, sizes, patience)
                else:
                    ended = disturbed(words, fault, case, share * seconds, draw.uniform(0, 0.3), patience)
                codes[ended.code] += 1
                for each in faults_found(command, fault, ended, case, earlier, reference, again):
                    wrong += 1
                    say(f"  {command.name}, {fault} at {share:.2f} (moment {moment}): {each}")
                    say("    " + "\n    ".join(ended.words.strip().splitlines()[-12:]))
            wrong += goes_on(command, fault, inputs, case, reference)
        shutil.rmtree(work / "disk")
        said = ", ".join(f"{code} × {count}" for code, count in sorted(codes.items(), key=str))
        say(f"{command.name}, {fault}: exit codes {said}")
    return wrong


def goes_on(command: Command, fault: str, inputs: Path, case: Path, reference: Path) -> int:
    """After all moments the same command ends well, to the same tables, and nothing is left behind."""
    last = Process(command.arguments(inputs, case / command.target, 1), case).end(UNDISTURBED)
    wrong = []
    if last.code != 0:
        wrong.append(f"it does not go on: exit code {last.code}: {last.words[-500:]}")
    elif not command.whole(case / command.target, reference):
        wrong.append("tables differ from those of an undisturbed run")
    if left_behind(case / command.target):
        wrong.append(f"left behind: {left_behind(case)}")
    for each in wrong:
        say(f"  {command.name}, after {fault}: {each}")
    return len(wrong)


def undisturbed(words: list[str], folder: Path | None = None) -> float:
    """Run a command that must end well; the seconds it took."""
    (folder or Path.cwd()).mkdir(exist_ok=True)
    started = time.monotonic()
    ended = Process(words, folder or Path.cwd()).end(UNDISTURBED)
    if ended.code != 0:
        raise SystemExit(f"{' '.join(words)} ends with {ended.code}:\n{ended.words}")
    return time.monotonic() - started


def disturbed(words: list[str], fault: str, case: Path, moment: float, pause: float, patience: float) -> Ended:
    """Run a command that meets the fault after ``moment`` seconds; a second Ctrl-C comes after a pause."""
    process = Process(words, case, pipe=fault == "closed pipe")
    process.wait(moment)
    if fault == "closed pipe":
        process.close_pipe()
    else:
        process.send(SIGNALS[fault])
    if fault == "Ctrl-C twice":
        process.wait(pause)
        process.send(signal.SIGINT)
    return process.end(patience)


def on_full_disk(words: list[str], disk: Disk, case: Path, share: float, sizes: list[int], patience: float) -> Ended:
    """Run a command with a share of the space that it needs."""
    disk.fill(int(share * sum(sizes)), int(share * max(sizes)))
    ended = Process(words, case, most_bytes=disk.most_bytes).end(patience)
    disk.empty()
    return ended


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _children() -> tuple[float, float]:
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime, used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
