"""Tells when a decision has changed, from the server's event stream, so that a program that waits need not ask again and again."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Protocol

from ._steps import Clock, NoStream, Request

# `ready` too, because the decision may have changed before the stream was open.
_SIGNS = re.compile(r"event: (?:ready|change|reload)\r?\Z")
# A stream may break without a sign: a decision is read again after this time anyway.
LONGEST_LIVE = 60.0


class _State:
    """What both kinds of bell know of their stream."""

    def __init__(self) -> None:
        self.opening = self.live = self.none = self.closed = False
        self._next = 0.0

    def opens(self, pause: float) -> bool:
        """Streams that always break are opened no more often than a program without streams would ask."""
        now = time.monotonic()
        if self.opening or self.none or now < self._next:
            return False
        self.opening, self._next = True, now + pause
        return True

    def pause(self, pause: float, left: float) -> float:
        return min(LONGEST_LIVE if self.live else pause, left)


class Rests(Protocol):
    """A clock whose pauses end when an event is set. With another clock, a program that waits asks again."""

    def wait(self, rung: threading.Event, seconds: float) -> None: ...

    async def wait_async(self, rung: asyncio.Event, seconds: float) -> None: ...


def _nothing() -> None:
    pass


class ThreadBell(_State):
    """Listens in a thread of its own, which a program that ends doesn't wait for."""

    def __init__(self, lines: Callable[[Request, Any], Iterator[str]] | None, clock: Clock, request: Request) -> None:
        super().__init__()
        self._lines, self._clock, self._request = lines, clock, request
        self._rung, self._cut = threading.Event(), _nothing

    def _opened(self, cut: Callable[[], None]) -> None:
        self._cut = cut
        if self.closed:
            cut()

    def _listen(self) -> None:
        try:
            assert self._lines is not None
            for line in self._lines(self._request, self._opened):
                if _SIGNS.match(line):
                    self.live = True
                    self._rung.set()
        except NoStream:
            self.none = True
        except Exception:  # a stream that breaks is opened again, and the decision is read meanwhile
            pass
        finally:
            was_live, self.opening, self.live = self.live, False, False
            if was_live:
                self._rung.set()

    def rest(self, pause: float, left: float) -> None:
        wait: Any = getattr(self._clock, "wait", None)
        if self._lines is None or wait is None:
            return self._clock.sleep(min(pause, left))
        if self.opens(pause):
            threading.Thread(target=self._listen, name="countersign-stream", daemon=True).start()
        wait(self._rung, self.pause(pause, left))
        self._rung.clear()

    def close(self) -> None:
        self.closed = True
        self._cut()


class LoopBell(_State):
    """Listens in a task of the running event loop."""

    def __init__(self, lines: Callable[[Request], AsyncIterator[str]] | None, clock: Clock, request: Request) -> None:
        super().__init__()
        self._lines, self._clock, self._request = lines, clock, request
        self._rung = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def _listen(self) -> None:
        try:
            assert self._lines is not None
            async for line in self._lines(self._request):
                if _SIGNS.match(line):
                    self.live = True
                    self._rung.set()
        except NoStream:
            self.none = True
        except Exception:  # as in `ThreadBell`
            pass
        finally:
            was_live, self.opening, self.live = self.live, False, False
            if was_live:
                self._rung.set()

    async def rest(self, pause: float, left: float) -> None:
        wait: Any = getattr(self._clock, "wait_async", None)
        if self._lines is None or wait is None:
            return await self._clock.sleep_async(min(pause, left))
        if self.opens(pause):
            self._task = asyncio.create_task(self._listen())
        await wait(self._rung, self.pause(pause, left))
        self._rung.clear()

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
