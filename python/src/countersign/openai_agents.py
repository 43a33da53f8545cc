"""Guards the tools of an OpenAI Agents SDK agent: `Agent(…, tools=guard_tools(guard, [refund], run_id="run-7"))`."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable, Sequence
from typing import Any

from agents import FunctionTool, Tool
from agents.tool import maybe_invoke_function_tool_failure_error_function, set_function_tool_failure_error_function

from ._adapter import Adapted, Json, Tools, as_json, same, told_of
from ._guard_steps import GuardedCall, Taken, ToolTerms
from .guard import Guard, GuardError

__all__ = ["guard_tools"]

RunId = str | Callable[[Any], str]


def _guarded(tool: FunctionTool, terms: ToolTerms, adapted: Adapted, run_id: RunId) -> FunctionTool:
    guarded, own_approval = copy.copy(tool), tool.needs_approval
    # Raises what the tool raises: a failure that was made into a text for the model would be reported as a success.
    bare = set_function_tool_failure_error_function(copy.copy(tool), None)

    def called(context: Any, given: Json, call_id: Any) -> GuardedCall:
        return adapted.called(terms, given, run_id(context) if callable(run_id) else run_id, call_id)

    async def needs_approval(context: Any, given: dict[str, Any], call_id: str) -> bool:
        own: Any = own_approval(context, given, call_id) if callable(own_approval) else own_approval
        if await own if inspect.isawaitable(own) else own:
            return True
        client = adapted.guard.async_client()
        asked = await client.runner.run(adapted.guarding.ask(client.settings, terms, given, called(context, given, call_id)))
        # A refused call is made as well: the model is told then why it doesn't run.
        return asked.state == "waiting"

    async def invoke(context: Any, text: str) -> Any:
        given: Any = json.loads(text or "{}")

        async def work(taken: Taken) -> Any:
            return await bare.on_invoke_tool(context, taken.text)

        client = adapted.guard.async_client()
        steps = adapted.guarding.run(client.settings, terms, given, called(context, given, context.tool_call_id), work)
        try:
            return await client.runner.run(steps)
        except GuardError as error:
            # Out of the run, whose stored state can be continued later.
            if error.reason in ("unverified", "waiting"):
                raise
            return told_of(error)
        except Exception as error:
            told = await maybe_invoke_function_tool_failure_error_function(function_tool=tool, context=context, error=error)
            if told is None:
                raise
            return told

    guarded.needs_approval, guarded.on_invoke_tool = needs_approval, invoke
    return guarded


def guard_tools(
    guard: Guard, tools: Sequence[Tool], *, run_id: RunId, terms: Tools | None = None, ai_context: Json | None = None
) -> list[Tool]:
    """
    Guarded copies of the tools. While a person has to decide, the run stops with an interruption, and `on_waiting` of the guard is
    told where to approve. After `state.approve(…)` on the stored `RunState`, the run continues, in this process or another one. That
    only makes the call again: whether it may run is in the proof, and until somebody has decided, the run raises `GuardError`.

    `run_id` is the conversation or job, or a function of the run's context; together with the tool call's ID it identifies the
    decision. `terms`: by tool name, what `guard.tool(…)` gives; every tool is guarded unless you set it to None. Tools that don't
    run in this program, such as hosted ones, can't be guarded: they raise `TypeError` unless you set them to None. The tools of
    `mcp_servers` aren't in `tools`, so they aren't guarded.
    """
    adapted = Adapted(guard, terms, None, ai_context)
    return [_each(tool, adapted, run_id) for tool in tools]


def _each(tool: Tool, adapted: Adapted, run_id: RunId) -> Tool:
    found = adapted.tool(tool.name, report=as_json, restore=same)
    if found is None:
        return tool
    if not isinstance(tool, FunctionTool):
        raise TypeError(
            f"{tool.name} isn't a function of this program, so it can't be guarded. To use it anyway, set it to None."
        )
    return _guarded(tool, found, adapted, run_id)
