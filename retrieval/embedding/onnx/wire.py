"""Serialize an ONNX graph: the few protobuf messages that a model needs, written by hand.

A protobuf message is a sequence of fields, each a key (number and kind) and a value. The `onnx` package would do the
same, but as a dependency that every command would have to import. Source of the numbers:
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Attribute = int | float | Sequence[int]
Shape = Sequence[int | str]

_IR_VERSION, _OPSET = 9, 20
_TENSOR_TYPES = {"float32": 1, "int64": 7}
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT, _ATTRIBUTE_INTS = 1, 2, 7
_EXTERNAL = 1


class GraphWriter:
    """Collects the operations of a graph; each call returns the name of its result.

    `weights` stay outside the bytes: they are passed to the runtime by name.

    >>> graph = GraphWriter()
    >>> graph.output("y", graph.op("Add", graph.input("x", "float32", ["n"]), graph.constant(np.float32(1))), ["n"])
    >>> len(graph.model())
    126
    """

    def __init__(self) -> None:
        self.weights: dict[str, Array] = {}
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []

    def input(self, name: str, dtype: str, shape: Shape) -> str:
        """Declare an input; a variable size is a name."""
        self._inputs.append(_message(11, _value(name, dtype, shape)))
        return name

    def output(self, name: str, made: str, shape: Shape) -> None:
        """Declare `made`, of 32-bit floats, as the output `name`."""
        self._nodes.append(_message(1, _node("Identity", [made], name, {})))
        self._outputs.append(_message(12, _value(name, "float32", shape)))

    def op(self, kind: str, *inputs: str, **attributes: Attribute) -> str:
        """Add an operation of the standard set, with its attributes by their ONNX names."""
        made = f"{kind}_{len(self._nodes)}"
        self._nodes.append(_message(1, _node(kind, inputs, made, attributes)))
        return made

    def weight(self, name: str, array: Array) -> str:
        """Add a tensor whose values are passed to the runtime beside the model."""
        self.weights[name] = np.ascontiguousarray(array)
        place = _text(1, "location") + _text(2, "memory")
        self._tensors.append(_message(5, _tensor(name, array) + _message(13, place) + _integer(14, _EXTERNAL)))
        return name

    def constant(self, value: Any) -> str:
        """Add a small tensor, values included; integers are 64 bits wide."""
        array, name = np.asarray(value), f"constant_{len(self._tensors)}"
        self._tensors.append(_message(5, _tensor(name, array) + _message(9, array.tobytes())))
        return name

    def model(self) -> bytes:
        """Return the ONNX model as bytes."""
        graph = b"".join([*self._nodes, _text(2, "graph"), *self._tensors, *self._inputs, *self._outputs])
        return _integer(1, _IR_VERSION) + _message(7, graph) + _message(8, _text(1, "") + _integer(2, _OPSET))


def _node(kind: str, inputs: Iterable[str], made: str, attributes: dict[str, Attribute]) -> bytes:
    names = b"".join(_text(1, name) for name in inputs) + _text(2, made)
    return names + _text(4, kind) + b"".join(_message(5, _attribute(*pair)) for pair in attributes.items())


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _key(2, 5) + struct.pack("<f", value) + _integer(20, _ATTRIBUTE_FLOAT)
    if isinstance(value, int):
        return _text(1, name) + _integer(3, value) + _integer(20, _ATTRIBUTE_INT)
    return _text(1, name) + b"".join(_integer(8, item) for item in value) + _integer(20, _ATTRIBUTE_INTS)


def _tensor(name: str, array: Array) -> bytes:
    sizes = b"".join(_integer(1, size) for size in array.shape)
    return sizes + _integer(2, _TENSOR_TYPES[array.dtype.name]) + _text(8, name)


def _value(name: str, dtype: str, shape: Shape) -> bytes:
    sizes = (_integer(1, size) if isinstance(size, int) else _text(2, size) for size in shape)
    tensor = _integer(1, _TENSOR_TYPES[dtype]) + _message(2, b"".join(_message(1, size) for size in sizes))
    return _text(1, name) + _message(2, _message(1, tensor))


def _text(field: int, text: str) -> bytes:
    return _message(field, text.encode())


def _message(field: int, content: bytes) -> bytes:
    return _key(field, 2) + _varint(len(content)) + content


def _integer(field: int, number: int) -> bytes:
    return _key(field, 0) + _varint(number)


def _key(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _varint(number: int) -> bytes:
    """Encode seven bits a byte, lowest first; a negative number is its 64-bit complement."""
    number, out = number & (1 << 64) - 1, bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])
