"""Guards the tools of a Google ADK agent: `LlmAgent(…, tools=guard_tools(guard, [refund]))`."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.tool_context import ToolContext
from pydantic_core import to_jsonable_python

from ._adapter import Adapted, Json, Tools, as_json, same, told_of, waiting_of
from ._guard_steps import Taken, ToolTerms
from ._guard_values import frozen_json
from .guard import Guard, GuardError

__all__ = ["guard_tools"]

RunId = str | Callable[[ToolContext], str]


class _NotCalled(Exception):
    """A call whose arguments the function can't take. ADK gives that as a result."""

    def __init__(self, result: Any) -> None:
        super().__init__(result["error"])
        self.result = result


def _required(tool: BaseTool, result: Any) -> Any:
    error: Any = result.get("error") if isinstance(result, dict) and len(result) == 1 else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(error, str) and error.startswith(f"Invoking `{tool.name}()` failed"):
        raise _NotCalled(result)
    return result  # pyright: ignore[reportUnknownVariableType]


def _guarded(tool: BaseTool, adapted: Adapted, run_id: RunId | None) -> BaseTool:
    """
    A copy whose `run_async` is the guarded one: innermost of what surrounds a tool, so that no callback or plugin changes the
    arguments between the approval and the call.
    """
    terms = _terms_of(tool.name, adapted)
    if terms is None:
        return tool
    if type(tool).run_async is BaseTool.run_async:
        raise TypeError(f"{tool.name} runs at the model's provider, so it can't be guarded. To use it anyway, set it to None.")
    function = tool.func if isinstance(tool, FunctionTool) else None
    if inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
        # A live session calls the function itself.
        raise TypeError(f"{tool.name} gives a stream, so it can't be guarded. To use it anyway, set it to None.")
    guarded, name = copy.copy(tool), tool.name

    async def run_async(*, args: dict[str, Any], tool_context: ToolContext) -> Any:
        confirmation = tool_context.tool_confirmation
        if confirmation is not None and not confirmation.confirmed:
            return {"error": "This tool call is rejected."}
        # Values of other types are approved as the JSON that stands for them.
        given: Any = to_jsonable_python(args)

        async def work(taken: Taken) -> Any:
            if given == args:
                return _required(tool, await tool.run_async(args=taken.input, tool_context=tool_context))
            if frozen_json(to_jsonable_python(args)) != taken.text:
                raise GuardError("changed", "The arguments changed while the call was waiting.", taken.event_id)
            return _required(tool, await tool.run_async(args=args, tool_context=tool_context))

        run = run_id(tool_context) if callable(run_id) else run_id or tool_context.session.id
        called = adapted.called(terms, given, run, tool_context.function_call_id)
        client = adapted.guard.async_client()
        try:
            return await client.runner.run(adapted.guarding.run(client.settings, terms, given, called, work))
        except _NotCalled as error:
            return error.result
        except GuardError as error:
            if error.reason == "unverified":
                raise
            if error.reason == "waiting":
                # A session that says that a call was answered isn't asked about that call again.
                if confirmation is not None:
                    raise
                tool_context.request_confirmation(hint=str(error), payload=waiting_of(error))
                tool_context.actions.skip_summarization = True
            return {"error": told_of(error)}

    guarded.run_async = run_async
    guarded.name = name
    return guarded


def _terms_of(name: str, adapted: Adapted) -> ToolTerms | None:
    return adapted.tool(name, report=as_json, restore=same)


def _guarded_set(toolset: BaseToolset, adapted: Adapted, run_id: RunId | None) -> BaseToolset:
    """`get_tools` gives names without the prefix of the toolset; the terms are found by them."""
    guarded, get_tools = copy.copy(toolset), toolset.get_tools

    async def guarded_tools(readonly_context: Any = None) -> list[BaseTool]:
        return [_guarded(each, adapted, run_id) for each in await get_tools(readonly_context)]

    guarded.get_tools = guarded_tools
    return guarded


def guard_tools(
    guard: Guard,
    tools: Sequence[Callable[..., Any] | BaseTool | BaseToolset],
    *,
    run_id: RunId | None = None,
    terms: Tools | None = None,
    ai_context: Json | None = None,
) -> list[Any]:
    """
    Guarded copies of functions, tools and toolsets. While a person has to decide, the run ends with a call of
    `adk_request_confirmation`, whose `toolConfirmation.payload` has `type`, `eventId`, `approvalUrl` and `message`. A response to it
    with `{"confirmed": True}` continues the session, in this process or another one. That only makes the call again: whether it may
    run is in the proof, and until somebody has decided, the run raises `GuardError`.

    `run_id` is the conversation or job, or a function of the tool's context; together with the tool call's ID it identifies the
    decision. By default, it is the session's ID. `terms`: by tool name, what `guard.tool(…)` gives; every tool is guarded unless you
    set it to None. Tools that run at the model's provider and functions that give a stream can't be guarded: they raise `TypeError`
    unless you set them to None. Code executors aren't tools, so they aren't guarded.
    """
    adapted = Adapted(guard, terms, None, ai_context)

    def each_of(tool: Callable[..., Any] | BaseTool | BaseToolset) -> Any:
        if isinstance(tool, BaseToolset):
            return _guarded_set(tool, adapted, run_id)
        return _guarded(tool if isinstance(tool, BaseTool) else FunctionTool(tool), adapted, run_id)

    return [each_of(each) for each in tools]
