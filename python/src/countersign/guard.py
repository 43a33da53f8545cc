"""Runs a function only if exactly this call was decided, was approved if a policy requires it, and is consumed once."""

from __future__ import annotations

import contextvars
import functools
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar, cast, overload

from typing_extensions import ParamSpec

from ._guard_steps import Asked, GuardedCall, Guarding, Taken, ToolTerms
from ._guard_terms import Level, Terms
from ._guard_values import GuardError, GuardReason, Refusal
from .client import AsyncCountersign, Countersign
from .proof import TrustPolicy
from .proof import parse_policy as parse_trust

__all__ = [
    "Asked",
    "AsyncGuarded",
    "Guard",
    "GuardError",
    "GuardReason",
    "Guarded",
    "Refusal",
    "Running",
    "TrustPolicy",
    "current_event_id",
    "parse_trust",
]

P = ParamSpec("P")
R = TypeVar("R")
Json = Mapping[str, Any]
_event_id: contextvars.ContextVar[str | None] = contextvars.ContextVar("countersign_event_id", default=None)


def current_event_id() -> str:
    """In a guarded function: the decision's event ID, which you pass on as an idempotency key."""
    found = _event_id.get()
    if found is None:
        raise RuntimeError("No guarded call is running here.")
    return found


class _GuardedBase(Generic[P, R]):
    def __init__(self, guard: Guard, tool: ToolTerms, function: Callable[P, Any], call_id: Any) -> None:
        self._guard, self._tool, self._function, self._call_id = guard, tool, function, call_id
        self._signature = inspect.signature(function)
        functools.update_wrapper(cast(Any, self), function)

    def _arguments(self, args: Any, kwargs: Any) -> dict[str, Any]:
        """By name, with the defaults: a person approves all of them."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given: dict[str, Any] = {}
        for name, value in bound.arguments.items():
            kind = self._signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL or kind is inspect.Parameter.POSITIONAL_ONLY:
                raise TypeError(f"{name} has no name in a call. Use parameters that can be passed by name.")
            given.update(value) if kind is inspect.Parameter.VAR_KEYWORD else given.update({name: value})
        return given

    def _called(self, given: Json, call_id: str | None, reason: str | None, ai_context: Json | None) -> GuardedCall:
        id = call_id or (self._call_id(given) if callable(self._call_id) else self._call_id)
        if not isinstance(id, str) or id == "":
            raise TypeError("The call has no ID. Give the decorator a call_id, or use run(…, call_id=…).")
        return GuardedCall(id, reason, ai_context)


class Guarded(_GuardedBase[P, R]):
    """A guarded function: called as before, it runs only what was approved."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.run(self._arguments(args, kwargs))

    def run(self, input: Json, *, call_id: str | None = None, reason: str | None = None, ai_context: Json | None = None) -> R:
        """Calls with the arguments by name. The same ID continues the same decision, even in another process."""
        client = self._guard.sync_client()

        def work(taken: Taken) -> Any:
            token = _event_id.set(taken.event_id)
            try:
                return cast(Any, self._function)(**taken.input)
            finally:
                _event_id.reset(token)

        called = self._called(input, call_id, reason, ai_context)
        return client.runner.run(self._guard.guarding.run(client.settings, self._tool, input, called, work))

    def ask(self, input: Json, *, call_id: str | None = None, reason: str | None = None, ai_context: Json | None = None) -> Asked:
        """Requests the decision and waits for it as a call does, but runs nothing. For programs that stop while a person decides."""
        client = self._guard.sync_client()
        called = self._called(input, call_id, reason, ai_context)
        return client.runner.run(self._guard.guarding.ask(client.settings, self._tool, input, called))


class AsyncGuarded(_GuardedBase[P, R]):
    """As `Guarded`, for an asynchronous function."""

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self.run(self._arguments(args, kwargs))

    async def run(
        self, input: Json, *, call_id: str | None = None, reason: str | None = None, ai_context: Json | None = None
    ) -> R:
        """As in `Guarded`."""
        client = self._guard.async_client()

        async def work(taken: Taken) -> Any:
            token = _event_id.set(taken.event_id)
            try:
                return await cast(Any, self._function)(**taken.input)
            finally:
                _event_id.reset(token)

        called = self._called(input, call_id, reason, ai_context)
        return await client.runner.run(self._guard.guarding.run(client.settings, self._tool, input, called, work))

    async def ask(
        self, input: Json, *, call_id: str | None = None, reason: str | None = None, ai_context: Json | None = None
    ) -> Asked:
        """As in `Guarded`."""
        client = self._guard.async_client()
        called = self._called(input, call_id, reason, ai_context)
        return await client.runner.run(self._guard.guarding.ask(client.settings, self._tool, input, called))


class Running:
    """Inside `with guard.call(…)`: the right to run the call once."""

    def __init__(self, taken: Taken) -> None:
        self.event_id = taken.event_id
        """Pass it on as an idempotency key."""
        self.input = taken.input
        """Exactly the values that were approved."""
        self.output: Any = None
        """Set it to what is to be reported and sealed."""


