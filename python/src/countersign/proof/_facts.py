"""What a record says about who decided. Only as trustworthy as the verdict on the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ._values import Members, listed, members_of


@dataclass(frozen=True)
class PasskeyFacts:
    status: Literal["holds", "unknown", "false"]
    """`holds`: a passkey bound to the person signed exactly this approval, at a host that the policy names."""
    bound_at: str | None
    """When the log bound the key to the person."""
    confirmation: str | None
    """How it was first confirmed in a way that counts."""
    confirmed_at: str | None
    why: Literal["redacted", "no-host", "unvouched", "newer", "void"] | None = None
    """Of `unknown`: what the file or the policy lacks."""
    rp_id: str | None = None
    """The host that the person signed for."""
    thumbprint: str | None = None
    """RFC 7638, of the public key."""
    backup_eligible: bool | None = None
    """The key is kept in an account and may be on several devices, by the word of the authenticator."""


@dataclass(frozen=True)
class ApprovalFacts:
    level: Literal["claim", "session", "passkey", "system"]
    """Who vouches for the approver. A level that this version does not know counts as `claim`."""
    result: Literal["approved", "refused"]
    approver: str | None
    approver_id: str | None
    by: str | None
    on_behalf_of: str | None
    passkey: PasskeyFacts | None
    void: str | None
    """Why it did not count when the decision was sealed. None: it counted."""
    hidden: bool
    """The file commits to this approval and does not show it: nothing else here is known of it."""


@dataclass(frozen=True)
class DecisionFacts:
    result: Literal["approved", "refused", "unapproved"]
    approvals: tuple[ApprovalFacts, ...]
    """Oldest first; the last one sealed the decision."""
    usable_until: str | None


@dataclass(frozen=True)
class ExecutionFacts:
    consumed_at: str
    outcome: str | None
    late: bool
    unconfirmed: bool


@dataclass(frozen=True)
class Facts:
    id: str | None = None
    decision_id: str | None = None
    log: str | None = None
    index: int | None = None
    hash: str | None = None
    sealed_at: str | None = None
    decision: DecisionFacts | None = None
    execution: ExecutionFacts | None = None


def facts_of(verdict: Mapping[str, Any]) -> Facts:
    said = members_of(verdict["facts"])
    index, decision, execution = said["index"], said["decision"], said["execution"]
    return Facts(
        id=said["id"],
        decision_id=said["decisionId"],
        log=said["log"],
        index=int(index) if index is not None and float(index).is_integer() else None,
        hash=said["hash"],
        sealed_at=said["sealedAt"],
        decision=decision and _decision(decision),
        execution=execution
        and ExecutionFacts(execution["consumedAt"], execution["outcome"], execution["late"], execution["unconfirmed"]),
    )


def _decision(said: Members) -> DecisionFacts:
    return DecisionFacts(said["result"], tuple(map(_approval, listed(said["approvals"]))), said["usableUntil"])


def _approval(said: Members) -> ApprovalFacts:
    passkey = said["passkey"]
    return ApprovalFacts(
        level=said["level"],
        result=said["result"],
        approver=said["approver"],
        approver_id=said["approverId"],
        by=said["by"],
        on_behalf_of=said["onBehalfOf"],
        passkey=passkey and _passkey(passkey),
        void=said["void"],
        hidden=said["hidden"],
    )


def _passkey(said: Members) -> PasskeyFacts:
    return PasskeyFacts(
        status=said["status"],
        bound_at=said["boundAt"],
        confirmation=said["confirmation"],
        confirmed_at=said["confirmedAt"],
        why=said["why"],
        rp_id=said["rpId"],
        thumbprint=said["thumbprint"],
        backup_eligible=said["backupEligible"],
    )
