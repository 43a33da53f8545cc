"""Columns, colors and folded lines: only on a terminal, so that what a program reads stays whole."""

from __future__ import annotations

import os
import re
import shutil
import sys

_WIDE = re.compile("[\u1100-\u11ff\u3000-\ud7ff\uff00-\uff60]")
_COLORS = {"yes": 32, "no": 31, "unknown": 33}
_CONTROL = re.compile("\x1b\\[[0-9;]*m")
_NARROWEST = 40
# Two blanks, or a mark at the beginning of the line.
_GAP = re.compile(r"\S\s{2,}(?=\S)|^\s*[✓✗?~+-] (?=\S)")


def width_of(text: str) -> int:
    """A Hangul syllable takes two columns in a terminal."""
    return len(text) + len(_WIDE.findall(text))


def padded(text: str, width: int) -> str:
    return text + " " * max(0, width - width_of(text))


def coloured(status: str, text: str) -> str:
    """NO_COLOR and FORCE_COLOR take precedence over the terminal."""
    forced = os.environ.get("FORCE_COLOR")
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") if forced is None else forced not in ("0", "false")
    return f"\x1b[{_COLORS[status]}m{text}\x1b[39m" if wanted else text


def folded(text: str) -> str:
    """Lines for people end where the terminal does, between words."""
    if not sys.stdout.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(_folded_line(line, width) for line in text.split("\n"))


def _visible(text: str) -> int:
    return width_of(_CONTROL.sub("", text))


def _hang(line: str, width: int) -> int:
    """The last column of a row, if it begins in the first half of the terminal; otherwise the beginning of the line."""
    plain = _CONTROL.sub("", line)
    gaps = [found.end() for found in _GAP.finditer(plain)]
    starts = [len(plain) - len(plain.lstrip()), *(width_of(plain[:at]) for at in gaps)]
    return next((at for at in reversed(starts) if at <= width / 2), 0)


def _folded_line(line: str, width: int) -> str:
    if width < _NARROWEST or _visible(line) <= width:
        return line
    hang, lines, current = _hang(line, width), list[str](), ""
    # Each word takes the blanks before it along, so that columns stay where they are.
    for word in re.findall(r"\s*\S+", line):
        if not current.strip() or _visible(current + word) <= width:
            current += word
        else:
            lines.append(current)
            current = " " * hang + word.lstrip()
    return "\n".join([*lines, current])
