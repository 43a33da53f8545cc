"""The certificates of a time-stamping authority, with `cryptography`."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, ExtensionOID

_HASHES: dict[str, hashes.HashAlgorithm] = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}
# A critical extension that this code doesn't know may forbid this very use.
_KNOWN = {
    ExtensionOID.BASIC_CONSTRAINTS,
    ExtensionOID.KEY_USAGE,
    ExtensionOID.EXTENDED_KEY_USAGE,
    ExtensionOID.CERTIFICATE_POLICIES,
}
_SHORT = {
    "2.5.4.3": "CN",
    "2.5.4.6": "C",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "2.5.4.5": "serialNumber",
}
_LONGEST_PATH = 8


@dataclass(frozen=True)
class Certificate:
    read: x509.Certificate
    raw: bytes

    @property
    def subject(self) -> str:
        names = [(each.oid.dotted_string, each.value) for each in self.read.subject]
        return ", ".join(f"{_SHORT.get(oid, oid)}={value if isinstance(value, str) else value.hex()}" for oid, value in names)

    def signed(self, digest: str, message: bytes, signature: bytes) -> bool:
        key, hash = self.read.public_key(), _HASHES[digest]
        try:
            if isinstance(key, rsa.RSAPublicKey):
                key.verify(signature, message, padding.PKCS1v15(), hash)
            elif isinstance(key, ec.EllipticCurvePublicKey):
                key.verify(signature, message, ec.ECDSA(hash))
            else:
                return False
            return True
        except (InvalidSignature, ValueError, UnsupportedAlgorithm):
            return False

    @property
    def stamps_only(self) -> bool:
        """A certificate for time stamps says so in a critical extension, and is for nothing else."""
        try:
            usage = self.read.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
        except (x509.ExtensionNotFound, ValueError):
            return False
        return usage.critical and list(usage.value) == [ExtendedKeyUsageOID.TIME_STAMPING]

    def is_valid(self, at: datetime.datetime, below: int) -> bool:
        extensions = self.read.extensions
        if any(each.critical and each.oid not in _KNOWN for each in extensions):
            return False
        basic = self._basic
        longest = None if basic is None else basic.path_length
        if longest is not None and below > 0 and longest < below - 1:
            return False
        return self.read.not_valid_before_utc <= at <= self.read.not_valid_after_utc

    @property
    def _basic(self) -> x509.BasicConstraints | None:
        try:
            return self.read.extensions.get_extension_for_class(x509.BasicConstraints).value
        except x509.ExtensionNotFound:
            return None

    @property
    def is_authority(self) -> bool:
        return self._basic is not None and self._basic.ca

    def issued(self, other: Certificate) -> bool:
        try:
            usage = self.read.extensions.get_extension_for_class(x509.KeyUsage).value
            if not usage.key_cert_sign:
                return False
        except x509.ExtensionNotFound:
            pass
        hash = other.read.signature_hash_algorithm
        if (
            hash is None
            or hash.name not in _HASHES
            or not isinstance(self.read.public_key(), (rsa.RSAPublicKey, ec.EllipticCurvePublicKey))
        ):
            return False
        try:
            other.read.verify_directly_issued_by(self.read)
            return True
        except (InvalidSignature, ValueError, TypeError, UnsupportedAlgorithm):
            return False


def from_pem(text: str) -> Certificate:
    read = x509.load_pem_x509_certificate(text.encode())
    return Certificate(read, read.public_bytes(Encoding.DER))


def from_der(data: bytes) -> Certificate | None:
    try:
        return Certificate(x509.load_der_x509_certificate(data), data)
    except ValueError:
        return None


def leads(
    one: Certificate, anchors: Sequence[Certificate], pool: Sequence[Certificate], at: datetime.datetime, below: int = 0
) -> bool:
    """Whether each certificate was issued by the next, up to a given one, and all were valid when the time was stamped."""
    if not one.is_valid(at, below):
        return False
    if any(each.raw == one.raw for each in anchors):
        return True
    issuers = [each for each in [*anchors, *pool] if each.is_authority and each.raw != one.raw and each.issued(one)]
    return below < _LONGEST_PATH and any(leads(each, anchors, pool, at, below + 1) for each in issuers)
