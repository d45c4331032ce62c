"""Whether two engines gave the same rows: exact, but for floating point numbers and approximate functions."""

import datetime
import decimal
import math


def plain(value: object) -> object:
    """A value in one writing: numbers as numbers, bytes as 0x…, times as text."""
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, (bytes, bytearray)):
        return f"0x{bytes(value).hex()}"
    if isinstance(value, datetime.datetime):
        value = value.replace(tzinfo=None).isoformat(sep=" ")
    elif isinstance(value, datetime.date):
        value = f"{value.isoformat()} 00:00:00"
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else value
    if isinstance(value, str):
        text = value
        if not text.startswith("0x"):
            try:
                return plain(decimal.Decimal(text))
            except decimal.InvalidOperation:
                pass
        if len(text) == 10 and text[4:5] == "-":
            return f"{text} 00:00:00"
        return text
    return value


def close(left: object, right: object, tolerance: float) -> bool:
    left, right = plain(left), plain(right)
    if left == right:
        return True
    numbers = (int, float, decimal.Decimal)
    if isinstance(left, numbers) and isinstance(right, numbers):
        exact = tolerance == 0 and not isinstance(left, float) and not isinstance(right, float)
        return not exact and math.isclose(float(left), float(right), rel_tol=tolerance or 1e-9, abs_tol=1e-9)
    return False


def difference(left: list, right: list, tolerance: float) -> str | None:
    """The first difference, or None."""
    if len(left) != len(right):
        return f"{len(left)} rows and {len(right)} rows"
    for number, (one, other) in enumerate(zip(left, right)):
        for column, (a, b) in enumerate(zip(one, other, strict=True)):
            if not close(a, b, tolerance):
                return f"row {number}, column {column}: {plain(a)} and {plain(b)}"
    return None
