"""A passkey in software: ES256, in the JSON form of WebAuthn."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from typing import Any
from urllib.parse import urlsplit

# The flags: a person is present and verified; with the third one, a key is attached.
_PRESENT, _VERIFIED, _ATTACHED = 1, 4, 64


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class SoftwarePasskey:
    """A passkey in software, for tests of programs that register and use passkeys."""

    def __init__(self, origin: str) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        self._origin = origin
        self._credential = secrets.token_bytes(16)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.id = base64url(self._credential)
        """The credential's ID."""

    def _client_data(self, kind: str, challenge: str) -> bytes:
        said = {"type": f"webauthn.{kind}", "challenge": challenge, "origin": self._origin, "crossOrigin": False}
        return json.dumps(said, separators=(",", ":")).encode()

    def _data(self, key: bytes = b"") -> bytes:
        host = (urlsplit(self._origin).hostname or "").encode()
        flags = _PRESENT | _VERIFIED | (_ATTACHED if key else 0)
        return hashlib.sha256(host).digest() + bytes([flags, 0, 0, 0, 0]) + key

    def _cose(self) -> bytes:
        """COSE_Key in the canonical form of CTAP2."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return bytes.fromhex("a5010203262001215820") + point[1:33] + bytes.fromhex("225820") + point[33:]

    def attestation(self, challenge: str) -> dict[str, Any]:
        """Answers a challenge to register, with the attestation `none`, as `attestation` in the API."""
        key = bytes(16) + bytes([0, len(self._credential)]) + self._credential + self._cose()
        data = self._data(key)
        # {fmt: "none", attStmt: {}, authData: …}
        head = bytes.fromhex("a363666d74646e6f6e656761747453746d74a0686175746844617461")
        return {
            "id": self.id,
            "clientDataJSON": base64url(self._client_data("create", challenge)),
            "attestationObject": base64url(head + bytes([0x58, len(data)]) + data),
            "transports": ["internal"],
        }

    def assertion(self, challenge: str) -> dict[str, str]:
        """Signs a challenge, as `assertion` in the API."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec

        data, client = self._data(), self._client_data("get", challenge)
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        parts = {"authenticatorData": data, "clientDataJSON": client, "signature": signature}
        return {"id": self.id, **{name: base64url(part) for name, part in parts.items()}}


def software_passkey(origin: str) -> SoftwarePasskey:
    """`origin` is the address of the pages where people sign in, such as `http://localhost:3000`; the RP ID is its host."""
    return SoftwarePasskey(origin)
