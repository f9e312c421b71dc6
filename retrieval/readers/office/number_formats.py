"""Show a workbook's value as its sheet does, by applying its number format code.

A code has up to three sections for numbers: positive, negative and zero. A digit is `0`, `#` or `?`; commas between
digits separate thousands, and each comma behind them divides by a thousand. Halves are rounded away from zero, as in
Excel. Dates are written as ISO 8601, as precisely as the code shows them: a month, a day, a time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

_GENERAL = "General"
_GENERAL_PLACES = 10
"""The most digits of a number without a format, except for longer whole numbers."""
_MOST_DIGITS = 15
"""The digits that a workbook stores."""
_CONTEXT = Context(prec=60, rounding=ROUND_HALF_UP)
_LITERAL = re.compile(r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<sign>[^\]-]*)[^\]]*\]|_.|\*.|\[[^\]]*\]')
_HELD = "\0"
"""A placeholder for a literal while the rest of a code is parsed."""
_PLACES = re.compile(
    r"(?P<before>[^0#?]*)(?P<digits>[0#?](?:[0#?,]*[0#?])?)(?:\.(?P<places>[0#?]*))?(?P<scale>,*)(?P<after>[^0#?]*)"
)


def displayed_value(value: object, number_format: str = _GENERAL) -> str:
    """Return a value as its sheet shows it.

    >>> formats = [(0.125, "0.0%"), (-1250, "#,##0;(#,##0)"), (3.0, "General"), (9.5, '0.00" gp"'), (7, "000")]
    >>> tuple(displayed_value(*each) for each in formats)
    ('12.5%', '(1,250)', '3', '9.50 gp', '007')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, timedelta):
        return _duration(value)
    if isinstance(value, datetime | date | time):
        return _moment(value, number_format)
    if isinstance(value, int | float):
        return _number(Decimal(repr(value)), number_format) if abs(value) < float("inf") else str(value)
    return str(value)


def _number(value: Decimal, number_format: str) -> str:
    sections = number_format.split(";")
    place = 2 if not value and len(sections) > 2 else 1 if value < 0 and len(sections) > 1 else 0
    section = _Section.of(sections[place])
    if section is None:
        return _words(sections[place]) or _general(value)
    told = section.format_number(abs(value))
    return f"-{told}" if value < 0 and not place and any(digit in told for digit in "123456789") else told


def _words(section: str) -> str:
    """Return the literal text of a section without digits, such as a dash for zero."""
    return "" if _LITERAL.sub("", section).strip() else "".join(_literals(section)).strip()


def _literals(section: str) -> list[str]:
    return [next(filter(None, match.groups()), "") for match in _LITERAL.finditer(section)]


@dataclass(frozen=True, slots=True)
class _Section:
    """A section of a code: the text before and behind the number, and the format of its digits."""

    before: str
    after: str
    least: int
    places: int
    least_places: int
    groups: bool
    shift: int
    """The power of ten by which the number is multiplied."""

    @classmethod
    def of(cls, code: str) -> _Section | None:
        """Parse a section; `None` if it has no digits, or formats fractions or powers of ten."""
        bare = _LITERAL.sub(_HELD, code)
        found = _PLACES.fullmatch(bare)
        if found is None or "E" in bare.upper() or "/" in bare:
            return None
        digits, around = found["digits"], iter(_literals(code))
        before, after = (re.sub(_HELD, lambda _: next(around, ""), found[part]) for part in ("before", "after"))
        shift = 2 * bare.count("%") - 3 * len(found["scale"])
        places = found["places"] or ""
        return cls(before, after, digits.count("0"), len(places), places.count("0"), "," in digits, shift)

    def format_number(self, value: Decimal) -> str:
        """Format a number that is not negative."""
        digits = _rounded(value.scaleb(self.shift, _CONTEXT), self.places)
        whole, _, rest = f"{digits:f}".partition(".")
        whole = whole.lstrip("0").zfill(self.least)
        if self.groups:
            whole = _grouped(whole)
        while len(rest) > self.least_places and rest.endswith("0"):
            rest = rest[:-1]
        return f"{self.before}{whole}{'.' if rest else ''}{rest}{self.after}"


def _rounded(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), context=_CONTEXT)


def _grouped(digits: str) -> str:
    head = len(digits) % 3
    return ",".join(filter(None, (digits[:head], *(digits[at : at + 3] for at in range(head, len(digits), 3)))))


def _general(value: Decimal) -> str:
    """Format a number without a format code: ten digits; a larger or very small one with the digits stored.

    >>> _general(Decimal("0.30000000000000004")), _general(Decimal("1234567.5"))
    ('0.3', '1234567.5')
    """
    whole = len(f"{abs(int(value))}")
    kept = Context(prec=_MOST_DIGITS, rounding=ROUND_HALF_UP).plus(value)
    if whole <= _GENERAL_PLACES and abs(value) >= Decimal("0.0001"):
        kept = _rounded(kept, _GENERAL_PLACES - whole)
    told = f"{kept:f}"
    return (told.rstrip("0").rstrip(".") if "." in told else told) or "0"


def _moment(value: datetime | date | time, number_format: str) -> str:
    """Format a date or time as precisely as its code shows it."""
    code = _LITERAL.sub("", number_format.split(";")[0]).lower()
    clock = "seconds" if "s" in code else "minutes"
    if isinstance(value, time):
        return value.isoformat(clock)
    if isinstance(value, datetime):
        value = value.replace(microsecond=0) + timedelta(seconds=round(value.microsecond / 1e6))
    if not isinstance(value, datetime) or not ("h" in code or "s" in code):
        return _day(value, code)
    shows_day = "d" in code or "y" in code
    if shows_day and value.time() == time():
        return _day(value, code)
    clock_time = value.time().isoformat(clock)
    return f"{_day(value, code)} {clock_time}" if shows_day else clock_time


def _day(value: date, code: str) -> str:
    """Format a date; without day or month if the code shows only years and months, or only years."""
    told = f"{value:%Y-%m-%d}"
    if "d" in code or "y" not in code:
        return told
    return told[:7] if "m" in code else told[:4]


def _duration(value: timedelta) -> str:
    """Format hours, minutes and, unless zero, seconds.

    >>> _duration(timedelta(hours=26, minutes=5))
    '26:05'
    """
    seconds = round(abs(value.total_seconds()))
    minutes, rest = divmod(seconds, 60)
    told = f"{minutes // 60}:{minutes % 60:02}" + (f":{rest:02}" if rest else "")
    return f"-{told}" if value < timedelta() else told
