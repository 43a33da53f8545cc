"""The cases that the TypeScript client runs too, in a thread and in an event loop, with both HTTP libraries."""

from __future__ import annotations

import asyncio
import functools
import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from scripted_server import ScriptedServer, TurnedClock

from countersign import AsyncCountersign, Countersign
from countersign._http import AsyncHttpTransport, HttpTransport
from countersign._page import next_query
from countersign.errors import CountersignError

TABLE = json.loads((Path(__file__).parents[2] / "tests/python/client-cases.json").read_text("utf-8"))
EVERY = [(case, name) for case in TABLE["cases"] for name in case["calls"]]
TRANSPORTS = {
    "httpx2": lambda: HttpTransport(),
    "httpx": lambda: HttpTransport(httpx.Client()),
    "async httpx2": lambda: AsyncHttpTransport(),
    "async httpx": lambda: AsyncHttpTransport(httpx.AsyncClient()),
}
LOOP = asyncio.new_event_loop()


@functools.cache
def transport_of(kind: str) -> Any:
    """Shared by the tests: making one reads the certificates of the machine."""
    return TRANSPORTS[kind]()


def client_of(kind: str, url: str, clock: TurnedClock, limit: float = 20.0) -> Any:
    made = AsyncCountersign if kind.startswith("async") else Countersign
    return made(url, "csk_test_x", clock=clock, transport=transport_of(kind), timeout=limit)


def run(result: Any) -> Any:
    return LOOP.run_until_complete(result) if asyncio.iscoroutine(result) else result


def answer_of(client: Any, call: dict[str, Any], query: Any = None) -> Any:
    return run(
        client.request(
            call["operation"],
            *call.get("path", []),
            body=call.get("body"),
            query=query,
            idempotency_key=call.get("idempotencyKey"),
        )
    )


def error_of(error: CountersignError) -> dict[str, Any]:
    after, docs = getattr(error, "retry_after", None), urlsplit(getattr(error, "docs_url", None) or "")
    return {
        "name": type(error).__name__,
        "message": str(error),
        "requestId": getattr(error, "request_id", None),
        "retryAfterMs": None if after is None else round(after * 1000),
        "docsPath": docs.path + (f"#{docs.fragment}" if docs.fragment else ""),
        **{name: getattr(error, name, None) for name in ("status", "code", "details", "attempts")},
    }


def key_of(name: str, sent: dict[str, Any]) -> Any:
    return sent["headers"]["idempotency-key"] if name == "header" else json.loads(sent["body"])[name]


def holds(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return all(name in found and holds(found[name], each) for name, each in wanted.items())
    return found == wanted


@pytest.mark.parametrize("kind", TRANSPORTS)
@pytest.mark.parametrize(("case", "name"), EVERY, ids=[f"{case['name']}-{name}" for case, name in EVERY])
def test_case(case: dict[str, Any], name: str, kind: str) -> None:
    call, wanted, clock = TABLE["calls"][name], case["expect"], TurnedClock()
    hangs = any(each.get("instead") == "hang" for each in case["answers"])
    with ScriptedServer(case["answers"]) as server:
        client = client_of(kind, server.url, clock, 0.1 if hangs else 20.0)
        error, data, answer = None, None, {}
        try:
            if "items" in wanted:
                items, query = [], call["query"]
                while query is not None:
                    page = answer_of(client, call, query).data
                    items += [each["id"] for each in page["data"]]
                    query = next_query(query, page["pagination"])
                assert items == wanted["items"]
            else:
                found = answer_of(client, call)
                data = found.data
                answer = {"status": found.status, "attempts": found.attempts, "requestId": found.request_id}
        except CountersignError as raised:
            error = error_of(raised)
        assert (error is None) == ("error" not in wanted), error
        assert error is None or holds(error, wanted["error"]), error
        assert "data" not in wanted or data == wanted["data"]
        assert holds(answer, wanted.get("answer", {}))
        assert "items" in wanted or clock.waits == wanted.get("waitsMs", [])
        # A request whose client gave up may still be on its way to the server's thread.
        until = time.monotonic() + 5
        while len(server.seen) < wanted.get("sent", 0) and time.monotonic() < until:
            time.sleep(0.01)
        assert len(server.seen) == wanted.get("sent", len(server.seen))
        assert "first" not in wanted or holds(server.seen[0], wanted["first"]), server.seen
        assert "urls" not in wanted or [each["url"] for each in server.seen] == wanted["urls"]
        keys = [key_of(call["key"], sent) for sent in server.seen if "key" in call]
        assert len(set(keys)) <= 1
        assert None not in keys


@pytest.mark.parametrize("kind", ["httpx2", "async httpx2"])
@pytest.mark.parametrize("case", TABLE["waits"], ids=lambda case: case["name"])
def test_wait(case: dict[str, Any], kind: str) -> None:
    wanted, clock, told, read = case["expect"], TurnedClock(), [], []
    with ScriptedServer(case["answers"]) as server:
        client = client_of(kind, server.url, clock)
        from countersign._waiting import wait_for_approval

        steps = wait_for_approval(client.settings, "evt_1", 60.0, told.append, read.append)
        try:
            ended: dict[str, Any] = {"status": run(client.runner.run(steps))["status"]}
        except CountersignError as error:
            ended = {"error": type(error).__name__}
        assert {**ended, "told": len(told), "read": len(read), "waitsMs": clock.waits} == wanted


def test_a_wait_ends() -> None:
    clock = TurnedClock()
    with ScriptedServer([{"body": {"data": {"id": "evt_1", "status": "pending_approval"}}}]) as server:
        client = client_of("httpx2", server.url, clock)
        with pytest.raises(CountersignError, match="wasn't decided in time") as raised:
            client.wait_for_approval("evt_1", within=3)
        assert raised.value.decision["status"] == "pending_approval"
        assert sum(clock.waits) == 3000


def test_two_calls_have_two_keys() -> None:
    with ScriptedServer([{}]) as server:
        client = client_of("httpx2", server.url, TurnedClock())
        call = TABLE["calls"]["field"]
        for _ in range(2):
            answer_of(client, call)
        one, two = (key_of("idempotencyKey", sent) for sent in server.seen)
        assert one != two


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Countersign("https://a.example", "eyJ"),
        lambda: Countersign("a.example", "csk_test_x"),
        lambda: Countersign("https://a.example/api", "csk_test_x"),
        lambda: Countersign("https://a.example", "csk_test_x").decisions.get(""),
        lambda: Countersign("https://a.example", "csk_test_x").decisions.get(".."),
    ],
)
def test_an_error_of_the_program(wrong: Any) -> None:
    with pytest.raises(TypeError):
        wrong()
