"""The only importer of onnxruntime, because its telemetry must be disabled before it is first loaded.

From 1.29 on its packages send usage data to Microsoft from the moment of import, and write an identifier into the
user's cache folder. This program must not use the network unasked, so that is off unless the user's environment says
otherwise. Source: https://github.com/microsoft/onnxruntime/pull/27379.
"""

from __future__ import annotations

import os
from typing import Any


def onnxruntime() -> Any:
    """Return the package, loaded with its telemetry off; `ImportError` if it is not installed.

    >>> onnxruntime().__name__
    'onnxruntime'
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime as runtime

    runtime.disable_telemetry_events()  # the switch on Windows
    return runtime
