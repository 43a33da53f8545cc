"""Guards the tools of the Claude Agent SDK: `ClaudeAgentOptions(hooks=guard_hooks(guard))`."""

from __future__ import annotations

import asyncio
import importlib
import json
from typing import Any

from ._adapter import Adapted, Json, Tools, as_json, same, told_of
from ._guard_steps import Taken, ToolTerms
from .guard import Guard, GuardError

__all__ = ["guard_hooks"]

# Claude Code counts in milliseconds with 32 bits: a longer time would be over at once.
_HOOK_SECONDS = 20 * 24 * 3600.0
# A callback that is still waiting then answers by itself.
_MARGIN_SECONDS = 60.0


def _decision(kind: str, reason: str, **more: Any) -> dict[str, Any]:
    said = {"hookEventName": "PreToolUse", "permissionDecision": kind, "permissionDecisionReason": reason, **more}
    return {"hookSpecificOutput": said}


class _Hooks:
    def __init__(self, adapted: Adapted) -> None:
        self._adapted = adapted
        self._running: dict[str, tuple[ToolTerms, Taken]] = {}

    async def before(self, given: Json, tool_use_id: str | None, _context: Any) -> dict[str, Any]:
        """Whatever goes wrong here, the call doesn't run."""
        try:
            tool = self._adapted.tool(given["tool_name"], report=as_json, restore=same)
            if tool is None:
                return {}
            return await asyncio.wait_for(self._asked(tool, given, tool_use_id), _HOOK_SECONDS - _MARGIN_SECONDS)
        except GuardError as error:
            # The run ends; the SDK asks about the same call again when the session is resumed.
            return _decision("defer" if error.reason == "waiting" else "deny", told_of(error))
        except Exception as error:
            return _decision("deny", f"The call could not be guarded: {error}")

    async def _asked(self, tool: ToolTerms, given: Json, tool_use_id: str | None) -> dict[str, Any]:
        adapted, client = self._adapted, self._adapted.guard.async_client()
        called = adapted.called(tool, given["tool_input"], given.get("session_id"), tool_use_id)
        taken = await client.runner.run(adapted.guarding.take(client.settings, tool, given["tool_input"], called))
        if taken.executor is None:
            output = await client.runner.run(adapted.guarding.replayed(client.settings, tool, taken))
            return _decision(
                "deny", f"done: An earlier attempt ran this call. Its result: {json.dumps(output, ensure_ascii=False)}"
            )
        self._running[str(tool_use_id)] = tool, taken
        return _decision("allow", f"Approved: {taken.event_id}", updatedInput=taken.input)

    async def after(self, given: Json, tool_use_id: str | None, _context: Any) -> dict[str, Any]:
        found = self._running.pop(str(tool_use_id), None)
        if found is None:
            return {}
        (tool, taken), guarding, client = found, self._adapted.guarding, self._adapted.guard.async_client()
        if given["hook_event_name"] == "PostToolUse":
            await client.runner.run(guarding.report_success(client.settings, tool, taken, given["tool_response"]))
        else:
            # One that was interrupted may have had an effect.
            status = "unknown" if given.get("is_interrupt") else "failed"
            await client.runner.run(guarding.report(client.settings, taken, status, {"error": given["error"]}))
        return {}


def guard_hooks(
    guard: Guard, *, tools: Tools | None = None, run_id: str | None = None, ai_context: Json | None = None
) -> dict[Any, list[Any]]:
    """
    Hooks that hold every call of a tool: of Claude Code, of your MCP servers, and of subagents. `tools`: by tool name, such as `Bash`
    or `mcp__shop__refund`, what `guard.tool(…)` gives; every tool is guarded unless you set it to None. `run_id` is the conversation
    or job; together with the tool call's ID it identifies the decision. By default, it is the session's ID.

    While a person has to decide, the run ends, and its `ResultMessage` has `deferred_tool_use`. `ClaudeAgentOptions(resume=session_id)`
    asks about the same call again, in this process or another one. If the hook fails in any way, the call doesn't run. The SDK runs
    all hooks of an event at the same time, so another `PreToolUse` hook must not change the input.
    """
    hooks = _Hooks(Adapted(guard, tools, run_id, ai_context))
    matcher: Any = importlib.import_module("claude_agent_sdk").HookMatcher
    after = matcher(hooks=[hooks.after])
    return {
        "PreToolUse": [matcher(hooks=[hooks.before], timeout=_HOOK_SECONDS, on_failure="block")],
        "PostToolUse": [after],
        "PostToolUseFailure": [after],
    }
