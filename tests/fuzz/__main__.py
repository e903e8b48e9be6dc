"""Mutated calls of the whole public API: `python tests/fuzz --cases 20000 --seed 13` prints each unclean one."""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from cases import all_calls, tried, workshop


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, nargs="+", help="these alone")
    parser.add_argument("--only", default="", metavar="NAME", help="calls whose name holds this, e.g. plot.")
    parser.add_argument("--real", action="store_true", help="the calls as they are, nothing mutated")
    asked = parser.parse_args()
    with workshop() as made:
        if asked.real:
            return real(made)
        numbers = asked.case or range(asked.cases)
        started, ends, unclean = time.monotonic(), Counter[str](), 0
        for verdict in tried(made, numbers, asked.seed, asked.only):
            ends[verdict.ended.partition(":")[0]] += 1
            unclean += bool(verdict.wrong)
            if verdict.wrong:
                say(f"case {verdict.number}: {verdict.tried}\n    {verdict.wrong or verdict.ended}")
                say("    " + "\n    ".join(verdict.trace.strip().splitlines()[-14:]))
        said = ", ".join(f"{count} {end}" for end, count in ends.most_common())
        seconds = time.monotonic() - started
        say(f"{unclean} of {len(numbers)} cases unclean in {seconds:.0f} s, seed {asked.seed} ({said})")
    return min(unclean, 1)


def real(made) -> int:
    """Run every call as it is; print those that fail or take long."""
    failed = 0
    for call in all_calls(made):
        started = time.perf_counter()
        try:
            call.function(**call.arguments())
        except Exception as error:
            failed += 1
            say(f"{call.name}: {type(error).__name__}: {error}")
        if (seconds := time.perf_counter() - started) > 0.2:
            say(f"{call.name}: {seconds:.2f} s")
    return failed


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
