"""Reads JSON exactly, and writes its canonical form, RFC 8785: one text for one value, so that equal values have equal hashes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, cast

from ._values import Members, is_list, is_object, names_in


class Refused(Exception):
    """The text can't be read without a change of its value."""


class NotJson(Refused, ValueError):
    """The text isn't JSON."""


DEEPEST = 100
_MARKS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{}]', re.S)


def _refuse_depth(text: str) -> None:
    """Before parsing, so that a hostile file costs one pass."""
    depth = 0
    for mark in _MARKS.findall(text):
        depth += 1 if mark in "[{" else -1 if mark in "]}" else 0
        if depth > DEEPEST:
            raise Refused(f"Values are nested more than {DEEPEST} levels deep. Send a flatter structure.")


_NUMBER = re.compile(r"-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?\Z")
_LONGEST_NUMBER = 1000


def _decimal(token: str) -> tuple[str, int]:
    """Significant digits and exponent, so that 1.50, 15e-1 and 1.5 are the same number."""
    found = _NUMBER.match(token)
    whole, fraction, exponent = (found[1], found[2] or "", found[3] or "0") if found else ("", "", "0")
    digits = (whole + fraction).lstrip("0")
    trimmed = digits.rstrip("0")
    return (trimmed, int(exponent) - len(fraction) + len(digits) - len(trimmed)) if trimmed else ("0", 0)


class _Reader:
    """Remembers the first number that would change, and whether an object has a key twice."""

    def __init__(self) -> None:
        self.inexact: str | None = None
        self.twice = False

    def number(self, token: str) -> float:
        value = float(token)
        infinite = value in (float("inf"), float("-inf"))
        fits = not infinite and len(token) <= _LONGEST_NUMBER and _decimal(token) == _decimal(number_text(value))
        if not fits and self.inexact is None:
            self.inexact = token
        return value

    def object(self, pairs: list[tuple[str, Any]]) -> Members:
        members = dict(pairs)
        self.twice = self.twice or len(members) != len(pairs)
        return members


def _no_constant(_name: str) -> None:
    raise ValueError


_UNFIT = re.compile("[\0\ud800-\udfff]")


def _refuse_strings(value: Any) -> None:
    if isinstance(value, str):
        if _UNFIT.search(value):
            raise Refused("A string contains a lone surrogate or a NUL character. Remove that character.")
    elif is_list(value):
        for each in value:
            _refuse_strings(each)
    elif is_object(value):
        for name in names_in(value):
            if name == "__proto__":
                raise Refused('The key "__proto__" isn\'t accepted. Use another name.')
            _refuse_strings(name)
            _refuse_strings(value[name])


def read_json(text: str) -> Any:
    """Refuses what would change its value. Numbers are doubles, as everywhere in the format."""
    _refuse_depth(text)
    reader = _Reader()
    try:
        value = json.loads(
            text,
            parse_int=reader.number,
            parse_float=reader.number,
            parse_constant=_no_constant,
            object_pairs_hook=reader.object,
        )
    except ValueError:
        raise NotJson("This isn't valid JSON.") from None
    if reader.inexact is not None:
        raise Refused(f"The number {reader.inexact[:40]} can't be stored exactly. Send it as a string.")
    _refuse_strings(value)
    if reader.twice:
        raise Refused("An object has the same key twice. Send each key once.")
    return value


def number_text(value: float) -> str:
    """As ECMAScript writes a double: the shortest digits that read back, which repr() also finds, in its own layout."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, power = repr(abs(float(value))).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # value = 0.<digits> * 10 ** point
    point = len(whole) + int(power or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    exponent = ("+" if point > 0 else "-") + str(abs(point - 1))
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + "e" + exponent


_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


_ESCAPED = re.compile('[\0-\x1f"\\\\\ud800-\udfff]')


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if char == "\0":
        raise Refused("the character NUL can't be stored")
    if char >= "\ud800":
        raise Refused("a lone surrogate can't be written as UTF-8")
    return _SHORT.get(char) or f"\\u{ord(char):04x}"


def string_text(value: str) -> str:
    return f'"{_ESCAPED.sub(_escape, value)}"'


def _in_utf16(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def canonical(value: Any) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (float, int)):
        if value != value or value in (float("inf"), float("-inf")):
            raise Refused(f"{value} isn't a JSON number")
        return number_text(float(value))
    if isinstance(value, str):
        return string_text(value)
    if is_list(value):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    if not isinstance(value, Mapping):
        raise Refused(f"{type(value).__name__} isn't a JSON value")
    # Sorted by UTF-16 code units, not by code points: U+1F600 comes before U+FB33.
    members = cast("Mapping[str, Any]", value)
    keys = sorted(members, key=_in_utf16)
    return "{" + ",".join(string_text(key) + ":" + canonical(members[key]) for key in keys) + "}"


def sha256(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def digest_of(value: Any) -> str:
    return sha256(canonical(value))
