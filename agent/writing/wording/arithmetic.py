"""Safe arithmetic on untrusted expressions: numbers, + - * / and brackets, min, max, round and abs, and nothing else.

An expression is validated before anything is computed, and computed in floats, whose size is fixed. Every error is a
`ValueError` or an `ArithmeticError`.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence

LARGEST = 1e15
"""Larger floats have no halves, and soon no ones."""
_MOST_PLACES = 6


def parsed(text: str) -> ast.expr:
    """Parse `text` as an expression; raise `ValueError` that names the part that is no arithmetic.

    >>> calculated(parsed("2 * (3 + 4)"))
    14.0
    >>> parsed("1 if 5 > 9 else 5")
    Traceback (most recent call last):
    ValueError: can't calculate that: an IfExp is no arithmetic; use numbers, + - * / ( ), min, max, round, abs
    """
    try:
        expression = ast.parse(text.strip(), mode="eval").body
        _require_arithmetic(expression)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"can't calculate that: {error}") from error
    return expression


def calculated(expression: ast.expr) -> float:
    """Return the value of a `parsed` expression; `ArithmeticError` if it has none, or one that is too large."""
    if isinstance(expression, ast.Constant):
        return float(expression.value)  # type: ignore[arg-type]  # a number: `parsed` checked it
    if isinstance(expression, ast.UnaryOp):
        return _UNARY[type(expression.op)](calculated(expression.operand))
    if isinstance(expression, ast.BinOp):
        left, right = calculated(expression.left), calculated(expression.right)
        return _bounded(_BINARY[type(expression.op)](left, right))
    assert isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name)
    return _bounded(_FUNCTIONS[expression.func.id](*map(calculated, expression.args)))


def _require_arithmetic(expression: ast.expr) -> None:
    """Raise `ValueError` at the first part that is no arithmetic."""
    if isinstance(expression, ast.Constant):
        _require_number(expression.value)
    elif isinstance(expression, ast.BinOp) and type(expression.op) in _BINARY:
        _require_arithmetic(expression.left)
        _require_arithmetic(expression.right)
    elif isinstance(expression, ast.UnaryOp) and type(expression.op) in _UNARY:
        _require_arithmetic(expression.operand)
    elif isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name) and not expression.keywords:
        _require_function(expression.func.id, expression.args)
    else:
        raise ValueError(
            f"{_part_name(expression)} is no arithmetic; use numbers, + - * / ( ), {', '.join(_FUNCTIONS)}"
        )


def _require_number(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{str(value)[:20]!r} is no number")
    if abs(value) > LARGEST:
        raise ValueError(f"a number is larger than {LARGEST:g}")


def _require_function(name: str, arguments: Sequence[ast.expr]) -> None:
    if name not in _FUNCTIONS or not arguments:
        raise ValueError(f"{name[:20]!r} is no function of numbers; there are {', '.join(_FUNCTIONS)}")
    for each in arguments:
        _require_arithmetic(each)


def _part_name(part: ast.expr) -> str:
    kind = type(part.op if isinstance(part, ast.BinOp | ast.UnaryOp) else part).__name__
    return f"an {kind}" if kind[0] in "AEIOU" else f"a {kind}"


def _bounded(value: float) -> float:
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise ArithmeticError(f"a result is larger than {LARGEST:g}")
    return value


def _rounded(*numbers: float) -> float:
    value, places = (*numbers, 0.0)[:2]
    if len(numbers) > 2 or places not in range(_MOST_PLACES + 1):
        raise ValueError(f"round takes one number, and at most {_MOST_PLACES} places")
    return float(round(value, int(places)))


def _absolute(*numbers: float) -> float:
    if len(numbers) != 1:
        raise ValueError("abs takes one number")
    return abs(numbers[0])


_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "min": lambda *numbers: min(numbers),
    "max": lambda *numbers: max(numbers),
    "round": _rounded,
    "abs": _absolute,
}
_BINARY: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[float], float]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
