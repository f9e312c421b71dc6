"""Find additions of a model that no source has: addresses, images, markup, and digits without end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_STRAY = re.compile(
    r"\b(?:https?|ftp)://[^\s<>\"')\]]{1,300}|\bwww\.[^\s<>\"')\]]{1,300}"  # an address
    r"|\b[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2,10}\b"  # of mail
    r"|!?\[[^\[\]\n]{0,100}\]\([^()\s]{1,300}\)"  # a link or an image of Markdown
    r"|</?[a-z][^<>\n]{0,200}>"  # an element of HTML
    r"|\d[\d,.]{24,}",  # digits that no quantity has
    re.IGNORECASE,
)
_MOST = 3
_LONGEST = 40


def strays(sentence: str, sources: Iterable[str]) -> Iterator[str]:
    """Yield the strings of a sentence that are no prose and stand in no source, cut short.

    >>> list(strays("It is 7, see http://a.example/b and <b>9</b>.", ["Bold is <b>."]))
    ['http://a.example/b', '</b>']
    """
    found = dict.fromkeys(match[0] for match in _STRAY.finditer(sentence))
    texts = tuple(sources) if found else ()
    alien = [each for each in found if not any(each in text for text in texts)]
    yield from (each if len(each) <= _LONGEST else f"{each[:_LONGEST]}…" for each in alien[:_MOST])
