"""BIF files: every reference network round-trips; the whole grammar; nothing but a named file and line goes wrong."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_discrete_bn import SMALL, networks

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.network.reference import DISCRETE

TEXT = """// a comment
network "of two" { property author "nobody"; }
variable rain { type discrete [ 2 ] { no, yes }; property position = (1, 2); }
variable wet { type discrete[3] { dry, "a bit", 3.5 }; }
variable both { type discrete [ 2 ] { f, t }; }
/* more
   than one line */
probability ( rain ) { table 0.8 0.2; }
probability ( wet | rain ) { (yes) 0.1, 0.2, 0.7; default 0.9, 0.1, 0.0; }
probability ( both | wet, rain ) { table 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4; }
"""


def read(tmp_path, text):
    path = tmp_path / "network.bif"
    path.write_text(text, encoding="utf-8")
    return cb.read_bif(path)


def same(a, b):
    return (
        a.dag == b.dag
        and a.levels == b.levels
        and all(np.array_equal(s, t) for s, t in zip(a.tables, b.tables, strict=True))
    )


@pytest.mark.parametrize("name", DISCRETE)
def test_reference_networks_round_trip_to_the_bit(name, tmp_path):
    network = cb.reference_network(name)
    cb.write_bif(network, tmp_path / "first.bif")
    back = cb.read_bif(tmp_path / "first.bif")
    assert same(back, network)


@given(networks())
@settings(max_examples=40, deadline=None)
def test_random_networks_round_trip_to_the_bit(tmp_path_factory, bn):
    path = tmp_path_factory.getbasetemp() / "random.bif"
    cb.write_bif(bn, path)
    assert same(cb.read_bif(path), bn)


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters='"\r\n'), min_size=1),
        min_size=2,
        max_size=4,
        unique=True,
    )
)
@example(["//", "/*", "*/"])
@example(["a b", "{", "variable", ",;|"])
@settings(deadline=None)
def test_any_name_survives(tmp_path_factory, words):
    path = tmp_path_factory.getbasetemp() / "names.bif"
    bn = cb.DiscreteBN(
        cb.Dag.from_arcs(words), [tuple(words)] * len(words), [np.full(len(words), 1 / len(words))] * len(words)
    )
    cb.write_bif(bn, path)
    assert same(cb.read_bif(path), bn)


def test_names_that_the_format_cannot_hold_are_refused(tmp_path):
    bn = cb.DiscreteBN(cb.Dag.from_arcs(['say "x"']), [("a", "b")], [[0.5, 0.5]])
    with pytest.raises(ClimateBNError, match="quotation mark"):
        cb.write_bif(bn, tmp_path / "quote.bif")
    assert not (tmp_path / "quote.bif").exists()


def test_whole_grammar(tmp_path):
    bn = read(tmp_path, TEXT)
    assert bn.dag.arcs == [("rain", "wet"), ("rain", "both"), ("wet", "both")]
    assert bn.levels[1] == ("dry", "a bit", "3.5")
    assert bn.tables[1].tolist() == [[0.9, 0.1, 0.0], [0.1, 0.2, 0.7]]
    # a table counts through both, wet, rain; ours has axes rain, wet, both
    assert bn.tables[2][:, :, 0] == pytest.approx(np.array([[0.1, 0.3, 0.5], [0.2, 0.4, 0.6]]))


def test_rows_that_sum_to_one_only_nearly_are_scaled(tmp_path):
    bn = read(tmp_path, TEXT.replace("0.8 0.2", "0.3333333 0.6666666"))
    assert bn.tables[0].sum() == pytest.approx(1.0, abs=1e-15)
    assert bn.tables[0][0] == pytest.approx(1 / 3, abs=1e-7)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("0.8 0.2;", "0.8 0.1;", 8, "does not sum to 1"),
        ("0.8 0.2;", "0.8 0.1 0.1;", 8, "expected 2 probabilities; got 3"),
        ("0.8 0.2;", "0.8 x;", 8, "expected a probability; got 'x'"),
        ("0.8 0.2;", "1.2 -0.2;", 8, "expected a probability; got '1.2'"),
        ("0.8 0.2;", "nan 1;", 8, "expected a probability; got 'nan'"),
        ("0.8 0.2; }", "", 9, "expected a probability|expected"),
        ("(yes)", "(maybe)", 9, "rain has no level 'maybe'; its levels: no, yes"),
        ("(yes)", "(yes, no)", 9, "expected 1 levels, of rain; got 2"),
        ("default 0.9, 0.1, 0.0;", "", 9, "1 of 2 rows of wet are not given"),
        ("default 0.9, 0.1, 0.0;", "(yes) 1, 0, 0;", 9, "given a second time"),
        ("( wet | rain )", "( wet | snow )", 9, "variable 'snow' is not declared"),
        ("( wet | rain )", "( wet | rain, rain )", 9, "a parent twice"),
        ("( wet | rain )", "( wet | wet )", 9, "itself as a parent"),
        ("probability ( rain ) { table 0.8 0.2; }", "", 11, "variable rain has no probability block"),
        ("( rain ) { table 0.8 0.2; }", "( rain | both ) { table 0.8 0.8 0.2 0.2; }", 10, "cycle among"),
        ("[ 2 ] { no, yes }", "[ 3 ] { no, yes }", 3, "rain declares 3 levels and lists 2"),
        ("[ 2 ] { no, yes }", "[ 2 ] { no, no }", 3, "lists a level twice"),
        ("variable wet", "variable rain", 4, "declared a second time"),
        ("discrete [ 2 ] { no", "continuous [ 2 ] { no", 3, "expected discrete; got 'continuous'"),
        ('"of two"', '"of two', 2, "expected {; got 'nobody'"),
        ("0.5, 0.4; }", '0.5, 0.4; } "', 10, "not closed"),
        ("/* more", "more", 6, "expected network or variable or probability"),
        (TEXT, "", 1, "no variable is declared"),
    ],
)
def test_what_is_wrong_is_named_by_file_and_line(tmp_path, old, new, line, words):
    assert old in TEXT
    with pytest.raises(ClimateBNError, match=rf"network\.bif, line {line}: .*({words})"):
        read(tmp_path, TEXT.replace(old, new))


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "image.bif").write_bytes(b"\xff\xfe\x00network")
    with pytest.raises(ClimateBNError, match=r"image\.bif, line 1: this is not text"):
        cb.read_bif(tmp_path / "image.bif")


ODD = ['"', "//", "/*", "*/", "1e400", "\0"]
WORDS = [*ODD, *sorted(set(re.findall(r'[{}()\[\],;|]|"[^"]*"|[^\s{}()\[\],;|"]+', TEXT)))]


@given(st.integers(0, len(TEXT)), st.integers(0, 60), st.lists(st.sampled_from(WORDS), max_size=4))
@settings(max_examples=300, deadline=None)
def test_edited_files_give_a_network_or_a_line(tmp_path_factory, place, length, words):
    path = tmp_path_factory.getbasetemp() / "edited.bif"
    path.write_text(TEXT[:place] + " ".join(words) + TEXT[place + length :], encoding="utf-8")
    read_or_line(path)


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_give_a_network_or_a_line(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "bytes.bif"
    path.write_bytes(content)
    read_or_line(path)


def read_or_line(path):
    try:
        assert isinstance(cb.read_bif(path), cb.DiscreteBN)
    except ClimateBNError as error:
        if not re.match(rf"{re.escape(str(path))}, line \d+: ", str(error)):
            raise


def test_a_written_file_reads_like_bif(tmp_path):
    cb.write_bif(SMALL, tmp_path / "small.bif")
    text = (tmp_path / "small.bif").read_text()
    assert "probability ( y | x ) {\n  (no) 0.2, 0.3, 0.5;\n" in text


def test_a_second_table_or_default_is_refused(tmp_path):
    with pytest.raises(ClimateBNError, match="line 8: the table of rain is given a second time"):
        read(tmp_path, TEXT.replace("{ table 0.8 0.2; }", "{ table 0.8 0.2; table 0.2 0.8; }"))
    with pytest.raises(ClimateBNError, match="line 9: the default of wet is given a second time"):
        read(tmp_path, TEXT.replace("0.0; }", "0.0; default 0.0, 0.1, 0.9; }"))


def test_a_byte_order_mark_is_passed_over(tmp_path):
    assert same(read(tmp_path, "\ufeff" + TEXT), read(tmp_path, TEXT))


def test_comments_are_read_once_each(tmp_path):
    with pytest.raises(ClimateBNError, match="line 1: a comment that is not closed"):
        read(tmp_path, "/* " * 200_000)  # minutes, if each looked for its end again
    assert same(read(tmp_path, TEXT + "/* a */" * 20_000), read(tmp_path, TEXT))


def test_tables_that_together_fit_no_memory_are_refused(tmp_path):
    many = ", ".join(f"l{i}" for i in range(1000))
    names = [f"v{i}" for i in range(6)]
    text = "".join(f"variable {name} {{ type discrete [ 1000 ] {{ {many} }}; }}\n" for name in names)
    rows = " ".join(["0.001"] * 1000)
    text += "".join(f"probability ( {a} | {b}, v5 ) {{ default {rows}; }}\n" for a, b in pairwise(names))
    with pytest.raises(ClimateBNError, match=r"line 7: the table of v0 would have 1e\+09 cells: too many"):
        read(tmp_path, text)
