"""Generated from the contract by python/tools/generate.py."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._call import Row
from ._resource import AsyncResource, Resource

if TYPE_CHECKING:
    from . import models as m
    from ._page import AsyncPage, Page

List = list

TABLE: Mapping[str, Row] = {
    "agents.decide": Row("POST", "/api/v1/agents/decide", "data", input="body", repeat="header", model="AgentDecision"),
    "agents.requestApproval": Row("POST", "/api/v1/approval-requests", "bare", input="body"),
    "apiKeys.getOwn": Row("GET", "/api/v1/api-key", "data", model="CallingKey"),
    "approvals.create": Row(
        "POST", "/api/v1/decision-events/{id}/approvals", "data", input="body", repeat="header", model="Approval"
    ),
    "chains.listEntries": Row(
        "GET",
        "/api/v1/chains/{domain}/entries",
        "lines",
        input="query",
        model="ChainEntry",
        query=(("from_", "from"), ("values", "values")),
    ),
    "chains.getCheckpoint": Row("GET", "/api/v1/chains/{domain}/checkpoint", "data", model="Checkpoint"),
    "chains.getInclusionProof": Row(
        "GET", "/api/v1/chains/{domain}/proofs/{index}", "data", input="query", model="InclusionProof", query=(("size", "size"),)
    ),
    "chains.getConsistencyProof": Row(
        "GET",
        "/api/v1/chains/{domain}/consistency",
        "data",
        input="query",
        model="ConsistencyProof",
        query=(("from_", "from"), ("to", "to")),
    ),
    "chains.listGenerations": Row("GET", "/api/v1/chains/{domain}/generations", "data", model="LogGenerations"),
    "decisions.record": Row("POST", "/api/v1/decision-events", "data", input="body", repeat="field", model="DecisionEvent"),
    "decisions.list": Row(
        "GET",
        "/api/v1/decision-events",
        "page",
        input="query",
        model="DecisionEventSummary",
        query=(
            ("type", "type"),
            ("status", "status"),
            ("tag", "tag"),
            ("waiting", "waiting"),
            ("actor_id", "actorId"),
            ("decision_id", "decisionId"),
            ("from_", "from"),
            ("to", "to"),
            ("cursor", "cursor"),
            ("limit", "limit"),
            ("offset", "offset"),
        ),
    ),
    "decisions.get": Row("GET", "/api/v1/decision-events/{id}", "data", model="Decision"),
    "decisions.consume": Row(
        "POST", "/api/v1/decision-events/{id}/consume", "data", input="body", repeat="same", model="Consumption"
    ),
    "decisions.reportOutcome": Row(
        "POST", "/api/v1/decision-events/{id}/outcome", "data", input="body", repeat="same", model="Outcome"
    ),
    "decisions.withdraw": Row(
        "POST", "/api/v1/decision-events/{id}/withdraw", "data", input="body", repeat="header", model="WithdrawnDecision"
    ),
    "dpus.getState": Row("GET", "/api/v1/dpu/{id}", "data", model="DpuState"),
    "events.publish": Row("POST", "/api/v1/events", "data", input="body", repeat="header", model="PublishedEvent"),
    "evidence.get": Row("GET", "/api/v1/evidence/{id}", "data", model="Evidence"),
    "evidence.export": Row("GET", "/api/v1/evidence/{id}/export", "text"),
    "evidence.getContext": Row("GET", "/schema/decision-proof/v2", "bare", open=True, model="JsonLdContext"),
    "logs.get": Row("GET", "/.well-known/countersign-log.json", "bare", open=True, model="LogDocument"),
    "policies.check": Row("POST", "/api/v1/policies/check", "data", input="body", model="PolicyCheck"),
    "policies.export": Row("GET", "/api/v1/policies/export", "data", model="PolicyExport"),
    "policies.import": Row("PUT", "/api/v1/policies/import", "data", input="body", repeat="header", model="PolicyImport"),
    "publicVerification.verify": Row("GET", "/verify/{id}", "bare", open=True, model="PublicVerification"),
    "sandboxes.list": Row("GET", "/api/v1/sandboxes", "data", model="list:NamedSandbox"),
    "sandboxes.add": Row("POST", "/api/v1/sandboxes", "data", input="body", repeat="header", model="NewNamedSandbox"),
    "sandboxes.refresh": Row("POST", "/api/v1/sandboxes/{sandboxId}/refresh", "data", model="NamedSandbox"),
    "sandboxes.end": Row("DELETE", "/api/v1/sandboxes/{sandboxId}", "none", repeat="header"),
    "system.getHome": Row("GET", "/", "bare", open=True, model="Home"),
    "system.checkLive": Row("GET", "/health/live", "bare", open=True, model="Health"),
    "system.checkReady": Row("GET", "/health/ready", "bare", open=True, model="Health"),
    "system.getJwks": Row("GET", "/.well-known/jwks.json", "bare", open=True, model="Jwks"),
    "system.getOpenApi": Row("GET", "/openapi.json", "bare", open=True, model="OpenApiDocument"),
    "testPeople.list": Row("GET", "/api/v1/sandbox/people", "data", model="list:TestPerson"),
    "testPeople.approve": Row("POST", "/api/v1/sandbox/approvals", "data", input="body", repeat="header", model="Approval"),
    "webhooks.register": Row("POST", "/api/v1/webhooks", "bare", input="body", repeat="header", model="RegisteredWebhook"),
    "webhooks.list": Row("GET", "/api/v1/webhooks", "data", model="list:ListedWebhook"),
    "webhooks.update": Row("PATCH", "/api/v1/webhooks/{webhookId}", "bare", input="body", repeat="header", model="Webhook"),
    "webhooks.delete": Row("DELETE", "/api/v1/webhooks/{webhookId}", "none", repeat="header"),
    "webhooks.rotateSecret": Row(
        "POST", "/api/v1/webhooks/{webhookId}/rotate-secret", "bare", input="body", repeat="header", model="RotatedSecret"
    ),
    "webhooks.listDeliveries": Row(
        "GET",
        "/api/v1/webhooks/{webhookId}/deliveries",
        "data",
        input="query",
        model="list:Delivery",
        query=(("limit", "limit"),),
    ),
    "webhooks.retryEvent": Row("POST", "/api/v1/webhooks/events/{eventId}/retry", "data", repeat="header", model="RetriedEvent"),
    "webhooks.listAttempts": Row(
        "GET", "/api/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts", "data", model="list:DeliveryAttempt"
    ),
    "webhooks.listEvents": Row(
        "GET",
        "/api/v1/webhooks/{webhookId}/events",
        "data",
        input="query",
        model="WebhookEvents",
        query=(("after", "after"), ("since", "since"), ("limit", "limit")),
    ),
    "webhooks.test": Row("POST", "/api/v1/webhooks/{webhookId}/test", "data", repeat="header", model="TestEvent"),
    "webhooks.recover": Row(
        "POST", "/api/v1/webhooks/{webhookId}/recover", "data", input="body", repeat="header", model="Recovery"
    ),
    "webhooks.getRecovery": Row("GET", "/api/v1/webhooks/{webhookId}/recoveries/{recoveryId}", "data", model="Recovery"),
    "webhooks.listEventTypes": Row("GET", "/api/v1/webhooks/event-types", "data", model="list:EventTypeDescription"),
}


class Agents(Resource):
    def decide(
        self,
        body: m.NewAgentDecision | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.AgentDecision:
        """Ask whether an agent may act: `POST /api/v1/agents/decide`."""
        return self._one("agents.decide", (), body, idempotency_key, timeout, headers)

    def request_approval(
        self,
        body: m.NewApprovalRequest | Mapping[str, Any],
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Request an approval for another gateway: `POST /api/v1/approval-requests`."""
        return self._one("agents.requestApproval", (), body, None, timeout, headers)


