"""Plain JSON values as a file gives them, and what a check finds wrong with them."""

from __future__ import annotations

import json
import re
from typing import Any, Final, Protocol, TypeGuard

from ._unicode import HIDDEN
from ._words import PROBLEMS

Members = dict[str, Any]


class _Missing:
    """No value at all; None is the null of JSON."""


MISSING: Final = _Missing()


def is_object(value: Any) -> TypeGuard[Members]:
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def members_of(value: Any, name: str | None = None) -> Members:
    """The object, or its member; none of either is one without members."""
    found = value if name is None else value.get(name) if is_object(value) else None
    return found if is_object(found) else {}


def list_of(value: Any) -> list[Any]:
    return value if is_list(value) else []


def text_of(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def is_index(value: Any) -> TypeGuard[float]:
    return is_integer(value) and value >= 0


def is_integer(value: Any) -> TypeGuard[float]:
    return is_number(value) and float(value).is_integer() and abs(value) <= 2**53 - 1


def same(one: Any, other: Any) -> bool:
    """Equality of plain JSON values: in Python False == 0.0, in JSON they differ. An object equals nothing."""
    if is_number(one) and is_number(other):
        return one == other
    return type(one) is type(other) and not isinstance(one, (dict, list)) and one == other


_ARRAY_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,9})\Z")


def names_in(members: Members) -> list[str]:
    """In the order in which every program reads them: names that are numbers come first."""
    numbers = sorted((each for each in members if _ARRAY_INDEX.match(each) and int(each) < 2**32 - 1), key=int)
    return [*numbers, *(each for each in members if each not in set(numbers))] if numbers else list(members)


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_HIDDEN = re.compile(f"[{HIDDEN}]")


def shown(text: str) -> str:
    """A character that a reader can't see, or that moves its neighbors, is written as an escape: it could forge a verdict."""
    return _HIDDEN.sub(lambda found: _SHORT.get(found[0]) or f"\\u{{{ord(found[0]):x}}}", text)


def shown_json(text: str) -> str:
    """The same for JSON: every escape stays valid in it, and the value stays the same."""

    def escaped(found: re.Match[str]) -> str:
        units = found[0].encode("utf-16-be", "surrogatepass").hex()
        return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))

    return _HIDDEN.sub(lambda found: found[0] if found[0] == "\n" else escaped(found), text)


def units(text: str) -> int:
    """The length that other programs count: a character beyond the first plane has two units."""
    return len(text) + sum(char > "\uffff" for char in text)


class Problem(str):
    """What is wrong with a place in a file: text for people, with a stable code for programs."""

    path: str
    code: str
    params: dict[str, str]
    message: str

    def __new__(cls, path: str, code: str, params: dict[str, str]) -> Problem:
        message = in_words(code, params, "en")
        made = super().__new__(cls, f"{shown(path) or 'The document'} {message}")
        made.path, made.code, made.params, made.message = path, code, params, message
        return made

    def as_json(self) -> Members:
        return {"path": self.path, "code": self.code, **({"params": self.params} if self.params else {}), "message": self.message}


def in_words(code: str, params: dict[str, str], language: str) -> str:
    """The sentence, safe to print."""
    sentence: str = PROBLEMS[language][code]
    return re.sub(r"\{(\w+)\}", lambda found: shown(params.get(found[1], "")), sentence)


class Report(Protocol):
    def __call__(self, path: str, code: str, /, **params: str) -> None: ...


def silent(_path: str, _code: str, /, **_params: str) -> None:
    """Reports nothing: what is found counts, and not its faults."""


def as_text(value: Any) -> str:
    """As a program of another language writes a value into a sentence."""
    if isinstance(value, str):
        return value
    if value is MISSING:
        return "undefined"
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if is_number(value):
        return f"{value:.0f}" if float(value).is_integer() and abs(value) < 1e21 else repr(value)
    return ",".join(map(as_text, value)) if is_list(value) else "[object Object]"


def listed(value: Any) -> list[Members]:
    """The entries of a list; what is no object is one without members."""
    return [members_of(each) for each in value] if is_list(value) else []
