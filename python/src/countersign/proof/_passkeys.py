"""Approvals and raises that passkeys signed, as docs/formats/dpu-chain-v1.md describes them.

Where `cryptography` is not installed, the standard library verifies ES256 and RS256.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from . import _lines as lines
from . import _tlog as tlog
from ._entry import check_entry, is_hash, is_time
from ._json import Refused, canonical, digest_of, read_json
from ._values import (
    MISSING,
    Members,
    Report,
    as_text,
    is_index,
    is_integer,
    is_list,
    is_number,
    is_object,
    list_of,
    members_of,
    names_in,
    text_of,
)

library = tlog.library

# ---------------------------------------------------------------- signatures

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


Point = tuple[int, int] | None


def add(one: Point, other: Point) -> Point:
    if one is None or other is None:
        return one or other
    if one[0] == other[0]:
        if (one[1] + other[1]) % P == 0:
            return None
        slope = (3 * one[0] ** 2 - 3) * pow(2 * one[1], -1, P) % P
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P) % P
    x = (slope**2 - one[0] - other[0]) % P
    return x, (slope * (one[0] - x) - one[1]) % P


def times(scalar: int, point: Point) -> Point:
    total: Point = None
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def es256(x: int, y: int, message: bytes, r: int, s: int) -> bool:
    """Either s is accepted. Nothing here is secret, so time does not matter."""
    if not (0 < r < N and 0 < s < N and x < P and y < P) or (y * y - x**3 + 3 * x - B) % P != 0:
        return False
    inverse = pow(s, -1, N)
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    point = add(times(digest * inverse % N, G), times(r * inverse % N, (x, y)))
    return point is not None and point[0] % N == r


DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


def rs256(modulus: int, message: bytes, signature: bytes) -> bool:
    size = (modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != size or number >= modulus:
        return False
    end = b"\0" + DIGEST_INFO + hashlib.sha256(message).digest()
    block = b"\0\1" + b"\xff" * (size - len(end) - 2) + end
    return pow(number, 65537, modulus) == int.from_bytes(block, "big")


def from_der(data: bytes) -> tuple[int, int] | None:
    """r and s of the only DER for these two numbers, or None."""

    def integer(at: int) -> tuple[int | None, int]:
        if len(data) < at + 3 or data[at] != 2 or data[at + 1] > 33 or data[at + 1] == 0:
            return None, at
        body = data[at + 2 : at + 2 + data[at + 1]]
        shortest = len(body) == data[at + 1] and body[0] < 128 and (body[0] > 0 or (len(body) > 1 and body[1] > 127))
        return int.from_bytes(body, "big") if shortest else None, at + 2 + data[at + 1]

    if len(data) < 8 or data[0] != 0x30 or data[1] != len(data) - 2:
        return None
    (r, at) = integer(2)
    (s, end) = integer(at)
    return (r, s) if r is not None and s is not None and end == len(data) and max(r, s) < 2**256 else None


def unbase64url(text: Any) -> bytes | None:
    """None for everything but the only spelling."""
    if not isinstance(text, str) or not re.match(r"[A-Za-z0-9_-]*\Z", text) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64.urlsafe_b64encode(data).decode().rstrip("=") == text else None


def _number(data: bytes | None, size: int) -> int | None:
    return int.from_bytes(data, "big") if data is not None and len(data) == size else None


def verifies(key: Members, message: bytes, signature: bytes) -> bool | None:
    """None where this is not a key."""
    kind, names = key.get("kty"), set(key)
    if kind == "EC" and key.get("crv") == "P-256" and names == {"kty", "crv", "x", "y"}:
        x, y = _number(unbase64url(key["x"]), 32), _number(unbase64url(key["y"]), 32)
        return None if x is None or y is None else _verifies_ec(x, y, message, signature)
    if kind == "OKP" and key.get("crv") == "Ed25519" and names == {"kty", "crv", "x"}:
        point = unbase64url(key["x"])
        return None if point is None or len(point) != 32 else tlog.ed25519_verify(point, message, signature)
    if kind == "RSA" and key.get("e") == "AQAB" and names == {"kty", "n", "e"}:
        data = unbase64url(key["n"])
        modulus = int.from_bytes(data or b"", "big")
        if not data or data[0] == 0 or modulus % 2 == 0 or not 2048 <= modulus.bit_length() <= 4096:
            return None
        return _verifies_rsa(modulus, message, signature)
    return None


def _verifies_ec(x: int, y: int, message: bytes, signature: bytes) -> bool:
    numbers = from_der(signature)
    if numbers is None:
        return False
    return es256(x, y, message, *numbers) if library is None else bool(library.verifies_es256(x, y, message, signature))


def _verifies_rsa(modulus: int, message: bytes, signature: bytes) -> bool:
    if library is None:
        return rs256(modulus, message, signature)
    return bool(library.verifies_rs256(modulus, message, signature))


# ---------------------------------------------------------------- assertions and statements


def thumbprint(key: Members) -> str:
    return _base64url(hashlib.sha256(canonical(key).encode("utf-8")).digest())


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


Hosts = Mapping[str, Sequence[str]]


def assertion_fault(assertion: Any, statement: Members, key: Members, eligible: bool | None, hosts: Hosts) -> str | None:
    """The code of what is wrong with it, None where the key signed the statement for its host."""
    given = members_of(assertion)
    data, client, signature = (unbase64url(given.get(name)) for name in ("authenticatorData", "clientDataJSON", "signature"))
    if data is None or client is None or signature is None:
        return "passkey-spelling"
    if max(len(data), len(client)) > 4096:
        return "passkey-size"
    host: str = statement["rpId"]
    fault = _client_fault(client, statement, hosts.get(host)) or _device_fault(data, host, eligible)
    if fault is not None:
        return fault
    verified = verifies(key, data + hashlib.sha256(client).digest(), signature)
    return None if verified else "passkey-key" if verified is None else "passkey-signature"


def _client_fault(client: bytes, statement: Members, origins: Sequence[str] | None) -> str | None:
    try:
        said = read_json(client.decode("utf-8"))
    except (Refused, ValueError):
        return "passkey-client-data"
    if not is_object(said):
        return "passkey-client-data"
    if said.get("type") != "webauthn.get":
        return "passkey-type"
    if said.get("challenge") != _base64url(hashlib.sha256(canonical(statement).encode("utf-8")).digest()):
        return "passkey-challenge"
    origin = said.get("origin")
    if not isinstance(origin, str) or (origins is not None and origin not in origins):
        return "passkey-origin"
    return "passkey-framed" if said.get("crossOrigin", False) is not False or "topOrigin" in said else None


def _device_fault(data: bytes, host: str, eligible: bool | None) -> str | None:
    flags = data[32] if len(data) > 32 else 0
    if not (len(data) > 37 if flags & 128 else len(data) == 37) or flags & 64 or (flags & 24) == 16:
        return "passkey-authenticator-data"
    if data[:32] != hashlib.sha256(host.encode("utf-8")).digest():
        return "passkey-host"
    if flags & 5 != 5:
        return "passkey-user"
    return "passkey-backup" if eligible is not None and bool(flags & 8) != eligible else None


def _eligible_in(data: Any) -> bool | None:
    """What the authenticator says of its key; nothing proves it."""
    read = unbase64url(data)
    return None if read is None or len(read) < 33 else bool(read[32] & 8)


MEMBERS = {
    "countersign-approval-v1": "actionDigest approverId decisionId eventId issuedAt log nonce onBehalfOf policies "
    "reasonDigest result rpId type",
    "countersign-approval-v2": "actionDigest approvedActionDigest approverId decisionId emergency eventId issuedAt log nonce "
    "onBehalfOf policies prior reasonDigest result rpId shown type",
    "countersign-raise-v1": "approverId dpuId evidenceLevel issuedAt log nonce policies previous rpId type",
    "countersign-passkey-v1": "actorId issuedAt nonce rpId thumbprint type",
    "countersign-passkey-confirm-v1": "actorId confirmerId issuedAt log nonce rpId thumbprint type",
    "countersign-step-up-v1": "actorId issuedAt nonce rpId sid type",
    "countersign-confirm-v1": "approverId chainHash eventId issuedAt log nonce reasonDigest result rpId type",
}
APPROVALS = ("countersign-approval-v1", "countersign-approval-v2")


def _is_newer(said: Any) -> bool:
    """Whether it is of a type that this program does not know."""
    return is_object(said) and isinstance(said.get("type"), str) and said["type"] not in MEMBERS


_NULLABLE = ("approvedActionDigest", "onBehalfOf", "reasonDigest")


def statement_in(value: Any, *kinds: str) -> Members | None:
    """Exactly the members of one of these types, each in its form."""
    if not is_object(value) or value.get("type") not in kinds or set(value) != set(MEMBERS[value["type"]].split()):
        return None
    nonce = unbase64url(value["nonce"])
    fits = (
        nonce is not None
        and len(nonce) == 32
        and is_time(value["issuedAt"])
        and is_list(value.get("policies", []))
        and isinstance(value.get("shown"), (dict, list, type(None)))
        and isinstance(value.get("emergency"), (bool, type(None)))
        and value.get("emergency") is not False
    )
    rest = [(name, each) for name, each in value.items() if name not in ("policies", "shown", "emergency")]
    texts = all(isinstance(each, str) or (each is None and name in _NULLABLE) for name, each in rest)
    return value if fits and texts else None


# ---------------------------------------------------------------- bindings

WAYS = ("mail", "passkey", "admin", "partner", "operator")
_MOST_ENTRIES = 64


@dataclass(eq=False)
class Binding:
    """A key as one of its entries leaves it. None: the file does not show it."""

    target: Any
    hash: str
    index: float
    actor_id: str | None
    key: Members | None
    statement: Members | None
    eligible: bool | None
    bound_at: str
    confirmed: str | None
    """As `state` says it."""
    counting: Members | None
    """The first confirmation that counts."""
    known: bool
    """False where a value is not shown on which the binding rests."""
    next: float = float("inf")
    """The index of the next entry about the key in this file."""


Bindings = Mapping[Any, Binding]


def stem(log: Any, domain: Any) -> Any:
    """Of any generation."""
    first = tlog.family(log)[0]
    return first[: -len(str(domain)) - 1] if isinstance(first, str) and first.endswith(f"/{domain}") else first


def check_listed(evidence: Members, name: str, report: Report) -> list[Members]:
    """Entries of the history of the same center, in their order; none where one cannot be read."""
    if name not in evidence:
        return []
    listed = evidence[name]
    if not is_list(listed) or not listed:
        report(f"evidence.{name}", "not-a-list")
        return []
    own = stem(evidence.get("log"), members_of(evidence, "chain").get("domain"))
    index: Any = -1
    time: Any = ""
    for position, entry in enumerate(listed):
        at = f"evidence.{name}.{position}"
        chain = entry.get("chain") if is_object(entry) else None
        if not is_object(entry) or not is_object(chain):
            report(at, "not-an-entry")
            return []
        check_entry(entry, "history", at, (), report)
        other = stem(entry.get("log", MISSING), "history")
        if other != own or isinstance(other, (dict, list)):
            report(f"{at}.log", "other-center")
        if not (is_number(chain.get("index")) and is_number(index) and chain["index"] > index):
            report(f"{at}.chain.index", "index-order")
        sealed = entry.get("sealedAt")
        if not (isinstance(sealed, str) and isinstance(time, str) and sealed >= time):
            report(f"{at}.sealedAt", "time-order")
        index, time = chain.get("index"), sealed
    return listed


def check_bindings(evidence: Members, hosts: Hosts, report: Report) -> dict[Any, Binding]:
    """The keys by the hash of the entry that leaves them so."""
    entries = check_listed(evidence, "bindings", report)
    if len(entries) > _MOST_ENTRIES:
        report("evidence.bindings", "not-a-list")
    found: dict[Any, Binding] = {}
    last: dict[str, Binding] = {}
    for position, entry in enumerate(entries[:_MOST_ENTRIES]):
        at = f"evidence.bindings.{position}"
        if entry.get("type") != "passkey":
            report(f"{at}.type", "unexpected", expected="passkey")
        target = canonical(entry.get("target"))
        before = last.get(target)
        if entry.get("previous", MISSING) != (before.hash if before else None):
            report(f"{at}.previous", "path-gap")
        action = "confirmed" if before else "bound"
        if (entry.get("action") if entry.get("action") is not None else action) != action:
            report(f"{at}.action", "unexpected", expected=action)
        start = _later(entry, before, at, report) if before else _begun(entry, hosts, at, report)
        bound = _confirmed(entry, start, found, last, hosts, at, report)
        _check_state(entry, before.confirmed if before else None, bound.confirmed, at, report)
        if before:
            before.next = bound.index
        bound.hash = text_of(members_of(entry, "chain").get("hash")) or ""
        found[bound.hash] = bound
        last[target] = bound
    return found


def _later(entry: Members, before: Binding, at: str, report: Report) -> Binding:
    """What a `confirmed` entry leaves as it was."""
    if "actorId" in entry and before.actor_id is not None and entry["actorId"] != before.actor_id:
        report(f"{at}.actorId", "binding-person")
    return replace(before, index=members_of(entry, "chain").get("index", -1), next=float("inf"))


def _begun(entry: Members, hosts: Hosts, at: str, report: Report) -> Binding:
    """The first entry about a key: whoever holds the key has signed the statement that names it and its person."""
    names = ("actorId", "key", "statement", "assertion", "authenticator")
    actor, key, statement, assertion, device = (entry.get(name) for name in names)
    known = all(name in entry for name in names)
    eligible = device.get("backupEligible") if is_object(device) else None
    said = statement_in(statement, "countersign-passkey-v1")
    if _is_newer(statement):
        report(f"{at}.statement", "newer")
    elif known:
        if said is None or said["actorId"] != actor or not is_object(key) or said["thumbprint"] != thumbprint(key):
            report(f"{at}.statement", "statement-differs")
        elif not isinstance(eligible, bool):
            report(f"{at}.statement", "statement-differs")
        else:
            fault = assertion_fault(assertion, said, key, eligible, hosts)
            if fault is not None:
                report(f"{at}.assertion", fault)
    return Binding(
        target=entry.get("target"),
        hash="",
        index=members_of(entry, "chain").get("index", -1),
        actor_id=text_of(actor),
        key=key if is_object(key) else None,
        statement=said,
        eligible=eligible if isinstance(eligible, bool) else None,
        bound_at=as_text(entry.get("sealedAt", MISSING)),
        confirmed=None,
        counting=None,
        known=known,
    )


def _confirmed(
    entry: Members, start: Binding, found: Bindings, last: Mapping[str, Binding], hosts: Hosts, at: str, report: Report
) -> Binding:
    if "confirmation" not in entry:
        return replace(start, confirmed=None, known=start.known and start.counting is not None)
    given = members_of(entry, "confirmation")
    way, level = given.get("how"), given.get("level")
    if way not in WAYS:
        report(f"{at}.confirmation.how", "none-of", allowed=", ".join(WAYS))
        return start
    confirmed = start.confirmed if way == "mail" and start.confirmed is not None else way
    counting = start.counting or {"how": way, "at": as_text(entry.get("sealedAt", MISSING))}
    counts, nothing = replace(start, confirmed=confirmed, counting=counting), replace(start, confirmed=confirmed)
    if way == "mail":
        return nothing
    person = given.get("confirmerId", MISSING)
    if way == "admin" and (person is not MISSING and person == start.actor_id):
        report(f"{at}.confirmation.confirmerId", "binding-person")
    if way == "admin" and level not in ("session", "passkey"):
        report(f"{at}.confirmation.level", "none-of", allowed="session, passkey")
    if way in ("partner", "operator") or (way == "admin" and level == "session"):
        return counts
    named = given.get("binding")
    by = found.get(named) if isinstance(named, str) else None
    if by is None or last[canonical(by.target)] is not by or canonical(by.target) == canonical(start.target):
        report(f"{at}.confirmation.binding", "binding-missing")
        return nothing
    expected = start.actor_id if way == "passkey" else person
    if by.actor_id is not None and expected is not None and by.actor_id != expected:
        report(f"{at}.confirmation", "binding-person")
    statement = given.get("statement")
    said = start.statement if way == "passkey" else _confirming(statement, entry, start, person)
    if _is_newer(statement):
        report(f"{at}.confirmation.statement", "newer")
    elif said is None and start.known and start.statement is not None:
        report(f"{at}.confirmation.statement", "statement-differs")
    if said is None or by.key is None or by.actor_id is None or not by.known:
        return replace(nothing, known=False)
    fault = assertion_fault(given.get("assertion"), said, by.key, by.eligible, hosts)
    if fault is not None:
        report(f"{at}.confirmation.assertion", fault)
    return nothing if by.counting is None else counts


def _confirming(statement: Any, entry: Members, bound: Binding, person: Any) -> Members | None:
    said = statement_in(statement, "countersign-passkey-confirm-v1")
    if said is None or bound.key is None:
        return None
    expected = {
        "actorId": bound.actor_id,
        "confirmerId": person,
        "thumbprint": thumbprint(bound.key),
        "rpId": bound.statement["rpId"] if bound.statement else MISSING,
    }
    fits = all(said[name] == value for name, value in expected.items())
    return said if fits and tlog.is_up_to(said["log"], entry.get("log")) else None


def _check_state(entry: Members, before: str | None, confirmed: str | None, at: str, report: Report) -> None:
    """A removal has another state, whatever else the file hides."""
    possible = [confirmed] if confirmed is not None else [*WAYS, *([] if before is None else [before])]
    if entry.get("state") not in [digest_of({"passkey": "bound", "confirmed": each}) for each in possible]:
        report(f"{at}.state", "state-differs")


# ---------------------------------------------------------------- approvals


class Approval(dict[str, Any]):
    """As a file shows it: approval, control, said, shows, salt, at, statement_at, is_last, hidden."""


def approvals_in(evidence: Members) -> list[Approval]:
    """Oldest first; the last one sealed the decision."""
    approval = evidence.get("approval")
    if not is_object(approval):
        return []
    found: list[Approval] = []

    def add(approval: Members, holder: Members, at: str, beside: str, is_last: bool = False, hidden: bool = False) -> None:
        passkey, salt = approval.get("passkey"), holder.get("salt")
        inside = is_object(passkey) and "statement" in passkey
        control = holder.get("control")
        found.append(
            Approval(
                approval=approval,
                control=control if is_object(control) else None,
                said=members_of(passkey)["statement"] if inside else holder.get("statement"),
                shows=inside or "statement" in holder,
                salt=text_of(salt),
                at=at,
                statement_at=f"{at}.passkey.statement" if inside else f"{beside}.statement",
                is_last=is_last,
                hidden=hidden,
            )
        )

    for at, each in enumerate(list_of(evidence.get("priorApprovals"))):
        if is_object(each):
            # The members of the approval are those of the entry.
            add(each, {}, f"evidence.priorApprovals.{at}", "evidence")
    for name in prior_names(evidence):
        prior = members_of(evidence, name)
        place = f"evidence.{name}"
        add(members_of(prior, "approval"), prior, f"{place}.approval", place, hidden=name not in evidence)
    own = {name: evidence[name] for name in ("control", "statement") if name in evidence}
    add(approval, own, "evidence.approval", "evidence", is_last=True)
    return found


def prior_names(evidence: Members) -> list[str]:
    commitments = members_of(evidence, "commitments")
    return [name for name in (f"prior{at}" for at in range(15)) if name in commitments]


SALT = re.compile(r"[A-Za-z0-9_-]{43}\Z")
NEEDS = ("shown", "lines", "emergency")
_PRIOR = re.compile(r"prior([0-9]|1[0-4])\Z")


def check_control(evidence: Members, report: Report) -> bool:
    """False where the seal needs something that only a newer version understands."""
    _check_form(evidence, report)
    for name in names_in(members_of(evidence, "commitments")):
        if re.match(r"prior[0-9]+\Z", name) and not _PRIOR.match(name):
            report(f"evidence.{name}", "newer")
    for at, name in enumerate(prior_names(evidence)):
        _check_prior(evidence, name, at, report)
    if "control" not in evidence:
        return True
    control = evidence["control"]
    if not is_object(control):
        report("evidence.control", "not-an-object")
        return True
    rules = control.get("rules")
    if not is_object(rules):
        report("evidence.control.rules", "not-an-object")
    else:
        if not is_hash(rules.get("digest")):
            report("evidence.control.rules.digest", "not-a-hash")
        if rules.get("index", MISSING) is not None and not is_index(rules.get("index")):
            report("evidence.control.rules.index", "not-an-index")
    _check_given(control, "evidence.control", report)
    if "usableUntil" in control and not is_time(control["usableUntil"]):
        report("evidence.control.usableUntil", "not-a-time")
    if "emergency" in control and not is_time(members_of(control, "emergency").get("confirmBy")):
        report("evidence.control.emergency", "not-a-time")
    if "void" in control:
        report("evidence.control.void", "void-last")
    needs = control.get("needs", [])
    if any(each not in NEEDS for each in (needs if is_list(needs) else [needs])):
        report("evidence.control.needs", "newer")
        return False
    return True


def _check_form(evidence: Members, report: Report) -> None:
    """A record has the form of 0.1.0 as a whole, or that of today: what a person signed today names `control`."""
    commitments = names_in(members_of(evidence, "commitments"))
    newer = [name for name in commitments if name == "statement" or _PRIOR.match(name)]
    if "control" in commitments:
        for name in ("approval.passkey.statement", "priorApprovals"):
            if name in commitments:
                report(f"evidence.{name}", "two-forms")
    elif newer:
        report("evidence.control", "missing")
    if "approval" not in evidence:
        for name in newer:
            report(f"evidence.{name}", "no-approval")


def _check_prior(evidence: Members, name: str, position: int, report: Report) -> None:
    """Numbered without a gap: one that was left out when the record was made would else not be missed."""
    at = f"evidence.{name}"
    if name != f"prior{position}":
        report(at, "approval-gap")
    if name not in evidence:
        return
    prior = members_of(evidence, name)
    approval, control, salt = prior.get("approval"), prior.get("control"), prior.get("salt")
    if not is_object(approval):
        report(f"{at}.approval", "not-an-object")
    elif "statement" in members_of(approval, "passkey") and "statement" in prior:
        report(f"{at}.statement", "two-forms")
    if not isinstance(salt, str) or not SALT.match(salt):
        report(f"{at}.salt", "not-a-salt")
    if not is_object(control):
        report(f"{at}.control", "not-an-object")
        return
    _check_given(control, f"{at}.control", report)
    # Counting or not must not depend on how a program reads a value that is no reason.
    if "void" in control and (not isinstance(control["void"], str) or control["void"] == ""):
        report(f"{at}.control.void", "not-a-string")


def _check_given(control: Members, at: str, report: Report) -> None:
    """Members that this version does not know are left alone: `needs` names those that matter."""
    if "admitted" in control and not lines.is_admitted(control["admitted"]):
        report(f"{at}.admitted", "not-admitted")
    if "via" in control and not isinstance(control["via"], str):
        report(f"{at}.via", "not-a-string")
    if "shown" not in control:
        return
    shown = control["shown"]
    if not is_object(shown):
        report(f"{at}.shown", "not-an-object")
        return
    for name in ("view", "language"):
        if not isinstance(shown.get(name), str):
            report(f"{at}.shown.{name}", "not-a-string")
    template = shown.get("template", MISSING)
    if template is None:
        return
    if not is_object(template):
        report(f"{at}.shown.template", "not-an-object")
        return
    if not is_hash(template.get("digest")):
        report(f"{at}.shown.template.digest", "not-a-hash")
    if not is_index(template.get("version")):
        report(f"{at}.shown.template.version", "not-an-index")


Facts = Members
NOTHING: Facts = {
    "rpId": None,
    "thumbprint": None,
    "boundAt": None,
    "confirmation": None,
    "confirmedAt": None,
    "backupEligible": None,
}


def not_judged(why: str) -> Facts:
    return {**NOTHING, "status": "unknown", "why": why}


def unjudged(evidence: Members) -> list[Facts | None]:
    """Where only a newer version can judge the seal."""
    return [not_judged("newer") if _is_signed(each["approval"]) else None for each in approvals_in(evidence)]


def _is_signed(approval: Members) -> bool:
    return members_of(approval, "identity").get("level") == "passkey"


def _approval_hash(each: Approval) -> str | None:
    return None if each["salt"] is None else digest_of({"salt": each["salt"], "approval": each["approval"]})


class Signing(NamedTuple):
    """What every signature is checked with."""

    bindings: Bindings
    hosts: Hosts
    report: Report


def check_signed(evidence: Members, compared: bool, signing: Signing) -> list[Facts | None]:
    """One for each approval, None where its level is another."""
    given, seen = approvals_in(evidence), set[str]()
    # One approval is not two: neither the value nor the signature comes a second time.
    for each in given:
        client = members_of(each["approval"], "passkey").get("clientDataJSON")
        marks = {mark for mark in (_approval_hash(each), client) if isinstance(mark, str)}
        if marks & seen:
            signing.report(each["at"], "approval-twice")
        seen |= marks
    return [_check_one(evidence, each, given[:at], compared, signing) for at, each in enumerate(given)]


def _known_before(said: Any, earlier: Sequence[Approval]) -> bool | None:
    """True where the first of the earlier approvals are those that were signed, None where one is not shown."""
    statement = statement_in(said, "countersign-approval-v2")
    if statement is None:
        return True
    hashes: list[str] = []
    if digest_of(hashes) == statement["prior"]:
        return True
    for each in earlier:
        found = _approval_hash(each)
        if found is None:
            return None
        hashes.append(found)
        if digest_of(hashes) == statement["prior"]:
            return True
    return False


def _check_one(evidence: Members, each: Approval, earlier: Sequence[Approval], compared: bool, signing: Signing) -> Facts | None:
    approval, control, is_last = each["approval"], each["control"], each["is_last"]
    if each["hidden"]:
        return None
    # What did not count is not checked: that its signature did not hold may be the reason.
    if not is_last and control is not None and "void" in control:
        return not_judged("void") if _is_signed(approval) else None
    if not _is_signed(approval):
        if "passkey" in approval:
            signing.report(f"{each['at']}.passkey", "passkey-unclaimed")
        elif each["shows"]:
            signing.report(each["statement_at"], "passkey-unclaimed")
        return None
    commitments = members_of(evidence, "commitments")
    known = _known_before(each["said"], earlier)
    return check_passkey(
        approval.get("passkey", MISSING),
        each["at"],
        signing,
        kinds=APPROVALS,
        statement=each["said"] if each["shows"] else MISSING,
        statement_at=each["statement_at"],
        needed="control" in commitments and not (is_last and "statement" in commitments),
        agrees=lambda said: _says_the_same(said, evidence, each) and known is not False,
        shown=compared and known is True and _has_shown(evidence, each),
    )


def _hider(evidence: Members, each: Approval) -> Callable[[str, Members, str], bool]:
    """Whether the record commits to a member of the last approval that the file does not show."""
    commitments = members_of(evidence, "commitments") if each["is_last"] else {}
    return lambda path, holder, name: name not in holder and path in commitments


def _hides_control(evidence: Members, each: Approval) -> bool:
    committed = each["is_last"] and "control" in members_of(evidence, "commitments")
    return each["control"] is None and committed


def _has_shown(evidence: Members, each: Approval) -> bool:
    """Whether the file shows all that the statement is compared with. Without a reason there is nothing to compare."""
    if not each["is_last"]:
        return True
    approval, hides = each["approval"], _hider(evidence, each)
    return (
        each["shows"]
        and not _hides_control(evidence, each)
        and not hides("approval.approver.id", members_of(approval, "approver"), "id")
        and not hides("approval.onBehalfOf", approval, "onBehalfOf")
        and ("reason" not in approval or not hides("approval.reasonSalt", approval, "reasonSalt"))
    )


def reason_digest(salt: Any, reason: Any) -> str:
    return digest_of({"salt": as_text(salt), "reason": as_text(reason)})


def _listed(policies: Any) -> list[str]:
    return sorted(canonical(each) for each in list_of(policies))


def _says_the_same(said: Members, evidence: Members, each: Approval) -> bool:
    approval, control, hides = each["approval"], each["control"], _hider(evidence, each)
    approver = members_of(approval, "approver")
    by = members_of(approval, "identity").get("by", MISSING)
    expected: Members = {
        # An event and its evidence have the same id under two prefixes.
        "eventId": re.sub("^evd_", "evt_", as_text(evidence.get("id", MISSING))),
        "decisionId": evidence.get("decisionId", MISSING),
        "actionDigest": evidence.get("actionDigest", MISSING),
        "result": approval.get("result", MISSING),
    }
    if not hides("approval.approver.id", approver, "id"):
        expected["approverId"] = approver.get("id", MISSING)
    if not hides("approval.onBehalfOf", approval, "onBehalfOf"):
        expected["onBehalfOf"] = approval.get("onBehalfOf")
    hides_reason = hides("approval.reason", approval, "reason")
    if not hides_reason and not ("reason" in approval and hides("approval.reasonSalt", approval, "reasonSalt")):
        salt = approval.get("reasonSalt", MISSING)
        expected["reasonDigest"] = reason_digest(salt, approval["reason"]) if "reason" in approval else None
    if any(said[name] != value for name, value in expected.items()) or not tlog.is_up_to(said["log"], evidence.get("log")):
        return False
    if by is not MISSING and by != said["approverId"]:
        return False
    # The policies may change between the first of two approvals and the seal.
    if each["is_last"] and _listed(said["policies"]) != _listed(evidence.get("policies", [])):
        return False
    # Where the file does not show `control`, there is nothing to compare. A statement of 0.1.0 says nothing of a page.
    if _hides_control(evidence, each):
        return True
    stated = members_of(control).get("shown")
    urgent = said.get("emergency") is True
    return canonical(said.get("shown")) == canonical(stated) and urgent == lines.in_emergency(control, each["is_last"])


def check_raises(evidence: Members, history: Sequence[Members], signing: Signing) -> list[Facts | None]:
    """The same for each change of the level, None where no passkey signed it."""
    return [
        _check_raise(evidence, entry, f"evidence.history.{at}", signing)
        for at, entry in enumerate(history)
        if entry.get("type") == "level"
    ]


def _check_raise(evidence: Members, entry: Members, at: str, signing: Signing) -> Facts | None:
    commitments = members_of(entry, "commitments")
    if "passkey" not in commitments:
        return None
    if "passkey" not in entry:
        return not_judged("redacted")

    def agrees(said: Members) -> bool:
        expected: Members = {
            # Evidence of a decision is a unit too, under another prefix.
            "dpuId": re.sub("^evd_", "dpu_", as_text(evidence.get("id", MISSING))),
            "previous": entry.get("previous"),
        }
        if "evidenceLevel" in entry or "evidenceLevel" not in commitments:
            expected["evidenceLevel"] = entry.get("evidenceLevel")
        if "by" in entry or "by" not in commitments:
            expected["approverId"] = members_of(entry, "by").get("id", MISSING)
        if any(said[name] != value for name, value in expected.items()) or not tlog.is_up_to(said["log"], entry.get("log")):
            return False
        hidden = "policies" not in entry and "policies" in commitments
        return hidden or _listed(said["policies"]) == _listed(entry.get("policies", []))

    passkey = entry["passkey"]
    return check_passkey(
        passkey,
        at,
        signing,
        kinds=("countersign-raise-v1",),
        statement=members_of(passkey).get("statement", MISSING),
        statement_at=f"{at}.passkey.statement",
        agrees=agrees,
        shown=all(name in entry for name in commitments),
        index=members_of(entry, "chain").get("index"),
    )


_TEXTS = ("authenticatorData", "clientDataJSON", "signature")
_OWN = (*_TEXTS, "binding", "historySize")


def check_passkey(
    passkey: Any,
    at: str,
    signing: Signing,
    *,
    kinds: Sequence[str],
    statement: Any,
    statement_at: str,
    agrees: Callable[[Members], bool],
    shown: bool,
    needed: bool = False,
    index: Any = None,
) -> Facts:
    """`statement`: MISSING where the file does not show it. `index`: of an entry of the history, whose size it signed."""
    bad = False

    def fault(path: str, code: str, /, **params: str) -> None:
        nonlocal bad
        bad = True
        signing.report(f"{at}.{path}", code, **params)

    if not is_object(passkey):
        fault("passkey", "missing")
        return {**NOTHING, "status": "false", "why": None}
    _check_members(passkey, index, fault)
    named = passkey.get("binding")
    bound = signing.bindings.get(named) if isinstance(named, str) else None
    size = passkey.get("historySize")
    if bound is None:
        fault("passkey.binding", "binding-missing")
    else:
        if not (is_number(size) and bound.index < size):
            fault("passkey.historySize", "binding-later")
        if is_number(size) and bound.next < size:
            fault("passkey.binding", "binding-older")
    said = statement_in(statement, *kinds)
    newer = _is_newer(statement) or (said is not None and said.get("approvedActionDigest") is not None)
    if newer:
        signing.report(statement_at, "newer")
    elif statement is MISSING and needed:
        bad = True
        signing.report(statement_at, "missing")
    elif statement is not MISSING and (said is None or not agrees(said)):
        bad = True
        signing.report(statement_at, "statement-differs")
    if said is not None and bound is not None:
        _check_key(passkey, said, bound, signing.hosts, fault)
    whole = shown and said is not None and bound is not None and bound.known
    holds = whole and said is not None and said["rpId"] in signing.hosts and not newer
    counting = (bound.counting if bound else None) or {}
    return {
        "rpId": said["rpId"] if said else None,
        "thumbprint": thumbprint(bound.key) if bound and bound.key else None,
        "boundAt": bound.bound_at if bound else None,
        "confirmation": counting.get("how"),
        "confirmedAt": counting.get("at"),
        "backupEligible": _eligible_in(passkey.get("authenticatorData")),
        "status": "false" if bad else "holds" if holds else "unknown",
        "why": None if bad or holds else "newer" if newer else "no-host" if whole else "redacted",
    }


def _check_members(passkey: Members, index: Any, fault: Report) -> None:
    for name in _OWN:
        if name not in passkey:
            fault(f"passkey.{name}", "missing")
    for name in names_in(passkey):
        if name not in (*_OWN, "statement"):
            fault(f"passkey.{name}", "added")
    if not is_hash(passkey.get("binding")):
        fault("passkey.binding", "not-a-hash")
    size = passkey.get("historySize")
    if not is_integer(size):
        fault("passkey.historySize", "not-an-index")
    if index is None:
        return
    if not is_number(size) or size != index:
        fault("passkey.historySize", "unexpected", expected=f"{index:.0f}")
    if "statement" not in passkey:
        fault("passkey.statement", "missing")


def _check_key(passkey: Members, said: Members, bound: Binding, hosts: Hosts, fault: Report) -> None:
    if bound.actor_id is not None and bound.actor_id != said["approverId"]:
        fault("passkey.binding", "binding-person")
    if bound.statement is not None and bound.statement["rpId"] != said["rpId"]:
        fault("passkey.statement", "passkey-host")
    if bound.known and bound.counting is None:
        fault("passkey.binding", "binding-unconfirmed")
    if bound.key is None:
        return
    code = assertion_fault(passkey, said, bound.key, bound.eligible, hosts)
    if code is not None:
        fault("passkey", code)
