"""The statements of a log about an entry: tree, checkpoint, signed note, cosignatures, policy.

Written from docs/formats/transparency.md and the specifications it names, sharing no code with the service.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import functools
import hashlib
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypedDict
from urllib.parse import urlsplit

from ._values import Members, is_list, is_number, is_object, shown, units


def _library() -> Any:
    """None where the checker runs with the standard library alone."""
    try:
        from . import _crypto
    except ImportError:
        return None
    return _crypto


library = _library()

Status = Literal["yes", "no", "unknown"]
Point = tuple[int, int, int, int]

# ---------------------------------------------------------------- Ed25519 as in RFC 8032, section 6

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D: int = -121665 * pow(121666, P - 2, P) % P
ROOT: int = pow(2, (P - 1) // 4, P)


def add(one: Point, other: Point) -> Point:
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar: int, point: Point) -> Point:
    result: Point = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def recover_x(y: int, sign: int) -> int | None:
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


def decompress(data: bytes) -> Point | None:
    number = int.from_bytes(data, "little")
    y = number & ((1 << 255) - 1)
    x = recover_x(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % P)


def compress(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


BASE_Y: int = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0) or 0
BASE: Point = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)
IDENTITY = compress((0, 1, 1, 0))


@functools.lru_cache(maxsize=256)
def _key(public_key: bytes) -> Point | None:
    """None for what isn't a point, or one of small order."""
    key = decompress(public_key)
    return None if key is None or compress(times(8, key)) == IDENTITY else key


@functools.lru_cache(maxsize=4096)
def ed25519_verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Without the cofactor, as OpenSSL does; refuses a key of small order."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key = _key(public_key)
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or scalar >= Q:
        return False
    if library is not None:
        return bool(library.verifies_ed25519(public_key, message, signature))
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % Q
    negative = (P - key[0], key[1], key[2], P - key[3])
    return compress(add(times(scalar, BASE), times(challenge, negative))) == signature[:32]


# ---------------------------------------------------------------- the tree of RFC 9162


def leaf_hash(chain_hash: str) -> bytes:
    if not re.fullmatch(r"(sha256:)?[0-9a-f]{64}", chain_hash):
        raise Malformed('A leaf must be "sha256:" followed by 64 lowercase hex digits.')
    return hashlib.sha256(b"\0" + bytes.fromhex(chain_hash[-64:])).digest()


def root_from_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
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


def demand(holds: object, message: str) -> None:
    if not holds:
        raise Malformed(message)


