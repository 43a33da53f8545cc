"""Verifies, offline, that an answer of Countersign is a person's approval of exactly your request. Needs `cryptography` only.

It checks that the log of your center, under your trust policy, holds the approval, everything that it is about, and its
consumption in the name of your request. It does not check witnesses, passkey signatures and approval lines; the verifier in
TypeScript does. Where a policy requires witnesses, or a record needs more than this, it refuses.
"""

import base64
import hashlib
import json
from datetime import datetime, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class NotApproved(Exception):
    """Do not run the action."""


def demand(holds, why):
    if not holds:
        raise NotApproved(why)


# ---------------------------------------------------------------- canonical JSON, RFC 8785


def number_text(value):
    """A double as ECMAScript writes it."""
    value = float(value)
    demand(value == value and abs(value) != float("inf"), "not a number of JSON")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, power = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(power or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    exponent = ("+" if point > 0 else "-") + str(abs(point - 1))
    return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + "e" + exponent


def canonical(value):
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        demand(isinstance(value, float) or abs(value) <= 2**53, "a number loses digits in JSON")
        return number_text(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    demand(isinstance(value, dict), "not a value of JSON")
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"


def sha256(text):
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def read_once(text):
    def members(pairs):
        demand(len(dict(pairs)) == len(pairs), "an object has the same name twice")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=members)


# ---------------------------------------------------------------- the log


def key_id(name, key):
    return hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]


def log_keys(policy, log):
    """The keys that may sign `log`: one with its name, or one of its host."""
    keys = []
    for words in (line.split() for line in policy.splitlines()):
        if words and words[0] == "log":
            name, stated, encoded = words[1].split("+", 2)
            key = base64.b64decode(encoded, validate=True)
            demand(len(key) == 33 and key[0] == 1 and stated == key_id(name, key).hex(), "a key of the policy is malformed")
            if name == log or log.startswith((name + "/c/", name + "/sandbox/")):
                keys.append(key)
        # Others are about what is not checked here; `#stolen` and `#passkeys` are comments to other programs.
        demand(not words or words[0] in ("log", "witness", "group", "quorum") or words[0].startswith("#"), "not a policy")
        demand(not words or words[0] != "quorum" or words[1:] == ["none"], "this verifier can't check witnesses")
        demand(not words or words[0] != "#stolen", "this verifier can't judge stolen keys")
    demand(keys, "the policy has no key for " + log)
    return keys


def root_of(leaf, index, size, path):
    if size == 1:
        demand(not path, "the inclusion proof is too long")
        return leaf
    demand(path, "the inclusion proof is too short")
    left = 1 << ((size - 1).bit_length() - 1)
    if index < left:
        return hashlib.sha256(b"\1" + root_of(leaf, index, left, path[:-1]) + path[-1]).digest()
    return hashlib.sha256(b"\1" + path[-1] + root_of(leaf, index - left, size - left, path[:-1])).digest()


def check_in_log(log, index, entry_hash, proof, policy):
    """The entry is in the tree of a checkpoint that a key of the policy signed for this log."""
    head, _, note = proof.partition("\n\n")
    kind, stated, *path = head.split("\n")
    demand(kind == "c2sp.org/tlog-proof@v1" and stated == "index %d" % index, "the inclusion proof is of another entry")
    text, _, signatures = note.rpartition("\n\n")
    origin, size, root = text.split("\n")
    demand(origin == log and 0 <= index < int(size), "the checkpoint is of another log")
    leaf = hashlib.sha256(b"\0" + bytes.fromhex(entry_hash[len("sha256:") :])).digest()
    hashes = [base64.b64decode(each, validate=True) for each in path]
    demand(root_of(leaf, index, int(size), hashes) == base64.b64decode(root, validate=True), "the entry is not in the log")
    for line in signatures.splitlines():
        _, name, encoded = line.split(" ")
        signature = base64.b64decode(encoded, validate=True)
        for key in log_keys(policy, log):
            if name == log and signature[:4] == key_id(log, key):
                try:
                    return Ed25519PublicKey.from_public_bytes(key[1:]).verify(signature[4:], (text + "\n").encode())
                except InvalidSignature:
                    pass
    raise NotApproved("no key of the policy signed the log")


def sealed_value(entry, commitments, path):
    """A value that the entry commits to."""
    value = entry
    for name in path.split("."):
        value = value[name]
    demand(sha256(canonical([entry["disclosures"][path], path, value])) == commitments[path], path + " was altered")
    return value


def check_hash(entry, content):
    chain = entry["chain"]
    demand(sha256(content + (chain["previousHash"] or "") + entry["sealedAt"]) == chain["hash"], "an entry was altered")
    return chain["hash"]


