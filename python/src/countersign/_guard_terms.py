"""The terms of one call: what the tool says, else what the guard says, else what the environment says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal

from ._environment import center_from_environment, from_environment, trust_from_environment
from .proof import TrustPolicy, Verdict, _tlog, parse_policy
from .proof._facts import ApprovalFacts

Level = Literal["session", "passkey"]


@dataclass(frozen=True)
class Trust:
    """What a program trusts. All of it comes from the program, never from the server being checked."""

    trust: TrustPolicy
    center: int
    sandbox: bool = False
    requires: Level | None = None
    approvers: Sequence[str] | None = None
    confirmed_by: Sequence[str] | None = None
    bound_before: datetime | None = None


@dataclass(frozen=True)
class Terms:
    """Each can be a value, or a function of the arguments of a call."""

    center: int | Callable[[Mapping[str, Any]], int] | None = None
    requires: Level | Callable[[Mapping[str, Any]], Level | None] | None = None
    approvers: Sequence[str] | Callable[[Mapping[str, Any]], Sequence[str] | None] | None = None
    confirmed_by: Sequence[str] | Callable[[Mapping[str, Any]], Sequence[str] | None] | None = None
    bound_before: datetime | Callable[[Mapping[str, Any]], datetime | None] | None = None
    within: float | Callable[[Mapping[str, Any]], float] | None = None
    on_done: Literal["raise", "replay"] | None = None

    def over(self, other: Terms) -> Terms:
        """What this says counts instead of what the other says."""
        said = {each.name: getattr(self, each.name) for each in fields(self) if getattr(self, each.name) is not None}
        return replace(other, **said)


@dataclass(frozen=True)
class CallTerms:
    trust: Trust
    within: float
    on_done: Literal["raise", "replay"]


def value_for(name: str, value: Any, given: Mapping[str, Any]) -> Any:
    return value(given) if callable(value) else value


def whole_trust(
    trust: TrustPolicy | str | None,
    center: int | None,
    sandbox: bool | None,
    requires: Level | None = None,
    approvers: Sequence[str] | None = None,
    confirmed_by: Sequence[str] | None = None,
    bound_before: datetime | None = None,
) -> Trust:
    """With the environment where the program says nothing."""
    whole = Trust(
        trust_of(trust),
        center if center is not None else _required_center(),
        sandbox if sandbox is not None else from_environment("COUNTERSIGN_SANDBOX") == "true",
        requires,
        approvers,
        confirmed_by,
        bound_before,
    )
    check_trust(whole)
    return whole


def trust_of(trust: TrustPolicy | str | None) -> TrustPolicy:
    found = trust if trust is not None else trust_from_environment()
    if found is None:
        raise TypeError("trust isn't set. Pass a trust policy or its text, or set COUNTERSIGN_TRUST_FILE.")
    return parse_policy(found) if isinstance(found, str) else found


def _required_center() -> int:
    center = center_from_environment()
    if center is None:
        raise TypeError("center isn't set. Pass the number shown in the console, or set COUNTERSIGN_CENTER.")
    return center


def check_trust(trust: Trust) -> None:
    """A program that reads its settings notices here and not at the first call."""
    center: Any = trust.center
    if not isinstance(center, int) or isinstance(center, bool) or center < 1:
        raise TypeError(f"center isn't a center ID: {center}. Use the number shown in the console.")
    if center >= FIRST_SANDBOX and not trust.sandbox:
        raise TypeError(f"Center {center} is a sandbox. To run tools on test data, set sandbox=True.")
    if trust.requires not in (None, "session", "passkey"):
        raise TypeError(f"requires is {trust.requires}. Use 'session', 'passkey' or None.")
    for name in ("approvers", "confirmed_by"):
        if isinstance(getattr(trust, name), str):
            raise TypeError(f"{name} is text. Use a list.")
    if trust.bound_before is not None and trust.bound_before.tzinfo is None:
        raise TypeError("bound_before has no time zone.")


# From here on, numbers belong to sandboxes.
FIRST_SANDBOX = 1_000_000_000


def log_name(host: str, center: int, domain: str) -> str:
    return f"{host}/{'sandbox' if center >= FIRST_SANDBOX else 'c'}/{center}/{domain}"


def is_of_center(log: str, center: int) -> bool:
    """Whether a log, of any generation, is one of this center, at whatever host: the policy says whose hosts count."""
    first = str(_tlog.family(log)[0])
    host = first.split("/")[0]
    return any(first == log_name(host, center, domain) for domain in ("proof", "dpu", "history"))


_EARLIER = re.compile(r"(priorApprovals|prior[0-9]+)(\.|\Z)")


def distrusted(verdict: Verdict, trust: Trust) -> str | None:
    """Why the proof isn't trusted; None if it is."""
    facts = verdict.facts
    if not is_of_center(facts.log or "", trust.center):
        return f"The proof is from the log {facts.log}, not from center {trust.center}."
    hidden = next((path for path in (*verdict.undisclosed, *verdict.redacted) if _EARLIER.match(path)), None)
    if hidden is not None:
        return f"The proof doesn't show an earlier approval ({hidden})."
    level = _level_of(trust)
    if level is None:
        return None
    approvals = facts.decision.approvals if facts.decision else ()
    counting = [each for each in approvals if each.void is None]
    if facts.decision is None or facts.decision.result != "approved" or not counting:
        return "The proof doesn't show an approval."
    # Each approval, because a policy may ask for two.
    return next((why for why in (_unfit(each, level, trust) for each in counting) if why is not None), None)


def _level_of(trust: Trust) -> Level | None:
    if trust.confirmed_by is not None or trust.bound_before is not None:
        return "passkey"
    return trust.requires or ("session" if trust.approvers is not None else None)


def _unfit(approval: ApprovalFacts, level: Level, trust: Trust) -> str | None:
    passkey, approver = approval.passkey, approval.approver
    by_passkey = approval.level == "passkey" and passkey is not None and passkey.status == "holds"
    if not (by_passkey or (level == "session" and approval.level == "session")):
        return f"The proof doesn't show that {approver} approved at the {level} identity level."
    if trust.approvers is not None and approval.approver_id not in trust.approvers:
        return f"{approver} isn't one of the approvers that this program accepts."
    confirmation, bound_at = (passkey.confirmation, passkey.bound_at) if passkey else (None, None)
    if trust.confirmed_by is not None and confirmation not in trust.confirmed_by:
        return f"{approver}'s passkey was confirmed by {confirmation}, which this program doesn't accept."
    if trust.bound_before is not None and not (bound_at and time_of(bound_at) < trust.bound_before.timestamp()):
        return f"{approver}'s passkey was registered at {bound_at}, later than this program accepts."
    return None


def time_of(text: str) -> float:
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
