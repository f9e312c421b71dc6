"""A real Chroma server, started once on a free loopback port and stopped at the end, and a disk that is small."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.retrieval.reading import Write


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a running server whose data lies in a temporary folder."""
    folder, port = tmp_path_factory.mktemp("chroma-server"), free_port()
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        wait_for(f"http://127.0.0.1:{port}/api/v2/heartbeat", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=20)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, in memory, whose size can be changed."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted: {mounted.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def wait_for(url: str, server: subprocess.Popen[bytes], attempts: int = 600) -> None:
    """Poll until the server answers; fail when it ends or never does."""
    pause = threading.Event()
    for _ in range(attempts):
        assert server.poll() is None, "the Chroma server ended at once"
        try:
            if httpx.get(url, timeout=1).is_success:
                return
        except httpx.TransportError:
            pause.wait(0.05)
    raise AssertionError(f"no answer from {url}")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file of this name below the test's folder."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
