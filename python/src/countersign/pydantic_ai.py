"""Guards the tools of a Pydantic AI agent: `Agent(…, output_type=[str, DeferredToolRequests], capabilities=[guard_tool_calls(guard)])`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext, ToolReturn
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ApprovalRequired, ToolFailed
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset
from pydantic_core import to_jsonable_python

from ._adapter import Adapted, Json, Tools, as_json, same, told_of, waiting_of
from ._guard_steps import Taken
from ._guard_values import frozen_json
from .guard import Guard, GuardError

__all__ = ["GuardToolCalls", "guard_tool_calls"]


def _reported(result: Any) -> Any:
    return as_json(result.return_value if isinstance(result, ToolReturn) else result)  # pyright: ignore[reportUnknownMemberType]


@dataclass
class _GuardedToolset(WrapperToolset[Any]):
    """Innermost of what wraps a tool, so that nothing changes the arguments between the approval and the call."""

    adapted: Adapted

    async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]) -> Any:
        terms = self.adapted.tool(name, report=_reported, restore=same)
        if terms is None:
            return await super().call_tool(name, tool_args, ctx, tool)
        call = super().call_tool
        # Values of other types, such as dates and models, are approved as the JSON that stands for them.
        given: Any = to_jsonable_python(tool_args)
        called = self.adapted.called(terms, given, ctx.conversation_id, ctx.tool_call_id)

        async def work(taken: Taken) -> Any:
            if given == tool_args:
                return await call(name, taken.input, ctx, tool)
            if frozen_json(to_jsonable_python(tool_args)) != taken.text:
                raise GuardError("changed", "The arguments changed while the call was waiting.", taken.event_id)
            return await call(name, tool_args, ctx, tool)

        client = self.adapted.guard.async_client()
        try:
            return await client.runner.run(self.adapted.guarding.run(client.settings, terms, given, called, work))
        except GuardError as error:
            if error.reason == "unverified":
                raise
            if error.reason == "waiting":
                raise ApprovalRequired(waiting_of(error)) from error
            raise ToolFailed(told_of(error)) from error


class GuardToolCalls(AbstractCapability[Any]):
    """
    While a person has to decide, the run ends with `DeferredToolRequests`, whose `metadata` has `type`, `eventId`, `approvalUrl` and
    `message` for each call. A run with these messages and `approvals={tool_call_id: True}` continues it, in this process or another
    one. That value only makes the call again: whether it may run is in the proof.
    """

    def __init__(self, adapted: Adapted) -> None:
        self._adapted = adapted

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        return _GuardedToolset(toolset, self._adapted)


def guard_tool_calls(
    guard: Guard, *, tools: Tools | None = None, run_id: str | None = None, ai_context: Json | None = None
) -> GuardToolCalls:
    """
    `tools`: by tool name, what `guard.tool(…)` gives; every tool is guarded unless you set it to None. `run_id` is the conversation
    or job; together with the tool call's ID it identifies the decision. By default, it is the run's `conversation_id`: choose it
    yourself, so that a process that has lost its messages finds the decision again.
    """
    return GuardToolCalls(Adapted(guard, tools, run_id, ai_context))
