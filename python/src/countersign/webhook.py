"""Verifies the signatures of webhook deliveries."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from .errors import CountersignError

_TOLERANCE = 300
_SECRET = re.compile(r"whsec_[A-Za-z0-9+/]+=*\Z")


class WebhookSignatureError(CountersignError):
    """Respond with 401."""

    def __init__(self, reason: Literal["headers", "time", "signature"], message: str) -> None:
        super().__init__(message)
        self.reason: Literal["headers", "time", "signature"] = reason


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    scheme: Literal["standard", "service"] = "standard",
    now: float | None = None,
) -> dict[str, Any]:
    """
    Returns the event, or raises `WebhookSignatureError`. `body` is the raw body exactly as it arrived, `headers` are those of your
    framework, and `secrets` are the endpoint's signing secrets: two while one is being replaced.
    """
    raw: Any = body
    if not isinstance(raw, (bytes, bytearray, memoryview, str)):
        raise TypeError("body isn't the request's raw body. Read it as bytes or text before anything parses it.")
    data = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    known = [secrets] if isinstance(secrets, str) else list(secrets)
    if not known or any(not _SECRET.match(each) for each in known):
        raise TypeError(
            "A signing secret is whsec_ followed by base64. Copy it exactly as it was shown, without quotes or spaces."
        )
    given = {name.lower(): value for name, value in headers.items()}
    signed, signatures = (
        _standard(given, data, time.time() if now is None else now) if scheme == "standard" else _service(given, data)
    )
    for secret in known:
        key = base64.b64decode(secret[len("whsec_") :]) if scheme == "standard" else secret.encode()
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        if any(hmac.compare_digest(each, expected) for each in signatures):
            return cast("dict[str, Any]", json.loads(data))
    raise WebhookSignatureError(
        "signature", "The signature doesn't match. Check the signing secret, and pass the raw body exactly as it arrived."
    )


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookSignatureError("headers", f"The {name} header is missing or appears more than once.")
    return value


def _standard(headers: Mapping[str, str], body: bytes, now: float) -> tuple[bytes, list[bytes]]:
    id, at, listed = (_header(headers, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature"))
    if not re.fullmatch(r"[0-9]{1,12}", at) or abs(int(now) - int(at)) > _TOLERANCE:
        raise WebhookSignatureError(
            "time",
            "The delivery's time differs from this machine's clock by more than five minutes. "
            "Check that the clock is synchronized.",
        )
    found = [each for each in listed.split(" ") if re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", each)]
    return f"{id}.{at}.".encode() + body, [base64.b64decode(each[3:]) for each in found]


def _service(headers: Mapping[str, str], body: bytes) -> tuple[bytes, list[bytes]]:
    given = [_header(headers, "x-service-signature"), headers.get("x-service-signature-previous", "")]
    return body, [bytes.fromhex(each) for each in given if re.fullmatch(r"[0-9a-f]{64}", each)]


@dataclass(frozen=True)
class DecidedCall:
    call_id: str
    """The ID of the guarded call, without the suffix of a guard that asked again."""
    run_id: str | None
    """The run of the agent, if an adapter named the call: what stands before the last `/`."""
    data: Mapping[str, Any]
    """The event's data."""


def decided_call(event: Mapping[str, Any], agent_ids: str | Sequence[str]) -> DecidedCall | None:
    """
    For an agent that wakes up when a person has decided: what was decided, if the event is `agent.approval.decided` about one of
    these agents; otherwise None. A center's webhooks get the events of all its agents.
    """
    known = [agent_ids] if isinstance(agent_ids, str) else agent_ids
    if event.get("type") != "agent.approval.decided" or event["data"]["agentId"] not in known:
        return None
    call_id = re.sub(r"~[1-9]\Z", "", event["data"]["decisionId"])
    run_id = call_id.rpartition("/")[0] if "/" in call_id else None
    return DecidedCall(call_id, run_id, event["data"])
