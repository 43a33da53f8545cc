"""Calls with the same key at the same time share one run and its result."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any

_lock = threading.Lock()
_in_threads: dict[str, Future[Any]] = {}
_in_loops: dict[tuple[int, str], asyncio.Task[Any]] = {}


def in_thread(key: str, work: Callable[[], Any]) -> Any:
    with _lock:
        running = _in_threads.get(key)
        mine = None if running else Future[Any]()
        if mine:
            _in_threads[key] = mine
    if running:
        return running.result()
    assert mine is not None
    try:
        mine.set_result(work())
    except BaseException as error:
        mine.set_exception(error)
    finally:
        with _lock:
            del _in_threads[key]
    return mine.result()


async def in_loop(key: str, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """One that is cancelled leaves the others their result: the run goes on as long as somebody waits for it."""
    place = (id(asyncio.get_running_loop()), key)
    task = _in_loops.get(place)
    if task is None:
        task = _in_loops[place] = asyncio.ensure_future(work())
        task.add_done_callback(lambda _: _in_loops.pop(place, None))
        waiting[task] = 0
    waiting[task] += 1
    try:
        return await asyncio.shield(task)
    finally:
        waiting[task] -= 1
        if waiting[task] == 0:
            del waiting[task]
            if not task.done():
                _in_loops.pop(place, None)
                task.cancel()


waiting: dict[asyncio.Task[Any], int] = {}
