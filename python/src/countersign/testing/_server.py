"""The answers of the Proof API that a guard needs, from memory."""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit

from .._steps import Clock, Request, Response
from ..proof import canonical
from ._log import HOST, FakeLog, SealedRecord, digest_of, sha256_of
from ._passkey import base64url

Json = Mapping[str, Any]
Asks = Callable[[Json, Json], bool]

_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_PATH = re.compile(r"/api/v1/([^/]+)(?:/([^/]+))?(?:/([^/]+))?\Z")


def _new_suffix() -> str:
    return "0" + "".join(secrets.choice(_LETTERS) for _ in range(25))


def _page(suffix: str) -> str:
    return f"https://{HOST}/approve/evt_{suffix}"


@dataclass(frozen=True)
class Verdict:
    result: Literal["approved", "rejected"]
    level: Literal["session", "system"]
    by: Json
    reason: str | None = None


@dataclass
class _Held:
    suffix: str
    decision_id: str
    body: Any
    created_at: str
    salt: str
    is_asked: bool
    approvals: list[dict[str, Any]] = field(default_factory=lambda: list[dict[str, Any]]())
    usable_until: str | None = None
    sealed: SealedRecord | None = None
    execution: dict[str, Any] | None = None

    @property
    def status(self) -> str:
        if self.sealed is None:
            return "recorded"
        return "rejected" if self.approvals and self.approvals[-1]["result"] == "rejected" else "sealed"


