"""Responses with a JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from agent.render import to_json


def json_response(data: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return the object as JSON that no cache may store."""
    told = {"Cache-Control": "no-store", **(headers or {})}
    return Response(to_json(data), status, told, media_type="application/json")
