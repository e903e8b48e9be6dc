"""A whole page: title, lead, notes, sections; style and figures inside, so that the file can be sent alone."""

from collections.abc import Iterable

from markupsafe import Markup

from climatebn.errors import public
from climatebn.pages.parts import Part, as_markup
from climatebn.pages.rendering import environment, style_sheet


@public
def page(
    title: str,
    sections: Iterable[Part],
    *,
    lead: Part = "",
    notes: Iterable[str] = (),
    script: str = "",
) -> str:
    """A page of HTML.

    Parameters
    ----------
    title : of the page, also of the browser's tab.
    sections : what `section` gives; other parts may stand between them.
    lead : one paragraph under the title: which data, which period.
    notes : what went otherwise than asked; shown on a coloured ground at the top.
    script : JavaScript, put at the end of the page as it is.

    Returns
    -------
    str : the text of an HTML file that needs no other file.

    Examples
    --------
    >>> import climatebn as cb
    >>> html = cb.pages.page("Winter", [cb.pages.section("Arcs", "P(X < 1 sd) falls")])
    >>> "<h2" in html, "P(X &lt; 1 sd) falls" in html
    (True, True)
    """
    template = environment().get_template("page.html")
    return template.render(
        title=title,
        lead=lead,
        notes=list(notes),
        sections=[as_markup(part) for part in sections],
        style=style_sheet(),
        script=Markup(script),
    )
