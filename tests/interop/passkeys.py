"""Approvals and raises that passkeys signed, as docs/formats/dpu-chain-v1.md describes them.

Needs the standard library alone. Where the package `cryptography` is installed it verifies ES256 and RS256.
"""

import base64
import hashlib
import re

import lines
import tlog

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
except ImportError:
    ec = None

# ---------------------------------------------------------------- signatures

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(one, other):
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


def times(scalar, point):
    total = None
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def es256(x, y, message, r, s):
    """Either s is accepted. Nothing here is secret, so time does not matter."""
    if not (0 < r < N and 0 < s < N and x < P and y < P) or (y * y - x**3 + 3 * x - B) % P != 0:
        return False
    inverse = pow(s, -1, N)
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    point = add(times(digest * inverse % N, G), times(r * inverse % N, (x, y)))
    return point is not None and point[0] % N == r


DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


def rs256(modulus, message, signature):
    size = (modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != size or number >= modulus:
        return False
    end = b"\0" + DIGEST_INFO + hashlib.sha256(message).digest()
    block = b"\0\1" + b"\xff" * (size - len(end) - 2) + end
    return pow(number, 65537, modulus) == int.from_bytes(block, "big")


def with_library(key, message, signature, *how):
    try:
        key().verify(signature, message, *how)
        return True
    except (InvalidSignature, ValueError):
        return False


def from_der(data):
    """r and s of the only DER for these two numbers, or None."""
    def integer(at):
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


def unbase64url(text):
    """None for everything but the only spelling."""
    if not isinstance(text, str) or not re.match(r"[A-Za-z0-9_-]*\Z", text) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64.urlsafe_b64encode(data).decode().rstrip("=") == text else None


def verifies(key, message, signature):
    """None where this is not a key."""
    if not isinstance(key, dict):
        return None
    bytes_of = {name: unbase64url(value) for name, value in key.items()}
    if key.get("kty") == "EC" and key.get("crv") == "P-256" and set(key) == {"kty", "crv", "x", "y"}:
        if any(bytes_of[name] is None or len(bytes_of[name]) != 32 for name in "xy"):
            return None
        x, y = (int.from_bytes(bytes_of[name], "big") for name in "xy")
        numbers = from_der(signature)
        if numbers is None:
            return False
        if ec is None:
            return es256(x, y, message, *numbers)
        curve = lambda: ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()  # noqa: E731
        return with_library(curve, message, signature, ec.ECDSA(hashes.SHA256()))
    if key.get("kty") == "OKP" and key.get("crv") == "Ed25519" and set(key) == {"kty", "crv", "x"}:
        point = bytes_of["x"]
        return None if point is None or len(point) != 32 else tlog.ed25519_verify(point, message, signature)
    if key.get("kty") == "RSA" and key.get("e") == "AQAB" and set(key) == {"kty", "n", "e"}:
        data = bytes_of["n"]
        modulus = int.from_bytes(data or b"", "big")
        if not data or data[0] == 0 or modulus % 2 == 0 or not 2048 <= modulus.bit_length() <= 4096:
            return None
        if ec is None:
            return rs256(modulus, message, signature)
        public = lambda: rsa.RSAPublicNumbers(65537, modulus).public_key()  # noqa: E731
        return with_library(public, message, signature, padding.PKCS1v15(), hashes.SHA256())
    return None


# ---------------------------------------------------------------- assertions and statements


def thumbprint(tools, key):
    return tlog_text(hashlib.sha256(tools.canonical(key).encode("utf-8")).digest())


def tlog_text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def assertion_holds(tools, assertion, statement, key, eligible, hosts):
    if not isinstance(assertion, dict):
        return False
    names = ("authenticatorData", "clientDataJSON", "signature")
    data, client, signature = (unbase64url(assertion.get(name)) for name in names)
    if data is None or client is None or signature is None or max(len(data), len(client)) > 4096:
        return False
    try:
        said = tools.read_json(client.decode("utf-8"))
    except Exception:
        return False
    challenge = tlog_text(hashlib.sha256(tools.canonical(statement).encode("utf-8")).digest())
    if not isinstance(said, dict) or said.get("type") != "webauthn.get" or said.get("challenge") != challenge:
        return False
    origins = hosts.get(statement["rpId"])
    if not isinstance(said.get("origin"), str) or (origins is not None and said["origin"] not in origins):
        return False
    if said.get("crossOrigin", False) is not False or "topOrigin" in said:
        return False
    flags = data[32] if len(data) > 32 else 0
    if not (len(data) > 37 if flags & 128 else len(data) == 37) or flags & 64 or (flags & 24) == 16:
        return False
    if data[:32] != hashlib.sha256(statement["rpId"].encode("utf-8")).digest() or flags & 5 != 5:
        return False
    if eligible is not None and bool(flags & 8) != eligible:
        return False
    return verifies(key, data + hashlib.sha256(client).digest(), signature) is True


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


def is_newer(said):
    """Whether it is of a type that this program does not know."""
    return isinstance(said, dict) and isinstance(said.get("type"), str) and said["type"] not in MEMBERS


def is_statement(tools, kind, value):
    if not isinstance(value, dict) or value.get("type") != kind or set(value) != set(MEMBERS[kind].split()):
        return False
    nonce = unbase64url(value["nonce"])
    if nonce is None or len(nonce) != 32 or not isinstance(value["issuedAt"], str):
        return False
    if not tools.TIME.match(value["issuedAt"]) or not isinstance(value.get("policies", []), list):
        return False
    if not isinstance(value.get("shown"), (dict, list, type(None))):
        return False
    if not isinstance(value.get("emergency"), (bool, type(None))):
        return False
    nullable = ("approvedActionDigest", "onBehalfOf", "reasonDigest")
    return all(
        isinstance(each, str) or (each is None and name in nullable)
        for name, each in value.items()
        if name not in ("policies", "shown", "emergency")
    )


# ---------------------------------------------------------------- bindings

WAYS = ("mail", "passkey", "admin", "partner", "operator")


def check_bindings(tools, evidence, hosts, problem):
    """The keys by the hash of the entry that leaves them so."""
    listed = evidence.get("bindings", [])
    if not isinstance(listed, list) or ("bindings" in evidence and not listed) or len(listed) > 64:
        problem("bindings is not a list of entries")
        return {}
    found, last, index, time = {}, {}, -1, ""
    for position, entry in enumerate(listed):
        inside = lambda message: problem(type(message)("bindings.%d: %s" % (position, message)))  # noqa: E731
        if not isinstance(entry, dict) or tools.check_entry(entry, "history", set(), inside) is None:
            inside("is not an entry")
            return {}
        if tools.stem(entry["log"], "history") != tools.stem(evidence.get("log"), evidence["chain"].get("domain")):
            inside("is in the log of another center")
        if entry["chain"]["index"] <= index or entry["sealedAt"] < time:
            inside("is out of order")
        index, time = entry["chain"]["index"], entry["sealedAt"]
        before = last.get(tools.canonical(entry.get("target")))
        if entry.get("type") != "passkey" or entry.get("previous") != (before and before["hash"]):
            inside("is not the next entry about a passkey")
        action = "confirmed" if before else "bound"
        if entry.get("action", action) != action:
            inside("is not of the kind %s" % action)
        bound = {**before} if before else begin(tools, entry, hosts, inside)
        bound.update(hash=entry["chain"]["hash"], index=index, next=float("inf"))
        if before and "actorId" in entry and before["actorId"] is not None and entry["actorId"] != before["actorId"]:
            inside("names another person")
        confirm(tools, entry, bound, found, last, hosts, inside)
        possible = [bound["confirmed"]] if bound["confirmed"] is not None else list(WAYS)
        if before and bound["confirmed"] is None and before["confirmed"] is not None:
            possible.append(before["confirmed"])
        states = [tools.sha256(tools.canonical({"passkey": "bound", "confirmed": each})) for each in possible]
        if entry.get("state") not in states:
            inside("state is not that of a bound key")
        if before:
            before["next"] = index
        found[bound["hash"]] = bound
        last[tools.canonical(entry.get("target"))] = bound
    return found


def begin(tools, entry, hosts, problem):
    names = ("actorId", "key", "statement", "assertion", "authenticator")
    actor, key, statement, assertion, device = (entry.get(name) for name in names)
    known = all(name in entry for name in names)
    eligible = device.get("backupEligible") if isinstance(device, dict) else None
    said = statement if is_statement(tools, "countersign-passkey-v1", statement) else None
    if is_newer(statement):
        problem(tools.Newer("its statement"))
    elif known:
        names_it = said and said["actorId"] == actor and isinstance(key, dict) and isinstance(eligible, bool)
        if not names_it or said["thumbprint"] != thumbprint(tools, key):
            problem("its statement names another key or person")
        elif not assertion_holds(tools, assertion, said, key, eligible, hosts):
            problem("its key did not sign its statement")
    return {
        "target": entry.get("target"),
        "actorId": actor if isinstance(actor, str) else None,
        "key": key if isinstance(key, dict) else None,
        "statement": said,
        "eligible": eligible if isinstance(eligible, bool) else None,
        "confirmed": None,
        "counts": False,
        "known": known,
    }


def confirm(tools, entry, bound, found, last, hosts, problem):
    if "confirmation" not in entry:
        bound.update(confirmed=None, known=bound["known"] and bound["counts"])
        return
    how = entry["confirmation"] if isinstance(entry["confirmation"], dict) else {}
    way, person = how.get("how"), how.get("confirmerId")
    if way not in WAYS:
        return problem("is confirmed in no known way")
    if way != "mail" or bound["confirmed"] is None:
        bound["confirmed"] = way
    if way == "mail":
        return
    if way == "admin" and (person == bound["actorId"] or how.get("level") not in ("session", "passkey")):
        problem("is confirmed by the same person")
    if way in ("partner", "operator") or (way == "admin" and how.get("level") == "session"):
        bound["counts"] = True
        return
    by = found.get(how.get("binding")) if isinstance(how.get("binding"), str) else None
    if not by or last[tools.canonical(by["target"])] is not by or by["target"] == bound["target"]:
        return problem("is confirmed by a key that is not shown")
    expected = bound["actorId"] if way == "passkey" else person
    if by["actorId"] is not None and expected is not None and by["actorId"] != expected:
        problem("is confirmed by the key of another person")
    said = bound["statement"] if way == "passkey" else confirming(tools, how.get("statement"), entry, bound, person)
    if is_newer(how.get("statement")):
        problem(tools.Newer("the statement of its confirmation"))
    elif said is None and bound["known"] and bound["statement"] is not None:
        problem("is confirmed by a statement about something else")
    if said is None or by["key"] is None or by["actorId"] is None or not by["known"]:
        bound["known"] = False
        return
    if not assertion_holds(tools, how.get("assertion"), said, by["key"], by["eligible"], hosts):
        problem("is confirmed by a false signature")
    bound["counts"] = bound["counts"] or by["counts"]


def confirming(tools, said, entry, bound, person):
    if not is_statement(tools, "countersign-passkey-confirm-v1", said) or bound["key"] is None:
        return None
    expected = {
        "log": entry["log"],
        "actorId": bound["actorId"],
        "confirmerId": person,
        "thumbprint": thumbprint(tools, bound["key"]),
        "rpId": bound["statement"] and bound["statement"]["rpId"],
    }
    return said if all(said[name] == value for name, value in expected.items()) else None


# ---------------------------------------------------------------- approvals


def approvals_in(evidence):
    """Oldest first: the approval, its control, its statement, its salt, whether it is the last, whether it is not shown."""
    approval, listed = evidence.get("approval"), evidence.get("priorApprovals")
    if not isinstance(approval, dict):
        return []
    found = []

    def add(approval, holder, is_last=False, hidden=False):
        passkey, control, salt = approval.get("passkey"), holder.get("control"), holder.get("salt")
        inside = isinstance(passkey, dict) and "statement" in passkey
        found.append(
            {
                "approval": approval,
                "control": control if isinstance(control, dict) else None,
                "said": passkey["statement"] if inside else holder.get("statement"),
                "shows": inside or "statement" in holder,
                "salt": salt if isinstance(salt, str) else None,
                "is_last": is_last,
                "hidden": hidden,
            }
        )

    for each in listed if isinstance(listed, list) else []:
        if isinstance(each, dict):
            add(each, {})
    for name in prior_names(evidence):
        prior = evidence.get(name) if isinstance(evidence.get(name), dict) else {}
        given = prior.get("approval") if isinstance(prior.get("approval"), dict) else {}
        add(given, prior, hidden=name not in evidence)
    add(approval, {name: evidence[name] for name in ("control", "statement") if name in evidence}, is_last=True)
    return found


def prior_names(evidence):
    return [name for name in ("prior%d" % at for at in range(15)) if name in evidence["commitments"]]


SALT = re.compile(r"[A-Za-z0-9_-]{43}\Z")
NEEDS = ("shown", "lines", "emergency")


def check_control(tools, evidence, problem):
    """False where the seal needs something that only a newer version understands."""
    commitments, control = evidence["commitments"], evidence.get("control")
    present = [name for name in commitments if name == "statement" or re.match(r"prior([0-9]|1[0-4])\Z", name)]
    if "control" in commitments:
        for name in ("approval.passkey.statement", "priorApprovals"):
            if name in commitments:
                problem("%s belongs to an older form" % name)
    elif present:
        problem("control is missing")
    if present and "approval" not in evidence:
        problem("%s is there although nobody approved" % present[0])
    for name in commitments:
        if re.match(r"prior[0-9]+\Z", name) and name not in present:
            problem(tools.Newer(name))
    for at, name in enumerate(prior_names(evidence)):
        if name != "prior%d" % at:
            problem("%s is not the next earlier approval" % name)
        if name in evidence:
            check_prior(tools, evidence[name], lambda message: problem("%s: %s" % (name, message)))
    if "control" not in evidence:
        return True
    if not isinstance(control, dict):
        problem("control is not an object")
        return True
    rules = control.get("rules")
    if not isinstance(rules, dict) or not tools.is_hash(rules.get("digest")) or "index" not in rules:
        problem("control.rules is malformed")
    elif rules["index"] is not None and not tools.is_index(rules["index"]):
        problem("control.rules.index is malformed")
    check_given(tools, control, problem)
    until = control.get("usableUntil", "2026-01-01T00:00:00.000Z")
    if not isinstance(until, str) or not tools.TIME.match(until):
        problem("control.usableUntil is not a time")
    if "emergency" in control:
        emergency = control["emergency"] if isinstance(control["emergency"], dict) else {}
        if not isinstance(emergency.get("confirmBy"), str) or not tools.TIME.match(emergency["confirmBy"]):
            problem("control.emergency is not a time")
    if "void" in control:
        problem("the approval that sealed it did not count")
    needs = control.get("needs", [])
    if not isinstance(needs, list) or any(need not in NEEDS for need in needs):
        problem(tools.Newer("control.needs"))
        return False
    return True


def check_prior(tools, prior, problem):
    prior = prior if isinstance(prior, dict) else {}
    approval, control, salt = prior.get("approval"), prior.get("control"), prior.get("salt")
    if not isinstance(approval, dict) or not isinstance(control, dict):
        return problem("is malformed")
    if not isinstance(salt, str) or not SALT.match(salt):
        problem("has no salt")
    if isinstance(approval.get("passkey"), dict) and "statement" in approval["passkey"] and "statement" in prior:
        problem("has two statements")
    check_given(tools, control, problem)
    if "void" in control and (not isinstance(control["void"], str) or control["void"] == ""):
        problem("void is not a reason")


def check_given(tools, control, problem):
    if not isinstance(control.get("via", ""), str):
        problem("via is malformed")
    if "admitted" in control and not lines.is_admitted(tools, control["admitted"]):
        problem("admitted is malformed")
    if "shown" not in control:
        return
    shown = control["shown"]
    if not isinstance(shown, dict) or not all(isinstance(shown.get(name), str) for name in ("view", "language")):
        return problem("shown is malformed")
    template = shown.get("template", 0)
    if template is None:
        return
    if not isinstance(template, dict) or not tools.is_hash(template.get("digest")) or not tools.is_index(template.get("version")):
        problem("shown.template is malformed")


def unjudged(evidence):
    """Where only a newer version can judge the seal."""
    return ["unknown" if is_signed(each["approval"]) else None for each in approvals_in(evidence)]


def is_signed(approval):
    identity = approval.get("identity")
    return isinstance(identity, dict) and identity.get("level") == "passkey"


def approval_hash(tools, each):
    covered = {"salt": each["salt"], "approval": each["approval"]}
    return None if each["salt"] is None else tools.sha256(tools.canonical(covered))


def check_signed(tools, evidence, bindings, hosts, compared, problem):
    """"holds", "unknown" or "false" for each approval, None where its level is another."""
    given, seen, found = approvals_in(evidence), set(), []
    for at, each in enumerate(given):
        passkey = each["approval"].get("passkey")
        client = passkey.get("clientDataJSON") if isinstance(passkey, dict) else None
        marks = {mark for mark in (approval_hash(tools, each), client) if isinstance(mark, str)}
        if marks & seen:
            problem("an approval is there twice")
        seen |= marks
        found.append(check_one(tools, evidence, each, given[:at], bindings, hosts, compared, problem))
    return found


def known_before(tools, said, earlier):
    """True where the first of the earlier approvals are those that were signed, None where one is not shown."""
    hashes, wanted = [], said["prior"]
    if tools.sha256(tools.canonical(hashes)) == wanted:
        return True
    for each in earlier:
        found = approval_hash(tools, each)
        if found is None:
            return None
        hashes.append(found)
        if tools.sha256(tools.canonical(hashes)) == wanted:
            return True
    return False


def check_one(tools, evidence, each, earlier, bindings, hosts, compared, problem):
    approval, control, is_last = each["approval"], each["control"], each["is_last"]
    passkey = approval.get("passkey")
    if each["hidden"]:
        return None
    if not is_last and control is not None and "void" in control:
        return "unknown" if is_signed(approval) else None
    if not is_signed(approval):
        if "passkey" in approval or each["shows"]:
            problem("approval.passkey is there with another level")
        return None
    if not has_members(passkey):
        problem("approval.passkey is missing or has other members")
        return "false"
    commitments = evidence["commitments"] if is_last else {}
    hides = lambda path, members, name: name not in members and path in commitments  # noqa: E731
    approver = approval.get("approver") if isinstance(approval.get("approver"), dict) else {}
    hides_control = control is None and "control" in commitments
    shows = not (
        hides_control
        or hides("approval.approver.id", approver, "id")
        or hides("approval.onBehalfOf", approval, "onBehalfOf")
        or ("reason" in approval and hides("approval.reasonSalt", approval, "reasonSalt"))
    )
    if "control" in evidence["commitments"] and not each["shows"] and "statement" not in commitments:
        problem("the statement of the passkey is missing")
        return "false"
    said, known = each["said"], True
    if is_statement(tools, "countersign-approval-v2", said):
        known = known_before(tools, said, earlier)

    def agrees(said):
        stated = (control or {}).get("shown")
        if not hides_control and tools.canonical(said.get("shown")) != tools.canonical(stated):
            return False
        if not hides_control and (said.get("emergency") is True) != in_emergency(tools, control or {}, is_last):
            return False
        return known is not False and says_the_same(tools, said, evidence, approval, approver, is_last, hides)

    signed = {**passkey, "statement": said} if each["shows"] else passkey
    return check_passkey(tools, signed, APPROVALS, agrees, compared and shows and known is True, bindings, hosts, problem)


def in_emergency(tools, control, is_last):
    """Of the last approval its places say it."""
    if not is_last:
        return control.get("emergency") is True
    admitted = control.get("admitted") if isinstance(control.get("admitted"), list) else []
    return any(each["by"] == "emergency" for each in admitted if lines.is_place(tools, each))


def check_raises(tools, evidence, history, bindings, hosts, problem):
    """The same for each change of the level, None where no passkey signed it."""
    return [
        check_raise(tools, evidence, entry, bindings, hosts, problem) for entry in history if entry.get("type") == "level"
    ]


def check_raise(tools, evidence, entry, bindings, hosts, problem):
    commitments, passkey = entry["commitments"], entry.get("passkey")
    if "passkey" not in commitments:
        return None
    if "passkey" not in entry:
        return "unknown"
    if not has_members(passkey) or "statement" not in passkey:
        problem("the passkey of a raise is malformed")
        return "false"
    if passkey["historySize"] != entry["chain"]["index"]:
        problem("the history before a raise has another size")
        return "false"

    def agrees(said):
        expected = {
            "log": entry["log"],
            "dpuId": re.sub("^evd_", "dpu_", str(evidence.get("id"))),
            "previous": entry.get("previous"),
        }
        if "evidenceLevel" in entry or "evidenceLevel" not in commitments:
            expected["evidenceLevel"] = entry.get("evidenceLevel")
        if "by" in entry or "by" not in commitments:
            expected["approverId"] = entry["by"].get("id") if isinstance(entry.get("by"), dict) else None
        if any(said[name] != value for name, value in expected.items()):
            return False
        listed = lambda policies: sorted(tools.canonical(each) for each in policies)  # noqa: E731
        hidden = "policies" not in entry and "policies" in commitments
        return hidden or listed(said["policies"]) == listed(entry.get("policies", []))

    shows = all(name in entry for name in commitments)
    return check_passkey(tools, passkey, ("countersign-raise-v1",), agrees, shows, bindings, hosts, problem)


def has_members(passkey):
    needed = {"authenticatorData", "binding", "clientDataJSON", "historySize", "signature"}
    return isinstance(passkey, dict) and needed <= set(passkey) <= needed | {"statement"}


def check_passkey(tools, passkey, kinds, agrees, compared, bindings, hosts, problem):
    faults = []
    size = passkey["historySize"]
    if not isinstance(size, float) or not size.is_integer() or not tools.is_hash(passkey["binding"]):
        faults.append("the passkey is malformed")
    bound = bindings.get(passkey["binding"]) if isinstance(passkey["binding"], str) else None
    if bound is None:
        faults.append("the binding of the passkey is not shown")
    elif isinstance(size, float) and not bound["index"] < size <= bound["next"]:
        faults.append("the binding of the passkey is not the newest before it signed")
    said = passkey.get("statement")
    newer = is_newer(said)
    if not any(is_statement(tools, kind, said) for kind in kinds):
        said = None
    elif said.get("approvedActionDigest") is not None:
        newer = True
    if newer:
        problem(tools.Newer("a statement"))
    elif "statement" in passkey and (said is None or not agrees(said)):
        faults.append("the statement of the passkey is about something else")
    if said is not None and bound is not None:
        if bound["actorId"] is not None and bound["actorId"] != said["approverId"]:
            faults.append("the passkey is bound to another person")
        if bound["statement"] is not None and bound["statement"]["rpId"] != said["rpId"]:
            faults.append("the passkey is bound at another host")
        if bound["known"] and not bound["counts"]:
            faults.append("nobody but a mail confirmed the passkey")
        if bound["key"] is not None and not assertion_holds(tools, passkey, said, bound["key"], bound["eligible"], hosts):
            faults.append("the passkey did not sign this")
    for fault in faults:
        problem(fault)
    if faults:
        return "false"
    known = compared and not newer and said is not None and bound is not None and bound["known"]
    return "holds" if known and said["rpId"] in hosts else "unknown"


def says_the_same(tools, said, evidence, approval, approver, is_last, hides):
    expected = {
        "log": evidence.get("log"),
        "eventId": re.sub("^evd_", "evt_", str(evidence.get("id"))),
        "decisionId": evidence.get("decisionId"),
        "actionDigest": evidence.get("actionDigest"),
        "result": approval.get("result"),
    }
    if not hides("approval.approver.id", approver, "id"):
        expected["approverId"] = approver.get("id")
    if not hides("approval.onBehalfOf", approval, "onBehalfOf"):
        expected["onBehalfOf"] = approval.get("onBehalfOf")
    if "reason" in approval and not hides("approval.reasonSalt", approval, "reasonSalt"):
        covered = {"salt": approval.get("reasonSalt"), "reason": approval["reason"]}
        expected["reasonDigest"] = tools.sha256(tools.canonical(covered))
    elif "reason" not in approval and not hides("approval.reason", approval, "reason"):
        expected["reasonDigest"] = None
    if any(said[name] != value for name, value in expected.items()):
        return False
    by = approval["identity"].get("by")
    if by is not None and by != said["approverId"]:
        return False
    listed = lambda policies: sorted(tools.canonical(each) for each in policies)  # noqa: E731
    return not is_last or listed(said["policies"]) == listed(evidence.get("policies", []))
