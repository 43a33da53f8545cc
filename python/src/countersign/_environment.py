"""Defaults from the environment. A program's own options always win, and an empty variable counts as one that isn't set."""

from __future__ import annotations

import os
from pathlib import Path


def from_environment(name: str) -> str | None:
    return os.environ.get(name) or None


def url_from_environment() -> str:
    url = from_environment("COUNTERSIGN_URL")
    if url is None:
        raise TypeError("base_url isn't set. Pass the server's address, or set COUNTERSIGN_URL.")
    return url


def api_key_from_environment() -> str:
    key = from_environment("COUNTERSIGN_API_KEY")
    if key is None:
        raise TypeError("api_key isn't set. Pass an API key (csk_…), or set COUNTERSIGN_API_KEY.")
    return key


def center_from_environment() -> int | None:
    text = from_environment("COUNTERSIGN_CENTER")
    return None if text is None else int(text)


def trust_from_environment() -> str | None:
    """The text of the variable itself, or of the file that the other one names."""
    text, file = from_environment("COUNTERSIGN_TRUST"), from_environment("COUNTERSIGN_TRUST_FILE")
    return text if text is not None or file is None else Path(file).read_text("utf-8")
