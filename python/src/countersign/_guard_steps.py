"""The steps of guarded calls: ask, wait, verify, take, run, report. The same for both clients."""

from __future__ import annotations

import json
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from ._call import CallOptions, Settings, call
from ._guard_proof import sealed_outcome, verified_digest
from ._guard_terms import CallTerms, Terms, Trust, time_of, value_for, whole_trust
from ._guard_values import GuardError, GuardReason, Refusal, frozen_json, reportable, restored
from ._resource import row_of
from ._steps import Invoke, Join, Sleep, Steps
from ._waiting import wait_for_approval
from .errors import ApprovalPendingError, ConflictError, PolicyViolationError
from .proof import TrustPolicy

# How many times the guard asks again for one call, and the longest ID that leaves room for the suffix.
_MAX_ASKED = 9
_MAX_CALL_ID = 250
# Witnesses cosign within seconds of a seal, so a call that no longer waits for a person still waits for them.
_WITNESSES_WITHIN = 30.0
# How many decisions are remembered as told; the oldest are forgotten first.
_MOST_TOLD = 10_000

Json = Mapping[str, Any]


@dataclass(frozen=True)
class ToolTerms:
    """What is known of a tool without running it."""

    action: str
    name: str
    terms: Terms = field(default_factory=Terms)
    describe: str | Callable[[Json], str] | None = None
    reason: str | Callable[[Json], str] | None = None
    risk_score: float | Callable[[Json], float] | None = None
    idempotent: bool = False
    report: Callable[[Any], Any] | None = None
    restore: Callable[[Any], Any] | None = None
    call_id: Callable[[Json], str] | None = None
    """For adapters: an ID from the program's own domain, in place of the run and the tool call."""


@dataclass(frozen=True)
class GuardedCall:
    call_id: str
    reason: str | None = None
    ai_context: Json | None = None


@dataclass(frozen=True)
class Asked:
    """The state of a call before it runs. The proof isn't verified until the call runs."""

    state: str
    """`ready`: making the call with the same ID and arguments runs the tool. The other states are as in `GuardError`."""
    event_id: str | None
    approval_url: str | None
    refusal: Refusal | None
    message: str


@dataclass(frozen=True)
class Taken:
    """An approval that was consumed: the right to run the call once."""

    event_id: str
    executor: str | None
    """The name under which the outcome is reported. None: an earlier attempt has run the call with success."""
    text: str
    """The arguments, as they were approved."""
    terms: CallTerms

    @property
    def input(self) -> Any:
        """A new copy each time: what a tool changes in it changes nothing else."""
        return json.loads(self.text)


@dataclass(frozen=True)
class _Opened:
    text: str
    body: Json
    event_id: str
    terms: CallTerms


_ASKED_STATES = ("waiting", "refused", "expired", "replaced", "withdrawn", "frozen", "changed")
# What the service itself refuses, and what the agent is told.
_OWN_REFUSALS: Mapping[str, str] = {
    "expired": "Nobody decided in time, so the request expired. To ask again, call with a new ID.",
    "replaced": "The request was replaced by a new decision. To ask again, call with a new ID.",
    "withdrawn": "The request was withdrawn. To ask again, call with a new ID.",
}
# Why `consume` refuses an approval that was given; `frozen` also stops new requests.
_OVER = ("stale", "policy", "frozen", "unconfirmed")


