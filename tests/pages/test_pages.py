"""Pages: text is escaped, figures and tables are inside, and nothing is wider than a telephone."""

import re
from html.parser import HTMLParser

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climatebn as cb
from climatebn import pages
from climatebn.errors import ClimateBNError


class Reader(HTMLParser):
    """What a browser would find: the text, the tags, and whether each tag is closed."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.texts.append(data)


def read(html):
    reader = Reader(html)
    assert reader.open == []
    return reader


plain = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1).map(str.strip).filter(bool)


@given(plain, plain, plain)
@settings(deadline=None)
def test_text_is_shown_as_it_is_wherever_it_stands(title, words, value):
    frame = pd.DataFrame({words: [value], "meaning": [title]})
    parts = [
        words,
        pages.note(words),
        pages.bullets([words]),
        pages.listing(words),
        pages.table(frame, meaning="meaning"),
    ]
    reader = read(pages.page(title, [pages.section(words, *parts)], lead=value, notes=[value]))
    text = "".join(reader.texts)
    assert text.count(words) >= 6
    assert text.count(title) >= 2
    assert not {"script", "b"} & {tag for tag, _ in reader.tags}


def test_a_figure_is_inside_the_page():
    drawing = plt.figure(figsize=(1, 1))
    html = pages.page("t", [pages.figure(drawing, 'a "small" figure')])
    (picture,) = [attrs for tag, attrs in read(html).tags if tag == "img"]
    assert picture["alt"] == 'a "small" figure'
    assert picture["src"].startswith("data:image/png;base64,iVBOR")
    plt.close(drawing)


def test_a_figure_from_a_file_is_the_same_as_from_its_bytes(tmp_path):
    drawing = plt.figure(figsize=(1, 1))
    drawing.savefig(tmp_path / "a.png")
    plt.close(drawing)
    path = tmp_path / "a.png"
    assert pages.figure(path, "a") == pages.figure(str(path), "a") == pages.figure(path.read_bytes(), "a")
    for wrong in (b"GIF89a", path.read_bytes()[:20], 3):
        with pytest.raises(ClimateBNError, match="PNG"):
            pages.figure(wrong, "a")


def test_a_broad_figure_can_be_scrolled_where_the_screen_is_narrow(tab, tmp_path):
    drawn = [pages.figure(plt.figure(figsize=size), "a figure") for size in ((9, 3), (4, 4))]
    path = tmp_path / "page.html"
    path.write_text(pages.page("t", drawn), encoding="utf-8")
    plt.close("all")
    widths = "[...document.images].map(image => image.clientWidth)"
    tab.resize(400, 800, mobile=True)
    broad, square = tab.open(path).run(widths)
    assert (broad, square <= 400) == (672, True)
    assert tab.run("document.documentElement.scrollWidth") == 400
    tab.resize(1400)
    assert max(tab.run(widths)) < 1000


def test_table_writes_numbers_missing_values_and_explanations():
    frame = pd.DataFrame({"name": ["a", "b"], "km": [1234.5, None], "gain": [-1.25, 2.0], "why": ["one", "two"]})
    html = pages.table(frame, headings={"km": "length [km]"}, formats={"km": ".0f", "gain": "+.1f"}, meaning="why")
    cells = [re.sub("<.*?>", "", row) for row in re.findall(r"<t[dh][^>]*>.*?</t[dh]>", html)]
    expected = ["name", "length [km]", "gain", "a", "1234", "−1.2", "one", "b", "–", "+2.0", "two"]
    assert cells == expected
    assert pages.table(frame.iloc[:0], empty="No arc is that long.") == "<p>No arc is that long.</p>"
    with pytest.raises(ClimateBNError, match="no column 'miles'"):
        pages.table(frame, formats={"miles": ".0f"})


def test_links_and_scripts_are_as_they_were_given():
    html = pages.page("t", [pages.paragraph("see ", pages.link("a.csv?b&c", "the <table>"))], script="if (1 < 2) {}")
    reader = read(html)
    assert ("a", {"href": "a.csv?b&c"}) in reader.tags
    assert "the <table>" in reader.texts
    assert "if (1 < 2) {}" in html


def test_a_page_fits_a_telephone_and_needs_no_other_file():
    html = cb.pages.page("t", [cb.pages.table(pd.DataFrame({"a": [1]}))])
    assert 'name="viewport" content="width=device-width' in html
    assert re.search(r"img \{ max-width: 100%", html)
    assert re.search(r'<div class="wide"><table>', html)
    assert "@import" not in html
    assert "url(" not in html
