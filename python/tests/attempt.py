"""One process of an agent that has a tool for refunds. It tells on its output what happens, and is told what the tool gives."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from countersign import AsyncCountersign, Countersign, Guard, GuardError
from countersign._steps import SystemClock

SCENE = json.loads(os.environ["SCENE"])
OPTIONS = SCENE["options"]


def say(**event: Any) -> None:
    print(json.dumps(event), flush=True)


class QuickClock:
    """Its pauses are short, so that a test of an absent server does not wait for seconds."""

    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds if seconds > 10 else seconds / 20)

    async def sleep_async(self, seconds: float) -> None:
        await asyncio.sleep(seconds if seconds > 10 else seconds / 20)

    def wait(self, rung: Any, seconds: float) -> None:
        rung.wait(seconds if seconds > 10 else seconds / 20)

    async def wait_async(self, rung: Any, seconds: float) -> None:
        await SystemClock().wait_async(rung, seconds if seconds > 10 else seconds / 20)


def guard_of(client: Any) -> Guard:
    return Guard(
        SCENE["agentId"],
        client=client(SCENE["url"], SCENE["key"], clock=QuickClock()),
        trust=SCENE["policy"],
        center=SCENE["center"],
        within=OPTIONS["withinMs"] / 1000,
        on_done={"throw": "raise"}.get(OPTIONS.get("onDone"), OPTIONS.get("onDone")),
        requires=OPTIONS.get("requires"),
        on_waiting=lambda decision: say(event="waiting", id=decision["id"]),
        on_unreported=lambda _, event_id: say(event="unreported", id=event_id),
    )


def described(given: Any) -> str:
    return f"Refund {given['won']} won for order {given['order']}"


def work(order: str, won: int) -> Any:
    say(event="running", order=order, won=won)
    return json.loads(sys.stdin.readline())


async def work_async(order: str, won: int) -> Any:
    return await asyncio.to_thread(work, order, won)


CALL = {"order": "1041", "won": SCENE["won"]}
CALL_ID = f"{SCENE['runId']}/call-1"
ACTION = "refund.issue"


def plain() -> Any:
    return guard_of(Countersign)(ACTION, describe=described)(work).run(CALL, call_id=CALL_ID)


def asynchronous() -> Any:
    return asyncio.run(guard_of(AsyncCountersign)(ACTION, describe=described)(work_async).run(CALL, call_id=CALL_ID))


def main() -> None:
    from frameworks import FRAMEWORKS

    try:
        say(event="ended", outcome="ran", result=FRAMEWORKS[SCENE["name"]]())
    except Told as told:
        say(event="ended", outcome=told.reason)
    except BaseException as error:
        found: Any = error
        while found is not None and not isinstance(found, GuardError):
            found = found.__cause__ or found.__context__
        if found is None:
            raise
        say(event="ended", outcome=found.reason)


class Told(Exception):
    """What a framework tells a model, or what it gives in place of a result."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


if __name__ == "__main__":
    sys.modules["attempt"] = sys.modules["__main__"]
    main()
