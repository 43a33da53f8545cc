"""One chain entry: what is shown must give its hash, and nothing may be shown that is neither hashed nor committed to."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, NamedTuple

from . import _tlog as tlog
from ._decision import DECISION
from ._json import canonical, sha256
from ._values import MISSING, Members, Report, is_index, is_object, members_of, names_in, silent

HASH = re.compile(r"sha256:[0-9a-f]{64}\Z")
SALT = re.compile(r"[0-9a-f]{32}\Z")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z\Z")
FORMAT = "dpu-chain-v1"
BOOKKEEPING = ("chain", "commitments", "disclosures", "log", "sealedAt")


class Layout(NamedTuple):
    hashed: tuple[str, ...]
    optional: tuple[str, ...]
    branches: tuple[str, ...]


LAYOUTS = {
    "proof": Layout(tuple(DECISION["hashed"]), tuple(DECISION["optional"]), tuple(DECISION["branches"])),
    "dpu": Layout(("id", "referenceType", "vertical"), ("country", "region"), ()),
    "history": Layout(("id", "previous", "state", "target", "type"), (), ()),
}
SUCCESSION = Layout(("id", "succession"), (), ())
# An approval is complete or absent.
_APPROVAL = ("approval.approvedAt", "approval.approver.type", "approval.identity.level", "approval.result")


class Checked(NamedTuple):
    content: str
    hash: str
    undisclosed: list[str]
    """Committed paths whose value isn't shown."""


def is_hash(value: Any) -> bool:
    return isinstance(value, str) and HASH.match(value) is not None


def is_time(value: Any) -> bool:
    return isinstance(value, str) and TIME.match(value) is not None


def commitment(salt: str, path: str, value: Any) -> str:
    return sha256(canonical([salt, path, value]))


def entry_hash(content: str, previous_hash: str | None, sealed_at: str) -> str:
    return sha256(content + (previous_hash or "") + sealed_at)


def _well_formed(entry: Members, domain: str, at: str, report: Report) -> bool:
    chain, commitments, disclosures = entry.get("chain"), entry.get("commitments"), entry.get("disclosures")
    if not (is_object(chain) and is_object(commitments) and is_object(disclosures)):
        for name in ("chain", "commitments", "disclosures"):
            if not is_object(entry.get(name)):
                report(f"{at}.{name}", "not-an-object")
        return False
    faults: list[tuple[str, str, dict[str, str]]] = []
    known = ("hash", "previousHash", "index", "domain")
    faults += [(f"chain.{name}", "added", {}) for name in names_in(chain) if name not in known]
    demands: list[tuple[bool, str, str, dict[str, str]]] = [
        (is_hash(chain.get("hash")), "chain.hash", "not-a-hash", {}),
        (is_index(chain.get("index")), "chain.index", "not-an-index", {}),
        (chain.get("domain") == domain, "chain.domain", "unexpected", {"expected": domain}),
        (chain.get("previousHash", MISSING) is None, "chain.previousHash", "first-has-previous", {})
        if is_index(chain.get("index")) and chain["index"] == 0
        else (is_hash(chain.get("previousHash")), "chain.previousHash", "not-a-hash", {}),
        (is_time(entry.get("sealedAt")), "sealedAt", "not-a-time", {}),
        (isinstance(entry.get("log"), str), "log", "not-a-string", {}),
        *((is_hash(commitments[path]), f"commitments.{path}", "not-a-hash", {}) for path in names_in(commitments)),
    ]
    faults += [(path, code, params) for holds, path, code, params in demands if not holds]
    for path, code, params in faults:
        report(f"{at}.{path}", code, **params)
    return not faults


