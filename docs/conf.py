"""How the site is built: MyST pages, executed notebooks, numpydoc; nothing is fetched while it is built."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

from docstrings import entries_in_two_lines  # noqa: E402 (beside this file)
from inventories import write_inventories  # noqa: E402 (beside this file)
from reference import name_commands, write_reference  # noqa: E402 (beside this file)

from climatebn import __version__  # noqa: E402

project, author, copyright = "climatebn", "The climatebn developers", "The climatebn developers, MIT licence"
release = version = __version__
extensions = [
    "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.intersphinx", "sphinx.ext.mathjax",
    "sphinx-mathjax-offline", "numpydoc", "myst_nb", "sphinx_click", "sphinx_design",
]  # fmt: skip
exclude_patterns = ["_build"]
smartquotes_action = "qe"  # quotation marks and dots, but no dashes: --out is an option
suppress_warnings = ["toc.not_included"]  # claims of the studies are linked from their page

# Notebooks are the tutorials; each build runs them anew.
tutorials = HERE / "tutorials"
tutorials.mkdir(exist_ok=True)
for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
    text = notebook.read_text(encoding="utf-8").replace("../docs/", "../")  # links, from where the copy lies
    (tutorials / notebook.name).write_text(text, encoding="utf-8")
write_reference(HERE / "reference")
name_commands()

nb_execution_mode = "force"
nb_execution_timeout = 900
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True
nb_output_stderr = "remove"  # warnings, with paths of this machine
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
myst_dmath_double_inline = True

autosummary_generate = True
autodoc_typehints = "none"
toc_object_entries = False  # headings name them already
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

intersphinx_mapping = write_inventories(HERE / "_build" / "inventories")

html_theme = "pydata_sphinx_theme"
html_show_search_summary = False  # pages opened as files may not read each other
html_title = "climatebn"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_sidebars = {page: [] for page in ("index", "start", "gallery")}  # pages without others beside them
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "show_toc_level": 2,
    "header_links_before_dropdown": 8,
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
}


def setup(app):
    """Entries "name : words" of docstrings are words under a name here; numpydoc would take the words for a type."""
    app.connect("autodoc-process-docstring", lambda *arguments: entries_in_two_lines(arguments[-1]), priority=400)
