"""The example receivers, each with its real framework: a delivery counts once, and without its signature never."""

from __future__ import annotations

import base64
import hashlib
import hmac
import importlib.util
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SECRET = "whsec_K6gyu6IcvN/HnkAP5vQ9HKlD2IokptJ4V1RZUg1J2Is="
PLACE = "/webhooks/countersign"
EVENT = {
    "id": "msg_1",
    "type": "agent.approval.decided",
    "data": {"agentId": "refund-agent", "decisionId": "run-7/call-1", "memo": "환불"},
}
Send = Callable[[bytes, "dict[str, str]"], int]


def example(name: str) -> Any:
    file = Path(__file__).parents[2] / f"examples/webhooks/{name}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def with_fastapi() -> Send:
    from fastapi.testclient import TestClient

    client = TestClient(example("receiver_fastapi").app)
    return lambda body, headers: client.post(PLACE, content=body, headers=headers).status_code


def with_flask() -> Send:
    client = example("receiver_flask").app.test_client()
    return lambda body, headers: client.post(PLACE, data=body, headers=headers).status_code


def with_django() -> Send:
    from django.conf import settings

    if not settings.configured:
        settings.configure(ALLOWED_HOSTS=["testserver"], MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"])
    from django.middleware.csrf import CsrfViewMiddleware
    from django.test import RequestFactory

    receive = example("receiver_django").receive

    def send(body: bytes, headers: dict[str, str]) -> int:
        request = RequestFactory(enforce_csrf_checks=True).post(PLACE, body, "application/json", headers=headers)
        middleware = CsrfViewMiddleware(receive)
        return (middleware.process_view(request, receive, (), {}) or receive(request)).status_code

    return send


def signed(body: bytes) -> dict[str, str]:
    at = str(int(time.time()))
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    mac = hmac.new(key, b"msg_1." + at.encode() + b"." + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(mac).decode()}"
    return {"webhook-id": "msg_1", "webhook-timestamp": at, "webhook-signature": signature}


@pytest.mark.parametrize("framework", [with_fastapi, with_flask, with_django])
def test_receiver(framework: Callable[[], Send], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COUNTERSIGN_WEBHOOK_SECRET", SECRET)
    send = framework()
    body = json.dumps(EVENT, ensure_ascii=False, indent=1).encode()
    assert send(body, {}) == 401
    assert send(body + b" ", signed(body)) == 401
    assert capsys.readouterr().out == ""
    assert [send(body, signed(body)), send(body, signed(body))] == [204, 204]
    assert capsys.readouterr().out == "Continue run run-7: a person decided about run-7/call-1.\n"
