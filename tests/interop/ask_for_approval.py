"""The Agent Governance Toolkit with our two example files. Reads a list of steps as JSON, and writes what each came to."""

import json
import sys
from datetime import datetime

from agent_governance import CountersignCoordinator, countersign_approval
from agentmesh.governance import govern
from agentmesh.governance.approval_bridge import submit_vote
from agentmesh.governance.approval_protocol import (
    ActionBinding,
    ActionTarget,
    ApprovalChain,
    ApprovalRequest,
    ApprovalStage,
    InMemoryApprovalStore,
)
from agentmesh.governance.approval_webhook import VersionedWebhookApproval, build_webhook_request, parse_webhook_response

RULES = """
apiVersion: governance.toolkit/v1
name: transfers
agents: ["*"]
default_action: allow
rules:
  - name: transfers-need-a-person
    condition: "action.type == 'transfer'"
    action: require_approval
    approvers: ["anyone"]
"""


def binding_of(said):
    return ActionBinding(
        operation=said["operation"],
        agent_id=said["agent_id"],
        target=ActionTarget(**said["target"]),
        parameters=said["parameters"],
        subject_id=said["subject_id"],
    )


def setup(step):
    chain = ApprovalChain("high-risk-tools", "3", (ApprovalStage(0, allowed_identities=frozenset(step["approvers"])),))
    coordinator = CountersignCoordinator(InMemoryApprovalStore(), {chain.chain_id: chain})
    accepted = {name: step[name] for name in ("policy", "log")}
    if "now" in step:
        accepted["now"] = datetime.fromisoformat(step["now"])
    options = {"timeout_seconds": step.get("timeout", 60.0), "pause": 0.2, **accepted}
    return coordinator, countersign_approval(step["url"], step["key"], coordinator, **options)


def seen(vote):
    return {"approved": vote.approved, "approver": vote.approver, "reason": vote.reason}


def run_whole(step):
    """Their coordinator opens the request, our service answers, and their coordinator judges and consumes."""
    coordinator, approval = setup(step)
    binding = binding_of(step["binding"])
    _, request = coordinator.open_request(
        binding, policy_rule_id="transfers", policy_version="7", chain_id="high-risk-tools", ttl_seconds=120
    )
    result = submit_vote(coordinator, request, approval.request_decision(request), identity_assurance="webhook")
    judge = lambda digest: coordinator.validate_for_execution(  # noqa: E731
        request.approval_request_id, current_action_digest=digest, current_policy_version="7", current_chain_version="3"
    ).reason_code
    other = binding_of({**step["binding"], "parameters": {"amount": 1}})
    return {
        **seen(result.approval),
        "error": result.error,
        "other": judge(other.digest()),
        "first": judge(binding.digest()),
        "second": judge(binding.digest()),
    }


def run_plain(step):
    """Their transport as it comes, without our two files: one POST, and the answer as it is."""
    coordinator, _ = setup(step)
    _, request = coordinator.open_request(
        binding_of(step["binding"]), policy_rule_id="r", policy_version="7", chain_id="high-risk-tools", ttl_seconds=120
    )
    headers = {"Authorization": "Bearer " + step["key"]}
    plain = VersionedWebhookApproval(step["url"] + "/api/v1/approval-requests", headers=headers, timeout_seconds=10.0)
    return seen(plain.request_decision(request))


def run_govern(step):
    """A governed tool, called as an agent would."""
    coordinator, approval = setup(step)
    calls = []

    def transfer(action=None, amount=0):
        calls.append(amount)
        return "paid"

    safe = govern(
        transfer,
        policy=RULES,
        agent_id="agent-7",
        approval_coordinator=coordinator,
        approval_chain_id="high-risk-tools",
        approval_ttl_seconds=120.0,
        approval_transport=approval,
    )
    try:
        return {"result": safe(action={"type": "transfer"}, amount=step["amount"]), "calls": calls}
    except Exception as error:
        return {"result": None, "error": str(error), "calls": calls}


def run_judge(step):
    """Their parser with our verifier, over an answer that is given."""
    sent = step["request"]
    request = ApprovalRequest(
        **{name: sent[name] for name in ApprovalRequest.__dataclass_fields__ if name in sent and name != "expires_at"},
        expires_at=datetime.fromisoformat(sent["expires_at"]),
    )
    again = build_webhook_request(request)
    assert all(again[name] == sent[name] for name in again), "our test builds another request than their package"
    assert binding_of(sent["binding"]).digest() == sent["action_digest"], "their digest of the action is another"
    coordinator, approval = setup(step)
    coordinator.bindings[request.approval_request_id] = binding_of(sent["binding"])
    verifier = approval._response_verifier
    return seen(parse_webhook_response(step["answer"], request=request, response_verifier=verifier))


steps = {"whole": run_whole, "plain": run_plain, "govern": run_govern, "judge": run_judge}
json.dump([steps[step["do"]](step) for step in json.load(sys.stdin)], sys.stdout)
