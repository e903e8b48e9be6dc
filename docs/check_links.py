"""Every link within the built site leads somewhere: ``python docs/check_links.py docs/_build/html``."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """Targets of links and images of one page, and the anchors it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {values[key] or "" for key in ("id", "name") if key in values}
        target = values.get("href" if tag in ("a", "link") else "src")
        if target:
            self.links.append(target)


def broken(site: Path) -> list[str]:
    """``page: link`` for each link to a file or an anchor that is not there."""
    own = [path for path in site.rglob("*.html") if "_static" not in path.relative_to(site).parts]  # not the theme's
    pages = {path.resolve(): Page(path) for path in own}
    found = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("data:"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.exists() or (anchor and target in pages and anchor not in pages[target].anchors):
                found.append(f"{path.relative_to(site.resolve())}: {link}")
    return sorted(set(found))


if __name__ == "__main__":
    wrong = broken(Path(sys.argv[1]))
    sys.stderr.write("".join(f"broken link in {line}\n" for line in wrong))
    sys.exit(1 if wrong else 0)
