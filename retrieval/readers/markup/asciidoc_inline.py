"""Inline AsciiDoc as HTML: bold and code keep their marks, links and references become their text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

_ATTRIBUTE = re.compile(r"(?<!\\)\{([\w-]+)\}")
_VERBATIM = re.compile(
    r"(?<![\w`])``(?P<wide>.+?)``(?![`])|(?<![\w`\"'])`(?P<code>\S(?:[^`]*\S)?)`(?!\w)"
    r"|\+\+\+(?P<raw>.+?)\+\+\+|pass:\w*\[(?P<passed>[^\]]*)\]|(?<![\w+])\+(?P<plain>\S(?:[^+]*\S)?)\+(?![\w+])",
)
_MACROS = (
    (re.compile(r"&lt;&lt;(?:[^,&]|&(?!gt;))+,\s*(.+?)&gt;&gt;"), r"\1"),
    (re.compile(r"&lt;&lt;(.+?)&gt;&gt;"), r"\1"),
    (re.compile(r"image:[^\s:\[][^\s\[]*\[[^\]]*\]"), ""),
    (re.compile(r"(?:xref|link|mailto):[^\s\[]*\[\]"), ""),
    (re.compile(r"(?:xref|link|mailto):[^\s\[]*\[([^\]]*?)(?:,[^\]]*=[^\]]*)?\^?\]"), r"\1"),
    (re.compile(r"(https?://[^\s\[<>]+)\[\]"), r"\1"),
    (re.compile(r"https?://[^\s\[<>]+\[([^\]]*?)(?:,[^\]]*=[^\]]*)?\^?\]"), r"\1"),
    (re.compile(r"menu:([^\[]+)\[([^\]]*)\]"), r"\1 &gt; \2"),
    (re.compile(r"(?:kbd|btn):\[([^\]]*)\]"), r"\1"),
    (re.compile(r"footnote:\w*\[([^\]]*)\]"), r" (\1)"),
    (re.compile(r"(?:anchor|indexterm):[^\s\[]*\[[^\]]*\]|\[\[[^\]]+\]\]|\(\(\([^()]*\)\)\)"), ""),
    (re.compile(r"\(\(([^()]+)\)\)"), r"\1"),
    (re.compile(r"(?:\[[^\]\s]*\])?##(.+?)##|(?:\[[^\]\s]*\])?(?<![\w&#])#(\S(?:[^#]*\S)?)#(?!\w)"), r"\1\2"),
    (re.compile(r"[\"']`(.+?)`[\"']"), r'"\1"'),
    (re.compile(r"\*\*(\S.*?)\*\*|(?<![\w*\\])\*(\S(?:[^*]*[^\s*])?)\*(?![\w*])"), r"<b>\1\2</b>"),
    (re.compile(r"__(\S.*?)__|(?<![\w_\\])_(\S(?:[^_]*[^\s_])?)_(?![\w_])"), r"<i>\1\2</i>"),
    (re.compile(r"\^([^\s^]+)\^"), r"<sup>\1</sup>"),
    (re.compile(r"~([^\s~]+)~"), r"\1"),
    (re.compile(r"[ \t]\+$", re.MULTILINE), "<br>"),
    (re.compile(r"\\(?=[*_`#^~{<\[])"), ""),
)
"""Each macro or mark with its replacement, in order of application."""


def with_attributes(text: str, attributes: Mapping[str, str]) -> str:
    """Replace attribute names by their values; unset names stay as written.

    >>> with_attributes("{product} {other}", {"product": "Kiln"})
    'Kiln {other}'
    """
    return _ATTRIBUTE.sub(lambda found: attributes.get(found[1].lower(), found[0]), text)


def inline_html(text: str, attributes: Mapping[str, str]) -> str:
    """Return a text as HTML.

    >>> inline_html("*Bold* and `a*b*` of xref:x.adoc[the oak].", {})
    '<b>Bold</b> and <code>a*b*</code> of the oak.'
    """
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        code = found["wide"] or found["code"]
        plain = code or found["raw"] or found["passed"] or found["plain"] or ""
        kept = escape(plain, quote=False)
        held.append(f"<code>{kept}</code>" if code else kept)
        return f"\0{len(held) - 1}\0"

    said = _VERBATIM.sub(hold, with_attributes(text.replace("\0", " "), attributes))
    said = escape(said, quote=False)
    for mark, html in _MACROS:
        said = mark.sub(html, said)
    return re.sub(r"\0(\d+)\0", lambda found: held[int(found[1])], said)
