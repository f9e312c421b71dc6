"""Sit in the model's chair: see what versus asks a model, and write the replies yourself.

    python -m benchmarks.chair /tmp/chair
    OPENAI_BASE_URL=… OPENAI_API_KEY=none VERSUS_LLM_TIMEOUT=3600 VERSUS_DEADLINE=3600 versus ask "…" --model me

The first command listens on loopback and prints the variables for the second. Each request becomes a file,
`0001.request.txt`, with its messages, tools and response format. The reply is the file `0001.reply.txt`, a text, or
`0001.reply.json`, an object with `content` and `tool_calls`, each with `name` and `arguments`. A person, another
program or a real model may write it. `--waiting` prints the requests that have no reply yet.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from tests.fake_chat import Said
from tests.fake_openai import FakeOpenAI

_PAUSE = 0.3
"""Seconds between two looks for a reply."""
_PATIENT = "VERSUS_LLM_TIMEOUT=3600 VERSUS_DEADLINE=3600"
_ASKED, _TEXT, _OBJECT = ".request.txt", ".reply.txt", ".reply.json"


@dataclass(frozen=True)
class Chair:
    """A folder of requests and replies; requests are numbered from 1."""

    folder: Path
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def respond(self, chat: Mapping[str, Any]) -> Said:
        """Write a request down, and wait for its reply; the client's own timeout bounds the wait."""
        name = f"{next(self._numbers):04d}"
        (self.folder / f"{name}{_ASKED}").write_text(shown(chat), encoding="utf-8")
        while True:
            for path in (self.folder / f"{name}{_TEXT}", self.folder / f"{name}{_OBJECT}"):
                reply = _read(path)
                if reply is not None:
                    return reply
            time.sleep(_PAUSE)

    def waiting(self) -> Iterator[Path]:
        """Yield the requests without a reply, oldest first."""
        for path in sorted(self.folder.glob(f"*{_ASKED}")):
            stem = path.name.removesuffix(_ASKED)
            if not any((self.folder / f"{stem}{end}").exists() for end in (_TEXT, _OBJECT)):
                yield path


def _read(path: Path) -> Said | None:
    """The reply in a file; None while there is none, or only the first half of one."""
    try:
        text = path.read_text(encoding="utf-8")
        reply: Said | None = json.loads(text) if path.name.endswith(_OBJECT) else text
    except (FileNotFoundError, ValueError):
        return None
    return reply


def shown(chat: Mapping[str, Any]) -> str:
    """A request as a text to read.

    >>> print(shown({"messages": [{"role": "user", "content": "Which is higher?"}]}))
    === user ===
    Which is higher?
    """
    parts: list[str] = []
    for message in chat["messages"]:
        parts += [f"=== {message['role']} ===", str(message.get("content") or "")]
        parts += [f"called: {json.dumps(call['function'])}" for call in message.get("tool_calls") or ()]
    for name in ("tools", "response_format"):
        if chat.get(name):
            parts += [f"=== {name} ===", json.dumps(chat[name])]
    return "\n".join(parts)


def main() -> None:
    """Read the command line; listen, or print what waits."""
    parser = argparse.ArgumentParser(description="See what versus asks a model, and write the replies yourself.")
    parser.add_argument("folder", type=Path, help="where requests and replies are")
    parser.add_argument("--waiting", action="store_true", help="print the requests that have no reply yet, and end")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    chair, console = Chair(chosen.folder), Console(highlight=False, markup=False, soft_wrap=True)
    if chosen.waiting:
        for path in chair.waiting():
            console.print(f"###### {path}\n{path.read_text(encoding='utf-8')}\n")
        return
    with FakeOpenAI(chair.respond).running() as server:
        console.print(f"OPENAI_BASE_URL={server.base_url} OPENAI_API_KEY=none {_PATIENT}")
        console.print("Each request is a file in the folder. Stop with Ctrl-C.")
        try:
            time.sleep(24 * 3600)
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