class ApiKeys(Resource):
    def get_own(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.CallingKey:
        """Retrieve the calling API key: `GET /api/v1/api-key`."""
        return self._one("apiKeys.getOwn", (), None, None, timeout, headers)


class Approvals(Resource):
    def create(
        self,
        id: str | int,
        body: m.NewApproval | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Approval:
        """Approve or refuse a decision event: `POST /api/v1/decision-events/{id}/approvals`."""
        return self._one("approvals.create", (id,), body, idempotency_key, timeout, headers)


class Chains(Resource):
    def list_entries(
        self,
        domain: str | int,
        *,
        from_: int | None = None,
        values: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[m.ChainEntry]:
        """Stream a chain: `GET /api/v1/chains/{domain}/entries`."""
        return self._lines("chains.listEntries", (domain,), {"from": from_, "values": values}, None, timeout, headers)

    def get_checkpoint(
        self,
        domain: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Checkpoint:
        """Retrieve the newest checkpoint: `GET /api/v1/chains/{domain}/checkpoint`."""
        return self._one("chains.getCheckpoint", (domain,), None, None, timeout, headers)

    def get_inclusion_proof(
        self,
        domain: str | int,
        index: str | int,
        *,
        size: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.InclusionProof:
        """Retrieve an inclusion proof: `GET /api/v1/chains/{domain}/proofs/{index}`."""
        return self._one("chains.getInclusionProof", (domain, index), {"size": size}, None, timeout, headers)

    def get_consistency_proof(
        self,
        domain: str | int,
        *,
        from_: int,
        to: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.ConsistencyProof:
        """Retrieve a consistency proof: `GET /api/v1/chains/{domain}/consistency`."""
        return self._one("chains.getConsistencyProof", (domain,), {"from": from_, "to": to}, None, timeout, headers)

    def list_generations(
        self,
        domain: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.LogGenerations:
        """List a chain's declared losses: `GET /api/v1/chains/{domain}/generations`."""
        return self._one("chains.listGenerations", (domain,), None, None, timeout, headers)


class Decisions(Resource):
    def record(
        self,
        body: m.NewDecisionEvent | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.DecisionEvent:
        """Record a decision event: `POST /api/v1/decision-events`."""
        return self._one("decisions.record", (), body, idempotency_key, timeout, headers)

    def list(
        self,
        *,
        type: str | None = None,
        status: str | None = None,
        tag: str | None = None,
        waiting: str | None = None,
        actor_id: str | None = None,
        decision_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page[m.DecisionEventSummary]:
        """List decision events: `GET /api/v1/decision-events`."""
        return self._page(
            "decisions.list",
            (),
            {
                "type": type,
                "status": status,
                "tag": tag,
                "waiting": waiting,
                "actorId": actor_id,
                "decisionId": decision_id,
                "from": from_,
                "to": to,
                "cursor": cursor,
                "limit": limit,
                "offset": offset,
            },
            None,
            timeout,
            headers,
        )

    def get(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Decision:
        """Retrieve a decision event: `GET /api/v1/decision-events/{id}`."""
        return self._one("decisions.get", (id,), None, None, timeout, headers)

    def consume(
        self,
        id: str | int,
        body: m.NewConsumption | Mapping[str, Any],
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Consumption:
        """Consume a sealed decision: `POST /api/v1/decision-events/{id}/consume`."""
        return self._one("decisions.consume", (id,), body, None, timeout, headers)

    def report_outcome(
        self,
        id: str | int,
        body: m.NewOutcome | Mapping[str, Any],
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Outcome:
        """Report a consumed decision's outcome: `POST /api/v1/decision-events/{id}/outcome`."""
        return self._one("decisions.reportOutcome", (id,), body, None, timeout, headers)

    def withdraw(
        self,
        id: str | int,
        body: m.Withdrawal | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.WithdrawnDecision:
        """Withdraw a decision: `POST /api/v1/decision-events/{id}/withdraw`."""
        return self._one("decisions.withdraw", (id,), body, idempotency_key, timeout, headers)


class Dpus(Resource):
    def get_state(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.DpuState:
        """Retrieve a DPU's state: `GET /api/v1/dpu/{id}`."""
        return self._one("dpus.getState", (id,), None, None, timeout, headers)


class Events(Resource):
    def publish(
        self,
        body: m.NewEvent | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PublishedEvent:
        """Publish an event: `POST /api/v1/events`."""
        return self._one("events.publish", (), body, idempotency_key, timeout, headers)


class Evidence(Resource):
    def get(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Evidence:
        """Retrieve a decision's evidence: `GET /api/v1/evidence/{id}`."""
        return self._one("evidence.get", (id,), None, None, timeout, headers)

    def export(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> str:
        """Export a decision's evidence: `GET /api/v1/evidence/{id}/export`."""
        return self._one("evidence.export", (id,), None, None, timeout, headers)

    def get_context(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.JsonLdContext:
        """Retrieve the JSON-LD context: `GET /schema/decision-proof/v2`."""
        return self._one("evidence.getContext", (), None, None, timeout, headers)


class Logs(Resource):
    def get(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.LogDocument:
        """Retrieve the log document: `GET /.well-known/countersign-log.json`."""
        return self._one("logs.get", (), None, None, timeout, headers)


class Policies(Resource):
    def check(
        self,
        body: m.PolicyCheckRequest | Mapping[str, Any],
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PolicyCheck:
        """Check a decision against the policies: `POST /api/v1/policies/check`."""
        return self._one("policies.check", (), body, None, timeout, headers)

    def export(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PolicyExport:
        """Export policies as a file: `GET /api/v1/policies/export`."""
        return self._one("policies.export", (), None, None, timeout, headers)

    def import_(
        self,
        body: m.PolicyFile | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PolicyImport:
        """Import policies from a file: `PUT /api/v1/policies/import`."""
        return self._one("policies.import", (), body, idempotency_key, timeout, headers)


class PublicVerification(Resource):
    def verify(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PublicVerification:
        """Verify a sealed record: `GET /verify/{id}`."""
        return self._one("publicVerification.verify", (id,), None, None, timeout, headers)


class Sandboxes(Resource):
    def list(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.NamedSandbox]:
        """List sandboxes: `GET /api/v1/sandboxes`."""
        return self._one("sandboxes.list", (), None, None, timeout, headers)

    def add(
        self,
        body: m.NewSandbox | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.NewNamedSandbox:
        """Create a named sandbox: `POST /api/v1/sandboxes`."""
        return self._one("sandboxes.add", (), body, idempotency_key, timeout, headers)

    def refresh(
        self,
        sandbox_id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.NamedSandbox:
        """Refresh a sandbox: `POST /api/v1/sandboxes/{sandboxId}/refresh`."""
        return self._one("sandboxes.refresh", (sandbox_id,), None, None, timeout, headers)

    def end(
        self,
        sandbox_id: str | int,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """End a sandbox: `DELETE /api/v1/sandboxes/{sandboxId}`."""
        return self._one("sandboxes.end", (sandbox_id,), None, idempotency_key, timeout, headers)


class System(Resource):
    def get_home(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Home:
        """Retrieve the start page: `GET /`."""
        return self._one("system.getHome", (), None, None, timeout, headers)

    def check_live(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Health:
        """Check liveness: `GET /health/live`."""
        return self._one("system.checkLive", (), None, None, timeout, headers)

    def check_ready(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Health:
        """Check readiness: `GET /health/ready`."""
        return self._one("system.checkReady", (), None, None, timeout, headers)

    def get_jwks(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Jwks:
        """Retrieve the public keys: `GET /.well-known/jwks.json`."""
        return self._one("system.getJwks", (), None, None, timeout, headers)

    def get_open_api(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.OpenApiDocument:
        """Retrieve the OpenAPI document: `GET /openapi.json`."""
        return self._one("system.getOpenApi", (), None, None, timeout, headers)


class TestPeople(Resource):
    def list(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.TestPerson]:
        """List test people: `GET /api/v1/sandbox/people`."""
        return self._one("testPeople.list", (), None, None, timeout, headers)

    def approve(
        self,
        body: m.TestApproval | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Approval:
        """Approve as a test person: `POST /api/v1/sandbox/approvals`."""
        return self._one("testPeople.approve", (), body, idempotency_key, timeout, headers)


class Webhooks(Resource):
    def register(
        self,
        body: m.NewWebhook | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.RegisteredWebhook:
        """Create a webhook: `POST /api/v1/webhooks`."""
        return self._one("webhooks.register", (), body, idempotency_key, timeout, headers)

    def list(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.ListedWebhook]:
        """List webhooks: `GET /api/v1/webhooks`."""
        return self._one("webhooks.list", (), None, None, timeout, headers)

    def update(
        self,
        webhook_id: str | int,
        body: m.WebhookPatch | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Webhook:
        """Update a webhook: `PATCH /api/v1/webhooks/{webhookId}`."""
        return self._one("webhooks.update", (webhook_id,), body, idempotency_key, timeout, headers)

    def delete(
        self,
        webhook_id: str | int,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a webhook: `DELETE /api/v1/webhooks/{webhookId}`."""
        return self._one("webhooks.delete", (webhook_id,), None, idempotency_key, timeout, headers)

    def rotate_secret(
        self,
        webhook_id: str | int,
        body: m.SecretRotation | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.RotatedSecret:
        """Rotate a signing secret: `POST /api/v1/webhooks/{webhookId}/rotate-secret`."""
        return self._one("webhooks.rotateSecret", (webhook_id,), body, idempotency_key, timeout, headers)

    def list_deliveries(
        self,
        webhook_id: str | int,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.Delivery]:
        """List webhook deliveries: `GET /api/v1/webhooks/{webhookId}/deliveries`."""
        return self._one("webhooks.listDeliveries", (webhook_id,), {"limit": limit}, None, timeout, headers)

    def retry_event(
        self,
        event_id: str | int,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.RetriedEvent:
        """Retry an event: `POST /api/v1/webhooks/events/{eventId}/retry`."""
        return self._one("webhooks.retryEvent", (event_id,), None, idempotency_key, timeout, headers)

    def list_attempts(
        self,
        webhook_id: str | int,
        event_id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.DeliveryAttempt]:
        """List delivery attempts: `GET /api/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts`."""
        return self._one("webhooks.listAttempts", (webhook_id, event_id), None, None, timeout, headers)

    def list_events(
        self,
        webhook_id: str | int,
        *,
        after: str | None = None,
        since: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.WebhookEvents:
        """List a webhook's events: `GET /api/v1/webhooks/{webhookId}/events`."""
        return self._one(
            "webhooks.listEvents", (webhook_id,), {"after": after, "since": since, "limit": limit}, None, timeout, headers
        )

    def test(
        self,
        webhook_id: str | int,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.TestEvent:
        """Send a test event: `POST /api/v1/webhooks/{webhookId}/test`."""
        return self._one("webhooks.test", (webhook_id,), None, idempotency_key, timeout, headers)

    def recover(
        self,
        webhook_id: str | int,
        body: m.NewRecovery | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Recovery:
        """Recover missed events: `POST /api/v1/webhooks/{webhookId}/recover`."""
        return self._one("webhooks.recover", (webhook_id,), body, idempotency_key, timeout, headers)

    def get_recovery(
        self,
        webhook_id: str | int,
        recovery_id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Recovery:
        """Retrieve a recovery: `GET /api/v1/webhooks/{webhookId}/recoveries/{recoveryId}`."""
        return self._one("webhooks.getRecovery", (webhook_id, recovery_id), None, None, timeout, headers)

    def list_event_types(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.EventTypeDescription]:
        """List event types: `GET /api/v1/webhooks/event-types`."""
        return self._one("webhooks.listEventTypes", (), None, None, timeout, headers)


class AsyncAgents(AsyncResource):
    async def decide(
        self,
        body: m.NewAgentDecision | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.AgentDecision:
        """Ask whether an agent may act: `POST /api/v1/agents/decide`."""
        return await self._one("agents.decide", (), body, idempotency_key, timeout, headers)

    async def request_approval(
        self,
        body: m.NewApprovalRequest | Mapping[str, Any],
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Request an approval for another gateway: `POST /api/v1/approval-requests`."""
        return await self._one("agents.requestApproval", (), body, None, timeout, headers)


class AsyncApiKeys(AsyncResource):
    async def get_own(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.CallingKey:
        """Retrieve the calling API key: `GET /api/v1/api-key`."""
        return await self._one("apiKeys.getOwn", (), None, None, timeout, headers)


class AsyncApprovals(AsyncResource):
    async def create(
        self,
        id: str | int,
        body: m.NewApproval | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Approval:
        """Approve or refuse a decision event: `POST /api/v1/decision-events/{id}/approvals`."""
        return await self._one("approvals.create", (id,), body, idempotency_key, timeout, headers)


class AsyncChains(AsyncResource):
    def list_entries(
        self,
        domain: str | int,
        *,
        from_: int | None = None,
        values: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[m.ChainEntry]:
        """Stream a chain: `GET /api/v1/chains/{domain}/entries`."""
        return self._lines("chains.listEntries", (domain,), {"from": from_, "values": values}, None, timeout, headers)

    async def get_checkpoint(
        self,
        domain: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Checkpoint:
        """Retrieve the newest checkpoint: `GET /api/v1/chains/{domain}/checkpoint`."""
        return await self._one("chains.getCheckpoint", (domain,), None, None, timeout, headers)

    async def get_inclusion_proof(
        self,
        domain: str | int,
        index: str | int,
        *,
        size: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.InclusionProof:
        """Retrieve an inclusion proof: `GET /api/v1/chains/{domain}/proofs/{index}`."""
        return await self._one("chains.getInclusionProof", (domain, index), {"size": size}, None, timeout, headers)

    async def get_consistency_proof(
        self,
        domain: str | int,
        *,
        from_: int,
        to: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.ConsistencyProof:
        """Retrieve a consistency proof: `GET /api/v1/chains/{domain}/consistency`."""
        return await self._one("chains.getConsistencyProof", (domain,), {"from": from_, "to": to}, None, timeout, headers)

    async def list_generations(
        self,
        domain: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.LogGenerations:
        """List a chain's declared losses: `GET /api/v1/chains/{domain}/generations`."""
        return await self._one("chains.listGenerations", (domain,), None, None, timeout, headers)


class AsyncDecisions(AsyncResource):
    async def record(
        self,
        body: m.NewDecisionEvent | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.DecisionEvent:
        """Record a decision event: `POST /api/v1/decision-events`."""
        return await self._one("decisions.record", (), body, idempotency_key, timeout, headers)

    async def list(
        self,
        *,
        type: str | None = None,
        status: str | None = None,
        tag: str | None = None,
        waiting: str | None = None,
        actor_id: str | None = None,
        decision_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncPage[m.DecisionEventSummary]:
        """List decision events: `GET /api/v1/decision-events`."""
        return await self._page(
            "decisions.list",
            (),
            {
                "type": type,
                "status": status,
                "tag": tag,
                "waiting": waiting,
                "actorId": actor_id,
                "decisionId": decision_id,
                "from": from_,
                "to": to,
                "cursor": cursor,
                "limit": limit,
                "offset": offset,
            },
            None,
            timeout,
            headers,
        )

    async def get(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Decision:
        """Retrieve a decision event: `GET /api/v1/decision-events/{id}`."""
        return await self._one("decisions.get", (id,), None, None, timeout, headers)

    async def consume(
        self,
        id: str | int,
        body: m.NewConsumption | Mapping[str, Any],
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Consumption:
        """Consume a sealed decision: `POST /api/v1/decision-events/{id}/consume`."""
        return await self._one("decisions.consume", (id,), body, None, timeout, headers)

    async def report_outcome(
        self,
        id: str | int,
        body: m.NewOutcome | Mapping[str, Any],
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Outcome:
        """Report a consumed decision's outcome: `POST /api/v1/decision-events/{id}/outcome`."""
        return await self._one("decisions.reportOutcome", (id,), body, None, timeout, headers)

    async def withdraw(
        self,
        id: str | int,
        body: m.Withdrawal | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.WithdrawnDecision:
        """Withdraw a decision: `POST /api/v1/decision-events/{id}/withdraw`."""
        return await self._one("decisions.withdraw", (id,), body, idempotency_key, timeout, headers)


class AsyncDpus(AsyncResource):
    async def get_state(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.DpuState:
        """Retrieve a DPU's state: `GET /api/v1/dpu/{id}`."""
        return await self._one("dpus.getState", (id,), None, None, timeout, headers)


class AsyncEvents(AsyncResource):
    async def publish(
        self,
        body: m.NewEvent | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PublishedEvent:
        """Publish an event: `POST /api/v1/events`."""
        return await self._one("events.publish", (), body, idempotency_key, timeout, headers)


class AsyncEvidence(AsyncResource):
    async def get(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Evidence:
        """Retrieve a decision's evidence: `GET /api/v1/evidence/{id}`."""
        return await self._one("evidence.get", (id,), None, None, timeout, headers)

    async def export(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> str:
        """Export a decision's evidence: `GET /api/v1/evidence/{id}/export`."""
        return await self._one("evidence.export", (id,), None, None, timeout, headers)

    async def get_context(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.JsonLdContext:
        """Retrieve the JSON-LD context: `GET /schema/decision-proof/v2`."""
        return await self._one("evidence.getContext", (), None, None, timeout, headers)


class AsyncLogs(AsyncResource):
    async def get(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.LogDocument:
        """Retrieve the log document: `GET /.well-known/countersign-log.json`."""
        return await self._one("logs.get", (), None, None, timeout, headers)


class AsyncPolicies(AsyncResource):
    async def check(
        self,
        body: m.PolicyCheckRequest | Mapping[str, Any],
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PolicyCheck:
        """Check a decision against the policies: `POST /api/v1/policies/check`."""
        return await self._one("policies.check", (), body, None, timeout, headers)

    async def export(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PolicyExport:
        """Export policies as a file: `GET /api/v1/policies/export`."""
        return await self._one("policies.export", (), None, None, timeout, headers)

    async def import_(
        self,
        body: m.PolicyFile | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PolicyImport:
        """Import policies from a file: `PUT /api/v1/policies/import`."""
        return await self._one("policies.import", (), body, idempotency_key, timeout, headers)


class AsyncPublicVerification(AsyncResource):
    async def verify(
        self,
        id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.PublicVerification:
        """Verify a sealed record: `GET /verify/{id}`."""
        return await self._one("publicVerification.verify", (id,), None, None, timeout, headers)


class AsyncSandboxes(AsyncResource):
    async def list(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.NamedSandbox]:
        """List sandboxes: `GET /api/v1/sandboxes`."""
        return await self._one("sandboxes.list", (), None, None, timeout, headers)

    async def add(
        self,
        body: m.NewSandbox | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.NewNamedSandbox:
        """Create a named sandbox: `POST /api/v1/sandboxes`."""
        return await self._one("sandboxes.add", (), body, idempotency_key, timeout, headers)

    async def refresh(
        self,
        sandbox_id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.NamedSandbox:
        """Refresh a sandbox: `POST /api/v1/sandboxes/{sandboxId}/refresh`."""
        return await self._one("sandboxes.refresh", (sandbox_id,), None, None, timeout, headers)

    async def end(
        self,
        sandbox_id: str | int,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """End a sandbox: `DELETE /api/v1/sandboxes/{sandboxId}`."""
        return await self._one("sandboxes.end", (sandbox_id,), None, idempotency_key, timeout, headers)


class AsyncSystem(AsyncResource):
    async def get_home(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Home:
        """Retrieve the start page: `GET /`."""
        return await self._one("system.getHome", (), None, None, timeout, headers)

    async def check_live(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Health:
        """Check liveness: `GET /health/live`."""
        return await self._one("system.checkLive", (), None, None, timeout, headers)

    async def check_ready(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Health:
        """Check readiness: `GET /health/ready`."""
        return await self._one("system.checkReady", (), None, None, timeout, headers)

    async def get_jwks(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Jwks:
        """Retrieve the public keys: `GET /.well-known/jwks.json`."""
        return await self._one("system.getJwks", (), None, None, timeout, headers)

    async def get_open_api(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.OpenApiDocument:
        """Retrieve the OpenAPI document: `GET /openapi.json`."""
        return await self._one("system.getOpenApi", (), None, None, timeout, headers)


class AsyncTestPeople(AsyncResource):
    async def list(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.TestPerson]:
        """List test people: `GET /api/v1/sandbox/people`."""
        return await self._one("testPeople.list", (), None, None, timeout, headers)

    async def approve(
        self,
        body: m.TestApproval | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Approval:
        """Approve as a test person: `POST /api/v1/sandbox/approvals`."""
        return await self._one("testPeople.approve", (), body, idempotency_key, timeout, headers)


class AsyncWebhooks(AsyncResource):
    async def register(
        self,
        body: m.NewWebhook | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.RegisteredWebhook:
        """Create a webhook: `POST /api/v1/webhooks`."""
        return await self._one("webhooks.register", (), body, idempotency_key, timeout, headers)

    async def list(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.ListedWebhook]:
        """List webhooks: `GET /api/v1/webhooks`."""
        return await self._one("webhooks.list", (), None, None, timeout, headers)

    async def update(
        self,
        webhook_id: str | int,
        body: m.WebhookPatch | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Webhook:
        """Update a webhook: `PATCH /api/v1/webhooks/{webhookId}`."""
        return await self._one("webhooks.update", (webhook_id,), body, idempotency_key, timeout, headers)

    async def delete(
        self,
        webhook_id: str | int,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Delete a webhook: `DELETE /api/v1/webhooks/{webhookId}`."""
        return await self._one("webhooks.delete", (webhook_id,), None, idempotency_key, timeout, headers)

    async def rotate_secret(
        self,
        webhook_id: str | int,
        body: m.SecretRotation | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.RotatedSecret:
        """Rotate a signing secret: `POST /api/v1/webhooks/{webhookId}/rotate-secret`."""
        return await self._one("webhooks.rotateSecret", (webhook_id,), body, idempotency_key, timeout, headers)

    async def list_deliveries(
        self,
        webhook_id: str | int,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.Delivery]:
        """List webhook deliveries: `GET /api/v1/webhooks/{webhookId}/deliveries`."""
        return await self._one("webhooks.listDeliveries", (webhook_id,), {"limit": limit}, None, timeout, headers)

    async def retry_event(
        self,
        event_id: str | int,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.RetriedEvent:
        """Retry an event: `POST /api/v1/webhooks/events/{eventId}/retry`."""
        return await self._one("webhooks.retryEvent", (event_id,), None, idempotency_key, timeout, headers)

    async def list_attempts(
        self,
        webhook_id: str | int,
        event_id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.DeliveryAttempt]:
        """List delivery attempts: `GET /api/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts`."""
        return await self._one("webhooks.listAttempts", (webhook_id, event_id), None, None, timeout, headers)

    async def list_events(
        self,
        webhook_id: str | int,
        *,
        after: str | None = None,
        since: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.WebhookEvents:
        """List a webhook's events: `GET /api/v1/webhooks/{webhookId}/events`."""
        return await self._one(
            "webhooks.listEvents", (webhook_id,), {"after": after, "since": since, "limit": limit}, None, timeout, headers
        )

    async def test(
        self,
        webhook_id: str | int,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.TestEvent:
        """Send a test event: `POST /api/v1/webhooks/{webhookId}/test`."""
        return await self._one("webhooks.test", (webhook_id,), None, idempotency_key, timeout, headers)

    async def recover(
        self,
        webhook_id: str | int,
        body: m.NewRecovery | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Recovery:
        """Recover missed events: `POST /api/v1/webhooks/{webhookId}/recover`."""
        return await self._one("webhooks.recover", (webhook_id,), body, idempotency_key, timeout, headers)

    async def get_recovery(
        self,
        webhook_id: str | int,
        recovery_id: str | int,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> m.Recovery:
        """Retrieve a recovery: `GET /api/v1/webhooks/{webhookId}/recoveries/{recoveryId}`."""
        return await self._one("webhooks.getRecovery", (webhook_id, recovery_id), None, None, timeout, headers)

    async def list_event_types(
        self,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> List[m.EventTypeDescription]:
        """List event types: `GET /api/v1/webhooks/event-types`."""
        return await self._one("webhooks.listEventTypes", (), None, None, timeout, headers)


RESOURCES: Mapping[str, type[Resource]] = {
    "agents": Agents,
    "api_keys": ApiKeys,
    "approvals": Approvals,
    "chains": Chains,
    "decisions": Decisions,
    "dpus": Dpus,
    "events": Events,
    "evidence": Evidence,
    "logs": Logs,
    "policies": Policies,
    "public_verification": PublicVerification,
    "sandboxes": Sandboxes,
    "system": System,
    "test_people": TestPeople,
    "webhooks": Webhooks,
}


ASYNC_RESOURCES: Mapping[str, type[AsyncResource]] = {
    "agents": AsyncAgents,
    "api_keys": AsyncApiKeys,
    "approvals": AsyncApprovals,
    "chains": AsyncChains,
    "decisions": AsyncDecisions,
    "dpus": AsyncDpus,
    "events": AsyncEvents,
    "evidence": AsyncEvidence,
    "logs": AsyncLogs,
    "policies": AsyncPolicies,
    "public_verification": AsyncPublicVerification,
    "sandboxes": AsyncSandboxes,
    "system": AsyncSystem,
    "test_people": AsyncTestPeople,
    "webhooks": AsyncWebhooks,
}
