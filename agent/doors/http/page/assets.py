"""The files of the page from the package, under an address that changes with their content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template

MODULES = ("draw.js", "api.js", "source.js", "answer.js", "plan.js", "upload.js", "page.js")
"""The scripts, each after those that it imports."""
TYPES: Mapping[str, str] = {
    "page.css": "text/css",
    "icon.svg": "image/svg+xml",
    **dict.fromkeys(MODULES, "text/javascript"),
}
"""The files that a browser fetches, and the media type of each."""


@dataclass(frozen=True, slots=True)
class Assets:
    """The files by name, and the digest of all of them."""

    files: Mapping[str, bytes]
    digest: str

    @classmethod
    def load(cls) -> Assets:
        """Read the files from the package.

        >>> sorted(Assets.load().files)
        ['answer.js', 'api.js', 'draw.js', 'icon.svg', 'page.css', 'page.js', 'plan.js', 'source.js', 'upload.js']
        """
        folder = files(__package__)
        found = {name: (folder / name).read_bytes() for name in TYPES}
        digest = hashlib.sha256(b"\0".join(found.values())).hexdigest()[:16]
        return cls(found, digest)

    def head(self, base: str) -> str:
        """Return the elements that fetch them; `base` leads from the address of the page to that of the server."""
        place = f"{base}static/{self.digest}"
        return (
            f'<link rel="icon" type="image/svg+xml" href="{place}/icon.svg">\n'
            f'<link rel="stylesheet" href="{place}/page.css">\n'
            f'<script type="module" src="{place}/page.js"></script>'
        )


def frame() -> Template:
    """Return the frame around every answer."""
    return Template((files(__package__) / "index.html").read_text(encoding="utf-8"))
