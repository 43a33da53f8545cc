"""Generated from the fields of a decision by npm run generate."""

from typing import Any

DECISION: Any = {
  "digested": [
    "type",
    "actor",
    "action",
    "aiContext",
    "riskScore",
    "reason"
  ],
  "members": {
    "actor": [
      "id",
      "type",
      "name"
    ],
    "action": [
      "type",
      "description",
      "input",
      "output"
    ],
    "aiContext": [
      "model",
      "provider",
      "confidence",
      "reasoning",
      "modelVersion",
      "agentVersion",
      "toolCallId",
      "traceId",
      "spanId",
      "promptDigest"
    ]
  },
  "hashed": [
    "actionDigest",
    "decisionId",
    "event.action.type",
    "event.actor.type",
    "event.occurredAt",
    "event.type",
    "evidenceLevel",
    "id"
  ],
  "optional": [
    "approval.approvedAt",
    "approval.approver.type",
    "approval.identity.level",
    "approval.result",
    "approval.passkey.authenticatorData",
    "approval.passkey.binding",
    "approval.passkey.clientDataJSON",
    "approval.passkey.historySize",
    "approval.passkey.signature",
    "approval.channel",
    "approval.decidedAt",
    "approval.openedAt",
    "event.replaces",
    "policies"
  ],
  "branches": [
    "approval",
    "approval.approver",
    "approval.identity",
    "approval.passkey",
    "event",
    "event.actor",
    "event.action",
    "event.aiContext"
  ]
}
