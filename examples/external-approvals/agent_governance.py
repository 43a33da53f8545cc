"""Approvals by Countersign for the Agent Governance Toolkit (`agent-governance-toolkit-core` 5.0.0).

    coordinator = CountersignCoordinator(InMemoryApprovalStore(), {chain.chain_id: chain})
    approval = countersign_approval(url, key, coordinator, policy=policy, log=log)
    safe = govern(tool, policy=rules, approval_coordinator=coordinator, approval_chain_id=chain.chain_id,
                  approval_transport=approval)
"""

import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field

from agentmesh.governance.approval_protocol import ApprovalCoordinator
from agentmesh.governance.approval_webhook import VersionedWebhookApproval, build_webhook_request

from countersign_approvals import verify_approval


@dataclass
class CountersignCoordinator(ApprovalCoordinator):
    """Keeps the action of each request: the request itself has only its digest, and a person can't approve a digest."""

    bindings: dict = field(default_factory=dict)

    def open_request(self, binding, **options):
        decision, request = super().open_request(binding, **options)
        self.bindings[request.approval_request_id] = binding
        return decision, request


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the API key to another server."""

    def redirect_request(self, *_):
        return None


def post(url, body, headers, timeout):
    """Status, answer and the seconds to wait before the same request is sent again."""
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    try:
        with urllib.request.build_opener(NoRedirect).open(request, timeout=timeout) as answer:
            return answer.status, json.load(answer), 2.0
    except urllib.error.HTTPError as error:
        if error.code not in (429, 502, 503, 504):
            raise RuntimeError("%d %s" % (error.code, error.read(1000).decode("utf-8", "replace"))) from error
        return error.code, None, float(error.headers.get("Retry-After") or 2)


def countersign_approval(url, api_key, coordinator, *, policy, log, timeout_seconds=300.0, pause=None, **accepted):
    """A transport for `govern`: asks, repeats the request until somebody has decided, and verifies the proof."""

    def with_action(body):
        return {**body, "binding": coordinator.bindings[body["approval_request_id"]].to_canonical()}

    def transport(address, data, headers, timeout):
        body, end = with_action(json.loads(data)), time.monotonic() + timeout
        while True:
            status, answer, wait = post(address, body, headers, max(1.0, end - time.monotonic()))
            if status == 200:
                return answer
            wait = pause or wait
            if time.monotonic() + wait >= end:
                raise TimeoutError("nobody decided in time")
            time.sleep(wait)

    def verifier(response, request):
        sent = with_action(build_webhook_request(request))
        return verify_approval(sent, response, policy=policy, log=log, **accepted)

    return VersionedWebhookApproval(
        url.rstrip("/") + "/api/v1/approval-requests",
        headers={"Authorization": "Bearer " + api_key},
        timeout_seconds=timeout_seconds,
        transport=transport,
        response_verifier=verifier,
    )
