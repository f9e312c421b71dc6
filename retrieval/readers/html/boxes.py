"""Boxes of a label and its value, and the box beside a page that describes its subject.

What looks like a list of labels and values is often neither a list nor a table but a row of boxes, each of two parts:
*Length* in one, *31 m* in the other. Several such boxes in a row become a definition list. A box beside the text is
navigation if most of it is links; else it belongs to the page's content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from retrieval.readers.html.tree import Element

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BOXES = frozenset({"article", "div", "li", "p", "section"})
_APART = frozenset({"dl", "form", "nav", "ol", "pre", "select", "table", "ul"})
"""Elements that are more than a label or a value."""
_MOST_LABEL, _MOST_VALUE = 6, 12
"""The most words of a label and of its value."""
_MOST_NODES = 24
_MOSTLY_LINKS = 0.5
_SENTENCE = (".", "!", "?")
_PAIR = 2
_MOST_OF_UNIT = 3
"""The most letters beside the digits of an amount."""


class _Box(NamedTuple):
    element: Element
    label: str
    value: str
    parts: tuple[Element, Element]


def with_box_definitions(root: Element) -> Element:
    """Convert boxes of labels and values to definition lists, and boxes beside the text to content.

    >>> from retrieval.readers.html.tree import read_html
    >>> box = "<div><b>{}</b><span>{}</span></div>"
    >>> root, _ = read_html("<div>" + box.format("Length", "31 m") + box.format("Crew", "4") + "</div>")
    >>> [inner.tag for inner in _elements(with_box_definitions(root)) if inner.tag in ("dl", "dt", "dd")]
    ['dl', 'dt', 'dd', 'dt', 'dd']
    """
    for element in _elements(root):
        if element.tag == "aside" and _leads_elsewhere(element):
            element.children = []
        elif element.tag == "aside":
            _take_in(element)
        if element.tag in ("ol", "ul"):
            _define_items(element)
        elif element.tag not in _APART:
            element.children = _with_definitions(element.children)
    return root


def _elements(root: Element) -> Iterator[Element]:
    """Yield the elements of a tree in document order; children are read after the caller has handled the parent."""
    stack = [root]
    while stack:
        element = stack.pop()
        yield element
        if element.tag != "pre":
            stack += [child for child in reversed(element.children) if isinstance(child, Element)]


def _leads_elsewhere(aside: Element) -> bool:
    """True if more of the words are links than not, or if it has navigation or a form."""
    linked = words = 0
    stack: list[tuple[Element | str, bool]] = [(aside, False)]
    while stack:
        item, is_link = stack.pop()
        if isinstance(item, str):
            count = len(item.split())
            linked, words = linked + count * is_link, words + count
        elif item.tag in ("nav", "form"):
            return True
        else:
            stack += [(child, is_link or item.tag == "a") for child in item.children]
    return linked > _MOSTLY_LINKS * words


def _take_in(aside: Element) -> None:
    """Make a box part of the page: its headings become paragraphs, so that they don't head what follows."""
    for element in _elements(aside):
        element.tag = "div" if element.tag == "aside" else "p" if element.tag in _HEADINGS else element.tag


def _define_items(element: Element) -> None:
    """Convert a list whose items are boxes of a label and a value to a definition list."""
    items = [child for child in element.children if isinstance(child, Element)]
    boxes = [box for item in items if (box := _box(item))]
    if len(boxes) == len(items) and _are_pairs(boxes):
        element.tag, element.children = "dl", _terms(boxes)


def _with_definitions(nodes: Sequence[Element | str]) -> list[Element | str]:
    """Convert adjacent nodes that are boxes of a label and a value to a definition list."""
    out: list[Element | str] = []
    boxes: list[_Box] = []
    for node in nodes:
        if isinstance(node, str) and not node.strip():
            continue
        box = _box(node) if isinstance(node, Element) else None
        if boxes and (box is None or _look(box.element) != _look(boxes[0].element)):
            out += _definition_list_or_boxes(boxes)
            boxes = []
        if box is None:
            out.append(node)
        else:
            boxes.append(box)
    out += _definition_list_or_boxes(boxes)
    return out if any(isinstance(node, Element) and node.tag == "dl" for node in out) else list(nodes)


def _definition_list_or_boxes(boxes: Sequence[_Box]) -> list[Element]:
    return [Element("dl", {}, _terms(boxes))] if _are_pairs(boxes) else [box.element for box in boxes]


def _look(element: Element) -> tuple[str, str]:
    return element.tag, element.attributes.get("class") or ""


def _box(element: Element) -> _Box | None:
    """Return the label and value of a box with exactly two parts and no other text; else None."""
    if element.tag not in _BOXES:
        return None
    if any(isinstance(child, str) and child.strip() for child in element.children):
        return None
    parts = [child for child in element.children if isinstance(child, Element)][:_MOST_NODES]
    said = [(part, text) for part in parts if (text := _brief(part)) != ""]
    if len(said) != _PAIR or any(text is None for _, text in said):
        return None
    (first, label), (second, value) = said
    return _Box(element, label or "", value or "", (first, second))


def _brief(element: Element) -> str | None:
    """Return the text of a part; None if it is more than a label or a value."""
    parts: list[str] = []
    for seen, inner in enumerate(_nodes(element)):
        if seen > _MOST_NODES or (isinstance(inner, Element) and inner.tag in _APART):
            return None
        if isinstance(inner, str):
            parts.append(inner)
    text = " ".join("".join(parts).split())
    return text if len(text.split()) <= _MOST_VALUE else None


def _nodes(element: Element) -> Iterator[Element | str]:
    stack: list[Element | str] = [element]
    while stack:
        item = stack.pop()
        yield item
        if isinstance(item, Element):
            stack += reversed(item.children)


def _are_pairs(boxes: Sequence[_Box]) -> bool:
    """True for several boxes with distinct labels and no sentence among the values."""
    labels = {label.casefold() for label, _ in map(_labelled, boxes)}
    is_brief = all(len(label.split()) <= _MOST_LABEL and any(map(str.isalpha, label)) for label in labels)
    are_values = not any(text.endswith(_SENTENCE) for box in boxes for text in (box.label, box.value))
    return len(labels) == len(boxes) >= _PAIR and is_brief and are_values


def _labelled(box: _Box) -> tuple[str, str]:
    """Return label and value; if an amount stands above a word, the word is the label."""
    return (box.value, box.label) if _is_turned(box) else (box.label, box.value)


def _is_turned(box: _Box) -> bool:
    is_amount = any(map(str.isdigit, box.label)) and not any(map(str.isdigit, box.value))
    return is_amount and sum(map(str.isalpha, box.label)) <= _MOST_OF_UNIT


def _terms(boxes: Sequence[_Box]) -> list[Element | str]:
    out: list[Element | str] = []
    for box in boxes:
        label, value = reversed(box.parts) if _is_turned(box) else box.parts
        out += [Element("dt", {}, label.children), Element("dd", {}, value.children)]
    return out