def unbase64(text: str) -> bytes:
    """The bytes of the only spelling."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("This isn't base64.") from None
    demand(base64.b64encode(data).decode() == text, "This is base64 in a second spelling.")
    return data


def _decoded(text: str) -> bytes | None:
    try:
        return unbase64(text)
    except Malformed:
        return None


# What ECMAScript takes for white space.
_NO_NAME = re.compile("[\\t\\n\\v\\f\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff+]")


def is_name(text: str) -> bool:
    return text != "" and not _NO_NAME.search(text) and not any(unicodedata.category(char) == "Cc" for char in text)


_NUMBER = re.compile(r"(0|[1-9][0-9]{0,15})\Z")


def _whole(text: str) -> int | None:
    return int(text) if _NUMBER.match(text) and int(text) < 2**53 else None


def key_id(name: str, kind: int, public_key: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public_key).digest()[:4]


class Key(NamedTuple):
    """Type 1 signs the text of a note; type 4, a witness, signs it with a time."""

    name: str
    kind: int
    public_key: bytes

    @property
    def id(self) -> bytes:
        return key_id(*self)

    @property
    def vkey(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(bytes([self.kind]) + self.public_key).decode()}"


def read_vkey(text: str) -> Key:
    name, _, rest = text.partition("+")
    stated, _, encoded = rest.partition("+")
    data = _decoded(encoded)
    fits = is_name(name) and data is not None and len(data) == 33 and data[0] in (1, 4)
    if not fits or data is None:
        raise Malformed(f"This isn't an Ed25519 or cosignature verifier key: {text[:200]}")
    key = Key(name, data[0], data[1:])
    demand(stated == key.id.hex(), f"This verifier key's id doesn't match its name and key: {text}")
    return key


Signature = tuple[str, bytes, bytes]


_CONTROL = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def read_note(note: str) -> tuple[str, list[Signature]]:
    demand(not _CONTROL.search(note), "A note must be UTF-8 without control characters other than line feeds.")
    text, blank, rest = note.rpartition("\n\n")
    demand(blank, "A note must have a blank line between its text and its signatures.")
    lines = rest.split("\n")
    demand(lines[-1] == "" and len(lines) > 1, "A note must end with one line per signature.")
    demand(len(lines) <= 101, "A note can have at most 100 signatures.")
    return text + "\n", [_signature(line) for line in lines[:-1]]


def _signature(line: str) -> Signature:
    parts = line.split(" ")
    data = _decoded(parts[2]) if len(parts) == 3 else None
    if data is None or parts[0] != "\u2014" or not is_name(parts[1]) or len(data) < 5:
        raise Malformed(f"This isn't a signature line: {line[:200]}")
    return parts[1], data[:4], data[4:]


def read_checkpoint(text: str) -> tuple[str, int, bytes]:
    lines = text.split("\n")
    size = _whole(lines[1]) if len(lines) == 4 else None
    root = _decoded(lines[2]) if len(lines) == 4 else None
    if size is None or root is None or len(root) != 32 or lines[3] != "" or not is_name(lines[0]):
        raise Malformed("This isn't a checkpoint with three lines: log name, size, root hash.")
    return lines[0], size, root


_FIRST_LINE = "c2sp.org/tlog-proof@v1"


def read_proof(text: str) -> tuple[int, list[bytes], str]:
    head, blank, note = text.partition("\n\n")
    lines = head.split("\n") if blank else [""]
    demand(lines[0] == _FIRST_LINE, f"A proof must start with the line {_FIRST_LINE}.")
    second = lines[1] if len(lines) > 1 else ""
    index = _whole(second[len("index ") :]) if second.startswith("index ") else None
    if index is None:
        raise Malformed('The second line of a proof must be "index" and a number.')
    path: list[bytes] = []
    for line in lines[2:]:
        hash = _decoded(line)
        if hash is None or len(hash) != 32:
            raise Malformed(f"This isn't a 32-byte hash: {line[:100]}")
        path.append(hash)
    return index, path, note


class Policy(TypedDict):
    """Whom a reader trusts: docs/formats/transparency.md."""

    logs: list[Key]
    stolen: list[tuple[Key, str]]
    """Keys that their owner reported stolen, and when: believed only for what witnesses cosigned before."""
    witnesses: dict[str, Key]
    groups: dict[str, tuple[int, list[str]]]
    quorum: str
    passkeys: dict[str, list[str]]


class _PolicyReader:
    def __init__(self) -> None:
        self.policy: Policy = {"logs": [], "stolen": [], "witnesses": {}, "groups": {}, "quorum": "", "passkeys": {}}
        self._members: set[str] = set()
        self._keys: dict[str, set[bytes]] = {"log": set(), "witness": set()}

    def line(self, items: list[str]) -> None:
        keyword, given = items[0], items[1:]
        if keyword == "log" and len(given) in (1, 2):
            self.policy["logs"].append(self._key("log", given[0]))
        elif keyword == "witness" and len(given) in (2, 3):
            self._define(given[0])
            self.policy["witnesses"][given[0]] = self._key("witness", given[1])
        elif keyword == "group" and len(given) > 2:
            self._group(given[0], given[1], given[2:])
        elif keyword == "quorum" and len(given) == 1:
            demand(not self.policy["quorum"], "the quorum is already set")
            self.policy["quorum"] = given[0] if given[0] == "none" else self._known(given[0])
        elif keyword == "#passkeys" and len(given) > 1:
            demand(given[0] not in self.policy["passkeys"], f"the host {given[0]} is listed twice")
            self.policy["passkeys"][given[0]] = [_origin_at(given[0], each) for each in given[1:]]
        elif keyword == "#stolen":
            at = _time_in(given[1]) if len(given) == 2 else None
            if at is None:
                raise Malformed("#stolen is followed by the key of a log and the time of the theft")
            self.policy["stolen"].append((read_vkey(given[0]), at))
        elif keyword == "#passkeys":
            raise Malformed("#passkeys is followed by a host and at least one origin")
        else:
            raise Malformed("a line must start with log, witness, group or quorum, followed by the items it needs")

    def _names(self) -> set[str]:
        return {*self.policy["witnesses"], *self.policy["groups"]}

    def _define(self, name: str) -> None:
        demand(name != "none" and name not in self._names(), f"the name {name} is already taken")

    def _known(self, name: str) -> str:
        demand(name in self._names(), f"{name} isn't defined on an earlier line")
        return name

    def _key(self, role: str, text: str) -> Key:
        """A key listed twice could meet a quorum of two alone."""
        key = read_vkey(text)
        demand(key.kind == (1 if role == "log" else 4), f"this isn't the key of a {role}")
        demand(key.public_key not in self._keys[role], "this public key is listed twice")
        self._keys[role].add(key.public_key)
        return key

    def _group(self, name: str, written: str, given: list[str]) -> None:
        members = [self._known(each) for each in given]
        for member in members:
            demand(member not in self._members, f"{member} is already a member")
            self._members.add(member)
        self._define(name)
        count = {"any": 1, "all": len(members)}.get(written)
        if count is None:
            count = int(written) if re.match(r"[1-9][0-9]{0,8}\Z", written) else 0
        fits = 1 <= count <= len(members)
        demand(fits, f'the threshold must be "any", "all" or a number from 1 to {len(members)}')
        self.policy["groups"][name] = (count, members)


def _time_in(text: str) -> str | None:
    try:
        at = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    at = (at if at.tzinfo else at.astimezone()).astimezone(datetime.timezone.utc)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def _origin_at(host: str, origin: str) -> str:
    """A browser lets a page ask for a passkey only of its own host or of a parent domain of it."""
    try:
        url = urlsplit(origin)
        name, port = url.hostname or "", url.port
    except ValueError:
        url, name, port = urlsplit(""), "", None
    written = f"{url.scheme}://{name}" + (f":{port}" if port is not None else "")
    default = port == {"http": 80, "https": 443}.get(url.scheme)
    is_origin = url.scheme in ("http", "https") and written == origin and name != "" and not default
    if not is_origin or not (name == host or name.endswith(f".{host}")):
        raise Malformed(f"{origin} isn't an origin of the host {host}")
    return origin


def read_policy(text: str) -> Policy:
    if any(unicodedata.category(char) == "Cc" and char not in "\n\t" for char in text):
        raise Malformed("A trust policy can't contain control characters other than tabs and line feeds.")
    reader = _PolicyReader()
    for at, line in enumerate(text.split("\n"), 1):
        items = [item for item in re.split("[ \t]+", line) if item]
        if not items or (items[0].startswith("#") and items[0] not in ("#passkeys", "#stolen")):
            continue
        try:
            reader.line(items)
        except Malformed as error:
            raise Malformed(f"Line {at} of the trust policy: {error}") from None
    policy = reader.policy
    demand(policy["quorum"], 'A trust policy needs the line "quorum <name>" or "quorum none".')
    gone = {key for key, _ in policy["stolen"]}
    return {**policy, "logs": [key for key in policy["logs"] if key not in gone]}


def is_met(policy: Policy, name: str, cosigners: set[str]) -> bool:
    if name in policy["groups"]:
        count, members = policy["groups"][name]
        return sum(is_met(policy, each, cosigners) for each in members) >= count
    return name in cosigners


def key_for(key: Key, origin: str) -> Key | None:
    """One key signs all logs of a host: a policy names it once, and each log uses it under its own name."""
    if key.name == origin:
        return key
    below = origin.startswith((key.name + "/c/", key.name + "/sandbox/"))
    return Key(origin, key.kind, key.public_key) if below or family(origin)[0] == key.name else None


# ---------------------------------------------------------------- generations


NUMBERED = re.compile(r"^(.+/(?:proof|dpu|history))/([2-9]|[1-9][0-9]{1,8})\Z")


def family(log: Any) -> tuple[Any, int]:
    """The name of the first generation of a log, and the number of this one."""
    found = NUMBERED.match(log) if isinstance(log, str) else None
    return (found.group(1), int(found.group(2))) if found else (log, 1)


def is_up_to(log: Any, later: Any) -> bool:
    """Whether `log` is `later` or an earlier generation of the same log."""
    if not isinstance(log, str) or not isinstance(later, str):
        return False
    return family(log)[0] == family(later)[0] and family(log)[1] <= family(later)[1]


def _is_root(value: Any) -> bool:
    data = _decoded(value) if isinstance(value, str) else None
    return data is not None and len(data) == 32


def _is_size(value: Any) -> bool:
    return is_number(value) and float(value).is_integer() and 0 <= value <= 2**53 - 1


def _is_lost(value: Any) -> bool:
    return (
        is_object(value)
        and set(value) == {"log", "size", "root", "kept"}
        and isinstance(value["log"], str)
        and _is_size(value["size"])
        and (value["root"] is None or _is_root(value["root"]))
        and _is_size(value["kept"])
        and value["kept"] < value["size"]
    )


def read_succession(log: Any, index: Any, said: Any, before: str | None = None) -> Members | None:
    """The statement that begins the generation `log` at `index`, or None. `before`: the log of the entry before it."""
    if not is_object(said) or set(said) != {"restored", "lost", "reason", "declaredBy"} or not isinstance(log, str):
        return None
    restored, lost, reason, by = said["restored"], said["lost"], said["reason"], said["declaredBy"]
    whole = (
        is_object(restored)
        and set(restored) == {"size", "root", "signed"}
        and _is_size(restored["size"])
        and _is_size(restored["signed"])
        and restored["signed"] <= restored["size"] == index
        and _is_root(restored["root"])
        and is_list(lost)
        and len(lost) > 0
        and all(_is_lost(each) for each in lost)
        and isinstance(reason, str)
        and isinstance(by, str)
        and 0 < units(reason) <= 1000
        and 0 < units(by) <= 200
    )
    if not whole or lost[0]["kept"] != index or (before is not None and lost[0]["log"] != before):
        return None
    first, generation = family(log)
    last = 0
    for each in lost:
        name, number = family(each["log"])
        if name != first or not last < number < generation or each["kept"] > restored["size"]:
            return None
        last = number
    return said


def is_kept(log: str, index: Any, origin: str, declared: Sequence[Members]) -> Status:
    """Whether the log `origin` has the entry at `index` of an earlier generation."""
    if family(log)[0] != family(origin)[0] or family(log)[1] > family(origin)[1]:
        return "no"
    at = origin
    while at != log:
        step = next((each for each in declared if each["log"] == at), None)
        if step is None:
            return "unknown"
        ended = next((each for each in step["lost"] if each["log"] == log), None)
        if ended is not None:
            return "yes" if is_number(index) and index < ended["kept"] else "no"
        at = step["lost"][0]["log"]
        if not is_number(index) or index >= step["restored"]["size"] or family(at)[1] < family(log)[1]:
            return "no"
    return "yes"


def loss_of(log: Any, index: Any, declared: Sequence[Members]) -> Members | None:
    """The declaration by which an entry that was signed is lost."""
    for each in declared:
        lost = next((one for one in each["lost"] if one["log"] == log), None)
        if lost is None or not is_number(index) or index < lost["kept"]:
            continue
        said = {name: each[name] for name in ("reason", "declaredBy", "declaredAt")}
        return {"successor": each["log"], "lost": lost, **said, "admitted": index < lost["size"]}
    return None


# ---------------------------------------------------------------- the three answers


class Answer(NamedTuple):
    status: Status
    code: str
    detail: str

    def as_json(self) -> Members:
        return {"status": self.status, "code": self.code, "detail": self.detail}


def answer(status: Status, code: str, detail: str) -> Answer:
    """Details name logs and keys as a file spells them, so they are made safe to print here."""
    return Answer(status, code, shown(detail))


@dataclass(frozen=True)
class Anchored:
    in_chain: Answer
    signed: Answer
    witnessed: Answer
    cosigned_by: tuple[Members, ...] = ()
    size: int | None = None
    """Entries in the log when the checkpoint was signed."""
    checkpoint: str | None = None


Kept = Callable[[str, Any, str], Status]


def _never_kept(_log: str, _index: Any, _origin: str) -> Status:
    return "no"


def check_anchor(log: Any, index: Any, chain_hash: Any, proof: Any, policy: Policy | None, kept: Kept = _never_kept) -> Anchored:
    """`proof` is None where the file has none."""
    if proof is None:
        missing = answer("unknown", "no-log-proof", "The file has no proof from the log. Ask for a new export.")
        return Anchored(missing, missing, missing)
    try:
        demand(isinstance(proof, str), "It isn't text.")
        return _check_proof(log, index, chain_hash, proof, policy, kept)
    except Malformed as error:
        malformed = answer("no", "log-proof-malformed", f"The log's proof can't be read: {error}")
        return Anchored(malformed, malformed, malformed)


def _check_proof(log: Any, index: Any, chain_hash: Any, proof: str, policy: Policy | None, kept: Kept) -> Anchored:
    stated, path, written = read_proof(proof)
    text, signatures = read_note(written)
    origin, size, root = read_checkpoint(text)
    found = _Signatures(text, signatures, origin, policy)
    signed = _signed(found, origin, policy)

    def in_chain() -> Answer:
        later: Status = "yes" if origin == log else kept(log, index, origin) if isinstance(log, str) else "no"
        if later == "no":
            return answer("no", "another-log", f"The proof is for the log {origin}.")
        if not is_number(index) or stated != index:
            return answer("no", "another-index", f"The proof is for entry {stated + 1}.")
        leaf = leaf_hash(chain_hash if isinstance(chain_hash, str) else "")
        if not stated < size or root_from_path(leaf, stated, size, path) != root:
            return answer("no", "not-in-tree", "The hash isn't in the checkpoint's tree.")
        if signed.status == "yes" and later == "unknown":
            missing = "No declaration that you trust says which entries it took over."
            return answer("unknown", "no-succession", f"The proof is for {origin}, a later generation of the log. {missing}")
        if signed.status == "yes":
            return answer("yes", "in-chain", f"Entry {stated + 1} in the log {origin}, which has {size} entries.")
        # A root that no key of the policy has signed proves no place: anybody can make a tree around an entry.
        if signed.code == "no-policy":
            alone = "There's no trust policy to say whose log this is. Anyone could have made this tree."
            return answer("unknown", "no-policy", alone)
        unsigned = "No key in the trust policy has signed the root hash that the proof leads to."
        return answer("unknown", "root-unsigned", unsigned)

    cosigned = tuple({"name": key.name, "at": _instant(time)} for key, time in found.cosigned.items())
    return Anchored(in_chain(), signed, _witnessed(found, policy), cosigned, size, text)


def _instant(seconds: int) -> str:
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z") if at.year > 999 else f"{at.year:04d}" + at.strftime("-%m-%dT%H:%M:%S.000Z")


class _Signatures:
    """Which keys of the policy signed a note; those that did not, although it says so."""

    def __init__(self, text: str, signatures: Sequence[Signature], origin: str, policy: Policy | None) -> None:
        self.text = text
        self.logs = [own for key in (policy["logs"] if policy else []) if (own := key_for(key, origin))]
        self.stolen = [(own, at) for key, at in (policy["stolen"] if policy else []) if (own := key_for(key, origin))]
        witnesses = list(policy["witnesses"].values()) if policy else []
        self.by: list[Key] = []
        self.cosigned: dict[Key, int] = {}
        self.bad: list[Key] = []
        for name, identity, data in signatures:
            for key in [*self.logs, *(own for own, _ in self.stolen), *witnesses]:
                if key.name == name and key.id == identity:
                    self._judge(key, data)

    def _judge(self, key: Key, data: bytes) -> None:
        if key.kind == 4:
            time = int.from_bytes(data[:8], "big")
            message = f"cosignature/v1\ntime {time}\n{self.text}".encode()
            if len(data) == 72 and time <= 253402300799 and ed25519_verify(key.public_key, message, data[8:]):
                self.cosigned[key] = time
                return
        elif ed25519_verify(key.public_key, self.text.encode(), data):
            if key not in self.by:
                self.by.append(key)
            return
        if key not in self.bad:
            self.bad.append(key)


def _signed(found: _Signatures, origin: str, policy: Policy | None) -> Answer:
    if policy is None:
        alone = f"There's no trust policy to say which key signs {origin}. Provide one to verify the signature."
        return answer("unknown", "no-policy", alone)
    if not policy["logs"] and not found.stolen:
        return answer("unknown", "policy-without-log", "The trust policy has no log key.")
    if any(key.kind == 1 for key in found.bad):
        return answer("no", "signature-bad", f"A signature in the name of {origin} wasn't made with its key.")
    key = next((each for each in found.by if each in found.logs), None)
    if key is not None:
        return answer("yes", "signed", f"Signed with the key {key.vkey}.")
    theft = next(((own, at) for own, at in found.stolen if own in found.by), None)
    if theft is None:
        return answer("no", "signed-by-nobody-known", "No key in the trust policy has signed the checkpoint.")
    return _signed_before(found, policy, *theft)


def _signed_before(found: _Signatures, policy: Policy, own: Key, at: str) -> Answer:
    """A thief can sign anything, but witnesses say when they saw it."""
    earlier = {key for key, time in found.cosigned.items() if _instant(time) < at}
    labels = {label for label, key in policy["witnesses"].items() if key in earlier}
    if policy["quorum"] != "none" and is_met(policy, policy["quorum"], labels):
        return answer("yes", "signed", f"Signed with the key {own.vkey}, according to witnesses before it was stolen at {at}.")
    late = "and nothing shows that it signed this before then. Ask for a new export."
    return answer("no", "key-stolen", f"The key {own.vkey} was stolen at {at}, {late}")


def _witnessed(found: _Signatures, policy: Policy | None) -> Answer:
    if policy is None:
        return answer("unknown", "no-policy", "There's no trust policy to say which witnesses count.")
    forged = next((key for key in found.bad if key.kind == 4), None)
    if forged is not None:
        return answer("no", "cosignature-bad", f"A cosignature in the name of {forged.name} wasn't made with its key.")
    if policy["quorum"] == "none":
        return answer("unknown", "quorum-none", "The trust policy doesn't require witnesses.")
    seen = ", ".join(key.name for key in found.cosigned)
    labels = {label for label, key in policy["witnesses"].items() if key in found.cosigned}
    if not is_met(policy, policy["quorum"], labels):
        missing = f"The quorum {policy['quorum']} isn't met; cosigned by: {seen or 'no known witness'}."
        return answer("no", "quorum-not-met", missing)
    return answer("yes", "witnessed", f"Cosigned by {seen}.")


def narrowed(policy: Policy, log: str) -> Policy:
    """The policy for the logs of one center, or for one log and the history of its center."""
    first = family(log)[0]
    center = re.sub(r"/(proof|dpu|history)\Z", "", first)
    names = [center + "/" + each for each in ("proof", "dpu", "history")] if center == first else [first, center + "/history"]
    names = list(dict.fromkeys(names))
    logs = [own for key in policy["logs"] for name in names if (own := key_for(key, name))]
    stolen = [(own, at) for key, at in policy["stolen"] for name in names if (own := key_for(key, name))]
    demand(logs or stolen, f"The trust policy has no key for the log {log}.")
    return {**policy, "logs": logs, "stolen": stolen}
