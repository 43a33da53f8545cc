"""For tests of programs that use Countersign: a fake server, test people of a sandbox, and a passkey in software."""

from __future__ import annotations

from typing import Any

from .._steps import Clock, Request, Response, SystemClock
from ..client import AsyncCountersign, Countersign
from ._approval import sandbox_approval, sandbox_approval_async
from ._log import FAKE_CENTER, HOST, FakeLog
from ._passkey import SoftwarePasskey, software_passkey
from ._server import Asks, FakeServer, Verdict

__all__ = [
    "FakeCountersign",
    "SoftwarePasskey",
    "fake_countersign",
    "sandbox_approval",
    "sandbox_approval_async",
    "software_passkey",
]


class _FakeTransport:
    def __init__(self, server: FakeServer) -> None:
        self._server = server

    def send(self, request: Request) -> Response:
        return self._server.send(request)

    def close(self) -> None:
        pass


class _AsyncFakeTransport:
    def __init__(self, server: FakeServer) -> None:
        self._server = server

    async def send(self, request: Request) -> Response:
        return self._server.send(request)

    async def close(self) -> None:
        pass


class FakeCountersign:
    """
    A server in memory with the answers that guards and adapters need, and with proofs that verify: a guard runs all of its own
    checks. What it makes is test data of a sandbox. It knows no policies but `asks`, and no passkeys; for these, use a sandbox.
    """

    def __init__(self, asks: Asks, usable_for_seconds: float, clock: Clock) -> None:
        log = FakeLog()
        self._server = FakeServer(log, asks, usable_for_seconds, clock)
        address: Any = {"base_url": f"https://{HOST}", "api_key": "csk_test_fake", "clock": clock}
        self.client = Countersign(**address, transport=_FakeTransport(self._server))
        self.async_client = AsyncCountersign(**address, transport=_AsyncFakeTransport(self._server))
        shared: Any = {"trust": log.trust_text, "center": FAKE_CENTER, "sandbox": True}
        self.options: dict[str, Any] = {"client": self.client, **shared}
        """For a guard of plain functions: `Guard("refund-agent", **fake.options)`."""
        self.async_options: dict[str, Any] = {"client": self.async_client, **shared}
        """For a guard of asynchronous functions, and for adapters."""

    def waiting(self) -> list[dict[str, Any]]:
        """The decisions that wait for a person, oldest first, as JSON."""
        return self._server.waiting()

    def approve(self, event_id: str, *, name: str = "Test person", reason: str | None = None) -> None:
        """Approves as a signed-in person."""
        self._server.close(event_id, Verdict("approved", "session", {"id": "test-person", "name": name}, reason))

    def refuse(self, event_id: str, *, name: str = "Test person", reason: str | None = None) -> None:
        self._server.close(event_id, Verdict("rejected", "session", {"id": "test-person", "name": name}, reason))

    def expire(self, event_id: str) -> None:
        """Lets the time of a waiting decision run out."""
        self._server.close(event_id, Verdict("rejected", "system", {"id": "countersign"}, "expired"))

    def freeze(self, agent_id: str, frozen: bool = True) -> None:
        """Stops an agent; `False` lifts the stop."""
        self._server.freeze(agent_id, frozen)


def fake_countersign(
    *, asks: Asks = lambda action, agent: True, usable_for_seconds: float = 604_800, clock: Clock | None = None
) -> FakeCountersign:
    """
    `asks(action, agent)`: whether a person has to approve an action, as your center's policies would say; by default, always.
    `usable_for_seconds`: how long an approval can be used; seven days by default, as for a policy that doesn't say. `clock`: the
    time of the server and of the clients.
    """
    return FakeCountersign(asks, usable_for_seconds, clock or SystemClock())
