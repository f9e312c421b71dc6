"""What people call those whom a book lists by kind: *Bear, Lesser, Brown* is a brown bear, *Faun (Satyr)* a satyr."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from retrieval.text.normal import phrase, title_key

_BRACKET = re.compile(r"\s*\(([^()]*)\)")


def short_names(names: Collection[str], taken: Collection[str]) -> dict[str, str]:
    """The keys of the short names, each with the name as the book writes it; none that two have, or is in `taken`.

    *Werewolf* of *Lycanthropes, Werewolf* stands alone where all of its kind can: not *Clay* of *Golems, Clay*.

    >>> short_names(["Bear, Lesser, Brown", "Faun (Satyr)"], [])
    {'bear brown': 'Bear, Lesser, Brown', 'satyr': 'Faun (Satyr)'}
    >>> short_names(["Golems, Clay", "Golems, Stone", "Giant, Stone", "Dragons, Wyvern"], [])
    {'wyvern': 'Dragons, Wyvern'}
    """
    words = Counter(word for key in {*map(title_key, names), *taken} for word in key.split())
    found = [(title_key(short), name) for name in dict.fromkeys(names) for short in _shorter(name)]
    count = Counter(key for key, _ in found)
    common = {_kind(name) for key, name in found if _KIND.match(name) and words[key] > 1}
    return {
        key: name for key, name in found if key and count[key] == 1 and key not in taken and _kind(name) not in common
    }


_KIND = re.compile(r"([^,(]+), ([^, ]+)$")
"""*Lycanthropes, Werewolf*."""


def _kind(name: str) -> str:
    return name.split(", ")[0]


def _shorter(name: str) -> Iterator[str]:
    """*Brown Bear* without what stands between; *Werewolf* alone of the plural; the other names in a bracket."""
    for others in _BRACKET.findall(name):
        yield from (other for other in re.split(r"[;,]\s+", others) if "and" not in phrase(other))
    kind, *rest = _BRACKET.sub("", name).split(", ")
    if len(rest) > 1:
        yield f"{rest[-1]} {kind}"
    elif rest and phrase(kind) != tuple(kind.lower().split()):
        yield rest[0]
