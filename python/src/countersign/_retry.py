"""When a call is retried: at most four attempts, 1, 2 and 4 seconds apart, or longer if the server asks for it."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

_WAITS = (1.0, 2.0, 4.0)
_RETRYABLE = frozenset({429, 500, 502, 503, 504})


def wait_after_status(status: int, attempt: int, asked: float | None, most: float) -> float | None:
    """None: no further attempt. `asked` is what `Retry-After` asks for."""
    if attempt > len(_WAITS) or status not in _RETRYABLE:
        return None
    wait = max(_WAITS[attempt - 1], asked or 0.0)
    return None if wait > most else wait


def wait_after_loss(attempt: int, harmless: bool) -> float | None:
    """Without a response, the outcome is unknown: only requests that are harmless when repeated are sent again."""
    return _WAITS[attempt - 1] if harmless and attempt <= len(_WAITS) else None


def retry_after(header: str | None, now: float) -> float | None:
    """Seconds or a date; None when absent or neither."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,10}", header):
        return float(header)
    try:
        at = parsedate_to_datetime(header).timestamp()
    except (TypeError, ValueError, IndexError):
        return None
    return max(0.0, at - now)
