"""`--install-completion SHELL` and `--show-completion SHELL`, for where Typer can't find out which shell it is.

Typer asks the processes above which shell they are, and takes no name: it would install for the wrong one in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer
from typer.completion import install_callback, show_callback

SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
_DOES = {"--install-completion": install_callback, "--show-completion": show_callback}


def complete_for(context: Any, args: Sequence[str]) -> None:
    """Install or show completion and exit, if the arguments ask for it; an unknown shell is wrong usage."""
    if not args or args[0] not in _DOES:
        return
    flag, *named = args
    if len(named) > 1 or not set(named) <= set(SHELLS):
        raise typer.BadParameter(
            f"{' '.join(named)!r} is no shell; name one of {', '.join(SHELLS)}: versus {flag} bash"
        )
    context.info_name = "versus"  # also of `python -m versus`, since that is what a shell completes
    try:
        _DOES[flag](context, None, named[0] if named else True)  # type: ignore[arg-type]
    except typer.Exit:
        raise typer.BadParameter(f"which shell this is can't be found out; name it: versus {flag} bash") from None
