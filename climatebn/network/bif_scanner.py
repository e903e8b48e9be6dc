"""The words of a BIF file one after the other, each with its place; what does not fit is an error with file and line.

Almost all of a file is rows of levels and numbers. `plain_rows` reads those of a block in one go where they are plain;
where they hold comments, quotation marks, defaults or mistakes they are read word by word.
"""

import math
import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, NoReturn

import numpy as np

from climatebn.errors import ClimateBNError

WORD = re.compile(r'[^\s{}()\[\],;|"]+')
TOKEN = re.compile(
    r"\s*(?:(?P<skip>//[^\n]*)"
    r"|(?P<mark>[{}()\[\],;|])"
    r'|"(?P<text>[^"\n]+)"'
    rf"|(?P<word>{WORD.pattern})"
    r"|(?P<end>\Z))"
)
ROW = re.compile(r'\(([^()"{}]*)\)([^();"{}]*);')
END = "the end of the file"
MOST = 1 + 1e-5  # of a probability


def is_plain(word: str) -> bool:
    """Whether a word needs no quotation marks."""
    return WORD.fullmatch(word) is not None and word[0] != "/"


class Token(NamedTuple):
    """A word or a ``mark`` (bracket, comma, semicolon, bar); an empty value is the end of the file."""

    value: str
    mark: bool
    place: int


class Scanner:
    """Reads on, word by word."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.place = 0

    def wrong(self, place: int, what: str) -> NoReturn:
        line = self.text.count("\n", 0, place) + 1
        raise ClimateBNError(f"{self.path}, line {line}: {what}")

    def unexpected(self, what: str, token: Token) -> NoReturn:
        self.wrong(token.place, f"expected {what}; got {token.value[:40] if token.value else END!r}")

    def next(self) -> Token:
        """The next token; the end of the file repeats itself."""
        while True:
            found = TOKEN.match(self.text, self.place)
            if found is None:
                place = self.text.index('"', self.place)
                shown = self.text[place : place + 20]
                self.wrong(place, f"a quotation mark that is empty or not closed: {shown!r}")
            kind = str(found.lastgroup)
            value, place = found[kind], found.start(kind)
            self.place = found.end()
            if kind == "word" and value.startswith("/*"):
                end = self.text.find("*/", place + 2)
                if end < 0:
                    self.wrong(place, "a comment that is not closed")
                self.place = end + 2
            elif kind != "skip":
                return Token(value, kind == "mark", place)

    def expect(self, *values: str) -> Token:
        """The next token, which must be one of ``values``."""
        token = self.next()
        if token.value not in values:
            self.unexpected(" or ".join(value or END for value in values), token)
        return token

    def word(self, what: str) -> Token:
        """The next token, which must not be a mark."""
        token = self.next()
        if token.mark or not token.value:
            self.unexpected(what, token)
        return token

    def items(self, end: str) -> list[Token]:
        """Words with commas between them, up to and with the mark ``end``."""
        items = [self.word("a name")]
        while self.expect(",", end).value != end:
            items.append(self.word("a name"))
        return items

    def plain_rows(self, axes: Sequence[Sequence[str]], width: int) -> np.ndarray | None:
        """The rows of all configurations, up to the end of a block, if they are plain; else None, and nothing is read.

        ``axes`` are the levels of each parent, the last one fastest; a row has ``width`` probabilities.
        """
        stop = self.text.find("}", self.place)
        body = self.text[self.place : max(stop, self.place)]
        parts = ROW.split(body)  # what stands before a row, its levels, its numbers, and so on
        levels, rows = parts[1::3], parts[2::3]
        plain = len(rows) == math.prod(map(len, axes)) and all(is_plain(level) for own in axes for level in own)
        if not plain or not axes or "//" in body or "/*" in body or "".join(parts[::3]).strip():
            return None
        try:
            numbers = np.array(list(map(float, ",".join(rows).split(","))))
            places = _configurations(levels, axes)
        except (ValueError, KeyError):
            return None
        alike = all(row.count(",") == width - 1 for row in rows)
        if not alike or len(set(places)) < len(places) or not ((numbers >= 0) & (numbers <= MOST)).all():
            return None
        self.place = stop
        table = np.empty((len(rows), width))
        table[places] = numbers.reshape(-1, width)
        return table

    def numbers(self, count: int) -> list[float]:
        """``count`` probabilities up to a semicolon; the commas between them may be left out."""
        stop = self.text.find(";", self.place)
        try:
            numbers = list(map(float, self.text[self.place : stop].split(","))) if stop >= 0 else []
        except ValueError:
            numbers = []
        if len(numbers) == count and all(0 <= number <= MOST for number in numbers):
            self.place = stop + 1
            return numbers
        return self._numbers_one_by_one(count)

    def _numbers_one_by_one(self, count: int) -> list[float]:
        first, numbers = self.place, list[float]()
        while (token := self.next()).value != ";":
            first = token.place if not numbers else first
            if token.mark and token.value == ",":
                continue
            try:
                numbers.append(float(token.value))
            except ValueError:
                numbers.append(math.nan)
            if not 0 <= numbers[-1] <= MOST:
                self.unexpected("a probability", token)
        if len(numbers) != count:
            self.wrong(first, f"expected {count} probabilities; got {len(numbers)}")
        return numbers

    def skip_property(self) -> None:
        """Pass over the rest of a property."""
        while (token := self.next()).value != ";":
            if not token.value:
                self.wrong(token.place, "the file ends inside a property")


def _configurations(rows: Sequence[str], axes: Sequence[Sequence[str]]) -> list[int]:
    """The numbers of the configurations that rows are for; KeyError where one is none."""
    number = {", ".join(levels): k for k, levels in enumerate(product(*axes))}
    try:
        return [number[row] for row in rows]
    except KeyError:  # other spaces
        return [number[", ".join(map(str.strip, row.split(",")))] for row in rows]
