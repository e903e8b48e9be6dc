"""What the library says about its arguments, said in options of the command line."""

import re

WORDS = (
    (r"(?:open_field\(…, )?select=\{'(\w+)': ([^}]+)\}\)?", r"--select \1=\2"),
    (r"dimension in select", "dimension in --select"),
    (r"open_field\(…, monthly=True\)|monthly=True", "--monthly"),
    (r"to_nodes: degenerate='drop'", "--drop-missing"),
    (r"(?:to_nodes\(…, )?(?:missing='drop_nodes'|degenerate='drop')\)?", "--drop-missing"),
    (r"base=\('([^']+)', '([^']+)'\)", r"--base \1 \2"),
    (r"^base must", "--base must"),
    (r"^min_cover must", "--min-cover must"),
    (r"^degrees must", "--grid must"),
    (r"^months must", "--season must"),
    (r"\be\.g\. \[12, 1, 2\]", "e.g. 12,1,2"),
    (r"a network that `save` wrote", "a network that climatebn learn or run wrote"),
    (r"months='([^']*)'", r"--season \1"),
    (r"months=\[([^\]]*)\]", r"--season \1"),
    (r"^variable must", "--variable must"),
    (r"^unknown variable", "--variable: unknown variable"),
    (r"^unknown algorithm", "--algorithm: unknown algorithm"),
    (r"^unknown criterion", "--criterion: unknown criterion"),
    (r"^unknown option", "--option: unknown option"),
    (r"keep='(\w+)'", r"--mask \1"),
    (r"gamma must", "--gamma must"),
    (r"^(threshold|members|seed) must", r"--\1 must"),
    (r"^max_seconds must", "--max-seconds must"),
    (r"Check its units \(units='sd' or 'data'\)", "Values are in sd; climatebn propagate has --units data"),
    (r" Use bn\.probability for joint events", " Give a value to the others"),
    (r"[Ww]hiten the whole record, then select its months", "Without --season it can be done"),
    (r"cb\.anomalies\(field, detrend='linear'\)", "--detrend"),
    (r"a coarser grid \(cb\.regrid\)", "a coarser --grid"),
    (r"a larger γ", "a larger --gamma"),
    (r"or give open_field the part you need as a DataArray", "or choose a part with --select"),
    (r"period=\('([^']+)', '([^']+)'\)", r"--period \1 \2"),
    (r"period=\(first, last\)", "--period FIRST LAST"),
    (r"periods='(\w+)'", r"--periods \1"),
    (r"^(evidence\b|unknown evidence node|a place needs)", r"--set: \1"),
)


def in_options(sentence: str) -> str:
    """A message of the library for somebody who typed a command.

    >>> in_options("time must be monthly. Monthly means are taken only when asked: open_field(…, monthly=True)")
    'time must be monthly. Monthly means are taken only when asked: --monthly'
    >>> in_options("e.g. open_field(…, select={'level': 1000.0})")
    'e.g. --select level=1000.0'
    """
    for pattern, words in WORDS:
        sentence = re.sub(pattern, words, sentence)
    return sentence
