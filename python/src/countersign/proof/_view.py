"""The values of an action, as an approver was shown them first, for the sentence that sums up a proof."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from . import _unicode as unicode
from ._json import number_text
from ._values import is_list, is_number, is_object, names_in, shown, units
from ._words import VIEW

Step = str | int
Steps = tuple[Step, ...]


class Shown(NamedTuple):
    steps: Steps
    value: Any
    kind: str
    label: list[str]
    path: str
    text: str


def _parts(value: Any) -> list[tuple[Step, Any]]:
    if is_list(value):
        return list(enumerate(value))
    return [(name, value[name]) for name in names_in(value)] if is_object(value) else []


def _leaves(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """A value without parts of its own: a scalar, or an object or a list without members."""
    parts = _parts(value)
    if not parts:
        yield steps, value
    for step, each in parts:
        yield from _leaves(each, (*steps, step))


def action_values(input: Any, language: str) -> list[Shown]:
    """Of the input: amounts, names and recipients, then all others."""
    leaves = list(_leaves(input))
    short = set(_short_lists(input))
    main = {steps[:-1] for steps, value in leaves if _is_main(steps, value)}

    def is_first(steps: Steps, value: Any) -> bool:
        return _is_main(steps, value) or (steps[:-1] in short and steps[:-1] in main)

    first = [each for each in leaves if is_first(*each)]
    rest = [each for each in leaves if not is_first(*each)]
    return [_shown(steps, value, language) for steps, value in (*first, *rest)]


def _shown(steps: Steps, value: Any, language: str) -> Shown:
    label = [_in_words(step) for step in steps] if steps else [VIEW[language]["action.input"]]
    path = _path_text(steps) if steps else "input:"
    return Shown(steps, value, _kind(value, _is_named(steps[-2:], *_AMOUNTS)), label, path, text_of_value(value))


_AMOUNTS = (
    re.compile(
        r"(amount|amounts|price|prices|total|subtotal|sum|fee|fees|cost|costs|won|krw|usd|eur|jpy|balance|refund|payment"
        r"|tax|vat)\Z"
    ),
    re.compile("금액|가격|합계|요금|비용|수강료|잔액|세액"),
)
_PARTIES = (
    re.compile(
        r"(name|names|recipient|recipients|payee|beneficiary|account|iban|email|phone|to|client|customer|patient|child"
        r"|guardian|parent|member|user)\Z"
    ),
    re.compile("이름|성명|받는|수신|계좌|연락처|전화|보호자|환자|고객|아동|회원"),
)


def _is_named(steps: Sequence[Step], english: re.Pattern[str], korean: re.Pattern[str]) -> bool:
    return any(
        isinstance(step, str)
        and (korean.search(step) is not None or any(english.match(word) for word in _in_words(step).lower().split(" ")))
        for step in steps
    )


def _is_main(steps: Steps, value: Any) -> bool:
    # A path of an action begins with two steps of its own, and the last two of any name an amount.
    return _is_named(steps, *_PARTIES) or (is_number(value) and _is_named(steps[-2:], *_AMOUNTS))


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")


def _in_words(step: Step) -> str:
    """`paidAt` and `paid_at` are read as “Paid at”; other names stay as they are."""
    if isinstance(step, int):
        return str(step + 1)
    if not _NAME.match(step):
        return text_of_value(step)
    spaced = re.sub(r"[_-]+", " ", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", step)).strip()
    plain = re.sub(r"\b[A-Z](?=[a-z])", lambda found: found[0].lower(), spaced, flags=re.A)
    return plain[:1].upper() + plain[1:]


def _kind(value: Any, is_amount: bool) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if is_number(value):
        return "amount" if is_amount else "number"
    if not isinstance(value, str):
        return "empty"
    return "long" if units(value) > 160 or value.count("\n") > 3 else "text"


_SHORT_ITEM = 40


def _short_lists(content: Any, steps: Steps = ()) -> Iterator[Steps]:
    """Lists of more than two short values: they are shown side by side."""
    if is_list(content) and len(content) > 2 and all(map(_is_short, content)):
        yield steps
        return
    for step, each in _parts(content):
        yield from _short_lists(each, (*steps, step))


def _is_short(value: Any) -> bool:
    if isinstance(value, str):
        return value != "" and units(value) <= _SHORT_ITEM and not marks_of(value)
    return is_number(value)


# ---------------------------------------------------------------- texts

_PLAIN_NAME = re.compile(f"[{unicode.FIRST}][{unicode.PLAIN}_$-]*\\Z")


def _path_text(steps: Steps) -> str:
    """A name that could be read as something else is quoted. Items are counted from one, as people do."""

    def one(at: int, step: Step) -> str:
        if isinstance(step, int):
            return f"[{step + 1}]"
        if not _PLAIN_NAME.match(step) or shown(step) != step:
            return f"[{_quoted(step)}]"
        return step if at == 0 else f".{step}"

    return "".join(one(at, step) for at, step in enumerate(steps))


def _quoted(text: str) -> str:
    return '"{}"'.format(shown(text.replace("\\", "\\\\").replace('"', '\\"')))


_BLANK = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NEEDS_QUOTES = re.compile(f'(?:true|false|null|{{}}|\\[\\]|)\\Z|["{_BLANK}]|.*[{_BLANK}]\\Z', re.S)


def text_of_value(value: Any) -> str:
    """What is on the screen. Texts that would be read as another value are quoted."""
    if isinstance(value, str):
        hidden = any(shown(line) != line for line in value.split("\n"))
        if not hidden and not _NEEDS_QUOTES.match(value):
            return value
        return '"' + "\n".join(_quoted(line)[1:-1] for line in value.split("\n")) + '"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if is_number(value):
        return _grouped(value)
    return "[]" if is_list(value) else "{}"


def _grouped(value: float) -> str:
    """From 10,000 on in groups of three digits: a zero more or less is seen."""
    text = number_text(value)
    if abs(value) < 10_000:
        return text
    return re.sub(r"[0-9]+", lambda found: f"{int(found[0]):,}" if found[0][0] != "0" else found[0], text, count=1)


# ---------------------------------------------------------------- letters that deceive

_WORD = re.compile(f"[{unicode.PLAIN}]+")
_LETTER, _COMMON = re.compile(f"[{unicode.LETTER}]"), re.compile(f"[{unicode.COMMON}]")
_TOGETHER = re.compile(f"[{unicode.TOGETHER}]")
_SCRIPTS = [re.compile(f"[{value}]") for name, value in vars(unicode).items() if name.startswith("SCRIPT_")]
# Cyrillic, Greek and Armenian letters that most fonts draw as Latin ones.
_LIKE_LATIN = re.compile("[аеорсухіїјѕԁӏһԛԝүѵзАВЕКМНОРСТУХІЈЅԌԚԜҮΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονυρικτϲϳօսոցհԱՕՍՏ]+\\Z")
# Digits of other scripts, full-width and mathematical letters: NFKC or the eye makes ASCII of them.
_OTHER_FORMS = re.compile(f"[\uff01-\uff5e\U0001d400-\U0001d7ff\u24b6-\u24e9\u2070-\u209c{unicode.OTHER_DIGIT}]")
_RIGHT_TO_LEFT, _INVISIBLE = re.compile(f"[{unicode.RIGHT_TO_LEFT}]"), re.compile(f"[{unicode.INVISIBLE}]")


def _is_mixed(word: str) -> bool:
    found: set[int] = set()
    for char in word:
        if not _LETTER.match(char) or _COMMON.match(char):
            continue
        together = -2 if _TOGETHER.match(char) else None
        found.add(together or next((at for at, script in enumerate(_SCRIPTS) if script.match(char)), -1))
    return len(found) > 1


def marks_of(text: str) -> list[str]:
    words = _WORD.findall(text)
    alike = _OTHER_FORMS.search(text) is not None or any(_LIKE_LATIN.match(word) for word in words)
    return [
        *(["mixed"] if any(map(_is_mixed, words)) else []),
        *(["lookAlike"] if alike else []),
        *(["rightToLeft"] if _RIGHT_TO_LEFT.search(text) else []),
        *(["hidden"] if _INVISIBLE.search(text) else []),
    ]
