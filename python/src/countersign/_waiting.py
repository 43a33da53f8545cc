"""Waits until a person approves or refuses a decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ._call import CallOptions, Settings, address_for, call
from ._resource import row_of
from ._steps import Invoke, OpenBell, Request, Rest, Sleep, Steps
from .errors import ApprovalPendingError, ConnectionError, RateLimitError, ServerError

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 15.0
# The server sends a comment more often than this.
_LONGEST_SILENCE = 90.0

Told = Callable[[Mapping[str, Any]], Any]


def wait_for_approval(
    settings: Settings, event_id: str, within: float, on_waiting: Told | None = None, on_read: Told | None = None
) -> Steps[Mapping[str, Any]]:
    """
    The decision as JSON. The first reading is not cut short: with no time at all the present state still counts. The server's event
    stream says when to read it again; where there's no stream, pauses between reads grow.
    """
    if not within >= 0:
        raise TypeError(f"within is {within}. Use a number of seconds.")
    bell = yield OpenBell(_stream_of(settings, event_id))
    try:
        return (yield from _read_until(settings, bell, event_id, within, on_waiting, on_read))
    finally:
        bell.close()


def _stream_of(settings: Settings, event_id: str) -> Request:
    url = address_for(row_of("decisions.get"), settings.base_url, (event_id,)) + "/stream"
    headers = {"accept": "text/event-stream", "authorization": f"Bearer {settings.api_key}"}
    return Request("GET", url, headers, None, _LONGEST_SILENCE)


def _read_until(
    settings: Settings, bell: Any, event_id: str, within: float, on_waiting: Told | None, on_read: Told | None
) -> Steps[Mapping[str, Any]]:
    clock = settings.clock
    end = clock.now() + within
    pause, decision, is_told, attempted = FIRST_PAUSE, None, False, False
    while True:
        asked = 0.0
        left = max(0.0, end - clock.now())
        # A later reading ends with the wait, which may be in the middle of its attempts.
        bounded = settings if not attempted else _ending(settings, end)
        try:
            limit = None if not attempted else min(settings.timeout, max(left, 0.001))
            answer = yield from call(bounded, row_of("decisions.get"), (event_id,), None, CallOptions(timeout=limit))
            decision = answer.data
            # `approved`: one of two approvals is given, and the other is missing.
            if decision["status"] in ("sealed", "rejected"):
                return decision
            if not is_told and on_waiting is not None:
                yield Invoke(on_waiting, (decision,))
            is_told = True
            if on_read is not None:
                yield Invoke(on_read, (decision,))
        except (ConnectionError, ServerError, RateLimitError) as error:
            asked = (getattr(error, "retry_after", None) or 0.0) if isinstance(error, RateLimitError) else 0.0
        attempted = True
        left = end - clock.now()
        if left <= 0:
            raise ApprovalPendingError(event_id, decision)
        yield Sleep(min(asked, left)) if asked > pause else Rest(bell, pause, left)
        if clock.now() >= end:
            raise ApprovalPendingError(event_id, decision)
        pause = min(pause * 1.5, LONGEST_PAUSE)


def _ending(settings: Settings, end: float) -> Settings:
    left = max(0.0, end - settings.clock.now())
    return (
        settings
        if left > settings.max_retry_after
        else Settings(settings.base_url, settings.api_key, settings.timeout, left, settings.clock)
    )