@dataclass
class Guarding:
    agent: Json
    trust: TrustPolicy | str | None = None
    sandbox: bool | None = None
    terms: Terms = field(default_factory=Terms)
    on_waiting: Callable[[Json], Any] | None = None
    on_proof: Callable[[str, str], Any] | None = None
    on_unreported: Callable[[BaseException, str], Any] | None = None
    _told: OrderedDict[str, None] = field(default_factory=lambda: OrderedDict[str, None]())

    def check(self, tool: Terms | None = None) -> None:
        """Settings that don't depend on a call are checked before the first one."""
        said = (tool or Terms()).over(self.terms)
        if callable(said.center):
            return
        plain = [
            None if callable(each) else each for each in (said.requires, said.approvers, said.confirmed_by, said.bound_before)
        ]
        whole_trust(self.trust, said.center, self.sandbox, *cast("list[Any]", plain))

    def _terms_for(self, tool: ToolTerms, given: Json) -> CallTerms:
        said = tool.terms.over(self.terms)

        def of(name: str) -> Any:
            value = getattr(said, name)
            result = value_for(name, value, given)
            own = ("requires", "approvers", "confirmed_by", "bound_before")
            # A branch without a return would loosen what the guard says for all tools. `False` requires nothing.
            if callable(value) and result is None:
                raise TypeError(f"{name} returned no value." + (" To require nothing, return False." if name in own else ""))
            return None if result is False else result

        names = ("requires", "approvers", "confirmed_by", "bound_before")
        trust = whole_trust(self.trust, of("center"), self.sandbox, *[of(each) for each in names])
        within = of("within") or 0.0
        if not within >= 0:
            raise TypeError(f"within is {within}. Use a number of seconds.")
        return CallTerms(trust, within, cast("Literal['raise', 'replay']", of("on_done") or "raise"))

    # ------------------------------------------------------------------ asking and waiting

    def _tell(self, decision: Json) -> Any:
        if decision["id"] in self._told:
            return None
        self._told[decision["id"]] = None
        while len(self._told) > _MOST_TOLD:
            self._told.popitem(last=False)
        return self.on_waiting(decision) if self.on_waiting else None

    def _decided(self, settings: Settings, body: Json, call_id: str, end: float) -> Steps[tuple[str, str]]:
        """Asks the server; the same key and body continue the decision in its present state."""
        pause = 1.0
        while True:
            answer = yield from call(settings, row_of("agents.decide"), (), body, CallOptions(call_id))
            event_id, outcome = answer.data["eventId"], answer.data["outcome"]
            if outcome != "pending":
                return event_id, outcome
            if settings.clock.now() >= end:
                raise GuardError(
                    "waiting", "The decision hasn't been sealed yet. Try again later with the same call ID.", event_id
                )
            yield Sleep(pause)
            pause = min(pause * 2, 15.0)

    def _as_recorded(self, settings: Settings, body: Json, call_id: str) -> Steps[Json | None]:
        """A process that continues a call runs in another trace: what the first one said about itself stays."""
        query = {"decisionId": call_id, "limit": 1}
        listed = yield from call(settings, row_of("decisions.list"), (), query, CallOptions())
        if not listed.data["data"]:
            return None
        found = yield from self._get(settings, listed.data["data"][0]["id"])
        context = found.get("aiContext")
        return {**body, "aiContext": context} if context else None

    def _get(self, settings: Settings, event_id: str) -> Steps[Json]:
        answer = yield from call(settings, row_of("decisions.get"), (event_id,), None, CallOptions())
        return answer.data

    def _until_closed(self, settings: Settings, event_id: str, end: float) -> Steps[None]:
        within = max(0.0, end - settings.clock.now())
        try:
            decision = yield from wait_for_approval(settings, event_id, within, self._tell)
        except ApprovalPendingError as error:
            url = _members(_members(error.decision).get("waiting")).get("approvalUrl")
            at = f" A person can approve or refuse at {url}" if url else ""
            raise GuardError("waiting", f"No one has decided yet.{at}", event_id, approval_url=url) from error
        if decision["status"] == "rejected":
            raise _refused(decision)

    def _opened(self, settings: Settings, tool: ToolTerms, text: str, called: GuardedCall) -> Steps[_Opened]:
        given = json.loads(text)
        terms = self._terms_for(tool, given)
        end = settings.clock.now() + terms.within
        described = value_for("describe", tool.describe, given)
        risk = value_for("risk_score", tool.risk_score, given)
        reason = called.reason or value_for("reason", tool.reason, given)
        first: dict[str, Any] = {
            "agent": dict(self.agent),
            "action": {"type": tool.action, **({"description": described} if described else {}), "input": given},
            "aiContext": {**(called.ai_context or {}), "toolCallId": called.call_id},
            **({"riskScore": risk} if risk is not None else {}),
            **({"reason": reason} if reason else {}),
        }
        body: Json = first
        try:
            try:
                event_id, outcome = yield from self._decided(settings, first, called.call_id, end)
            except ConflictError as error:
                is_other = error.details.get("reason") != "frozen"
                recorded = (yield from self._as_recorded(settings, first, called.call_id)) if is_other else None
                if recorded is None:
                    raise
                body = recorded
                event_id, outcome = yield from self._decided(settings, body, called.call_id, end)
            if outcome == "refused":
                raise _refused((yield from self._get(settings, event_id)))
            if outcome == "approval_required":
                yield from self._until_closed(settings, event_id, end)
        except (PolicyViolationError, ConflictError) as error:
            raise _refusal_of(error) from error
        return _Opened(text, body, event_id, terms)

    def _require_usable(self, settings: Settings, event_id: str) -> Steps[None]:
        """Finds an approval whose time has passed before consuming it. The server decides."""
        decision = yield from self._get(settings, event_id)
        until = decision.get("usableUntil")
        if until is None or decision.get("execution") is not None or time_of(until) >= settings.clock.now():
            return
        raise GuardError("stale", f"The approval could only be used until {until}.", event_id)

    def _asking_again(self, called: GuardedCall, work: Callable[[GuardedCall], Steps[Any]]) -> Steps[Any]:
        """Asks again for an approval that can no longer be used: with another decision, under an ID that every process finds."""
        asked = 0
        while True:
            call_id = called.call_id if asked == 0 else f"{called.call_id}~{asked}"
            try:
                return (yield from work(GuardedCall(call_id, called.reason, called.ai_context)))
            except GuardError as error:
                if error.reason not in ("stale", "policy") or asked == _MAX_ASKED or len(call_id) > _MAX_CALL_ID:
                    raise
            asked += 1

    # ------------------------------------------------------------------ taking

    def _taken(self, settings: Settings, event_id: str, digest: str, idempotent: bool) -> Steps[str | None]:
        """The name under which the outcome is reported; only a 200 gives the right to run. None: an earlier attempt has run it."""
        executor = str(uuid.uuid4())
        try:
            given = {"actionDigest": digest, "executor": executor}
            yield from call(settings, row_of("decisions.consume"), (event_id,), given, CallOptions())
            return executor
        except ConflictError as error:
            other = error.details.get("executor")
            if not isinstance(other, str):
                raise _refusal_of(error, event_id) from error
        except PolicyViolationError as error:
            raise _refusal_of(error, event_id) from error
        return (yield from self._taken_before(settings, event_id, other, idempotent))

    def _taken_before(self, settings: Settings, event_id: str, executor: str, idempotent: bool) -> Steps[str | None]:
        execution = _members((yield from self._get(settings, event_id)).get("execution"))
        outcome = _members(execution.get("outcome"))
        status, output = outcome.get("status"), _members(outcome.get("output"))
        if status == "succeeded":
            return None
        if status == "failed":
            why = f": {output['error']}" if isinstance(output.get("error"), str) else "."
            raise GuardError("done", f"An earlier attempt ran this call, and it failed{why}", event_id)
        if idempotent:
            return executor
        if status is None:
            try:
                yield from self.reported(settings, event_id, executor, "unknown", None)
            except ConflictError:
                pass  # It was reported meanwhile.
        raise GuardError(
            "unknown",
            "An earlier attempt consumed this call, and may or may not have run it. Check whether it took effect.",
            event_id,
        )

    def _take(self, settings: Settings, tool: ToolTerms, text: str, called: GuardedCall) -> Steps[Taken]:
        """Everything before the tool."""
        start = settings.clock.now()
        found = yield from self._opened(settings, tool, text, called)
        end = max(start + found.terms.within, settings.clock.now() + _WITNESSES_WITHIN)
        digest, export = yield from verified_digest(settings, found.event_id, found.body, found.terms.trust, end)
        if self.on_proof is not None:
            yield Invoke(self.on_proof, (export, found.event_id))
        executor = yield from self._taken(settings, found.event_id, digest, tool.idempotent)
        return Taken(found.event_id, executor, text, found.terms)

    def take(self, settings: Settings, tool: ToolTerms, given: Json, called: GuardedCall) -> Steps[Taken]:
        text = frozen_json(given)
        return (yield from self._asking_again(called, lambda each: self._take(settings, tool, text, each)))

    def ask(self, settings: Settings, tool: ToolTerms, given: Json, called: GuardedCall) -> Steps[Asked]:
        """Requests the decision and waits for it as a call does, but doesn't run the tool."""
        text = frozen_json(given)

        def opened(each: GuardedCall) -> Steps[str]:
            found = yield from self._opened(settings, tool, text, each)
            yield from self._require_usable(settings, found.event_id)
            return found.event_id

        try:
            event_id = yield from self._asking_again(called, opened)
            return Asked("ready", event_id, None, None, "The call can run.")
        except GuardError as error:
            if error.reason not in _ASKED_STATES:
                raise
            return Asked(error.reason, error.event_id, error.approval_url, error.refusal, str(error))

    # ------------------------------------------------------------------ running

    def reported(self, settings: Settings, event_id: str, executor: str, status: str, output: Any) -> Steps[None]:
        found = reportable(output)
        given = {"executor": executor, "status": status, **({"output": found} if found is not None else {})}
        yield from call(settings, row_of("decisions.reportOutcome"), (event_id,), given, CallOptions())

    def report(self, settings: Settings, taken: Taken, status: str, output: Any) -> Steps[None]:
        """The tool has run: that its outcome can't be reported is told, and changes nothing."""
        try:
            yield from self.reported(settings, taken.event_id, taken.executor or "", status, output)
        except Exception as error:
            if self.on_unreported is not None:
                yield Invoke(self.on_unreported, (error, taken.event_id))

    def replayed(self, settings: Settings, tool: ToolTerms, taken: Taken) -> Steps[Any]:
        """The output of the attempt that succeeded: from the proof, not from what the server says beside it."""

        def done(why: str) -> GuardError:
            return GuardError("done", f"An earlier attempt already ran this call: succeeded.{why}", taken.event_id)

        if taken.terms.on_done != "replay":
            raise done("")
        end = settings.clock.now() + _WITNESSES_WITHIN
        outcome = yield from sealed_outcome(settings, taken.event_id, taken.terms.trust, end)
        found = restored(outcome.output) if outcome and outcome.status == "succeeded" and not outcome.is_hidden else None
        if found is None:
            raise done(" Its output isn't in the proof.")
        if tool.restore is not None:
            return (yield Invoke(tool.restore, (found[0],)))
        if tool.report is not None:
            raise done(" Only part of its output was reported, and the tool has no restore function.")
        return found[0]

    def _whole(
        self, settings: Settings, tool: ToolTerms, text: str, called: GuardedCall, work: Callable[[Taken], Any]
    ) -> Steps[Any]:
        taken = yield from self._take(settings, tool, text, called)
        if taken.executor is None:
            return (yield from self.replayed(settings, tool, taken))
        try:
            output = yield Invoke(work, (taken,))
        except Exception as error:
            is_unknown = isinstance(error, GuardError) and error.reason == "unknown"
            status = "unknown" if is_unknown else "failed"
            yield from self.report(settings, taken, status, {"error": str(error) or type(error).__name__})
            raise
        yield from self.report_success(settings, tool, taken, output)
        return output

    def report_success(self, settings: Settings, tool: ToolTerms, taken: Taken, output: Any) -> Steps[None]:
        try:
            said = tool.report(output) if tool.report else output
        except Exception as error:
            if self.on_unreported is not None:
                yield Invoke(self.on_unreported, (error, taken.event_id))
            return
        yield from self.report(settings, taken, "succeeded", said)

    def run(
        self, settings: Settings, tool: ToolTerms, given: Json, called: GuardedCall, work: Callable[[Taken], Any]
    ) -> Steps[Any]:
        """Calls with the same ID and arguments at the same time in one process share one run."""
        text = frozen_json(given)
        key = json.dumps([id(self), tool.name, tool.action, called.call_id, text])
        return (
            yield Join(
                key,
                lambda: self._asking_again(called, lambda each: self._whole(settings, tool, text, each, work)),
            )
        )


