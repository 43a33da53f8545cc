"""Plays the cases of the fake server, for plain and for asynchronous functions, and tells what was said and exchanged."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from countersign import Guard, GuardError
from countersign.testing import FakeCountersign, fake_countersign

CASES = json.loads((Path(__file__).parents[2] / "packages/sdk/test/fake-cases.json").read_text())


class StoppedClock:
    """The time of a case, which only the case moves."""

    def __init__(self) -> None:
        self.time = 1_700_000_000.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        pass

    async def sleep_async(self, seconds: float) -> None:
        pass


def watched(fake: FakeCountersign, exchanges: list[Any]) -> None:
    """Keeps each exchange, for the comparison with the contract."""
    server: Any = fake._server
    send = server.send

    def kept(request: Any) -> Any:
        answer = send(request)
        path = request.url.split("countersign.test")[1].split("?")[0]
        exchanges.append([request.method, path, answer.status, answer.headers, answer.body.decode()])
        return answer

    server.send = kept


async def played(case: Any, is_async: bool) -> dict[str, Any]:
    clock, ran, said, events, exchanges = StoppedClock(), [], [], {}, []
    asks: Any = lambda action, agent: action["input"]["won"] > case.get("asksAbove", 0)  # noqa: E731
    fake = fake_countersign(asks=asks, usable_for_seconds=case.get("usableForSeconds", 604_800), clock=clock)
    watched(fake, exchanges)

    async def call(step: Any) -> str:
        terms = {"requires": step.get("requires"), "on_done": step.get("onDone")}
        options = {**(fake.async_options if is_async else fake.options), **terms}
        guard = Guard("refund-agent", **options)

        def refund(won: int) -> Any:
            ran.append(won)
            return {"paid": won}

        async def refund_async(won: int) -> Any:
            return refund(won)

        guarded: Any = guard("refund.issue")(refund_async if is_async else refund)
        try:
            made = guarded.run({"won": step["won"]}, call_id=step["call"])
            output = await made if is_async else made
            assert output == {"paid": step["won"]}
            return "ran"
        except GuardError as error:
            if error.reason == "waiting":
                events[step["call"]] = error.event_id
            if "refusal" in step:
                assert error.refusal and error.refusal.__dict__ == step["refusal"]
            return error.reason

    for step in case["steps"]:
        by = {name: step[name] for name in ("name", "reason") if name in step}
        if "call" in step:
            said.append(await call(step))
        elif "approve" in step:
            fake.approve(events[step["approve"]], **by)
        elif "refuse" in step:
            fake.refuse(events[step["refuse"]], **by)
        elif "expire" in step:
            fake.expire(events[step["expire"]])
        elif "withdraw" in step:
            fake.client.decisions.withdraw(events[step["withdraw"]], {})
        elif "freeze" in step:
            fake.freeze("refund-agent", step["freeze"])
        elif "pass" in step:
            clock.time += step["pass"]
    waiting = [each["decisionId"] for each in fake.waiting()]
    return {"said": said, "ran": ran, "waiting": waiting, "exchanges": exchanges, "trust": fake.options["trust"]}


print(json.dumps([asyncio.run(played(case, is_async)) for case in CASES for is_async in (False, True)]))
