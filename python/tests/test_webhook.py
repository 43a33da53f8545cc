"""The published vectors of webhook signatures, as the SDK for TypeScript runs them, and a receiver's mistakes."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from countersign import WebhookSignatureError, decided_call, verify_webhook

VECTORS: Any = json.loads((Path(__file__).parents[2] / "docs/formats/webhook-signatures.json").read_text("utf-8"))
FIRST = VECTORS["accepted"][0]
SCHEMES = ("standard", "service")


def at(time: str) -> float:
    return datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()


def about(vector: Any) -> str:
    return vector["about"]


@pytest.mark.parametrize("vector", VECTORS["accepted"], ids=about)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_accepts(vector: Any, scheme: Any) -> None:
    body, now = vector["body"], at(vector["timestamp"])
    upper = {name.title(): value for name, value in vector["headers"].items()}
    for secret in filter(None, (vector["secret"], vector["previousSecret"])):
        assert verify_webhook(body, vector["headers"], secret, scheme=scheme, now=now)["id"] == vector["headers"]["webhook-id"]
        assert verify_webhook(body.encode(), upper, ["whsec_AAAA", secret], scheme=scheme, now=now) == json.loads(body)


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=about)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_refuses(vector: Any, scheme: Any) -> None:
    try:
        verify_webhook(vector["body"], vector["headers"], [vector["secret"]], scheme=scheme, now=at(vector["receivedAt"]))
        accepted = True
    except WebhookSignatureError:
        accepted = False
    assert accepted == vector["accepted"][scheme]


def mistaken(**change: Any) -> Any:
    given = {"body": FIRST["body"], "headers": FIRST["headers"], "secrets": FIRST["secret"], "now": at(FIRST["timestamp"])}
    return verify_webhook(**{**given, **change})


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"body": json.loads(FIRST["body"])}, None),
        ({"secrets": f'"{FIRST["secret"]}"'}, None),
        ({"secrets": FIRST["secret"] + "\n"}, None),
        ({"secrets": []}, None),
        ({"body": json.dumps(json.loads(FIRST["body"]), indent=1)}, "signature"),
        ({"headers": {}}, "headers"),
        ({"now": at("2020-01-01T00:00:00Z")}, "time"),
        ({"headers": {**FIRST["headers"], "webhook-timestamp": "-1"}}, "time"),
        ({"headers": {name: each for name, each in FIRST["headers"].items() if name != "webhook-signature"}}, "headers"),
    ],
    ids=[
        "parsed body",
        "quotes",
        "newline",
        "no secret",
        "other spacing",
        "no headers",
        "clock",
        "negative time",
        "other scheme",
    ],
)
def test_names_the_mistake(change: dict[str, Any], wanted: str | None) -> None:
    with pytest.raises(TypeError if wanted is None else WebhookSignatureError) as caught:
        mistaken(**change)
    assert getattr(caught.value, "reason", None) == wanted


def test_tells_which_call_was_decided() -> None:
    data = {"agentId": "refund-agent", "decisionId": "run-7/call-1~2"}
    event = {"id": "msg_1", "type": "agent.approval.decided", "data": data}
    call = decided_call(event, ["other", "refund-agent"])
    assert call is not None
    assert (call.call_id, call.run_id, call.data) == ("run-7/call-1", "run-7", data)
    assert decided_call(event, "other") is None
    assert decided_call({**event, "type": "dpu.sealed"}, "refund-agent") is None
    alone = decided_call({**event, "data": {**data, "decisionId": "refund-1041"}}, "refund-agent")
    assert alone is not None
    assert (alone.call_id, alone.run_id) == ("refund-1041", None)