def check_entry(
    entry: Members, domain: str, at: str, elsewhere: Collection[str], report: Report, layout: Layout | None = None
) -> Checked | None:
    """None when the entry is too malformed to be hashed. `elsewhere`: members that the caller checks."""
    if not _well_formed(entry, domain, at, report):
        return None
    hashed, optional, branches = layout or LAYOUTS[domain]
    commitments, disclosures = members_of(entry, "commitments"), members_of(entry, "disclosures")
    reserved = {*hashed, *optional, *branches, *BOOKKEEPING}
    for path in names_in(commitments):
        parent = path.rpartition(".")[0]
        if path in reserved or (parent and parent not in branches):
            report(f"{at}.commitments.{path}", "not-committed-here")

    shown: set[str] = set()
    found: set[str] = set()

    def visit(value: Any, path: str, into: Members, name: str) -> None:
        if path in commitments:
            shown.add(path)
            _check_disclosure(value, path, commitments[path], disclosures, at, report)
        elif path in hashed or path in optional:
            found.add(path)
            into[name] = value
        elif path in branches and is_object(value) and value:
            inner: Members = {}
            for key in names_in(value):
                visit(value[key], f"{path}.{key}", inner, key)
            if inner:
                into[name] = inner
        else:
            report(f"{at}.{path}", "added")

    content: Members = {}
    for name in names_in(entry):
        if name not in BOOKKEEPING and name not in elsewhere:
            visit(entry[name], name, content, name)
    for path in (*hashed, *(_APPROVAL if "approval" in entry else ())):
        if path not in found:
            report(f"{at}.{path}", "missing")
    for path in names_in(disclosures):
        if path not in commitments:
            report(f"{at}.disclosures.{path}", "no-commitment")
        elif path not in shown:
            report(f"{at}.disclosures.{path}", "salt-alone")
    approval = entry.get("approval")
    if is_object(approval) and approval.get("approvedAt") != entry["sealedAt"]:
        report(f"{at}.approval.approvedAt", "not-sealed-at")

    chain = members_of(entry, "chain")
    content.update(v=FORMAT, log=entry["log"], domain=domain, index=chain["index"], commitments=commitments)
    text = canonical(content)
    computed = entry_hash(text, chain["previousHash"], entry["sealedAt"])
    if computed != chain["hash"]:
        report(f"{at}.chain.hash", "hash-differs", hash=computed)
    return Checked(text, computed, [path for path in names_in(commitments) if path not in shown])


def _check_disclosure(value: Any, path: str, expected: str, disclosures: Members, at: str, report: Report) -> None:
    salt = disclosures.get(path, MISSING)
    if salt is MISSING:
        report(f"{at}.{path}", "no-salt")
    elif not isinstance(salt, str) or not SALT.match(salt):
        report(f"{at}.disclosures.{path}", "not-a-salt")
    elif commitment(salt, path, value) != expected:
        report(f"{at}.{path}", "commitment-differs")


def check_declaration(document: Any, at: str, report: Report) -> Members | None:
    """The entry that begins a generation of a log, without its place in the log; None when it is not intact."""
    whole = True

    def found(path: str, code: str, /, **params: str) -> None:
        nonlocal whole
        whole = False
        report(f"{at}.{path}" if at else path, code, **params)

    given = members_of(document)
    if given.get("@type") != "LogSuccession":
        found("@type", "unexpected", expected="LogSuccession")
    for name in names_in(given):
        if name not in ("@type", "entry", "tlogProof"):
            found(name, "not-in-format")
    if not isinstance(given.get("tlogProof"), str):
        found("tlogProof", "not-a-string")
    entry = members_of(given, "entry")
    chain = entry.get("chain")
    domain = chain.get("domain") if is_object(chain) else None
    if not isinstance(domain, str) or domain not in LAYOUTS or not is_object(chain):
        found("entry", "no-entry")
        return None
    # The paths of an entry have its own place already.
    inside = f"{at}.entry" if at else "entry"

    def about_entry(path: str, code: str, /, **params: str) -> None:
        nonlocal whole
        whole = False
        report(path, code, **params)

    checked = check_entry(entry, domain, inside, (), about_entry, SUCCESSION)
    said = tlog.read_succession(entry.get("log"), chain.get("index"), entry.get("succession"))
    if said is None:
        found("entry.succession", "not-a-succession")
    if not whole or checked is None or said is None:
        return None
    return {**said, "log": entry["log"], "index": chain["index"], "declaredAt": entry["sealedAt"]}


def declared_in(documents: list[Any], policy: tlog.Policy | None) -> list[Members]:
    """The declarations that are intact and in a log that the policy vouches for, each once."""
    declared: list[Members] = []
    for each in documents:
        try:
            said = check_declaration(each, "", silent)
        except (TypeError, KeyError, ValueError):  # a document that is far from one
            continue
        if said is None:
            continue
        chain = members_of(members_of(each, "entry"), "chain")
        found = tlog.check_anchor(said["log"], chain["index"], chain["hash"], each["tlogProof"], policy)
        if found.in_chain.status == found.signed.status == "yes" and found.witnessed.code != "cosignature-bad":
            declared += [said] if said not in declared else []
    return declared
