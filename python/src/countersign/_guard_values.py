"""Values of a guarded call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from .errors import CountersignError
from .proof import NotExact, canonical

GuardReason = Literal[
    "refused",
    "expired",
    "replaced",
    "withdrawn",
    "waiting",
    "stale",
    "unconfirmed",
    "policy",
    "frozen",
    "changed",
    "unverified",
    "done",
    "unknown",
]


@dataclass(frozen=True)
class Refusal:
    """A person's refusal, as the server states it."""

    by: str | None
    reason: str | None


class GuardError(CountersignError):
    """
    Why a tool didn't run. `refused`: a policy or a person refused the call. `expired`: nobody decided in the time that a policy
    gives. `replaced`: another decision took its place. `withdrawn`: the requester withdrew the request; to ask again after these,
    call with a new ID. `waiting`: call again later with the same ID. `stale`: the approval's time has passed. `policy`: a policy
    requires more than was given. In both cases the guard has asked again, and gives up after nine times. `unconfirmed`: it was
    approved in an emergency, and its approval line objected or didn't confirm it in time; don't ask again without a person.
    `frozen`: the agent, the API key or the action type is stopped; call again with the same ID when the stop is lifted.
    `changed`: the same ID was used with different arguments. `unverified`: the proof isn't valid, or doesn't show a sufficient
    approval. `done`: an earlier attempt ran the tool. `unknown`: an earlier attempt consumed the decision, and may or may not have
    run the tool.
    """

    def __init__(
        self,
        reason: GuardReason,
        message: str,
        event_id: str | None = None,
        *,
        approval_url: str | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        super().__init__(message)
        self.reason: GuardReason = reason
        self.event_id = event_id
        self.approval_url = approval_url
        """The page where a person decides; None unless the call is waiting."""
        self.refusal = refusal
        """Who refused, and in which words; None unless a person did."""


def frozen_json(value: Mapping[str, Any]) -> str:
    """
    The arguments as text: what is approved, compared and run is read from it. Refuses what JSON can't carry unchanged, because a
    person would approve something else than what runs.
    """
    _require_exact(value, "the arguments")
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _require_exact(value: Any, where: str) -> None:
    if value is None or isinstance(value, (bool, str)):
        if isinstance(value, str):
            try:
                canonical(value)
            except NotExact as error:
                raise TypeError(f"{where} has text that JSON can't carry unchanged: {error}.") from error
        return
    if isinstance(value, (int, float)):
        try:
            exact = float(value) == value and abs(float(value)) != float("inf")
        except OverflowError:
            exact = False
        if not exact:
            raise TypeError(f"{where} has a number that JSON can't carry unchanged: {value}. Pass it as text.")
        return
    if isinstance(value, (list, tuple)):
        for at, each in enumerate(cast("list[Any]", value)):
            _require_exact(each, f"{where}[{at}]")
        return
    if isinstance(value, Mapping):
        for name, each in cast("Mapping[Any, Any]", value).items():
            if not isinstance(name, str):
                raise TypeError(f"{where} has a key that isn't text: {name!r}.")
            _require_exact(name, where)
            _require_exact(each, f"{where}.{name}")
        return
    raise TypeError(f"{where} has a value that isn't JSON: {type(value).__name__}. Pass text or a number.")


_MOST_BYTES = 16_384
# The members of an object that stands for something else: a value that is no object, or one that is left out.
_MARKS = ("result", "omitted")


def _is_marked(value: Mapping[str, Any]) -> bool:
    return len(value) == 1 and next(iter(value)) in _MARKS


def reportable(value: Any) -> dict[str, Any] | None:
    """The output of a tool as an object of at most 16,384 bytes; None for nothing. `restored` gives it back."""
    if value is None:
        return None
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        size = len(text.encode("utf-8"))
    except (TypeError, ValueError, RecursionError):
        return {"omitted": "not JSON"}
    if size > _MOST_BYTES - 20:
        return {"omitted": f"{size} bytes"}
    read = json.loads(text)
    return (
        cast("dict[str, Any]", read)
        if isinstance(read, dict) and not _is_marked(cast("dict[str, Any]", read))
        else {"result": read}
    )


def restored(output: Mapping[str, Any] | None) -> tuple[Any] | None:
    """What was reported; None where it was left out."""
    if output is None or not _is_marked(output):
        return (output,)
    return (output["result"],) if "result" in output else None
