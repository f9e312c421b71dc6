"""Export of spans to a collector, which is probed before each batch, so that nothing waits for an absent one.

OpenTelemetry's own exporter retries until its timeout, even at the end of a program. Importing this module imports
OpenTelemetry.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Thread
from urllib.parse import urlsplit

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

PATIENCE = 0.8
"""Seconds that a collector has to accept a connection before it counts as absent."""
_DEFAULT = "http://localhost:4317"
_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")

Address = tuple[str, int]


class CollectorExporter(SpanExporter):
    """Passes spans to `exporter` while a collector listens at `address`, else drops them.

    `tell` is called once if nobody listens. If the address is None, no collector is probed.
    """

    def __init__(self, exporter: SpanExporter, address: Address | None, tell: Callable[[str], None]) -> None:
        self._exporter, self._address, self._on_absent = exporter, address, tell
        self._told = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send spans, or drop them."""
        if self._address is None or is_listening(self._address):
            return self._exporter.export(spans)
        if not self._told:
            self._told = True
            self._on_absent(
                f"nobody listens at {self._address[0]}:{self._address[1]}; start a collector there,"
                " set OTEL_EXPORTER_OTLP_ENDPOINT, or unset VERSUS_SPANS"
            )
        return SpanExportResult.FAILURE

    def shutdown(self) -> None:
        """Close the connection."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Send the spans that the exporter has buffered."""
        return self._exporter.force_flush(timeout_millis)


def is_listening(address: Address, patience: float = PATIENCE) -> bool:
    """Return True if a connection is accepted within `patience` seconds, including the name lookup."""
    taken: list[bool] = []

    def connect() -> None:
        with suppress(OSError), socket.create_connection(address, patience):
            taken.append(True)

    # A name lookup has no time limit of its own.
    looking = Thread(target=connect, daemon=True)
    looking.start()
    looking.join(patience)
    return bool(taken)


def collector_address(environment: Mapping[str, str]) -> Address | None:
    """Return the collector's host and port from the variables of OpenTelemetry.

    None if they are undetermined: beyond a proxy, at a Unix socket, without a port.

    >>> collector_address({}), collector_address({"OTEL_EXPORTER_OTLP_ENDPOINT": "[::1]:5000"})
    (('localhost', 4317), ('::1', 5000))
    >>> collector_address({"OTEL_EXPORTER_OTLP_ENDPOINT": "unix:///run/otel"})
    """
    names = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    endpoint = next((environment[name] for name in names if environment.get(name)), _DEFAULT)
    parts = urlsplit(endpoint if "//" in endpoint else f"//{endpoint}")
    try:
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname or not port or _is_beyond_a_proxy(parts.hostname, environment):
        return None
    return parts.hostname, port


def _is_beyond_a_proxy(host: str, environment: Mapping[str, str]) -> bool:
    direct = [name.strip() for name in environment.get("no_proxy", "").split(",")]
    return any(environment.get(name) for name in _PROXIES) and host not in direct
