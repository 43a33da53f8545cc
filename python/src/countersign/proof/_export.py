"""Checks exported decision proofs, and whole chains.

Written from docs/formats/dpu-chain-v1.md and transparency.md alone and sharing no code with the service, so that the
two can disagree. What both read is the list of a decision's members in docs/formats/dpu-chain-v1.json, and the sentences.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _emergencies as emergencies
from . import _lines as lines
from . import _passkeys as passkeys
from . import _tlog as tlog
from ._decision import DECISION
from ._entry import (
    FORMAT,
    TIME,
    Checked,
    check_declaration,
    check_entry,
    commitment,
    entry_hash,
    is_time,
)
from ._json import DEEPEST, NotJson, Refused, canonical, digest_of, number_text, read_json, sha256
from ._values import (
    MISSING,
    Members,
    Problem,
    Report,
    as_text,
    is_list,
    is_object,
    list_of,
    listed,
    members_of,
    names_in,
    same,
    text_of,
)

__all__ = [
    "DEEPEST",
    "TIME",
    "NotJson",
    "Refused",
    "canonical",
    "chain_verdict",
    "commitment",
    "entry_hash",
    "number_text",
    "read_json",
    "sha256",
]

LEVELS = ("DRAFT", "DOCUMENTED", "AUDIT_READY")
CHANGEABLE = {"evidenceLevel": "level", "metadata": "metadata"}
ANCHORINGS = ("logged", "witnessed", "timestamped")
# Members about the log; checked against the log, not against the hash.
_LOGGED = ("tlogProof", "anchoring", "timestamp", "historyProofs", "bindingProofs", "successions")


@dataclass
class Found:
    """What is said of the file alone, without its log."""

    document: Any
    valid: bool
    hash: str | None = None
    problems: list[Problem] = field(default_factory=list[Problem])
    newer: list[Problem] = field(default_factory=list[Problem])
    undisclosed: list[str] = field(default_factory=list[str])
    passkeys: list[Members | None] = field(default_factory=list["Members | None"])
    raises: list[Members | None] = field(default_factory=list["Members | None"])
    line: Members | None = None
    emergency: Members | None = None


def check_export(document: Any, hosts: passkeys.Hosts) -> Found:
    """Never raises, whatever the document is."""
    problems: list[Problem] = []

    def report(path: str, code: str, /, **params: str) -> None:
        problems.append(Problem(path, code, params))

    found = Found(document, False)
    checked = False
    try:
        checked = _check_document(found, hosts, report)
    except Exception as error:  # any file content gets a verdict
        problems.append(Problem("", "unreadable", {"why": str(error)}))
    found.problems = [each for each in problems if each.code != "newer"]
    found.newer = [each for each in problems if each.code == "newer"]
    found.valid = checked and not problems
    return found


_TOP = ("@context", "@type", "version", "exportedAt", "evidence", "verification", "policyTexts")


def _check_document(found: Found, hosts: passkeys.Hosts, report: Report) -> bool:
    document = found.document
    if not is_object(document):
        report("", "not-an-object")
        return False
    for name in names_in(document):
        if name not in _TOP:
            report(name, "not-in-format")
    context = document.get("@context")
    if not isinstance(context, str) or not context.endswith("/decision-proof/v2"):
        report("@context", "other-format")
    for name, expected in (("@type", "DecisionProof"), ("version", "2.0")):
        if document.get(name) != expected:
            report(name, "unexpected", expected=expected)
    if not is_time(document.get("exportedAt")):
        report("exportedAt", "not-a-time")
    evidence = document.get("evidence")
    if not is_object(evidence) or not is_object(evidence.get("chain")):
        report("evidence", "no-entry")
        return False
    domain = members_of(evidence, "chain").get("domain")
    if domain not in ("proof", "dpu"):
        report("evidence.chain.domain", "not-exportable")
        return False
    _check_verification(document.get("verification"), evidence, report)
    texts = lines.read_texts(document, evidence, report)
    return _check_evidence(found, evidence, str(domain), texts, hosts, report)


def _check_verification(verification: Any, evidence: Members, report: Report) -> None:
    """It repeats members of the chain for a quick look; a difference would mislead the reader."""
    if not is_object(verification):
        report("verification", "not-an-object")
        return
    chain = members_of(evidence, "chain")
    expected = {
        "hashAlgorithm": "SHA-256",
        "preimage": FORMAT,
        "chainDomain": chain.get("domain", MISSING),
        "chainIndex": chain.get("index", MISSING),
        "chainHash": chain.get("hash", MISSING),
        "previousHash": chain.get("previousHash", MISSING),
    }
    for name, value in expected.items():
        if not same(verification.get(name, MISSING), value):
            report(f"verification.{name}", "disagrees")
    if not isinstance(verification.get("verifyUrl"), str):
        report("verification.verifyUrl", "not-an-address")
    _check_anchor_form(verification, evidence, report)
    for name in names_in(verification):
        if name not in expected and name not in (*_LOGGED, "verifyUrl"):
            report(f"verification.{name}", "not-in-format")


def _check_anchor_form(verification: Members, evidence: Members, report: Report) -> None:
    def demand(holds: bool, name: str, code: str, /, **params: str) -> None:
        if not holds:
            report(f"verification.{name}", code, **params)

    if "tlogProof" not in verification:
        for name in _LOGGED[1:]:
            demand(name not in verification, name, "without-log-proof")
        return
    level = verification.get("anchoring", MISSING)
    demand(isinstance(verification["tlogProof"], str), "tlogProof", "not-a-string")
    demand(level in ANCHORINGS, "anchoring", "none-of", allowed=", ".join(ANCHORINGS))
    if "timestamp" not in verification:
        demand(level != "timestamped", "timestamp", "missing")
    else:
        demand(level == "timestamped", "timestamp", "stamp-unclaimed", anchoring=as_text(level))
        demand(_is_base64(verification["timestamp"]), "timestamp", "not-base64")
    successions = verification.get("successions", MISSING)
    if successions is not MISSING and (not is_list(successions) or not successions):
        demand(False, "successions", "not-a-list")
    else:
        for position, each in enumerate(list_of(successions)):
            check_declaration(each, f"verification.successions.{position}", report)
    for name, entries in (("historyProofs", evidence.get("history")), ("bindingProofs", evidence.get("bindings"))):
        proofs = verification.get(name, MISSING)
        if proofs is not MISSING:
            fits = is_list(entries) and is_list(proofs) and len(proofs) == len(entries)
            demand(fits and all(isinstance(each, str) for each in list_of(proofs)), name, "history-proofs")


def _is_base64(value: Any) -> bool:
    try:
        return isinstance(value, str) and len(tlog.unbase64(value)) >= 0
    except tlog.Malformed:
        return False


def _check_evidence(
    found: Found, evidence: Members, domain: str, texts: lines.Texts, hosts: passkeys.Hosts, report: Report
) -> bool:
    history = passkeys.check_listed(evidence, "history", report)
    for position, entry in enumerate(history):
        if not same(entry.get("target", MISSING), evidence.get("id", MISSING)):
            report(f"evidence.history.{position}.target", "other-record")
    moved = _check_present(evidence, history, report)
    if domain == "dpu" and not same(evidence.get("decisionId", MISSING), evidence.get("id", MISSING)):
        report("evidence.decisionId", "not-the-id")
    status = "sealed" if domain == "proof" or evidence.get("evidenceLevel") == "AUDIT_READY" else "pending"
    if evidence.get("status") != status:
        report("evidence.status", "wrong-status")
    checked, level = _check_sealed(evidence, domain, moved, report)
    if checked is None:
        return False
    found.hash, found.undisclosed = checked.hash, checked.undisclosed
    _check_path(evidence, checked.hash, level, history, report)
    _check_executions(evidence, history, report)
    signing = passkeys.Signing(passkeys.check_bindings(evidence, hosts, report), hosts, report)
    found.raises = passkeys.check_raises(evidence, history, signing)
    if domain != "proof":
        return True
    if not passkeys.check_control(evidence, report):
        found.passkeys = passkeys.unjudged(evidence)
        return True
    compared = action_matches(evidence, checked.undisclosed)
    if compared is False:
        report("evidence.actionDigest", "digest-differs")
    found.line = lines.check_lines(evidence, passkeys.approvals_in(evidence), texts, checked.undisclosed, report)
    found.passkeys = passkeys.check_signed(evidence, compared is True, signing)
    found.emergency = emergencies.check_emergency(evidence, history, texts, checked.undisclosed, signing)
    return True


def _check_sealed(evidence: Members, domain: str, moved: Sequence[str], report: Report) -> tuple[Checked | None, Any]:
    """The entry as it was sealed, and the level that it had then; MISSING where the file does not show it."""
    commitments = members_of(evidence, "commitments")
    shows_text = domain == "proof" and "content" not in commitments
    elsewhere = {"status", "history", "bindings", *moved}
    if domain == "dpu":
        elsewhere.add("decisionId")
    if shows_text:
        elsewhere.add("content")
    # A decision hashes its level in clear: where the level was raised since, the sealed one is `sealedLevel`.
    sealed, level = evidence, evidence.get("evidenceLevel", MISSING)
    if "evidenceLevel" in moved:
        level = evidence.get("sealedLevel", MISSING) if domain == "proof" else MISSING
        if domain == "proof":
            elsewhere.discard("evidenceLevel")
            sealed = {name: value for name, value in evidence.items() if name not in ("sealedLevel", "evidenceLevel")}
            # Also where it is missing: then that is a fault.
            sealed["evidenceLevel"] = level
    checked = check_entry(_without_missing(sealed), domain, "evidence", elsewhere, report)
    if checked and shows_text and "content" in evidence and evidence["content"] != checked.content:
        report("evidence.content", "content-differs")
    return checked, level


def _without_missing(members: Members) -> Members:
    return {name: value for name, value in members.items() if value is not MISSING}


def _check_present(evidence: Members, history: Sequence[Members], report: Report) -> list[str]:
    """Level and metadata must equal those in the last entry about them. Returns the members that this checks."""
    moved: list[str] = []
    for member, kind in CHANGEABLE.items():
        changes = [entry for entry in history if entry.get("type") == kind]
        if not changes:
            continue
        moved.append(member)
        now, last = evidence.get(member, MISSING), changes[-1].get(member, MISSING)
        if (now is MISSING) != (last is MISSING) or (now is not MISSING and canonical(now) != canonical(last)):
            report(f"evidence.{member}", "not-the-last")
    return moved


def _check_path(evidence: Members, unit_hash: str, level: Any, history: Sequence[Members], report: Report) -> None:
    """Each change names the one before it and the state that it leaves. An unknown first level may be any, but one."""
    previous: Any = unit_hash
    metadata = members_of(evidence, "commitments").get("metadata")
    possible = list(LEVELS) if level is MISSING else [as_text(level)]
    for position, entry in enumerate(history):
        at = f"evidence.history.{position}"
        if not same(entry.get("previous", MISSING), previous):
            report(f"{at}.previous", "path-gap")
        previous = members_of(entry, "chain").get("hash", MISSING)
        if entry.get("type") == "level":
            possible = [as_text(entry["evidenceLevel"])] if "evidenceLevel" in entry else list(LEVELS)
        if entry.get("type") == "metadata":
            metadata = members_of(entry, "commitments").get("metadata")
        states = {each: digest_of({"evidenceLevel": each, "metadata": metadata}) for each in possible}
        fitting = [each for each in possible if states[each] == entry.get("state")]
        if fitting:
            possible = fitting
        else:
            report(f"{at}.state", "state-differs")


def _check_executions(evidence: Members, history: Sequence[Members], report: Report) -> None:
    """A decision is consumed once, for its own action."""
    consumed = False
    for position, entry in enumerate(history):
        if entry.get("type") != "execution" or entry.get("action") != "consumed":
            continue
        at = f"evidence.history.{position}"
        if consumed:
            report(f"{at}.action", "consumed-twice")
        if not same(entry.get("actionDigest", MISSING), evidence.get("actionDigest", MISSING)):
            report(f"{at}.actionDigest", "other-action")
        consumed = True


ACTION_SALT = re.compile(r"[A-Za-z0-9_-]{43}\Z")


def _is_digested(path: str) -> bool:
    """Of an object the digest covers every member; another value is covered as a whole."""
    names = [(f"event.{name}", name in DECISION["members"]) for name in DECISION["digested"]]
    return path == "actionSalt" or any(path.startswith(at + ".") if members else path == at for at, members in names)


def action_matches(evidence: Members, undisclosed: Sequence[str]) -> bool | None:
    """None when something that the digest covers is not shown."""
    salt, event = evidence.get("actionSalt"), evidence.get("event")
    if not isinstance(salt, str) or not ACTION_SALT.match(salt) or not is_object(event):
        return None
    if any(_is_digested(path) for path in undisclosed):
        return None
    shown: Members = {"salt": salt, **{name: event[name] for name in DECISION["digested"] if name in event}}
    # An export cannot show an object without members.
    ways: list[Members] = [shown] if "aiContext" in shown else [shown, {**shown, "aiContext": {}}]
    return any(digest_of(way) == evidence.get("actionDigest") for way in ways)


# ---------------------------------------------------------------- a whole chain


def is_sandbox_log(log: Any) -> bool:
    """A host has no slash: the second part of a name is "c" for a center and "sandbox" for a sandbox."""
    return isinstance(log, str) and log.split("/")[1:2] == ["sandbox"]


class _Chain:
    """What the entries so far come to."""

    def __init__(self) -> None:
        self.length = 0
        self.head: str | None = None
        self.time = ""
        self.log: str | None = None
        self.domain: str | None = None
        self.genesis: str | None = None

    def take(self, line: str) -> bool:
        try:
            entry = members_of(read_json(line))
            content = members_of(entry, "content")
            text = canonical(content)
        except Refused:
            return False
        hash, sealed, log = entry.get("hash"), entry.get("sealedAt"), content.get("log")
        self.log, self.domain = self.log or text_of(log), self.domain or text_of(content.get("domain"))
        self.genesis = self.genesis or text_of(hash)
        holds = (
            same(entry.get("index"), float(self.length))
            and same(content.get("index"), float(self.length))
            and same(entry.get("id", MISSING), content.get("id"))
            and content.get("v") == FORMAT
            and content.get("domain") == self.domain
            and entry.get("previousHash", MISSING) == self.head
            and isinstance(sealed, str)
            and is_time(sealed)
            and sealed >= self.time
            and entry_hash(text, self.head, sealed) == hash
        )
        if holds and log != self.log:
            # Another generation of the log begins with its statement.
            holds = tlog.read_succession(log, self.length, content.get("succession"), self.log) is not None
            self.log = text_of(log)
        if holds:
            self.length, self.head, self.time = self.length + 1, text_of(hash), text_of(sealed) or ""
        return holds


def chain_verdict(entries: Iterable[str]) -> Members:
    chain = _Chain()
    valid = all(chain.take(line) for line in entries)
    ends = {"genesisHash": chain.genesis, "headHash": chain.head, "sandbox": is_sandbox_log(chain.log)}
    broken = {"brokenAt": None, "chainLength": chain.length} if valid else {"brokenAt": chain.length}
    return {"valid": valid, **broken, **ends}


# ---------------------------------------------------------------- as a program


def _documents(text: str) -> list[str]:
    """The whole text when it is one document, otherwise its lines."""
    found = [line for line in text.split("\n") if line.strip()]
    try:
        json.loads(found[0] if found else "")
        return found
    except (ValueError, RecursionError):
        return [text]


def _option(arguments: list[str], name: str) -> tuple[str | None, list[str]]:
    """The value of an option, and the arguments without it."""
    if name not in arguments:
        return None, arguments
    at = arguments.index(name)
    return arguments[at + 1], arguments[:at] + arguments[at + 2 :]


CODES = {"altered": 1, "not-a-proof": 2, "unvouched": 3, "sandbox": 3, "lost": 3, "newer": 3, "rules-hidden": 3}


def main(arguments: list[str]) -> int:
    from ._verdict import judged_with_parts

    sys.setrecursionlimit(20_000)
    file, arguments = _option(arguments, "--trust")
    log, arguments = _option(arguments, "--log")
    stated, arguments = _option(arguments, "--declaration")
    declarations = [read_json(Path(stated).read_bytes().decode())] if stated is not None else []
    policy = tlog.read_policy(Path(file).read_bytes().decode()) if file is not None else None
    if policy is not None and log is not None:
        policy = tlog.narrowed(policy, log)
    chains, alone = "--chain" in arguments, "--no-trust" in arguments
    names = [name for name in arguments if name not in ("--chain", "--no-trust")] or ["-"]
    codes = {**CODES, **({"unvouched": 0} if alone and policy is None else {})}
    found: set[str] = set()
    for name in names:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        text = raw.decode("utf-8-sig", "replace")
        if chains:
            verdict = chain_verdict(_documents(text))
            found.add("holds" if verdict["valid"] else "altered")
            print(json.dumps({"file": name, **verdict}))
            continue
        for each in _documents(text):
            said, parts = judged_with_parts(each, policy, declarations)
            if said["hidesRules"]:
                found.add("rules-hidden")
            found.add(said["standing"])
            print(json.dumps({"file": name, **_in_short(said, parts)}))
    return next((code for standing, code in codes.items() if standing in found), 0)


def _in_short(said: Members, parts: Found) -> Members:
    """One word for each answer, and who signed."""
    decision = members_of(members_of(said, "facts"), "decision")
    status = {name: said[name]["status"] for name in ("inChain", "signed", "witnessed")}

    def statuses(approvals: Any) -> list[Any]:
        return [members_of(each, "passkey").get("status") for each in listed(approvals)]

    more = {
        "valid": said["intact"]["status"] == "yes",
        **status,
        "hash": said["facts"]["hash"],
        "problems": [said["unreadable"]] if "unreadable" in said else [str(each) for each in parts.problems],
        "undisclosed": parts.undisclosed,
        "newer": [each["path"] for each in said["newer"]],
        "redacted": [each["path"] for each in said["redacted"]],
        "passkeys": statuses(decision.get("approvals")),
        "raises": statuses(members_of(said, "facts").get("raises")),
        "line": decision.get("line"),
        "emergency": decision.get("emergency"),
    }
    return {
        **{name: said[name] for name in ("standing", "ok", "sandbox", "hidesRules", "outside", "warnings")},
        **more,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