class Guard:
    """
    What all calls of an agent share. `client`, `trust` and `center` are those of the environment by default. `requires`,
    `approvers`, `confirmed_by`, `bound_before`, `within` and `on_done` can be given here or for one function, as a value or as a
    function of the arguments.
    """

    def __init__(
        self,
        agent: str | Json,
        *,
        client: Countersign | AsyncCountersign | None = None,
        trust: TrustPolicy | str | None = None,
        center: int | Callable[[Json], int] | None = None,
        sandbox: bool | None = None,
        requires: Level | Callable[[Json], Any] | None = None,
        approvers: Sequence[str] | Callable[[Json], Any] | None = None,
        confirmed_by: Sequence[str] | Callable[[Json], Any] | None = None,
        bound_before: datetime | Callable[[Json], Any] | None = None,
        within: float | Callable[[Json], float] | None = None,
        on_done: Literal["raise", "replay"] | None = None,
        on_waiting: Callable[[Json], Any] | None = None,
        on_proof: Callable[[str, str], Any] | None = None,
        on_unreported: Callable[[BaseException, str], Any] | None = None,
    ) -> None:
        terms = Terms(center, requires, approvers, confirmed_by, bound_before, within, on_done)
        named: Json = {"id": agent} if isinstance(agent, str) else agent
        self.guarding = Guarding(named, trust, sandbox, terms, on_waiting, on_proof, on_unreported)
        self.guarding.check()
        self._client = client

    def sync_client(self) -> Countersign:
        if self._client is None:
            self._client = Countersign()
        if not isinstance(self._client, Countersign):
            raise TypeError("The guard has an AsyncCountersign. Use Countersign for plain functions.")
        return self._client

    def async_client(self) -> AsyncCountersign:
        if self._client is None:
            self._client = AsyncCountersign()
        if not isinstance(self._client, AsyncCountersign):
            raise TypeError("The guard has a Countersign. Use AsyncCountersign for asynchronous functions.")
        return self._client

    def tool(
        self,
        action: str,
        *,
        name: str | None = None,
        describe: str | Callable[[Json], str] | None = None,
        reason: str | Callable[[Json], str] | None = None,
        risk_score: float | Callable[[Json], float] | None = None,
        idempotent: bool = False,
        report: Callable[[Any], Any] | None = None,
        restore: Callable[[Any], Any] | None = None,
        call_id: Callable[[Json], str] | None = None,
        center: int | Callable[[Json], int] | None = None,
        requires: Level | Callable[[Json], Any] | None = None,
        approvers: Sequence[str] | Callable[[Json], Any] | None = None,
        confirmed_by: Sequence[str] | Callable[[Json], Any] | None = None,
        bound_before: datetime | Callable[[Json], Any] | None = None,
        within: float | Callable[[Json], float] | None = None,
        on_done: Literal["raise", "replay"] | None = None,
    ) -> ToolTerms:
        """What is known of a tool without running it. For adapters; functions are guarded with the decorator."""
        terms = Terms(center, requires, approvers, confirmed_by, bound_before, within, on_done)
        self.guarding.check(terms)
        return ToolTerms(action, name or action, terms, describe, reason, risk_score, idempotent, report, restore, call_id)

    def __call__(self, action: str, *, call_id: str | Callable[[Json], str] | None = None, **terms: Any) -> _Decorator:
        """
        Guards a function: `@guard("refund.issue", call_id=lambda given: f"refund-{given['order']}")`. `call_id` is unique in the
        center and the same every time this call is made: the same ID continues the same decision, even in another process.
        """
        return _Decorator(self, self.tool(action, **terms), call_id)

    @contextmanager
    def call(
        self, action: str, input: Json, *, call_id: str, reason: str | None = None, ai_context: Json | None = None, **terms: Any
    ) -> Generator[Running, None, None]:
        """`with guard.call("refund.issue", {...}, call_id="…") as call:` raises `GuardError` unless the block may run, once."""
        client, tool = self.sync_client(), self.tool(action, **terms)
        called = GuardedCall(call_id, reason, ai_context)
        taken = client.runner.run(self.guarding.take(client.settings, tool, input, called))
        running = _started(taken)
        try:
            yield running
        except BaseException as error:
            client.runner.run(self.guarding.report(client.settings, taken, *_failure(error)))
            raise
        client.runner.run(self.guarding.report(client.settings, taken, "succeeded", running.output))

    @asynccontextmanager
    async def call_async(
        self, action: str, input: Json, *, call_id: str, reason: str | None = None, ai_context: Json | None = None, **terms: Any
    ) -> AsyncGenerator[Running, None]:
        """As `call`, with `async with`."""
        client, tool = self.async_client(), self.tool(action, **terms)
        called = GuardedCall(call_id, reason, ai_context)
        taken = await client.runner.run(self.guarding.take(client.settings, tool, input, called))
        running = _started(taken)
        try:
            yield running
        except BaseException as error:
            await client.runner.run(self.guarding.report(client.settings, taken, *_failure(error)))
            raise
        await client.runner.run(self.guarding.report(client.settings, taken, "succeeded", running.output))


def _started(taken: Taken) -> Running:
    if taken.executor is None:
        raise GuardError("done", "An earlier attempt already ran this call: succeeded.", taken.event_id)
    return Running(taken)


def _failure(error: BaseException) -> tuple[str, Any]:
    # One that was interrupted may have had an effect.
    is_unknown = not isinstance(error, Exception) or (isinstance(error, GuardError) and error.reason == "unknown")
    return "unknown" if is_unknown else "failed", {"error": str(error) or type(error).__name__}


class _Decorator:
    def __init__(self, guard: Guard, tool: ToolTerms, call_id: Any) -> None:
        self._guard, self._tool, self._call_id = guard, tool, call_id

    @overload
    def __call__(  # pyright: ignore[reportOverlappingOverload]
        self, function: Callable[P, Awaitable[R]]
    ) -> AsyncGuarded[P, R]: ...
    @overload
    def __call__(self, function: Callable[P, R]) -> Guarded[P, R]: ...
    def __call__(self, function: Callable[P, Any]) -> Any:
        kind: Any = AsyncGuarded if inspect.iscoroutinefunction(function) else Guarded
        return kind(self._guard, self._tool, function, self._call_id)
