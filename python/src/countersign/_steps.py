"""One core for both clients: code that needs I/O is a generator of what it needs, and a runner does it, waiting or awaiting."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout: float
    """For the whole attempt, in seconds; for each part of a stream."""
    stream: bool = False
    """The answer is given out while it comes, where the transport can do that."""


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


@dataclass(frozen=True)
class Streamed(Response):
    """The status and the headers are there; the body comes."""

    lines: Any
    """An iterator, or an asynchronous one. Raises `Lost` where the body ends early."""
    close: Callable[[], Any]


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class OpenBell:
    """Gives a bell that rings when the stream of this request has a sign."""

    request: Request


@dataclass(frozen=True)
class Rest:
    """Sleeps for the pause, or until the bell rings; while its stream is live, for longer than the pause."""

    bell: Any
    pause: float
    left: float


@dataclass(frozen=True)
class Invoke:
    """Calls a function of the program. Only the asynchronous runner takes one that returns an awaitable."""

    function: Callable[..., Any]
    args: tuple[Any, ...] = ()


Effect: TypeAlias = "Request | Sleep | OpenBell | Rest | Invoke | Join"
Steps: TypeAlias = Generator[Effect, Any, T]


@dataclass(frozen=True)
class Join:
    """Runs the steps once for all that ask with the same key at the same time."""

    key: str
    steps: Callable[[], Steps[Any]]


class Clock(Protocol):
    """The time, which tests replace."""

    def now(self) -> float:
        """Seconds since 1970."""
        ...

    def sleep(self, seconds: float) -> None: ...

    async def sleep_async(self, seconds: float) -> None: ...


class SystemClock:
    """Also ends a pause when an event is set, which other clocks need not."""

    def now(self) -> float:
        return time.time()

    def wait(self, rung: threading.Event, seconds: float) -> None:
        rung.wait(seconds)

    async def wait_async(self, rung: asyncio.Event, seconds: float) -> None:
        try:
            await asyncio.wait_for(rung.wait(), seconds)
        except asyncio.TimeoutError:
            pass

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def sleep_async(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Transport(Protocol):
    """
    Sends a request and reads the whole response. Raises `Lost` when there is no complete one. One that also has `lines`, as
    `HttpTransport` does, lets a program wait without asking again; one that has `open` gives out entries while they come.
    """

    def send(self, request: Request) -> Response: ...

    def close(self) -> None: ...


class AsyncTransport(Protocol):
    """As `Transport`."""

    async def send(self, request: Request) -> Response: ...

    async def close(self) -> None: ...


class Lost(Exception):
    """There was no complete response."""

    def __init__(self, why: str, *, timed_out: bool = False) -> None:
        super().__init__(why)
        self.timed_out = timed_out


class NoStream(Exception):
    """The server has no stream, or not for this program."""


@dataclass(frozen=True)
class Runner:
    """Runs steps in this thread."""

    transport: Transport
    clock: Clock

    def run(self, steps: Steps[T]) -> T:
        def perform(effect: Effect) -> Any:
            if isinstance(effect, Request):
                opens = getattr(self.transport, "open", None) if effect.stream else None
                return opens(effect) if opens else self.transport.send(effect)
            if isinstance(effect, Sleep):
                return self.clock.sleep(effect.seconds)
            if isinstance(effect, OpenBell):
                from ._bell import ThreadBell

                return ThreadBell(getattr(self.transport, "lines", None), self.clock, effect.request)
            if isinstance(effect, Rest):
                return effect.bell.rest(effect.pause, effect.left)
            if isinstance(effect, Join):
                return _joined_in_thread(effect, self)
            result = effect.function(*effect.args)
            if inspect.isawaitable(result):
                if inspect.iscoroutine(result):
                    result.close()
                raise TypeError("The function is asynchronous. Use AsyncCountersign, or a plain function.")
            return result

        answer: Any = None
        failure: BaseException | None = None
        try:
            while True:
                effect = steps.send(answer) if failure is None else steps.throw(failure)
                answer, failure = None, None
                try:
                    answer = perform(effect)
                except BaseException as error:  # the steps decide what it means
                    failure = error
        except StopIteration as end:
            return cast(T, end.value)


@dataclass(frozen=True)
class AsyncRunner:
    """Runs steps in the running event loop."""

    transport: AsyncTransport
    clock: Clock

    async def run(self, steps: Steps[T]) -> T:
        async def perform(effect: Effect) -> Any:
            if isinstance(effect, Request):
                opens = getattr(self.transport, "open", None) if effect.stream else None
                return await (opens(effect) if opens else self.transport.send(effect))
            if isinstance(effect, Sleep):
                return await self.clock.sleep_async(effect.seconds)
            if isinstance(effect, OpenBell):
                from ._bell import LoopBell

                return LoopBell(getattr(self.transport, "lines", None), self.clock, effect.request)
            if isinstance(effect, Rest):
                return await effect.bell.rest(effect.pause, effect.left)
            if isinstance(effect, Join):
                return await _joined_in_loop(effect, self)
            result = effect.function(*effect.args)
            return await result if inspect.isawaitable(result) else result

        answer: Any = None
        failure: BaseException | None = None
        try:
            while True:
                effect = steps.send(answer) if failure is None else steps.throw(failure)
                answer, failure = None, None
                try:
                    answer = await perform(effect)
                except BaseException as error:  # the steps decide what it means
                    failure = error
        except StopIteration as end:
            return cast(T, end.value)


def _joined_in_thread(effect: Join, runner: Runner) -> Any:
    from ._together import in_thread

    return in_thread(effect.key, lambda: runner.run(effect.steps()))


async def _joined_in_loop(effect: Join, runner: AsyncRunner) -> Any:
    from ._together import in_loop

    return await in_loop(effect.key, lambda: runner.run(effect.steps()))
