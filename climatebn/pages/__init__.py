"""Pages that need no other file: one style sheet, one way to put a figure or a table into a page.

A page is a title and sections; a section is a heading and parts; a part is a string (a paragraph) or what `figure`,
`table`, `paragraph`, `bullets`, `listing` or `note` gives. Text is escaped everywhere; only what these functions return
is taken as HTML.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
