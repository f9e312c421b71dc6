"""Choose the files to read: those that are named, and those in folders that have a reader.

Nothing in a folder is skipped silently: skipped files are counted by kind, with the reason and the first names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath

from retrieval.errors import SourceError
from retrieval.readers.documents.document import READERS
from retrieval.text.identifiers import is_identifier
from retrieval.text.spelling import fold
from retrieval.types import Skipped

CHUNK_FILES = frozenset({".jsonl", ".json"})
NAMES, KINDS = 5, 12
"""The most names listed for one kind, and the most kinds listed separately."""
_UNREADABLE = "no reader for it"
_HIDDEN = "the name begins with a dot"
_OF_FOLDER = frozenset({"index", "readme"})
"""File names of a page that opens its folder."""
_OF_WORDS = re.compile(r"(?:[^\W\d_]+|\d+)(?:_(?:[^\W\d_]+|\d+))+")
"""Words and numbers separated by underscores, which replace the spaces of a file name."""
_EXTENSION = re.compile(r"\.\w{1,12}")


def page_name(source: str) -> str:
    """Return the name of a page without heading or title: the name of its file, or of the folder that it opens.

    >>> page_name("soups/pea-soup.md"), page_name("boards/KAKUTE_F7.md"), page_name("soups/_index.md")
    ('pea soup', 'KAKUTE_F7', 'soups')
    >>> page_name("kilns/clinker_2019/index.md")
    'clinker 2019'
    """
    path = PurePath(source)
    stem = path.stem.strip("_- ") or path.stem
    if is_of_folder(path) and path.parent.name:
        stem = path.parent.name
    if is_identifier(fold(stem)) and not _OF_WORDS.fullmatch(stem):
        return stem
    return " ".join(re.split(r"[\s_-]+", stem)) or source


def is_of_folder(path: PurePath) -> bool:
    """True for the page that opens a folder.

    >>> is_of_folder(PurePath("soups/_index.md")), is_of_folder(PurePath("soups/pea.md"))
    (True, False)
    """
    return path.stem.strip("_- ").casefold() in _OF_FOLDER


@dataclass(frozen=True, slots=True)
class File:
    """A file to read: the name for citations, relative to the folder that was named, and that folder."""

    path: Path
    name: str
    root: str


class Files:
    """The files of some paths, each once and in a stable order, and what was skipped.

    Iterating raises `SourceError` for a path that does not exist or can't be read, and for a folder with nothing to
    read.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self.named = {path.resolve() for path in paths if _exists(path)}
        self._seen: set[Path] = set()
        self._passed: set[Path] = set()
        self._skips: dict[tuple[str, str], _Skips] = {}
        self._has_reader = cache(READERS.__contains__)

    def __iter__(self) -> Iterator[File]:
        """Yield each file once."""
        for root in self._paths:
            alone = _exists(root) and root.is_file()
            for path in [root] if alone else self._folder(root):
                if path.resolve() not in self._seen:
                    self._seen.add(path.resolve())
                    name = path.name if alone else path.relative_to(root).as_posix()
                    yield File(path, name, str(root.resolve()))

    def skip(self, path: Path, kind: str, reason: str) -> None:
        """Record that a file or folder is not read."""
        resolved = path.resolve()
        if resolved not in self._passed and resolved not in self.named:
            self._passed.add(resolved)
            self._skips.setdefault((kind, reason), _Skips()).add(str(path))

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The files skipped so far, the most frequent kind first; kinds beyond `KINDS` are merged."""
        found = [Skipped(*key, skips.count, tuple(skips.names)) for key, skips in self._skips.items()]
        found.sort(key=lambda each: (-each.count, each.kind))
        if (rest := found[KINDS - 1 :])[1:]:
            names = [name for each in rest for name in each.files][:NAMES]
            found[KINDS - 1 :] = [Skipped("other kinds", "various", sum(each.count for each in rest), tuple(names))]
        return tuple(found)

    def _folder(self, root: Path) -> list[Path]:
        """Return the files of a folder. An unreadable subfolder is an error: if skipped, its files would count as
        deleted.
        """
        if is_address(root):
            raise SourceError(
                "an address; save the page first, for example with curl -LO, and ingest the file",
                str(root).replace(":/", "://", 1),
            )
        if not _exists(root):
            raise SourceError("no such file or folder", str(root), bare=[root])
        files: list[Path] = []
        for folder, folders, names in os.walk(root, onerror=_refuse):
            self._skip_folders(Path(folder), folders)
            for name in sorted(names):
                path = Path(folder, name)
                if (kind_and_reason := self._unreadable(path)) is None:
                    files.append(path)
                else:
                    self.skip(path, *kind_and_reason)
        if not files:
            raise SourceError(
                f"nothing to read in this folder{self._only()}; {needed(READERS.names())}", str(root), bare=[root]
            )
        return sorted(files)

    def _skip_folders(self, parent: Path, names: list[str]) -> None:
        """Record hidden and linked folders, and remove the hidden ones; the walk does not follow links."""
        for name in sorted(names):
            if name.startswith("."):
                self.skip(parent / name, "hidden", _HIDDEN)
            elif (parent / name).is_symlink():
                self.skip(parent / name, "linked folder", "links to folders are not followed")
        names[:] = sorted(name for name in names if not name.startswith("."))

    def _unreadable(self, path: Path) -> tuple[str, str] | None:
        """Return the kind of an unreadable file and the reason; `None` for a readable one."""
        suffix = path.suffix.lower()
        if path.name.startswith("."):
            return "hidden", _HIDDEN
        if not self._has_reader(suffix.removeprefix(".")):
            return suffix if _EXTENSION.fullmatch(suffix) else "other", _UNREADABLE
        return None if _is_file(path) else ("special", "a pipe or a device")

    def _only(self) -> str:
        return f", only {', '.join(f'{each.count} {each.kind}' for each in self.skipped)}" if self._skips else ""


def needed(suffixes: Sequence[str]) -> str:
    """Return which files can be read, as text.

    >>> needed(["json", "md"])
    'it needs .json, .md files'
    """
    return f"it needs {', '.join(f'.{suffix}' for suffix in suffixes)} files"


def is_address(path: Path) -> bool:
    """True for a web address given as a path.

    >>> is_address(Path("https://example.org/rules.html"))
    True
    """
    return path.parts[:1] in (("http:",), ("https:",))


class _Skips:
    """The number of files of one kind skipped for one reason, and the first names."""

    def __init__(self) -> None:
        self.count = 0
        self.names: list[str] = []

    def add(self, name: str) -> None:
        self.count += 1
        if len(self.names) < NAMES:
            self.names.append(name)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error


def _refuse(error: OSError) -> None:
    raise SourceError(f"can't be read: {error.strerror or error}", str(error.filename)) from error


def _is_file(path: Path) -> bool:
    """True for a file, and for a dangling link, which fails when read; False for a pipe."""
    try:
        return path.is_file() or (path.is_symlink() and not path.exists())
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror or error}", str(path)) from error
