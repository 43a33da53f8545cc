"""What the adapters of agent frameworks share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pydantic_core import PydanticSerializationError, to_jsonable_python

from ._guard_steps import GuardedCall, Guarding, ToolTerms
from ._guard_terms import Terms
from ._guard_values import GuardError
from .guard import Guard

Json = Mapping[str, Any]
Tools = Mapping[str, "ToolTerms | None"]


def told_of(error: GuardError) -> str:
    """What a model is told about a call that didn't run."""
    return f"{error.reason}: {error} {error.event_id or ''}".strip()


def waiting_of(error: GuardError) -> dict[str, Any]:
    """What a program is given about a call that a person has to decide."""
    return {"type": "countersign", "eventId": error.event_id, "approvalUrl": error.approval_url, "message": str(error)}


def denial_of(error: GuardError) -> dict[str, Any]:
    """About a call that didn't run, for the program; a model doesn't see it."""
    refusal = error.refusal and {"by": error.refusal.by, "reason": error.refusal.reason}
    return {
        "type": "countersign",
        "reason": error.reason,
        "eventId": error.event_id,
        "approvalUrl": error.approval_url,
        "refusal": refusal,
    }


def as_json(value: Any) -> Any:
    """Models and dates as the JSON that stands for them. What nothing stands for is left out of the report."""
    try:
        return to_jsonable_python(value)
    except PydanticSerializationError:
        return value


def same(value: Any) -> Any:
    return value


class Adapted:
    """The guarded tools of one agent. Every tool is guarded unless it is set to None."""

    def __init__(self, guard: Guard, tools: Tools | None, run_id: str | None, ai_context: Json | None) -> None:
        self.guard, self._tools, self._run_id, self._ai_context = guard, tools or {}, run_id, ai_context
        self._contexts: dict[str, Json] = {}

    @property
    def guarding(self) -> Guarding:
        return self.guard.guarding

    def tool(self, name: str, **more: Any) -> ToolTerms | None:
        """Frameworks run a step again after a crash; its finished calls then give the model their results, and no errors."""
        found = self._tools.get(name, ToolTerms(name, name))
        if found is None:
            return None
        terms = found.terms.over(self.guarding.terms).over(Terms(on_done="replay"))
        own = {key: each for key, each in more.items() if getattr(found, key) is None}
        # A result that was reported in part is not restored as a whole.
        if found.report is not None and found.restore is None:
            own.pop("restore", None)
        return replace(found, name=name, terms=terms, **own)

    def called(self, tool: ToolTerms, given: Json, run_id: Any, tool_call_id: Any, **more: Any) -> GuardedCall:
        """The context of a call is fixed when it is first seen, because a decision seals it."""
        id = tool.call_id(given) if tool.call_id else None
        run = self._run_id or run_id
        if id is None and isinstance(run, str) and run and isinstance(tool_call_id, str) and tool_call_id:
            id = f"{run}/{tool_call_id}"
        if id is None:
            raise TypeError("The call can't be identified. Set run_id, or a call_id for the tool.")
        context = {name: each for name, each in more.items() if each is not None}
        return GuardedCall(id, None, self._contexts.setdefault(id, {**context, **(self._ai_context or {})}))


Work = Callable[[Any], Any]