def _members(value: Any) -> Json:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _refused(decision: Json) -> GuardError:
    id = decision["id"]
    approvals: list[Any] = decision.get("approvals") or []
    last = _members(approvals[-1] if approvals else None)
    approver, reason = _members(last.get("approver")), last.get("reason")
    if _members(last.get("identity")).get("level") == "system" and isinstance(reason, str) and reason in _OWN_REFUSALS:
        return GuardError(cast(GuardReason, reason), _OWN_REFUSALS[reason], id)
    by = approver.get("name") or approver.get("id")
    # Quoted: these are a person's words, and a model reads them.
    words = "No reason was given." if reason is None else f"The reason: {json.dumps(reason, ensure_ascii=False)}"
    return GuardError("refused", f"{by or 'The approver'} refused the call. {words}", id, refusal=Refusal(by, reason))


def _refusal_of(error: PolicyViolationError | ConflictError, event_id: str | None = None) -> GuardError:
    if isinstance(error, PolicyViolationError):
        id = error.details.get("eventId")
        reason: GuardReason = "changed" if error.details.get("guard") == "action" else "refused"
        return GuardError(reason, error.message, id if isinstance(id, str) else event_id)
    over = error.details.get("reason")
    return GuardError(cast(GuardReason, over) if over in _OVER else "changed", error.message, event_id)


__all__ = ["Asked", "GuardedCall", "Guarding", "Taken", "ToolTerms", "Trust"]
