"""Sixty-four coroutines at once: each with a call of its own, then all with the same one, and the two context managers."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from countersign import AsyncCountersign, Countersign, Guard, GuardError
from countersign.guard import current_event_id

SCENE = json.loads(os.environ["SCENE"])
MANY = 64


def guard_of(client: Countersign | AsyncCountersign) -> Guard:
    return Guard("many-agent", client=client, trust=SCENE["policy"], center=SCENE["center"])


async def together() -> dict[str, object]:
    ran: list[str] = []
    async with AsyncCountersign(SCENE["url"], SCENE["key"]) as client:
        guard = guard_of(client)

        @guard("refund.issue", call_id=lambda given: f"many/{given['order']}")
        async def refund(order: str, won: int = 1) -> str:
            event_id = current_event_id()
            await asyncio.sleep(0.01)
            assert current_event_id() == event_id
            ran.append(order)
            return event_id

        each = await asyncio.gather(*(refund(f"each-{at}") for at in range(MANY)))
        same = await asyncio.gather(*(refund("same") for _ in range(MANY)))
        async with guard.call_async("refund.issue", {"order": "block", "won": 1}, call_id="many/block") as call:
            call.output = {"refunded": call.input["won"]}
        return {"ran": len(ran), "events": len(set(each)), "same": len(set(same)), "block": call.event_id}


def alone() -> list[str]:
    said = []
    with Countersign(SCENE["url"], SCENE["key"]) as client:
        guard = guard_of(client)
        call = {"order": "failing", "won": 1}
        try:
            with guard.call("refund.issue", call, call_id="many/failing"):
                raise ValueError("no money")
        except ValueError as error:
            said.append(str(error))
        try:
            with guard.call("refund.issue", call, call_id="many/failing"):
                said.append("ran again")
        except GuardError as error:
            said.append(f"{error.reason}: {error}")
        said += [each.decision_id for each in client.decisions.list(decision_id="many/failing")]
    return said


print(json.dumps({**asyncio.run(together()), "alone": alone()}))
