"""Docstrings for the site: the words of an entry stand under its name, whole."""

import re

NAMED = ("Parameters", "Attributes")
WHOLE = ("Returns", "Raises")
ENTRY = re.compile(r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*) : (?P<words>.*)")


def entries_in_two_lines(lines: list[str]) -> None:
    """Rewrite the sections of one docstring in place: "name : words" as two lines, what is returned as one.

    >>> lines = ["Parameters", "----------", "n : number of", "    draws.", "", "Returns", "-------", "a", "number."]
    >>> entries_in_two_lines(lines)
    >>> lines[2:4], lines[-1]
    (['n', '    number of draws.'], 'a number.')
    """
    made: list[str] = []
    section, opened = "", False
    for at, line in enumerate(lines):
        if at + 1 < len(lines) and line and set(lines[at + 1]) == {"-"}:
            section, opened = line, False
            made.append(line)
        elif not line.strip() or set(line) == {"-"} or section not in (*NAMED, *WHOLE):
            section = section if line.strip() or not opened else ""
            made.append(line)
        elif section in NAMED and (found := ENTRY.fullmatch(line)):
            made += [found["names"], "    " + found["words"]]
            opened = True
        elif opened:
            made[-1] += " " + line.strip()
        else:
            made.append(line)
            opened = True
    lines[:] = made
