"""Time stamps, RFC 3161: what a token is about, and who made it. Revocation isn't checked."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from . import _tlog as tlog
from ._tlog import Malformed, demand
from ._values import Members, members_of

_SIGNED_DATA = "06092a864886f70d010702"
_TST_INFO = "060b2a864886f70d0109100104"
_CONTENT_TYPE = "06092a864886f70d010903"
_MESSAGE_DIGEST = "06092a864886f70d010904"
_SHA256 = "0609608648016503040201"


class Item(NamedTuple):
    """Of DER, X.690: definite lengths of at most four bytes."""

    tag: int
    body: bytes
    whole: bytes


def _item(data: bytes, at: int = 0) -> Item:
    first = data[at + 1] if at + 1 < len(data) else 0x80
    more = 0 if first < 0x80 else first - 0x80
    demand(first != 0x80 and more <= 4, "The bytes aren't DER.")
    length = int.from_bytes(data[at + 2 : at + 2 + more], "big") if more else first
    start = at + 2 + more
    demand(start + length <= len(data), "The DER item ends too early.")
    return Item(data[at], data[start : start + length], data[at : start + length])


def _items(data: bytes) -> list[Item]:
    found: list[Item] = []
    at = 0
    while at < len(data):
        found.append(_item(data, at))
        at += len(found[-1].whole)
    return found


def _inside(item: Item | None) -> list[Item]:
    return _items(item.body) if item else []


def _at(items: Sequence[Item], place: int) -> Item | None:
    return items[place] if -len(items) <= place < len(items) else None


def _hex(item: Item | None, body: bool = False) -> str:
    return "" if item is None else (item.body if body else item.whole).hex()


@dataclass(frozen=True)
class Token:
    claimed_at: str
    digest: str
    """Of the stamped data, SHA-256 in hex."""
    content: bytes
    certificates: tuple[bytes, ...]
    signer_id: Item | None
    digest_algorithm: str
    signature_algorithm: str
    signature: bytes
    signed: bytes
    attributes: dict[str, Item]


def read_token(token: bytes) -> Token:
    """Raises `Malformed` for bytes that aren't a token for a SHA-256 digest with one signer."""
    outer = _items(token)
    demand(len(outer) < 2, "There are bytes after the token.")
    kind = _inside(_at(outer, 0))
    demand(_hex(_at(kind, 0)) == _SIGNED_DATA, "The bytes aren't CMS signed data.")
    parts = _inside(_at(_inside(_at(kind, 1)), 0))
    encapsulated, rest = _inside(_at(parts, 2)), parts[3:]
    demand(_hex(_at(encapsulated, 0)) == _TST_INFO, "The signed data isn't a timestamp.")
    octets = _at(_inside(_at(encapsulated, 1)), 0)
    content = octets.body if octets else b""
    said = _inside(_at(_items(content), 0))
    imprint = _inside(_at(said, 2))
    demand(_hex(_at(_inside(_at(imprint, 0)), 0)) == _SHA256, "The token's digest isn't SHA-256.")
    signers = _inside(_at(rest, -1))
    demand(len(signers) < 2, "The token has more than one signer.")
    signer = _inside(_at(signers, 0))
    place = next((at for at, each in enumerate(signer) if each.tag == 0xA0), None)
    if place is None:
        raise Malformed("The token has no signed attributes.")
    signature = _at(signer, place + 2)
    return Token(
        claimed_at=_time(_at(said, 4)),
        digest=_hex(_at(imprint, 1), True),
        content=content,
        certificates=tuple(each.whole for each in _inside(next((each for each in rest if each.tag == 0xA0), None))),
        signer_id=_at(signer, 1),
        digest_algorithm=_hex(_at(_inside(_at(signer, 2)), 0)),
        signature_algorithm=_hex(_at(_inside(_at(signer, place + 1)), 0)),
        signature=signature.body if signature else b"",
        signed=b"\x31" + signer[place].whole[1:],
        attributes=_attributes(signer[place]),
    )


def _attributes(item: Item) -> dict[str, Item]:
    found: dict[str, Item] = {}
    for each in _inside(item):
        parts = _inside(each)
        values, name = _inside(_at(parts, 1)), _hex(_at(parts, 0))
        demand(name not in found and len(values) == 1, "A signed attribute doesn't have exactly one value.")
        found[name] = values[0]
    return found


_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z\Z")


def _time(item: Item | None) -> str:
    found = _TIME.match(item.body.decode("latin-1")) if item and item.tag == 0x18 else None
    if found is None:
        raise Malformed("The token has no UTC time.")
    year, month, day, hour, minute, second, fraction = found.groups()
    return f"{year}-{month}-{day}T{hour}:{minute}:{second}{fraction or ''}Z"


def _stamped(token: bytes) -> Token:
    read = read_token(token)
    is_sha256 = read.digest_algorithm == _SHA256
    stated = _hex(read.attributes.get(_MESSAGE_DIGEST), True)
    fits = not is_sha256 or stated == hashlib.sha256(read.content).hexdigest()
    demand(fits, "The token's time isn't the one that was signed.")
    return read


