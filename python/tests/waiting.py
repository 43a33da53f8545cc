"""Waits for a decision, and tells how often the server was asked meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import countersign.models  # noqa: F401 - loading it takes longer than a test of time allows
from countersign import ApprovalPendingError, AsyncCountersign, Countersign
from countersign._http import AsyncHttpTransport, HttpTransport

SCENE = json.loads(os.environ["SCENE"])
COUNTS = {"reads": 0, "streams": 0}


class Counting(HttpTransport):
    def send(self, request: Any) -> Any:
        COUNTS["reads"] += 1
        return super().send(request)

    def lines(self, request: Any, opened: Any) -> Any:
        COUNTS["streams"] += 1
        if SCENE["breaks"]:
            return iter(["event: ready"])
        return super().lines(request, opened)


class CountingAsync(AsyncHttpTransport):
    async def send(self, request: Any) -> Any:
        COUNTS["reads"] += 1
        return await super().send(request)

    async def lines(self, request: Any) -> Any:
        COUNTS["streams"] += 1
        if SCENE["breaks"]:
            yield "event: ready"
            return
        async for line in super().lines(request):
            yield line


def told(_: Any) -> None:
    if COUNTS["reads"] == 1:
        print(json.dumps({"waiting": True}), flush=True)


async def waited() -> Any:
    async with AsyncCountersign(SCENE["url"], SCENE["key"], transport=CountingAsync()) as client:
        return await client.wait_for_approval(SCENE["id"], within=SCENE["within"], on_read=told)


def decision() -> Any:
    if SCENE["asynchronous"]:
        return asyncio.run(waited())
    with Countersign(SCENE["url"], SCENE["key"], transport=Counting()) as client:
        return client.wait_for_approval(SCENE["id"], within=SCENE["within"], on_read=told)


started = time.time()
try:
    status = decision().status
except ApprovalPendingError:
    status = "pending"
ended = time.time()
# A stream that is no longer needed is closed.
until = time.time() + 3
while threading.active_count() > 1 and time.time() < until:
    time.sleep(0.05)
left = [each.name for each in threading.enumerate() if each.name == "countersign-stream"]
print(
    json.dumps({**COUNTS, "status": str(getattr(status, "root", status)), "seconds": ended - started, "at": ended, "left": left})
)
