"""The words of a BIF file one after the other, each with its line; what does not fit is an error with file and line."""

import math
import re
from typing import NamedTuple, NoReturn

import numpy as np

from climatebn.errors import ClimateBNError

TOKEN = re.compile(
    r"(?P<skip>\s+|//[^\n]*)"
    r"|(?P<mark>[{}()\[\],;|])"
    r'|"(?P<text>[^"\n]+)"'
    r'|(?P<word>[^\s{}()\[\],;|"]+)'
)


END = "the end of the file"


class Token(NamedTuple):
    """A word or a ``mark`` (bracket, comma, semicolon, bar); an empty value is the end of the file."""

    value: str
    mark: bool
    line: int


class Scanner:
    """Reads on, word by word."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.place = 0
        self.tokens: list[Token] = []
        line, place = 1, 0
        while place < len(text):
            if text.startswith("/*", place):
                end = text.find("*/", place + 2)
                if end < 0:
                    self.wrong(line, "a comment that is not closed")
                line += text.count("\n", place, end)
                place = end + 2
                continue
            found = TOKEN.match(text, place)
            if found is None:
                self.wrong(line, f"a quotation mark that is empty or not closed: {text[place : place + 20]!r}")
            if found.lastgroup and found.lastgroup != "skip":
                self.tokens.append(Token(found[found.lastgroup], found.lastgroup == "mark", line))
            line += found[0].count("\n")
            place = found.end()
        self.tokens.append(Token("", False, line))

    def wrong(self, line: int, what: str) -> NoReturn:
        raise ClimateBNError(f"{self.path}, line {line}: {what}")

    def unexpected(self, what: str, token: Token) -> NoReturn:
        self.wrong(token.line, f"expected {what}; got {token.value[:40] if token.value else END!r}")

    def next(self) -> Token:
        """The next token; the end of the file repeats itself."""
        token = self.tokens[self.place]
        self.place = min(self.place + 1, len(self.tokens) - 1)
        return token

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

    def numbers(self, count: int) -> np.ndarray:
        """``count`` probabilities up to a semicolon; the commas between them may be left out."""
        line, numbers = self.tokens[self.place].line, []
        while (token := self.next()).value != ";":
            if token == (",", True, token.line):
                continue
            try:
                numbers.append(float(token.value))
            except ValueError:
                numbers.append(math.nan)
            if not 0 <= numbers[-1] <= 1 + 1e-5:
                self.unexpected("a probability", token)
        if len(numbers) != count:
            self.wrong(line, f"expected {count} probabilities; got {len(numbers)}")
        return np.array(numbers)

    def skip_property(self) -> None:
        """Pass over the rest of a property."""
        while (token := self.next()).value != ";":
            if not token.value:
                self.wrong(token.line, "the file ends inside a property")
