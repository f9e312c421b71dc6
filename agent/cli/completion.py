"""`--install-completion SHELL` and `--show-completion SHELL`, for when Typer can't detect the shell.

Typer detects the shell from the parent processes and accepts no name: it could silently install for the wrong one.
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
    context.info_name = "versus"  # also for `python -m versus`, since a shell completes `versus`
    try:
        _DOES[flag](context, None, named[0] if named else True)  # type: ignore[arg-type]
    except typer.Exit:
        raise typer.BadParameter(f"which shell this is can't be found out; name it: versus {flag} bash") from None
