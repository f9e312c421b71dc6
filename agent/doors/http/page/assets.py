"""The files of the page as they lie in the package, under an address that changes with what they say."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template

MODULES = ("draw.js", "api.js", "source.js", "answer.js", "plan.js", "upload.js", "page.js")
"""The scripts, each behind those that it imports."""
TYPES: Mapping[str, str] = {
    "page.css": "text/css",
    "icon.svg": "image/svg+xml",
    **dict.fromkeys(MODULES, "text/javascript"),
}
"""What a browser fetches, and the media type of each."""


@dataclass(frozen=True, slots=True)
class Assets:
    """The files by their names, the digest of all of them, and the frame that every answer stands in."""

    frame: Template
    files: Mapping[str, bytes]
    digest: str

    @classmethod
    def load(cls) -> Assets:
        """Read them from the package.

        >>> sorted(Assets.load().files)
        ['answer.js', 'api.js', 'draw.js', 'icon.svg', 'page.css', 'page.js', 'plan.js', 'source.js', 'upload.js']
        """
        folder = files(__package__)
        found = {name: (folder / name).read_bytes() for name in TYPES}
        digest = hashlib.sha256(b"\0".join(found.values())).hexdigest()[:16]
        return cls(Template((folder / "index.html").read_text(encoding="utf-8")), found, digest)
