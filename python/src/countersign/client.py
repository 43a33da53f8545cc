"""The client for programs: it calls the Proof API with an API key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ._call import Answer, CallOptions, Settings, address_of, call
from ._environment import api_key_from_environment, url_from_environment
from ._http import AsyncHttpTransport, HttpTransport
from ._operations import ASYNC_RESOURCES, RESOURCES
from ._resource import read, row_of
from ._steps import AsyncRunner, AsyncTransport, Clock, Runner, SystemClock, Transport
from ._waiting import wait_for_approval

if TYPE_CHECKING:
    from typing_extensions import Self

    from . import _operations as o
    from . import models as m


def _settings(base_url: str | None, api_key: str | None, timeout: float, max_retry_after: float, clock: Clock | None) -> Settings:
    key = api_key or api_key_from_environment()
    if not key.startswith("csk_"):
        raise TypeError("api_key isn't an API key (csk_…).")
    address = address_of(base_url or url_from_environment())
    return Settings(address, key, timeout, max_retry_after, clock or SystemClock())


class _Shared:
    settings: Settings

    @property
    def sandbox(self) -> bool:
        """Whether the API key belongs to a sandbox, so that it reaches only test data."""
        return self.settings.api_key.startswith("csk_test_")


class Countersign(_Shared):
    """Calls the API and waits. `base_url` and `api_key` are those of `COUNTERSIGN_URL` and `COUNTERSIGN_API_KEY` by default."""

    agents: o.Agents
    api_keys: o.ApiKeys
    approvals: o.Approvals
    chains: o.Chains
    decisions: o.Decisions
    dpus: o.Dpus
    events: o.Events
    evidence: o.Evidence
    logs: o.Logs
    policies: o.Policies
    public_verification: o.PublicVerification
    sandboxes: o.Sandboxes
    system: o.System
    test_people: o.TestPeople
    webhooks: o.Webhooks

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        max_retry_after: float = 60.0,
        transport: Transport | None = None,
        clock: Clock | None = None,
    ) -> None:
        """`timeout` is for one attempt; a call that would have to wait longer than `max_retry_after` fails right away."""
        self.settings = _settings(base_url, api_key, timeout, max_retry_after, clock)
        self.runner = Runner(transport or HttpTransport(), self.settings.clock)
        for name, kind in RESOURCES.items():
            setattr(self, name, kind(self))

    def request(
        self,
        operation: str,
        *path: str | int,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer[Any]:
        """Calls an operation, such as `decisions.get`, and returns JSON values with status, headers and request ID."""
        row = row_of(operation)
        given = query if row.input == "query" else body
        return self.runner.run(call(self.settings, row, path, given, CallOptions(idempotency_key, timeout, headers)))

    def wait_for_approval(
        self,
        event_id: str,
        *,
        within: float,
        on_waiting: Callable[[Mapping[str, Any]], Any] | None = None,
        on_read: Callable[[Mapping[str, Any]], Any] | None = None,
    ) -> m.Decision:
        """
        Waits until the decision is sealed, at most `within` seconds: `status` is `sealed` after an approval, and `rejected`
        after a refusal or an expiry. Raises `ApprovalPendingError` when the time runs out; the decision stays open, and you
        can wait again later. To act on an approval, verify the exported evidence and consume the decision.
        """
        steps = wait_for_approval(self.settings, event_id, within, on_waiting, on_read)
        return read("Decision", self.runner.run(steps))

    def close(self) -> None:
        self.runner.transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncCountersign(_Shared):
    """As `Countersign`, for programs with an event loop."""

    agents: o.AsyncAgents
    api_keys: o.AsyncApiKeys
    approvals: o.AsyncApprovals
    chains: o.AsyncChains
    decisions: o.AsyncDecisions
    dpus: o.AsyncDpus
    events: o.AsyncEvents
    evidence: o.AsyncEvidence
    logs: o.AsyncLogs
    policies: o.AsyncPolicies
    public_verification: o.AsyncPublicVerification
    sandboxes: o.AsyncSandboxes
    system: o.AsyncSystem
    test_people: o.AsyncTestPeople
    webhooks: o.AsyncWebhooks

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        max_retry_after: float = 60.0,
        transport: AsyncTransport | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.settings = _settings(base_url, api_key, timeout, max_retry_after, clock)
        self.runner = AsyncRunner(transport or AsyncHttpTransport(), self.settings.clock)
        for name, kind in ASYNC_RESOURCES.items():
            setattr(self, name, kind(self))

    async def request(
        self,
        operation: str,
        *path: str | int,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer[Any]:
        """As in `Countersign`."""
        row = row_of(operation)
        given = query if row.input == "query" else body
        return await self.runner.run(call(self.settings, row, path, given, CallOptions(idempotency_key, timeout, headers)))

    async def wait_for_approval(
        self,
        event_id: str,
        *,
        within: float,
        on_waiting: Callable[[Mapping[str, Any]], Any] | None = None,
        on_read: Callable[[Mapping[str, Any]], Any] | None = None,
    ) -> m.Decision:
        """As in `Countersign`; the functions may be asynchronous."""
        steps = wait_for_approval(self.settings, event_id, within, on_waiting, on_read)
        return read("Decision", await self.runner.run(steps))

    async def close(self) -> None:
        await self.runner.transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