class _Refused(Exception):
    """An answer that refuses."""

    def __init__(self, status: int, code: str, message: str, details: Json | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.details = status, code, message, details or {}


def _conflict(message: str, **details: Any) -> _Refused:
    return _Refused(409, "CONFLICT", message, details)


def _frozen() -> _Refused:
    return _conflict("This agent is stopped.", reason="frozen")


class FakeServer:
    """One request at a time, as threads and event loops send them."""

    def __init__(self, log: FakeLog, asks: Asks, usable_for_seconds: float, clock: Clock) -> None:
        self._log, self._asks, self._usable_for, self._clock = log, asks, usable_for_seconds, clock
        self._all: list[_Held] = []
        self._stopped: set[str] = set()
        self._recorded_by = f"key_{_new_suffix()}"
        self._lock = threading.Lock()

    def _now(self, later: float = 0.0) -> str:
        at = datetime.fromtimestamp(self._clock.now() + later, timezone.utc)
        return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"

    def _found(self, id: str) -> _Held:
        held = next((each for each in self._all if id[4:] == each.suffix or id == each.decision_id), None)
        if held is None:
            raise _Refused(404, "NOT_FOUND", "There's no decision with this ID.")
        return held

    # ------------------------------------------------------------------ deciding

    def _seal(self, held: _Held, verdict: Verdict | None) -> None:
        at = self._now()
        approval: dict[str, Any] | None = None
        if verdict is not None:
            by = verdict.by["id"]
            given: dict[str, Any] = {
                "approver": {**verdict.by, "type": "system" if verdict.level == "system" else "human"},
                "result": verdict.result,
                "identity": {"level": verdict.level, "by": by},
                "channel": "page",
                "decidedAt": at,
                **({"reason": verdict.reason} if verdict.reason is not None else {}),
            }
            approval = {**given, "submittedBy": by}
            held.approvals.append({**given, "approvalId": f"apr_{_new_suffix()}", "createdAt": at})
            if verdict.result == "approved":
                held.usable_until = self._now(self._usable_for)
        held.sealed = self._log.seal(
            suffix=held.suffix,
            decision_id=held.decision_id,
            body=held.body,
            occurred_at=held.created_at,
            sealed_at=at,
            action_salt=held.salt,
            recorded_by=self._recorded_by,
            usable_until=held.usable_until,
            approval=approval,
        )

    def _decide(self, body: Any, key: str | None) -> tuple[int, Any]:
        known = next((each for each in self._all if key is not None and each.decision_id == key), None)
        if known is not None and canonical(known.body) != canonical(body):
            raise _conflict(f'The Idempotency-Key "{key}" was already used for another decision.')
        if known is None and body["agent"]["id"] in self._stopped:
            raise _frozen()
        held = known or self._recorded(body, key)
        if known is None:
            self._all.append(held)
            if not held.is_asked:
                self._seal(held, None)
        sealed = held.sealed
        outcome = "approval_required" if sealed is None else "refused" if held.status == "rejected" else "completed"
        dpu = {
            "id": f"dpu_{held.suffix}",
            "status": "sealed" if sealed else "pending",
            "chainHash": sealed.entry.hash if sealed else None,
        }
        answer: dict[str, Any] = {
            "decisionId": held.decision_id,
            "eventId": f"evt_{held.suffix}",
            "outcome": outcome,
            "policies": [],
            "receipt": None,
            "actionDigest": digest_of(held.salt, held.body),
            "actionSalt": held.salt,
            "dpu": dpu,
            "approvalUrl": _page(held.suffix) if outcome == "approval_required" else None,
        }
        return (200 if known else 201), {"data": answer}

    def _recorded(self, body: Any, key: str | None) -> _Held:
        suffix, salt = _new_suffix(), base64url(secrets.token_bytes(32))
        return _Held(suffix, key or f"dec_{suffix}", body, self._now(), salt, self._asks(body["action"], body["agent"]))

    # ------------------------------------------------------------------ showing

    def _shown(self, held: _Held) -> dict[str, Any]:
        body, sealed = held.body, held.sealed
        waiting = {
            **{"since": held.created_at, "reasons": ["humanReview"], "policies": [], "rules": [], "expiresAt": None},
            **{"approvalUrl": _page(held.suffix), "frozen": None, "emergency": None},
        }
        evidence = {
            **{"id": f"evd_{held.suffix}", "status": "sealed" if sealed else "pending"},
            **{"chainHash": sealed.entry.hash if sealed else None, "chainIndex": sealed.index if sealed else None},
        }
        return {
            **self._summary(held),
            **{"action": body["action"], "approvals": held.approvals, "usableUntil": held.usable_until},
            **{"execution": held.execution, **({"aiContext": body["aiContext"]} if body.get("aiContext") else {})},
            **{"riskScore": body.get("riskScore"), "reason": body.get("reason"), "occurredAt": held.created_at},
            **{"recordedBy": self._recorded_by, "actionDigest": digest_of(held.salt, body), "actionSalt": held.salt},
            **{"prior": sha256_of([]), "replaces": None, "evidence": evidence},
            **{"waiting": waiting if sealed is None and held.is_asked else None},
            **{"lines": [], "emergency": None, "comments": [], "recordedByName": None, "actionType": None},
        }

    def _summary(self, held: _Held) -> dict[str, Any]:
        action = {name: each for name, each in held.body["action"].items() if name in ("type", "description")}
        return {
            **{"id": f"evt_{held.suffix}", "decisionId": held.decision_id, "type": "agent_execution"},
            **{"status": held.status, "actor": {**held.body["agent"], "type": "ai_agent"}, "action": action},
            **{"tags": held.body.get("tags") or [], "createdAt": held.created_at},
            "updatedAt": held.sealed.entry.sealed_at if held.sealed else held.created_at,
        }

    def _list(self, query: Mapping[str, list[str]]) -> Any:
        wanted, actor = (query.get("decisionId") or [None])[0], (query.get("actorId") or [None])[0]
        found = [each for each in self._all if wanted in (None, each.decision_id) and actor in (None, each.body["agent"]["id"])]
        pagination = {"total": len(found), "limit": 20, "offset": 0, "hasMore": False, "nextCursor": None}
        return {"data": [self._summary(each) for each in found], "pagination": pagination}

    # ------------------------------------------------------------------ running

    def _consume(self, held: _Held, body: Any) -> Any:
        digest, executor = body["actionDigest"], body["executor"]
        sealed, execution = held.sealed, held.execution
        if sealed is None or held.status != "sealed":
            raise _conflict("This decision isn't approved. Don't run its action.")
        if digest != digest_of(held.salt, held.body):
            raise _Refused(422, "POLICY_VIOLATION", "This isn't the action that was decided.", {"guard": "action"})
        if execution is not None and execution["executor"] != executor:
            outcome = execution["outcome"]["status"] if execution["outcome"] else None
            message = "Another executor has already consumed this decision."
            raise _conflict(message, executor=execution["executor"], outcome=outcome)
        if execution is None:
            if held.body["agent"]["id"] in self._stopped:
                raise _frozen()
            if held.usable_until is not None and self._now() > held.usable_until:
                raise _conflict(f"The approval could only be used until {held.usable_until}.", reason="stale")
            values = {"action": "consumed", "executor": executor, "actionDigest": digest}
            self._log.step(sealed, f"hst_{_new_suffix()}", values, self._now())
            held.execution = {"executor": executor, "consumedAt": self._now(), "outcome": None}
        consumed: Any = held.execution
        return {
            **{"eventId": f"evt_{held.suffix}", "actionDigest": digest, "executor": executor},
            **{"consumedAt": consumed["consumedAt"], "chainHash": sealed.history[0].hash},
            **{"replayed": execution is not None, "receipt": None},
        }

    def _report(self, held: _Held, body: Any) -> Any:
        sealed, execution, status = held.sealed, held.execution, body["status"]
        if sealed is None or execution is None:
            raise _conflict("This decision hasn't been consumed.")
        earlier = execution["outcome"]
        if execution["executor"] != body["executor"] or (earlier is not None and earlier["status"] != "unknown"):
            raise _conflict("The outcome of this decision was already reported, or by another executor.")
        output = {"output": body["output"]} if body.get("output") is not None else {}
        values = {"action": "outcome", "executor": body["executor"], "status": status, **output}
        hash = self._log.step(sealed, f"hst_{_new_suffix()}", values, self._now()).hash
        outcome = {"status": status, "reportedAt": self._now(), **output}
        held.execution = {**execution, "outcome": outcome}
        return {"eventId": f"evt_{held.suffix}", "status": status, "reportedAt": outcome["reportedAt"], "chainHash": hash}

    def _close(self, held: _Held, verdict: Verdict) -> None:
        if held.sealed is not None:
            raise _conflict("This decision isn't waiting.")
        self._seal(held, verdict)

    def _withdraw(self, held: _Held) -> Any:
        self._close(held, Verdict("rejected", "system", {"id": "countersign"}, "withdrawn"))
        entry = held.sealed.entry if held.sealed else None
        return {
            **{"eventId": f"evt_{held.suffix}", "decisionId": held.decision_id},
            **{"withdrawnAt": entry.sealed_at if entry else None, "sealedHash": entry.hash if entry else None},
        }

    # ------------------------------------------------------------------ as a server

    def _answer(self, method: str, url: str, body: Any, key: str | None) -> tuple[int, Any]:
        parts = urlsplit(url)
        found = _PATH.match(parts.path)
        resource, id, step = [unquote(each or "") for each in found.groups()] if found else ["", "", ""]
        what = f"{method} {resource} {id if resource == 'agents' else step}".strip()
        if what == "POST agents decide":
            return self._decide(body, key)
        if what == "GET decision-events":
            return 200, ({"data": self._shown(self._found(id))} if id else self._list(parse_qs(parts.query)))
        if what == "POST decision-events consume":
            return 200, {"data": self._consume(self._found(id), body)}
        if what == "POST decision-events outcome":
            return 200, {"data": self._report(self._found(id), body)}
        if what == "POST decision-events withdraw":
            return 200, {"data": self._withdraw(self._found(id))}
        if what == "GET evidence export":
            sealed = self._found(id).sealed
            if sealed is None:
                raise _Refused(404, "NOT_FOUND", "This decision isn't sealed yet.")
            return 200, self._log.exported(sealed, self._now())
        raise _Refused(404, "NOT_FOUND", f"The fake server doesn't have {method} {parts.path}.")

    def send(self, request: Request) -> Response:
        request_id = f"req_{_new_suffix()}"
        headers = {
            **{"content-type": "application/json", "x-request-id": request_id, "x-ratelimit-limit": "1000"},
            **{"x-ratelimit-remaining": "999", "x-ratelimit-reset": "60"},
        }
        body = json.loads(request.body) if request.body else None
        try:
            with self._lock:
                status, answer = self._answer(request.method, request.url, body, request.headers.get("idempotency-key"))
        except _Refused as error:
            status = error.status
            said = {"code": error.code, "message": error.message, "requestId": request_id, "details": dict(error.details)}
            answer = {"error": said}
        return Response(status, headers, json.dumps(answer, ensure_ascii=False).encode())

    # ------------------------------------------------------------------ as a person

    def close(self, event_id: str, verdict: Verdict) -> None:
        with self._lock:
            self._close(self._found(event_id), verdict)

    def freeze(self, agent_id: str, frozen: bool) -> None:
        with self._lock:
            (self._stopped.add if frozen else self._stopped.discard)(agent_id)

    def waiting(self) -> list[dict[str, Any]]:
        with self._lock:
            return [self._shown(each) for each in self._all if each.sealed is None]