Why = Literal["no-authority", "not-checked-here", "other-authority", "unsupported"]


def _unverified(why: Why) -> Members:
    return {"status": "unverified", "why": why}


def read_stamp(stamp: Any, checkpoint: str | None, authorities: Sequence[str]) -> tuple[Members | None, tlog.Answer | None]:
    """What may be said of a time stamp, and a fault where it is for another checkpoint or its signature is false."""
    if not isinstance(stamp, str) or checkpoint is None:
        return None, None

    def bad(detail: str) -> tuple[None, tlog.Answer]:
        return None, tlog.answer("no", "timestamp-bad", detail)

    try:
        try:
            token = tlog.unbase64(stamp)
        except Malformed:
            token = b""
        if _stamped(token).digest != hashlib.sha256(checkpoint.encode()).hexdigest():
            return bad("The timestamp was made for another checkpoint.")
        found = check_authority(token, authorities)
        if found is None:
            return bad("The timestamp's signature wasn't made by the authority that it names.")
        return found, None
    except Malformed as error:
        return bad(f"The timestamp can't be used: {error}")


_DIGESTS = {"0609608648016503040201": "sha256", "0609608648016503040202": "sha384", "0609608648016503040203": "sha512"}
# With the digest that each uses; None: the one that the signer names beside it.
_SIGNATURES: dict[str, str | None] = {
    "06092a864886f70d010101": None,
    "06092a864886f70d01010b": "sha256",
    "06092a864886f70d01010c": "sha384",
    "06092a864886f70d01010d": "sha512",
    "06082a8648ce3d040302": "sha256",
    "06082a8648ce3d040303": "sha384",
    "06082a8648ce3d040304": "sha512",
}
_PEM = re.compile(r"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----")


def check_authority(token: bytes, authorities: Sequence[str]) -> Members | None:
    """`authorities` are certificates in PEM. None: a signature is not what it claims."""
    given = [each for text in authorities for each in _PEM.findall(text)]
    if not given:
        return _unverified("no-authority")
    if tlog.library is None:
        return _unverified("not-checked-here")
    from . import _authority

    read = read_token(token)
    digest = _DIGESTS.get(read.digest_algorithm)
    if digest is None or read.signature_algorithm not in _SIGNATURES:
        return _unverified("unsupported")
    if (_SIGNATURES[read.signature_algorithm] or digest) != digest:
        return _unverified("unsupported")
    anchors = [_authority.from_pem(each) for each in given]
    pool = [each for data in read.certificates if (each := _authority.from_der(data))]
    signer = next((each for each in [*anchors, *pool] if _is_named(each.raw, read)), None)
    if signer is None:
        return _unverified("other-authority")
    stated = _hex(read.attributes.get(_MESSAGE_DIGEST), True)
    if (
        _hex(read.attributes.get(_CONTENT_TYPE)) != _TST_INFO
        or stated != hashlib.new(digest, read.content).hexdigest()
        or not signer.signed(digest, read.signed, read.signature)
    ):
        return None
    at = datetime.datetime.fromisoformat(read.claimed_at[:19] + "+00:00")
    if not signer.stamps_only or not _authority.leads(signer, anchors, pool, at):
        return _unverified("other-authority")
    return {"status": "verified", "at": read.claimed_at, "authority": signer.subject}


_CERTIFICATE_V2 = "060b2a864886f70d010910022f"
_CERTIFICATE = "060b2a864886f70d010910020c"


def _is_named(certificate: bytes, token: Token) -> bool:
    """The signed attributes hold a hash of the certificate, so that no other one with the same key or name takes its place."""
    newer = token.attributes.get(_CERTIFICATE_V2)
    listed = _inside(_at(_inside(newer or token.attributes.get(_CERTIFICATE)), 0))
    parts = _inside(_at(listed, 0))
    stated = next((each for each in parts if each.tag == 0x04), None)
    digest = "sha1"
    if newer:
        first = _at(parts, 0)
        digest = _DIGESTS.get(_hex(_at(_inside(first), 0)), "") if first and first.tag == 0x30 else "sha256"
    if not digest or _hex(stated, True) != hashlib.new(digest, certificate, usedforsecurity=False).hexdigest():
        return False
    if token.signer_id is None or token.signer_id.tag != 0x30:
        return True
    issuer, serial = _issuer_of(certificate)
    said = _inside(token.signer_id)
    return _hex(_at(said, 0)) == _hex(issuer) and _hex(_at(said, 1)) == _hex(serial)


def _issuer_of(certificate: bytes) -> tuple[Item | None, Item | None]:
    parts = _inside(_at(_inside(_item(certificate)), 0))
    parts = parts[1:] if parts and parts[0].tag == 0xA0 else parts
    return _at(parts, 2), _at(parts, 0)


def stamp_in(document: Any) -> tuple[bytes, str]:
    """The token and the stamped text, as the two files that `openssl ts -verify` needs."""
    verification = members_of(document, "verification")
    note = tlog.read_proof(verification["tlogProof"])[2]
    return tlog.unbase64(verification["timestamp"]), tlog.read_note(note)[0]
