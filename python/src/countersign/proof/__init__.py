"""Verifies exported decision proofs and receipts from the file and a trust policy alone. Needs no network, and `cryptography` only."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from . import _export, _json, _tlog
from ._decision import DECISION
from ._entry import declared_in
from ._facts import ApprovalFacts, DecisionFacts, ExecutionFacts, Facts, PasskeyFacts, facts_of
from ._json import Refused as NotExact
from ._tlog import Malformed as MalformedPolicy
from ._values import Members
from ._verdict import judged

__all__ = [
    "ApprovalFacts",
    "DecisionFacts",
    "ExecutionFacts",
    "Facts",
    "MalformedPolicy",
    "NotExact",
    "PasskeyFacts",
    "ReceiptVerdict",
    "TrustPolicy",
    "Verdict",
    "action_digest",
    "canonical",
    "parse_policy",
    "verify_proof",
    "verify_receipt",
]

Status = Literal["yes", "no", "unknown"]
Standing = Literal["holds", "sandbox", "lost", "unvouched", "newer", "rules-hidden", "altered", "not-a-proof"]

# A file may be nested a hundred levels deep, and each level takes several calls.
_DEEP = 20_000


@dataclass(frozen=True)
class TrustPolicy:
    """Whose logs and witnesses count. Get its text through another channel, not from the server's responses."""

    text: str = field(repr=False)
    rules: _tlog.Policy = field(repr=False, compare=False)

    def narrowed(self, log: str) -> TrustPolicy:
        """The policy for the logs of one center."""
        return TrustPolicy(self.text, _tlog.narrowed(self.rules, log))


def parse_policy(text: str) -> TrustPolicy:
    """Raises `MalformedPolicy` for text that isn't a trust policy."""
    return TrustPolicy(text, _tlog.read_policy(text))


@dataclass(frozen=True)
class Verdict:
    """Four answers instead of one, so that each claims only what was checked."""

    intact: Status
    in_chain: Status
    signed: Status
    witnessed: Status
    standing: Standing
    """`holds`: intact, and the parties that the policy names vouch for it."""
    ok: bool
    """The standing is `holds`, or `sandbox` where test data is accepted."""
    sandbox: bool
    hides_rules: bool
    problems: tuple[str, ...]
    newer: tuple[str, ...]
    """What only a newer version can judge."""
    undisclosed: tuple[str, ...]
    redacted: tuple[str, ...]
    outside: tuple[str, ...]
    """Members that no hash and no signature covers: anybody could have changed them."""
    warnings: tuple[str, ...]
    facts: Facts
    document: Mapping[str, Any] = field(repr=False, compare=False)
    """The verdict with everything that the command prints as JSON, by the same names."""

    @property
    def complete(self) -> bool:
        """All four answers are `yes`."""
        return {self.intact, self.in_chain, self.signed, self.witnessed} == {"yes"}


def verify_proof(
    text: str,
    trust: TrustPolicy | None,
    *,
    sandbox: bool = False,
    declarations: Sequence[Any] = (),
    authorities: Sequence[str] = (),
) -> Verdict:
    """
    `text` is an export, exactly as it was sent. Never raises, whatever it is. `sandbox`: test data is enough. `authorities`:
    certificates of time-stamping authorities, in PEM.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEP))
    said = judged(text, trust.rules if trust else None, declarations, authorities, sandbox)
    return Verdict(
        intact=said["intact"]["status"],
        in_chain=said["inChain"]["status"],
        signed=said["signed"]["status"],
        witnessed=said["witnessed"]["status"],
        standing=cast(Standing, said["standing"]),
        ok=said["ok"],
        sandbox=said["sandbox"],
        hides_rules=said["hidesRules"],
        problems=tuple(map(_sentence, said["problems"])) if "unreadable" not in said else (said["unreadable"],),
        newer=tuple(map(_sentence, said["newer"])),
        undisclosed=tuple(said["undisclosed"]),
        redacted=tuple(each["path"] for each in said["redacted"]),
        outside=tuple(said["outside"]),
        warnings=tuple(said["warnings"]),
        facts=facts_of(said),
        document=said,
    )


def _sentence(problem: Members) -> str:
    return f"{problem['path'] or 'The document'} {problem['message']}"


@dataclass(frozen=True)
class ReceiptVerdict:
    in_chain: Status
    signed: Status
    witnessed: Status
    ok: bool
    """The hash is in a log that the policy vouches for. It says nothing about what was hashed."""
    sandbox: bool


def verify_receipt(
    receipt: Mapping[str, Any],
    hash: str,
    trust: TrustPolicy | None,
    *,
    sandbox: bool = False,
    declarations: Sequence[Any] = (),
) -> ReceiptVerdict:
    """Verifies the proof, given at the time of the seal, that a hash is in a signed log. Never raises."""
    is_receipt = isinstance(cast(Any, receipt), Mapping)
    log, index, size = (receipt.get(name) if is_receipt else None for name in ("log", "index", "size"))
    rules = trust.rules if trust else None
    try:
        written = _proof_of(receipt)
    except (AttributeError, KeyError, TypeError, ValueError, MalformedPolicy):  # whatever the receipt is
        written = ""
    found = _tlog.check_anchor(log, index, hash, written, rules)
    fits = found.size is None or found.size == size
    place: Status = found.in_chain.status if fits else "no"
    is_test = _export.is_sandbox_log(log)
    lost = _tlog.loss_of(log, index, declared_in(list(declarations), rules)) is not None
    vouched = place == found.signed.status == "yes" and (sandbox or not is_test) and not lost
    ok = vouched and (found.witnessed.status == "yes" or found.witnessed.code == "quorum-none")
    return ReceiptVerdict(place, found.signed.status, found.witnessed.status, ok, is_test)


def _proof_of(receipt: Mapping[str, Any]) -> str:
    for each in receipt["inclusionProof"]:
        _tlog.unbase64(each)
    hashes = "".join(f"{each}\n" for each in receipt["inclusionProof"])
    index = receipt["index"]
    number = int(index) if isinstance(index, float) and index.is_integer() else index
    return f"c2sp.org/tlog-proof@v1\nindex {number}\n{hashes}\n{receipt['checkpoint']}"


def canonical(value: Any) -> str:
    """RFC 8785, the form that is hashed."""
    return _json.canonical(value)


# In the order of the format, which the canonical form sorts anyway.
_DIGESTED: tuple[str, ...] = tuple(DECISION["digested"])


def action_digest(salt: str, action: Mapping[str, Any]) -> str:
    """What an approval, an execution and the record of a decision share if they are about the same action."""
    covered = {name: action[name] for name in _DIGESTED if action.get(name) is not None}
    return _json.digest_of({"salt": salt, **covered})


def read_exactly(text: str) -> Any:
    """JSON as the format reads it. Raises `NotExact` or `ValueError` for what can't be read unchanged."""
    return _json.read_json(text)
