"""Reading gives the same in each process, whose sets are in another order: else files that did not change are embedded
anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

BOOKS = Path(__file__).parent.parent / "books"
MODES = """# Modes

- **FINAL:** the accuracy is about 2 cm (0.8 inches), available after two weeks
- **RAPID:** the accuracy is about 5 cm (2 inches), available the next day
- **ULTRA RAPID:** the accuracy is about 15 cm (6 inches), available every 90 minutes
"""
PORTS = "# Pins of the board\n" + "".join(
    f"\n## {name}\n\n| Pin | Signal | Volt |\n|---|---|---|\n| 1 | VCC | 5 |\n| 2 | {signal} | 3.3 |\n| 3 | GND | 0 |\n"
    for name, signal in (
        ("I2C 2 (I2C 2 Port, GPS2)", "TX"),
        ("I2C 1 (I2C 1 Port, GPS1)", "RX"),
        ("CAN 2 (CAN 2 Port, CAN2)", "CAN"),
    )
)
HASHES = """
import sys
from pathlib import Path
from retrieval.ingest.index import content_hash
from retrieval.ingest.read import read_sources

for chunk in read_sources([Path(name) for name in sys.argv[1:]]).chunks:
    print(chunk.id, content_hash(chunk))
"""


def hashes(seed: int, *paths: Path) -> list[str]:
    """The id and content of each chunk, read by a process whose strings are hashed by this seed."""
    command = [sys.executable, "-c", HASHES, *map(str, paths)]
    environment = os.environ | {"PYTHONHASHSEED": str(seed)}
    return subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout.splitlines()


def test_every_process_reads_the_same(tmp_path: Path) -> None:
    (tmp_path / "modes.md").write_text(MODES)
    (tmp_path / "ports.md").write_text(PORTS)
    first, *others = (hashes(seed, tmp_path, BOOKS) for seed in range(1, 5))
    assert first
    assert all(first == other for other in others)
