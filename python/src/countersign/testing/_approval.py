"""Decides as a test person, in a sandbox and nowhere else."""

from __future__ import annotations

from typing import Any, Literal

from .._call import CallOptions, Row, Settings, call
from .._steps import Steps
from ..client import AsyncCountersign, Countersign

_ROW = Row("POST", "/api/v1/sandbox/approvals", "data", "body")

Result = Literal["approved", "rejected"]
TestLevel = Literal["session", "passkey"]


def _steps(settings: Settings, body: dict[str, Any]) -> Steps[None]:
    if not settings.api_key.startswith("csk_test_"):
        raise TypeError("api_key isn't a sandbox's API key (csk_test_…).")
    yield from call(settings, _ROW, (), body, CallOptions())


def _body(event_id: str, result: Result, level: TestLevel, reason: str | None, person_id: str | None) -> dict[str, Any]:
    optional = {"reason": reason, "personId": person_id}
    given = {name: each for name, each in optional.items() if each is not None}
    return {"eventId": event_id, "result": result, "level": level, **given}


def sandbox_approval(
    event_id: str,
    *,
    result: Result,
    level: TestLevel,
    reason: str | None = None,
    person_id: str | None = None,
    client: Countersign | None = None,
) -> None:
    """
    Decides as one of the sandbox's test people: signed in (`session`), or with a passkey too, which the service has made for them.
    `person_id`: by default, the first person who can fill a place now. The client has a sandbox's key (`csk_test_…`) with the scope
    `proof:approve`, not the one that your agent uses; by default, it is the one of the environment.
    """
    found = client or Countersign()
    try:
        found.runner.run(_steps(found.settings, _body(event_id, result, level, reason, person_id)))
    finally:
        if client is None:
            found.close()


async def sandbox_approval_async(
    event_id: str,
    *,
    result: Result,
    level: TestLevel,
    reason: str | None = None,
    person_id: str | None = None,
    client: AsyncCountersign | None = None,
) -> None:
    """As `sandbox_approval`, in an event loop."""
    found = client or AsyncCountersign()
    try:
        await found.runner.run(_steps(found.settings, _body(event_id, result, level, reason, person_id)))
    finally:
        if client is None:
            await found.close()
