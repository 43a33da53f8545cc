"""Puts values into the sentences of the catalogs that all languages of ours share: packages/words/say.ts describes the form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ._json import number_text
from ._values import is_number, members_of, shown, units

Show = Callable[[Any], str]
Values = Mapping[str, Any]

_TOKENS = re.compile(r"(\[\[|\]\]|\||\{[^}]*\})")
_PLACE = re.compile(r"\{([-+?]?)([\w.]+)(?:, ([^\W\d_]+))?\}\Z")

# Korean particles follow the sound of the word before them.
_PARTICLES = {"은는": ("은", "는"), "이가": ("이", "가"), "을를": ("을", "를"), "과와": ("과", "와"), "으로": ("으로", "로")}
_DIGIT_ENDS = (21, 8, 0, 16, 0, 0, 1, 8, 8, 0)
_RIEUL = 8


def _final_of(text: str) -> int | None:
    """The final consonant of the last syllable, 0 for none, None where it can't be known."""
    last = re.sub(r"[\s\"'”’)\].,]+\Z", "", text)[-1:]
    if last and last in "0123456789":
        return _DIGIT_ENDS[int(last)]
    return (ord(last) - 0xAC00) % 28 if "\uac00" <= last <= "\ud7a3" else None


def with_particle(text: str, particle: str) -> str:
    after, otherwise = _PARTICLES[particle]
    final = _final_of(text)
    if final is None:
        return f"{text}{after}({otherwise})"
    closed = final != 0 and not (particle == "으로" and final == _RIEUL)
    return text + (after if closed else otherwise)


def plain(value: Any) -> str:
    return number_text(value) if is_number(value) else str(value)


def fill(sentence: str, values: Values, show: Show = plain, absent: Callable[[str], str | None] = lambda _: None) -> str | None:
    """None where a value outside of brackets is absent, unless `absent` says what stands in its place."""
    tokens = [each for each in _TOKENS.split(sentence)]
    position = 0

    def first_complete(inside: bool) -> str | None:
        nonlocal position
        texts: list[str | None] = [""]
        while position < len(tokens) and not (inside and tokens[position] == "]]"):
            text: str | None = tokens[position]
            if text == "|" and inside:
                texts.append("")
                position += 1
                continue
            if text == "[[":
                position += 1
                text = first_complete(True) or ""
            elif text and text.startswith("{"):
                found = _place(text, values, show)
                text = found if found is not None else None if inside else absent(text)
            before = texts.pop()
            texts.append(None if before is None or text is None else before + text)
            position += 1
        return next((each for each in texts if each is not None), None)

    return first_complete(False)


def _place(text: str, values: Values, show: Show) -> str | None:
    """What is no place, as `{ }`, stays as it is."""
    found = _PLACE.match(text)
    if found is None:
        return text
    mark, path, form = found.groups()
    particle = form if form in _PARTICLES else None
    value: Any = dict(values)
    for member in (path if form is None or particle else f"{path} {form}").split("."):
        value = members_of(value).get(member)
    if value is None or (mark == "?" and value == 0):
        return None
    said = show(-value if mark == "-" else value)
    if mark == "+" and value >= 0:
        return f"+{said}"
    return with_particle(said, particle) if particle else said


class Saying:
    """The sentences of one catalog in one language, with values as they are."""

    def __init__(self, catalog: Mapping[str, Mapping[str, str]], language: str) -> None:
        self._words, self._language = catalog[language], language

    def __call__(self, key: str, **values: Any) -> str:
        one = f"{key}_one" if self._language == "en" and values.get("count") == 1 else key
        return fill(self._words.get(one, self._words[key]), values, plain, str) or ""


_LONGEST, _HEAD, _TAIL = 1000, 700, 200
# The API and the formats count entries from 0; sentences count them as people do, from 1.
_PLACES = ("entry", "first", "last", "stop", "change")


def grouped(value: float) -> str:
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.0f}"


class Speech:
    """The command's sentences in one language, safe to print."""

    def __init__(self, language: str) -> None:
        from ._words import WORDS

        self.language = language
        self._words: Mapping[str, str] = WORDS[language]

    def __call__(self, key: str, /, **facts: Any) -> str:
        index = facts.get("index")
        given = {**facts, **({"entry": index} if index is not None else {})}
        counted = {name: each + 1 if name in _PLACES and is_number(each) else each for name, each in given.items()}
        return fill(self._words[key], counted, self._show, lambda _: "") or ""

    def _show(self, value: Any) -> str:
        return grouped(value) if is_number(value) else self.printed(str(value))

    def printed(self, text: str) -> str:
        """Begins and ends as the text does, with its length between them: a value of a file may have any length."""
        if units(text) <= _LONGEST:
            return shown(text)
        # Cut where other programs cut: `shown` escapes half of a character there.
        raw = text.encode("utf-16-le", "surrogatepass")
        head, tail = (each.decode("utf-16-le", "surrogatepass") for each in (raw[: 2 * _HEAD], raw[-2 * _TAIL :]))
        length = fill(self._words["characters"], {"count": f"{units(text):,}"})
        return f"{shown(head)} … ({length}) … {shown(tail)}"