def consumption(entry, proof, log, policy):
    """Who consumed which record, and when, as an entry of the center's `history`."""
    names = ("id", "previous", "state", "target", "type", "commitments")
    chain = entry["chain"]
    content = {name: entry[name] for name in names}
    content.update(v="dpu-chain-v1", log=log, domain="history", index=chain["index"])
    check_in_log(log, chain["index"], check_hash(entry, canonical(content)), proof, policy)
    said = {name: sealed_value(entry, entry["commitments"], name) for name in ("action", "executor")}
    demand(entry["type"] == "execution" and said["action"] == "consumed", "the entry is no consumption")
    return entry["target"], said["executor"], entry["sealedAt"]


# ---------------------------------------------------------------- the answer


def requested_action(request):
    """What Countersign records of a request, apart from its agent."""
    presented = {**request}
    for name in ("schema_version", "type", "input_digest", "agent_id", "operation", "binding"):
        del presented[name]
    binding = request["binding"]
    target = {name: value for name, value in binding["target"].items() if value is not None}
    shown = {name: value for name, value in presented.items() if value is not None}
    return {"type": request["operation"], "input": {**shown, "target": target, "parameters": binding["parameters"]}}


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def verify_approval(request, response, *, policy, log, levels=("session", "passkey"), now=None):
    """Returns the actor ID of who approved, or raises.

    `request` is what you sent, made from the action that you are about to run. `policy` is the text of your trust policy and
    `log` the name of your center's log, such as `proof.example/c/42/proof`; both come through another channel than the
    response. Run the action once for each request.
    """
    try:
        return _verify(request, response, policy, log, levels, now or datetime.now(timezone.utc))
    except NotApproved:
        raise
    except Exception as error:
        raise NotApproved("the answer can't be read: %r" % error) from error


def _verify(request, response, policy, log, levels, now):
    identity = request["approval_request_id"]
    demand(response["approval_request_id"] == identity, "the answer is to another request")
    demand(response["action_digest"] == request["action_digest"], "the answer is about another action")
    demand(sha256(canonical(request["binding"])) == request["action_digest"], "the action is not the requested one")
    demand(response.get("approved") is True, "nobody approved the request")
    demand(now < moment(request["expires_at"]), "the request has expired")

    evidence, verification = response["proof"]["evidence"], response["proof"]["verification"]
    content = evidence["content"]
    index, entry_hash = evidence["chain"]["index"], check_hash(evidence, content)
    check_in_log(log, index, entry_hash, verification["tlogProof"], policy)
    sealed = read_once(content)
    commitments, event, approval = sealed["commitments"], sealed["event"], sealed.get("approval")
    demand((sealed["v"], sealed["domain"]) == ("dpu-chain-v1", "proof"), "the entry is no decision")
    demand((sealed["log"], sealed["index"]) == (log, index), "the entry is of another log")

    expected = requested_action(request)
    demand(sealed["decisionId"] == identity, "the proof is about another request")
    demand((event["type"], event["actor"]["type"]) == ("agent_execution", "ai_agent"), "the proof is about no agent's action")
    demand(event["action"] == {"type": expected["type"]}, "the proof is about another operation")
    of_action = {path for path in commitments if path.startswith("event.action.")}
    demand(of_action == {"event.action.input"}, "the proof is about another action")
    action = sealed_value(evidence, commitments, "event.action.input")
    demand(canonical(action) == canonical(expected["input"]), "the proof is about another action")
    demand(sealed_value(evidence, commitments, "event.actor.id") == request["agent_id"], "the proof is about another agent")

    demand(approval is not None and approval["result"] == "approved", "the proof shows no approval")
    demand(approval["identity"]["level"] in levels, "the approver's identity level is not accepted")
    demand(approval["approver"]["type"] == "human", "the approver is not a person")
    approver = sealed_value(evidence, commitments, "approval.approver.id")
    demand(response["approver"] == approver, "the answer names another approver than the proof")
    control = sealed_value(evidence, commitments, "control")
    demand(set(control.get("needs", [])) <= {"shown", "lines"}, "this verifier can't judge the approval")
    demand(now < moment(control["usableUntil"]), "the approval can't be used anymore")

    [step] = [each for each in evidence["history"] if each["type"] == "execution"][:1]
    [proof] = [verification["historyProofs"][at] for at, each in enumerate(evidence["history"]) if each is step]
    target, executor, at = consumption(step, proof, log.rpartition("/")[0] + "/history", policy)
    demand((target, executor) == (sealed["id"], identity), "the approval was consumed for another request")
    demand(moment(at) <= moment(control["usableUntil"]), "the approval was consumed too late")
    return approver
