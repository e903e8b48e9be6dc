from .document import page
from .parts import bullets, figure, link, listing, note, paragraph, section, table

__all__ = ["bullets", "figure", "link", "listing", "note", "page", "paragraph", "section", "table"]
