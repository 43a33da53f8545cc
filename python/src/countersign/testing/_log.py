"""The logs of a fake center: entries as the service makes them, with proofs that verify under a key made here."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .._guard_terms import FIRST_SANDBOX, log_name
from ..proof import _entry, _json, _tlog, action_digest, canonical

HOST = "fake.countersign.test"
# In the range of sandboxes: what a fake makes is never taken for more than test data.
FAKE_CENTER = FIRST_SANDBOX + 1

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Entry:
    content: dict[str, Any]
    hash: str
    previous_hash: str | None
    sealed_at: str
    values: Json
    salts: Mapping[str, str]


@dataclass
class SealedRecord:
    entry: Entry
    index: int
    history: list[Entry] = field(default_factory=lambda: list[Entry]())
    history_indexes: list[int] = field(default_factory=lambda: list[int]())


def digest_of(salt: str, body: Json) -> str:
    """What `actionDigest` covers: the request as it was sent."""
    said = {name: each for name, each in body.items() if name != "agent"}
    return action_digest(salt, {**said, "type": "agent_execution", "actor": {**body["agent"], "type": "ai_agent"}})


def sha256_of(value: Any) -> str:
    return _json.sha256(canonical(value))


class _Log:
    def __init__(self, domain: str) -> None:
        self.domain, self.name = domain, log_name(HOST, FAKE_CENTER, domain)
        self.hashes: list[str] = []

    def append(self, members: Json, values: Json, sealed_at: str) -> Entry:
        salts = {path: secrets.token_hex(16) for path in values}
        commitments = {path: _entry.commitment(salts[path], path, value) for path, value in values.items()}
        place = {"v": "dpu-chain-v1", "log": self.name, "domain": self.domain, "index": len(self.hashes)}
        content = {**members, **place, "commitments": commitments}
        previous = self.hashes[-1] if self.hashes else None
        hash = _entry.entry_hash(canonical(content), previous, sealed_at)
        self.hashes.append(hash)
        return Entry(content, hash, previous, sealed_at, values, salts)


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def _left(size: int) -> int:
    """How many leaves the left subtree has (RFC 9162)."""
    return 1 << ((size - 1).bit_length() - 1)


def _root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    left = _left(len(leaves))
    return _node(_root(leaves[:left]), _root(leaves[left:]))


def _path(leaves: list[bytes], index: int) -> list[bytes]:
    if len(leaves) == 1:
        return []
    left = _left(len(leaves))
    if index < left:
        return [*_path(leaves[:left], index), _root(leaves[left:])]
    return [*_path(leaves[left:], index - left), _root(leaves[:left])]


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


class FakeLog:
    def __init__(self) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.generate()
        self._public = self._key.public_key().public_bytes_raw()
        self._proof, self._history = _Log("proof"), _Log("history")
        vkey = f"{HOST}+{_tlog.key_id(HOST, 1, self._public).hex()}+{_text(bytes([1]) + self._public)}"
        self.trust_text = f"log {vkey}\nquorum none\n"

    def seal(
        self,
        *,
        suffix: str,
        decision_id: str,
        body: Json,
        occurred_at: str,
        sealed_at: str,
        action_salt: str,
        recorded_by: str,
        usable_until: str | None,
        approval: Json | None,
    ) -> SealedRecord:
        action, agent = body["action"], body["agent"]
        ai_context: Json = body.get("aiContext") or {}
        rules = {"index": None, "digest": sha256_of([])}
        values: dict[str, Any] = {
            "actionSalt": action_salt,
            **_approval_values(approval or {}),
            **{
                f"event.action.{name}": action[name]
                for name in ("description", "input", "output")
                if action.get(name) is not None
            },
            **{f"event.actor.{name}": agent[name] for name in ("id", "name") if agent.get(name) is not None},
            **{f"event.aiContext.{name}": each for name, each in ai_context.items()},
            **{f"event.{name}": body[name] for name in ("reason", "riskScore", "tags") if body.get(name) is not None},
            "event.recordedBy": recorded_by,
            "control": {"rules": rules, **({"usableUntil": usable_until} if usable_until else {})},
        }
        members: dict[str, Any] = {
            "actionDigest": digest_of(action_salt, body),
            "id": f"evd_{suffix}",
            "decisionId": decision_id,
            "evidenceLevel": "AUDIT_READY",
            "event": {
                "type": "agent_execution",
                "occurredAt": occurred_at,
                "actor": {"type": "ai_agent"},
                "action": {"type": action["type"]},
            },
        }
        if approval is not None:
            members["approval"] = {
                "approvedAt": sealed_at,
                "approver": {"type": approval["approver"]["type"]},
                "identity": {"level": approval["identity"]["level"]},
                **{name: approval[name] for name in ("result", "channel", "decidedAt")},
            }
        index = len(self._proof.hashes)
        return SealedRecord(self._proof.append(members, values, sealed_at), index)

    def step(self, record: SealedRecord, id: str, values: Json, sealed_at: str) -> Entry:
        """A step of an execution: `consumed`, or an outcome."""
        content = record.entry.content
        previous = (record.history[-1] if record.history else record.entry).hash
        state = sha256_of({"evidenceLevel": content["evidenceLevel"], "metadata": None})
        members = {"id": id, "type": "execution", "target": content["id"], "previous": previous, "state": state}
        record.history_indexes.append(len(self._history.hashes))
        made = self._history.append(members, values, sealed_at)
        record.history.append(made)
        return made

    def _proven(self, log: _Log) -> Callable[[int], str]:
        leaves = [_tlog.leaf_hash(each) for each in log.hashes]
        text = f"{log.name}\n{len(leaves)}\n{_text(_root(leaves))}\n"
        signature = _tlog.key_id(log.name, 1, self._public) + self._key.sign(text.encode())
        note = f"{text}\n\u2014 {log.name} {_text(signature)}\n"

        def proof(index: int) -> str:
            path = "".join(f"{_text(each)}\n" for each in _path(leaves, index))
            return f"c2sp.org/tlog-proof@v1\nindex {index}\n{path}\n{note}"

        return proof

    def exported(self, record: SealedRecord, exported_at: str) -> dict[str, Any]:
        entry = record.entry
        changes = [_exported(each) for each in record.history]
        shown = _exported(entry)
        history_proof = self._proven(self._history) if changes else None
        verification: dict[str, Any] = {
            "hashAlgorithm": "SHA-256",
            "preimage": "dpu-chain-v1",
            "chainDomain": "proof",
            "chainIndex": record.index,
            "chainHash": entry.hash,
            "previousHash": entry.previous_hash,
            "verifyUrl": f"https://{HOST}/verify/{entry.content['id'].replace('evd_', 'evt_', 1)}",
            "anchoring": "logged",
            "tlogProof": self._proven(self._proof)(record.index),
        }
        if history_proof is not None:
            verification["historyProofs"] = [history_proof(each) for each in record.history_indexes]
        return {
            "@context": f"https://{HOST}/schemas/decision-proof/v2",
            "@type": "DecisionProof",
            "version": "2.0",
            "exportedAt": exported_at,
            "evidence": {**shown, "status": "sealed", **({"history": changes} if changes else {})},
            "verification": verification,
        }


def _approval_values(approval: Json) -> dict[str, Any]:
    """An approval's members that name a person."""
    if not approval:
        return {}
    possible = {
        "approval.approver.id": approval["approver"].get("id"),
        "approval.approver.name": approval["approver"].get("name"),
        "approval.identity.by": approval["identity"].get("by"),
        "approval.reason": approval.get("reason"),
        "approval.submittedBy": approval.get("submittedBy"),
    }
    return {path: value for path, value in possible.items() if value is not None}


def _exported(entry: Entry) -> dict[str, Any]:
    """Hashed members, and every committed value with its salt."""
    hidden = ("v", "log", "domain", "index", "commitments")
    shown: dict[str, Any] = {}
    for name, value in entry.content.items():
        if name not in hidden:
            shown[name] = _copied(value)
    for path, value in entry.values.items():
        *parents, last = path.split(".")
        inner = shown
        for each in parents:
            inner = inner.setdefault(each, {})
        inner[last] = value
    content = entry.content
    place = {"hash": entry.hash, "previousHash": entry.previous_hash, "index": content["index"], "domain": content["domain"]}
    return {
        **shown,
        "chain": place,
        "log": content["log"],
        "sealedAt": entry.sealed_at,
        "commitments": content["commitments"],
        "disclosures": dict(entry.salts),
    }


def _copied(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    members: Any = value  # pyright: ignore[reportUnknownVariableType]
    return {name: _copied(each) for name, each in members.items()}
