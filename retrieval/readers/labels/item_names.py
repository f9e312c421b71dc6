"""Code or quoted text at the start of a list item: the name of what the item describes.

*`fan` (number) turns the air* and *'lid' - keeps it in* are a label with its value each; *`heat = 40` - in degrees* is
a setting with its value. A sentence that merely begins with code is none of these.
"""

from __future__ import annotations

import re

BEGIN, END = "\x02", "\x03"
"""Marks around code in a line."""
_CODE = rf"{BEGIN}[^{BEGIN}{END}]{{1,80}}{END}"
_QUOTED = r"'[^'\n]{1,50}'|\"[^\"\n]{1,50}\"|“[^“”\n]{1,50}”"
_LEAD = re.compile(
    rf"(?P<name>(?:{_CODE}|{_QUOTED})(?:\s*[,/|]\s*(?:{_CODE}|{_QUOTED}))*)"
    r"(?P<rest>(?:\s+(?:-{1,3}\s|[–—]|\()|:\s|\s*[–—]\s).*)"
)
_SETTING = re.compile(r"(?P<name>[^\s=]+)\s*=\s*(?P<value>[^\s=].*)")
_SIGNS = re.compile(rf"[{BEGIN}{END}]|(?<!\w)['\"“]|['\"”](?!\w)")


def with_name(row: str) -> str:
    r"""Return a list item with `**` around its leading name and without code marks.

    >>> with_name("\x02fan\x03 (number) The fan."), with_name("'lid' - keeps it in"), with_name("\x02a\x03 is one.")
    ('**fan** (number) The fan.', '**lid** - keeps it in', 'a is one.')
    >>> with_name("\x02heat = 40\x03 - in degrees")
    '**heat** 40 - in degrees'
    """
    lead = _LEAD.fullmatch(row)
    if lead is None:
        return re.sub(rf"[{BEGIN}{END}]", "", row)
    name, rest = _SIGNS.sub("", lead["name"]), re.sub(rf"[{BEGIN}{END}]", "", lead["rest"])
    setting = _SETTING.fullmatch(name)
    return f"**{setting['name']}** {setting['value']}{rest}" if setting else f"**{name}**{rest}"
