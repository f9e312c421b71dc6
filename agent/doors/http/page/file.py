"""An answer as one file that needs no server: the same page, with the server's responses embedded."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from urllib.parse import quote, urlencode

from agent.doors.http.page.assets import MODULES, Assets
from agent.doors.http.page.html import answer_html, framed
from agent.render import to_json
from agent.render.shapes import AnswerData, CitationData, MarkedChunkData

_IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_UNESCAPED = "!~*'()"
"""Characters that `encodeURIComponent` leaves unescaped, beyond those that `quote` does."""


def answer_file(answer: AnswerData, collection: str, sources: Mapping[int, MarkedChunkData]) -> str:
    """Return the page of an answer. `sources` are the chunks of its citations by number, if they still exist."""
    assets, run_id = Assets.load(), answer["run_id"]
    style, script = assets.files["page.css"].decode(), _bundled(assets)
    allowed = f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; base-uri 'none'"
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{escape(allowed)}">\n<style>{style}</style>\n'
        f'<script type="application/json" id="recorded">{_recorded(answer, collection, sources)}</script>\n'
        f'<script type="module">{script}</script>'
    )
    said = answer_html(answer, None, run_id, collection)
    return framed(head, "./", said, answer["question"], run_id, collection, asks=False)


def _bundled(assets: Assets) -> str:
    """Return the scripts as one: each stands after those that it imports, and no name occurs twice."""
    parts = [_EXPORT.sub("", _IMPORT.sub("", assets.files[name].decode())) for name in MODULES]
    return "\n".join(parts)


def _digest(text: str) -> str:
    """Return the hash of a text, as a content security policy has it.

    >>> _digest("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _recorded(answer: AnswerData, collection: str, sources: Mapping[int, MarkedChunkData]) -> str:
    """Return the responses of a server by address, as JSON that can't close its element."""
    run = {"run_id": answer["run_id"], "question": answer["question"], "collection": collection}
    events = f"event: run\ndata: {to_json(run)}\n\nevent: answer\ndata: {to_json(answer)}\n\n"
    told = {f"v1/runs/{quote(answer['run_id'], safe=_UNESCAPED)}/events": events}
    for citation in answer["citations"]:
        if citation["n"] in sources:
            told[_address(citation, collection)] = to_json(sources[citation["n"]])
    return to_json(told).replace("<", "\\u003c")


def _address(citation: CitationData, collection: str) -> str:
    """Return the address at which the page looks for a citation."""
    path = f"{quote(collection, safe=_UNESCAPED)}/chunks/{quote(citation['chunk_id'], safe=_UNESCAPED + '/')}"
    cell = citation["cell"]
    return f"v1/collections/{path}" + (f"?{urlencode(dict(cell))}" if cell else "")
