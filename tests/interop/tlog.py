"""The statements of a log about an entry: tree, checkpoint, signed note, cosignatures, policy. Standard library only.

Written from docs/formats/transparency.md and the specifications it names, sharing no code with the service.
"""

import base64
import binascii
import functools
import hashlib
import re
import unicodedata

# ---------------------------------------------------------------- Ed25519 as in RFC 8032, section 6

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(one, other):
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT % P
    if (x * x - square) % P != 0:
        return None
    return P - x if (x & 1) != sign else x


def decompress(data):
    number = int.from_bytes(data, "little")
    y = number & ((1 << 255) - 1)
    x = recover_x(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % P)


def compress(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)
IDENTITY = compress((0, 1, 1, 0))


@functools.lru_cache(maxsize=4096)
def ed25519_verify(public_key, message, signature):
    """Without the cofactor, as OpenSSL does; refuses a key of small order."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key = decompress(public_key)
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or scalar >= Q or compress(times(8, key)) == IDENTITY:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % Q
    negative = (P - key[0], key[1], key[2], P - key[3])
    return compress(add(times(scalar, BASE), times(challenge, negative))) == signature[:32]


# ---------------------------------------------------------------- the tree of RFC 9162


def leaf_hash(chain_hash):
    return hashlib.sha256(b"\0" + bytes.fromhex(chain_hash[len("sha256:") :])).digest()


def root_from_path(leaf, index, size, path):
    """The root that the path leads to, or None when it is too long or too short for this index."""
    if size == 1:
        return leaf if index == 0 and not path else None
    if not path:
        return None
    left = 1 << ((size - 1).bit_length() - 1)
    if index < left:
        inner, order = root_from_path(leaf, index, left, path[:-1]), 1
    else:
        inner, order = root_from_path(leaf, index - left, size - left, path[:-1]), -1
    return inner and hashlib.sha256(b"\1" + b"".join((inner, path[-1])[::order])).digest()


# ---------------------------------------------------------------- notes, checkpoints, proofs, policies


class Malformed(Exception):
    pass


def demand(holds, message):
    if not holds:
        raise Malformed(message)


def unbase64(text):
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("not base64: %s" % text[:60])
    demand(base64.b64encode(data).decode() == text, "base64 in a second spelling")
    return data


def is_name(text):
    return text != "" and "+" not in text and not any(c.isspace() or unicodedata.category(c) == "Cc" for c in text)


def number(text):
    demand(re.match(r"(0|[1-9][0-9]{0,15})\Z", text) is not None and int(text) < 2**53, "not a number: %s" % text[:30])
    return int(text)


def key_id(name, kind, public_key):
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public_key).digest()[:4]


def read_vkey(text):
    name, _, rest = text.partition("+")
    stated, _, encoded = rest.partition("+")
    data = unbase64(encoded)
    demand(is_name(name) and len(data) == 33 and data[0] in (1, 4), "not a verifier key: %s" % text[:60])
    demand(stated == key_id(name, data[0], data[1:]).hex(), "the id of a key is not its own")
    return name, data[0], data[1:]


def read_note(note):
    note.encode("utf-8")
    demand(not any(c != "\n" and unicodedata.category(c) == "Cc" for c in note), "a control character in a note")
    text, blank, lines = note.rpartition("\n\n")
    demand(blank and lines.endswith("\n"), "a note has a text, a blank line and signatures")
    signatures = []
    for line in lines[:-1].split("\n"):
        parts = line.split(" ")
        demand(len(parts) == 3 and parts[0] == "\u2014" and is_name(parts[1]), "not a signature: %s" % line[:60])
        data = unbase64(parts[2])
        demand(len(data) > 4, "a signature that is only an id")
        signatures.append((parts[1], data[:4], data[4:]))
    demand(len(signatures) <= 100, "too many signatures")
    return text + "\n", signatures


def read_checkpoint(text):
    lines = text.split("\n")
    demand(len(lines) == 4 and lines[3] == "" and is_name(lines[0]), "a checkpoint has three lines")
    root = unbase64(lines[2])
    demand(len(root) == 32, "the root is not 32 bytes")
    return lines[0], number(lines[1]), root


def read_proof(text):
    head, blank, note = text.partition("\n\n")
    lines = head.split("\n")
    demand(blank and lines[0] == "c2sp.org/tlog-proof@v1", "not a tlog-proof")
    demand(len(lines) > 1 and lines[1].startswith("index "), "no index")
    path = [unbase64(line) for line in lines[2:]]
    demand(all(len(each) == 32 for each in path), "a hash is not 32 bytes")
    return number(lines[1][len("index ") :]), path, note


def read_policy(text):
    logs, witnesses, groups, members_of, quorum, hosts = [], {}, {}, set(), None, {}
    for line in text.split("\n"):
        items = [item for item in re.split("[ \t]+", line) if item]
        if items and items[0] == "#passkeys":
            demand(len(items) > 2 and items[1] not in hosts, "not a line about passkeys")
            hosts[items[1]] = items[2:]
            continue
        if not items or items[0].startswith("#"):
            continue
        if items[0] == "log" and len(items) in (2, 3):
            logs.append(read_vkey(items[1]))
            demand(logs[-1][1] == 1, "not the key of a log")
        elif items[0] == "witness" and len(items) in (3, 4):
            demand(items[1] not in {*witnesses, *groups, "none"}, "a name twice")
            witnesses[items[1]] = read_vkey(items[2])
            demand(witnesses[items[1]][1] == 4, "not the key of a witness")
        elif items[0] == "group" and len(items) > 3:
            members = items[3:]
            demand(items[1] not in {*witnesses, *groups, "none"}, "a name twice")
            demand(all(each in witnesses or each in groups for each in members), "an unknown member")
            demand(len(set(members)) == len(members) and not members_of & set(members), "a member twice")
            members_of |= set(members)
            count = {"any": 1, "all": len(members)}.get(items[2]) or number(items[2])
            demand(1 <= count <= len(members), "a threshold that cannot be")
            groups[items[1]] = (count, members)
        elif items[0] == "quorum" and len(items) == 2 and quorum is None:
            quorum = items[1]
            demand(quorum == "none" or quorum in witnesses or quorum in groups, "an unknown quorum")
        else:
            raise Malformed("not a line of a policy: %s" % line[:60])
    for keys in ([key for _, _, key in logs], [key for _, _, key in witnesses.values()]):
        demand(len(set(keys)) == len(keys), "a key twice")
    demand(quorum is not None, "no quorum")
    return {"logs": logs, "witnesses": witnesses, "groups": groups, "quorum": quorum, "passkeys": hosts}


def is_met(policy, name, cosigners):
    if name in policy["groups"]:
        count, members = policy["groups"][name]
        return sum(is_met(policy, each, cosigners) for each in members) >= count
    return name in cosigners


# ---------------------------------------------------------------- the three answers


NUMBERED = re.compile(r"^(.+/(?:proof|dpu|history))/([2-9]|[1-9][0-9]{1,8})\Z", re.S)


def family(log):
    """The name of the first generation of a log, and the number of this one."""
    found = NUMBERED.match(log) if isinstance(log, str) else None
    return (found.group(1), int(found.group(2))) if found else (log, 1)


def read_succession(log, index, said, before=None):
    """The statement that begins the generation `log` at `index`, or None. `before`: the log of the entry before it."""
    try:
        restored, lost = said["restored"], said["lost"]
        sizes = [restored["size"], restored["signed"], *(each[name] for each in lost for name in ("size", "kept"))]
        whole = (
            set(said) == {"restored", "lost", "reason", "declaredBy"}
            and set(restored) == {"size", "root", "signed"}
            and all(set(each) == {"log", "size", "root", "kept"} for each in lost)
            and all(isinstance(size, (int, float)) and 0 <= size == int(size) for size in sizes)
            and all(each["root"] is None or len(unbase64(each["root"])) == 32 for each in lost)
            and len(unbase64(restored["root"])) == 32
            and isinstance(said["reason"], str)
            and isinstance(said["declaredBy"], str)
            and 0 < len(said["reason"]) <= 1000
            and 0 < len(said["declaredBy"]) <= 200
            and restored["signed"] <= restored["size"] == index
            and lost[0]["kept"] == index
            and (before is None or lost[0]["log"] == before)
        )
        numbers = [0, *(family(each["log"])[1] for each in lost), family(log)[1]]
        whole = whole and all(family(each["log"])[0] == family(log)[0] for each in lost)
        whole = whole and all(each["kept"] < each["size"] and each["kept"] <= index for each in lost)
        return said if whole and all(one < other for one, other in zip(numbers, numbers[1:])) else None
    except Exception:  # whatever it is, it is no statement
        return None


def is_kept(log, index, origin, declared):
    """Whether the log `origin` has the entry at `index` of an earlier generation: yes, no or unknown."""
    if family(log)[0] != family(origin)[0] or family(log)[1] > family(origin)[1]:
        return "no"
    at = origin
    while at != log:
        step = next((each for each in declared if each["log"] == at), None)
        if step is None:
            return "unknown"
        ended = next((each for each in step["lost"] if each["log"] == log), None)
        if ended is not None:
            return "yes" if index < ended["kept"] else "no"
        at = step["lost"][0]["log"]
        if index >= step["restored"]["size"] or family(at)[1] < family(log)[1]:
            return "no"
    return "yes"


def loss_of(log, index, declared):
    """The declaration by which an entry that was signed is lost."""
    for each in declared:
        for lost in each["lost"]:
            if lost["log"] == log and index >= lost["kept"]:
                return each
    return None


def check_anchor(log, index, chain_hash, proof, policy, timestamp=None, declared=()):
    """Returns inChain, signed and witnessed, each "yes", "no" or "unknown", and whether something contradicts itself."""
    if proof is None:
        return "unknown", "unknown", "unknown", False
    try:
        stated, path, note = read_proof(proof)
        text, signatures = read_note(note)
        origin, size, root = read_checkpoint(text)
        leaf = leaf_hash(chain_hash)
    except Exception:  # whatever is in there, it is not a proof
        return "no", "no", "no", True
    kept = "yes" if origin == log else is_kept(log, index, origin, declared)
    holds = kept != "no" and stated == index and stated < size and root_from_path(leaf, stated, size, path) == root
    if timestamp is not None and hashlib.sha256(text.encode()).digest() not in timestamp:
        holds = False
    if policy is None:
        return "unknown" if holds else "no", "unknown", "unknown", not holds

    signed, bad_log, bad_witness, cosigners = False, False, False, set()
    for name, identity, data in signatures:
        for host, kind, public_key in policy["logs"]:
            below = origin.startswith((host + "/c/", host + "/sandbox/"))
            if host != origin and not below and family(origin)[0] != host:
                continue
            if name == origin and identity == key_id(origin, kind, public_key):
                good = ed25519_verify(public_key, text.encode(), data)
                signed, bad_log = signed or good, bad_log or not good
        for label, (witness, kind, public_key) in policy["witnesses"].items():
            if name == witness and identity == key_id(witness, kind, public_key):
                time = int.from_bytes(data[:8], "big")
                message = "cosignature/v1\ntime %d\n%s" % (time, text)
                if time <= 253402300799 and ed25519_verify(public_key, message.encode(), data[8:]):
                    cosigners.add(label)
                else:
                    bad_witness = True
    by_log = "unknown" if not policy["logs"] else "no" if bad_log or not signed else "yes"
    if bad_witness:
        seen = "no"
    elif policy["quorum"] == "none":
        seen = "unknown"
    else:
        seen = "yes" if is_met(policy, policy["quorum"], cosigners) else "no"
    # A root that no key of the policy has signed proves no place: anybody can make a tree around an entry.
    place = "no" if not holds else "yes" if by_log == "yes" and kept == "yes" else "unknown"
    return place, by_log, seen, not holds or bad_log or bad_witness


def narrowed(policy, log):
    """The policy for the logs of one center, or for one log and the history of its center."""
    log = family(log)[0]
    center = re.sub(r"/(proof|dpu|history)\Z", "", log)
    names = [center + "/" + each for each in ("proof", "dpu", "history")] if center == log else [log, center + "/history"]
    logs = [
        (name, kind, key)
        for host, kind, key in policy["logs"]
        for name in dict.fromkeys(names)
        if host == name or name.startswith((host + "/c/", host + "/sandbox/"))
    ]
    demand(logs, "no key of the policy is for %s" % log)
    return {**policy, "logs": logs}


def weakest(answers):
    return "no" if "no" in answers else "unknown" if "unknown" in answers else "yes"
