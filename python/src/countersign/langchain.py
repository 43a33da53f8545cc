"""Guards the tools of a LangChain or LangGraph agent: `create_agent(…, middleware=[guard_tool_calls(guard)])`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage
from langgraph.types import interrupt

from ._adapter import Adapted, Json, Tools, denial_of, told_of, waiting_of
from ._guard_steps import Taken
from .guard import Guard, GuardError

__all__ = ["GuardToolCalls", "guard_tool_calls"]


class _FailedTool(Exception):
    """A tool whose failure another middleware has made into a message."""

    def __init__(self, result: Any) -> None:
        super().__init__(result.content if isinstance(result.content, str) else "The tool failed.")
        self.result = result


def _content(message: Any) -> Any:
    return message.content


def _required(result: Any) -> Any:
    if getattr(result, "status", None) == "error":
        raise _FailedTool(result)
    return result


class GuardToolCalls(AgentMiddleware):  # pyright: ignore[reportMissingTypeArgument]
    """
    While a person has to decide, the run stops with an interrupt whose value has `type`, `eventId`, `approvalUrl` and `message`;
    `Command(resume=True)` continues it, in this process or in another one with the same checkpointer.
    """

    def __init__(self, adapted: Adapted) -> None:
        super().__init__()
        self._adapted = adapted

    @property
    def name(self) -> str:
        return "Countersign"

    def _prepared(self, request: Any, work: Callable[[Any], Any]) -> tuple[Any, Any, Any] | None:
        call = request.tool_call

        def restored(content: Any) -> ToolMessage:
            return ToolMessage(content, tool_call_id=call["id"], name=call["name"])

        tool = self._adapted.tool(call["name"], report=_content, restore=restored)
        if tool is None:
            return None
        config: Mapping[str, Any] = request.runtime.config or {}
        configurable: Mapping[str, Any] = config.get("configurable") or {}
        called = self._adapted.called(tool, call["args"], configurable.get("thread_id"), call["id"])

        def run(taken: Taken) -> Any:
            return work(request.override(tool_call={**call, "args": taken.input}))

        return tool, called, run

    def _after(self, request: Any, error: GuardError) -> ToolMessage | None:
        """What the model is told. None: the run was continued, and the call is made again."""
        if error.reason == "unverified":
            raise error
        if error.reason == "waiting":
            # It raises until the run is resumed, and returns then.
            interrupt(waiting_of(error))
            return None
        call = request.tool_call
        return ToolMessage(told_of(error), tool_call_id=call["id"], name=call["name"], status="error", artifact=denial_of(error))

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        prepared = self._prepared(request, lambda each: _required(handler(each)))
        if prepared is None:
            return handler(request)
        tool, called, work = prepared
        client = self._adapted.guard.sync_client()
        while True:
            try:
                steps = self._adapted.guarding.run(client.settings, tool, request.tool_call["args"], called, work)
                return client.runner.run(steps)
            except _FailedTool as failed:
                return failed.result
            except GuardError as error:
                if (message := self._after(request, error)) is not None:
                    return message

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        async def checked(each: Any) -> Any:
            return _required(await handler(each))

        prepared = self._prepared(request, checked)
        if prepared is None:
            return await handler(request)
        tool, called, work = prepared
        client = self._adapted.guard.async_client()
        while True:
            try:
                steps = self._adapted.guarding.run(client.settings, tool, request.tool_call["args"], called, work)
                return await client.runner.run(steps)
            except _FailedTool as failed:
                return failed.result
            except GuardError as error:
                if (message := self._after(request, error)) is not None:
                    return message


def guard_tool_calls(
    guard: Guard, *, tools: Tools | None = None, run_id: str | None = None, ai_context: Json | None = None
) -> GuardToolCalls:
    """
    `tools`: by tool name, what `guard.tool(…)` gives; every tool is guarded unless you set it to None. `run_id` is the conversation
    or job; together with the tool call's ID it identifies the decision. By default, it is the run's `thread_id`.
    """
    return GuardToolCalls(Adapted(guard, tools, run_id, ai_context))
