"""Every file of a collection damaged at many places: it answers as before, or refuses and says what to do.

A bit is flipped, pages are zeroed, or the end is cut off, in each file of an index and in the vault. A try has held
when the collection answers what it answered before, or a typed error says why not; and, in the rows of `doctor`, when
the damage is told. A process that ends has not held, so the asking is done in processes of their own.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.attacks.row import Row
from benchmarks.durability import NAME, QUESTIONS, SeededVectors, ingest
from retrieval.collections.doctor import examine
from retrieval.collections.local.build import build
from retrieval.collections.local.layout import CHROMA, VAULT, current_index
from retrieval.collections.local.manifest import MANIFEST, read_manifest
from retrieval.collections.local.store import open_local
from versus import RetrievalError

OFFSETS = 12
"""Places that are tried in each file, the first and the last byte among them."""
SIZE = 300
PAGE = 4096
PATIENCE = 600.0
_REPOSITORY = Path(__file__).parents[2]
Harm = Callable[[bytearray, float], None]


@dataclass(frozen=True, slots=True)
class Try:
    """One damage, what became of it, and how long the answer took."""

    file: str
    outcome: str
    has_held: bool
    seconds: float


def flip(content: bytearray, share: float) -> None:
    """Flip one bit."""
    at = min(len(content) - 1, int(share * len(content)))
    content[at] ^= 1 << at % 8


def zero(content: bytearray, share: float) -> None:
    """Write zeros over two pages."""
    start = int(share * len(content)) // PAGE * PAGE
    content[start : start + 2 * PAGE] = bytes(len(content[start : start + 2 * PAGE]))


def cut(content: bytearray, share: float) -> None:
    """Cut off the end."""
    del content[int(share * len(content)) :]


HARMS: dict[str, Harm] = {"a bit was flipped": flip, "two pages were zeroed": zero, "the end was cut off": cut}


def run() -> list[Row]:
    """Damage a collection in every way, at every place."""
    with tempfile.TemporaryDirectory(prefix="versus-damage-") as name:
        place = Path(name)
        asyncio.run(ingest(place / "sound", 1, SIZE))
        expected = ask(place / "sound")
        rows = []
        for harm in HARMS:
            tries = [one for file in _files(place) for one in asked(place, file, harm, expected)]
            rows.append(_row(f"asked after {harm}", tries))
            rows.append(_row(f"examined after {harm}", examined(place, harm)))
        return rows


def asked(place: Path, file: str, harm: str, expected: str) -> list[Try]:
    """Damage one file of many copies, each at another place, and ask them in another process."""
    copies = [_damaged(place, file, harm, share, f"copy {number}") for number, share in enumerate(_shares())]
    tries: list[Try] = []
    while len(tries) < len(copies):
        left = copies[len(tries) :]
        program = [sys.executable, "-m", "benchmarks.attacks.damage", *map(str, left)]
        done = subprocess.run(program, capture_output=True, timeout=PATIENCE, cwd=_REPOSITORY, check=False)
        told = [line.partition(" ") for line in done.stdout.decode(errors="replace").splitlines()]
        tries += [
            Try(file, said[:120], said == expected or said.startswith("refused"), float(s)) for s, _, said in told
        ]
        if len(told) < len(left):
            tries.append(Try(file, f"the process ended with {done.returncode}", False, 0.0))
    for copy in copies:
        shutil.rmtree(copy)
    return tries


def examined(place: Path, harm: str) -> list[Try]:
    """Damage one file of a copy at a time, and let `doctor` look; what it calls sound has to be as it was."""
    tries = []
    for file in _files(place):
        for share in _shares(3):
            copy = _damaged(place, file, harm, share, "copy")
            started = time.perf_counter()
            found = asyncio.run(examine(str(copy)))
            seconds = time.perf_counter() - started
            outcome = "told" if any(one.state == "wrong" for one in found) else _untold(copy, place / "sound", file)
            tries.append(Try(file, outcome, outcome != "called sound", seconds))
    return tries


def ask(place: Path) -> str:
    """What a collection answers, or why it refuses."""
    try:
        return repr(asyncio.run(_answers(place / NAME)))
    except RetrievalError as error:
        return f"refused: {type(error).__name__}: {error}"


async def _answers(folder: Path) -> list[list[tuple[str, str, float]]]:
    async def build_here(folder: Path) -> None:
        await asyncio.to_thread(build, folder)

    async with await open_local(folder, build=build_here) as store:
        vectors = await SeededVectors().embed(QUESTIONS)
        found = [await store.query(vector, 8) for vector in vectors]
        return [[(chunk.id, chunk.text, round(distance, 4)) for chunk, distance in each] for each in found]


def _damaged(place: Path, file: str, harm: str, share: float, name: str) -> Path:
    copy = place / name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(place / "sound", copy)
    path = copy / NAME / file
    content = bytearray(path.read_bytes())
    HARMS[harm](content, share)
    path.write_bytes(content)
    return copy


def _untold(copy: Path, sound: Path, file: str) -> str:
    """Whether what `doctor` did not tell is harmless, as damage is in a page of a database that nobody reads."""
    if (copy / NAME / file).read_bytes() == (sound / NAME / file).read_bytes():
        return "unchanged"
    if file == VAULT:
        build(copy / NAME, afresh=True)
    return "harmless" if file.endswith(".sqlite3") and ask(copy) == ask(sound) else "called sound"


def _files(place: Path) -> list[str]:
    """Every file of the index in force, and the vault; of Chroma's two parts the larger one."""
    folder = place / "sound" / NAME
    index = current_index(folder)
    assert index is not None
    names = [name for name, each in read_manifest(index).files.items() if each.size != 0]
    parts = sorted((index / CHROMA).glob("*/data_level0.bin"), key=lambda path: path.stat().st_size)
    small = f"{CHROMA}/{parts[0].parent.name}/"
    return [VAULT, *(f"{index.name}/{name}" for name in (*names, MANIFEST) if not name.startswith(small))]


def _shares(count: int = OFFSETS, seed: int = 7) -> list[float]:
    pick = random.Random(seed)
    return [0.0, 1.0, *(pick.random() for _ in range(count - 2))][:count]


def _row(attack: str, tries: Sequence[Try]) -> Row:
    failed = [each for each in tries if not each.has_held]
    slowest = max(tries, key=lambda each: each.seconds)
    worst = f"held after {slowest.seconds:.1f} s ({slowest.file})"
    if failed:
        worst = f"{failed[0].file}: {failed[0].outcome}"
    return Row(attack, len(tries), len(tries) - len(failed), worst)


def main() -> int:
    """Ask the collections in the folders that are named, and print a line each: seconds, and what was said."""
    for name in sys.argv[1:]:
        started = time.perf_counter()
        said = ask(Path(name))
        sys.stdout.write(f"{time.perf_counter() - started:.2f} {' '.join(said.split())}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
