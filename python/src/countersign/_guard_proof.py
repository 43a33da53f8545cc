"""What a guard verifies itself before it runs a tool: the exported proof, the approval in it, and the arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._call import CallOptions, Settings, call
from ._guard_terms import Trust, distrusted, time_of
from ._guard_values import GuardError
from ._resource import row_of
from ._steps import Sleep, Steps
from .proof import Facts, action_digest, verify_proof

# The clock of the program may be wrong by this much, in seconds.
_CLOCK_SKEW = 300.0


@dataclass(frozen=True)
class Proven:
    text: str
    evidence: Mapping[str, Any]


@dataclass(frozen=True)
class SealedOutcome:
    """What an earlier attempt reported last, as the log sealed it."""

    status: Any
    output: Mapping[str, Any] | None
    is_hidden: bool
    """The output was sealed, and isn't shown: it was redacted."""


def proven(settings: Settings, event_id: str, trust: Trust, end: float) -> Steps[Proven]:
    """
    A decision's export if it is valid under everything that the program trusts. Until `end` it waits for witnesses, which cosign
    after the seal.
    """
    id = event_id.replace("evt_", "evd_", 1) if event_id.startswith("evt_") else event_id
    while True:
        answer = yield from call(settings, row_of("evidence.export"), (id,), None, CallOptions())
        verdict = verify_proof(answer.text, trust.trust, sandbox=trust.sandbox)
        if verdict.ok and verdict.facts.id == id and verdict.facts.decision is not None:
            _require_in_time(verdict.facts, settings.clock.now(), event_id)
            if verdict.facts.decision.result == "refused":
                raise GuardError("refused", "The proof shows a refusal.", event_id)
            why = distrusted(verdict, trust)
            if why is not None:
                raise GuardError("unverified", why, event_id)
            return Proven(answer.text, json.loads(answer.text)["evidence"])
        may_come = verdict.witnessed == "no" and verdict.standing == "unvouched" and settings.clock.now() < end
        if not may_come:
            why = next(iter((*verdict.problems, *verdict.newer)), verdict.standing)
            raise GuardError("unverified", f"The proof couldn't be verified under the trust policy: {why}.", event_id)
        yield Sleep(1.0)


def verified_digest(
    settings: Settings, event_id: str, body: Mapping[str, Any], trust: Trust, end: float
) -> Steps[tuple[str, str]]:
    """The digest of the arguments, which equals the sealed one, and the export. Raises if the proof seals other arguments."""
    found = yield from proven(settings, event_id, trust, end)
    salt, sealed = found.evidence.get("actionSalt"), found.evidence.get("actionDigest")
    if not isinstance(salt, str):
        raise GuardError(
            "unverified", "The proof has no salt, so the arguments can't be compared with the approved ones.", event_id
        )
    said = {name: each for name, each in body.items() if name != "agent"}
    digest = action_digest(salt, {**said, "type": "agent_execution", "actor": {**body["agent"], "type": "ai_agent"}})
    if digest != sealed:
        raise GuardError(
            "changed",
            "The arguments aren't the ones that were approved. To request approval for them, use a new call ID.",
            event_id,
        )
    return digest, found.text


def sealed_outcome(settings: Settings, event_id: str, trust: Trust, end: float) -> Steps[SealedOutcome | None]:
    found = yield from proven(settings, event_id, trust, end)
    steps = [
        each for each in found.evidence.get("history", []) if each.get("type") == "execution" and each.get("action") == "outcome"
    ]
    if not steps:
        return None
    last = steps[-1]
    output = last.get("output")
    return SealedOutcome(last.get("status"), output, output is None and "output" in last.get("commitments", {}))


def _require_in_time(facts: Facts, now: float, event_id: str) -> None:
    """The server refuses it too, but a program doesn't depend on that. An attempt that consumed the decision in time can continue."""
    until = facts.decision.usable_until if facts.decision else None
    if until is None or facts.execution is not None or time_of(until) + _CLOCK_SKEW >= now:
        return
    raise GuardError("stale", f"The proof shows an approval that could be used until {until}.", event_id)
