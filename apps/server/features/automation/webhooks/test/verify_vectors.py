#!/usr/bin/env python3
"""Verifies webhook deliveries with nothing but the Python standard library.

Written from docs/formats/webhook-signatures.md alone and sharing no code with the service, so that the two can
disagree.

    verify_vectors.py FILE

reads the published vectors and prints one line of JSON for each: the result and whether it matches the file.
Exit status 0 when all match, else 1.
"""

import base64
import hashlib
import hmac
import json
import re
import sys
from datetime import datetime, timezone

TOLERANCE = 300
SIGNATURE = re.compile(r"[0-9a-f]{64}\Z")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z\Z")


def service_signature(secret, body):
    return hmac.new(secret.encode("utf-8"), body, hashlib.sha256).hexdigest()


def verify_service(secrets, body, headers):
    """The scheme of X-Service-Signature: true when one of the known secrets made the one signature."""
    given = headers.get("x-service-signature", "")
    if not SIGNATURE.match(given):
        return False
    return any([hmac.compare_digest(service_signature(secret, body), given) for secret in secrets])


def standard_signature(secret, message_id, timestamp, body):
    key = base64.b64decode(secret[len("whsec_"):], validate=True)
    signed = message_id.encode("utf-8") + b"." + timestamp.encode("utf-8") + b"." + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode("ascii")


def verify_standard(secrets, body, headers, now):
    """Standard Webhooks: true when one of the known secrets made one of the signatures, within the tolerance."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not re.match(r"[0-9]{1,12}\Z", timestamp) or abs(now - int(timestamp)) > TOLERANCE:
        return False
    given = headers.get("webhook-signature", "").split(" ")
    wanted = [standard_signature(secret, message_id, timestamp, body) for secret in secrets]
    return any([hmac.compare_digest(one.encode("utf-8"), other.encode("utf-8")) for one in wanted for other in given])


def seconds_of(timestamp):
    parsed = datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    return int(parsed.timestamp())


def faults_of(vector):
    """What is not as the page says, for a delivery that must be accepted."""
    headers, body = vector["headers"], vector["body"].encode("utf-8")
    secret, previous = vector["secret"], vector["previousSecret"]
    live = [secret] + ([previous] if previous else [])
    signer = vector[vector["signedWith"]]
    other = secret if signer == previous else previous
    now = seconds_of(vector["timestamp"])
    envelope = json.loads(vector["body"])
    checks = {
        "X-Service-Signature": verify_service([signer], body, headers),
        "X-Service-Signature refuses others": not (other and verify_service([other], body, headers)),
        "X-Service-Signature-Previous": headers.get("x-service-signature-previous")
        == (service_signature(other, body) if other else None),
        "webhook-signature": all([verify_standard([each], body, headers, now) for each in live]),
        "webhook-signature, order": headers["webhook-signature"]
        == " ".join([standard_signature(each, vector["id"], str(now), body) for each in live]),
        "tolerance": verify_standard(live, body, headers, now + TOLERANCE)
        and verify_standard(live, body, headers, now - TOLERANCE)
        and not verify_standard(live, body, headers, now + TOLERANCE + 1)
        and not verify_standard(live, body, headers, now - TOLERANCE - 1),
        "a changed body": not verify_service(live, body + b" ", headers)
        and not verify_standard(live, body + b" ", headers, now),
        "id": vector["id"] == envelope["id"] == headers["x-service-event-id"] == headers["webhook-id"],
        "attempt": str(vector["attempt"]) == str(envelope["deliveryAttempt"]) == headers["x-service-delivery-attempt"],
        "time": bool(TIME.match(vector["timestamp"])) and headers["x-service-timestamp"] == vector["timestamp"],
        "members": list(envelope) == ["id", "type", "createdAt", "data", "deliveryAttempt"],
        "content type": headers["content-type"] == "application/json",
    }
    return [name for name, holds in checks.items() if not holds]


def faults_of_refused(vector):
    """Both schemes say what the file says; at least one of them refuses."""
    body = vector["body"].encode("utf-8")
    now = seconds_of(vector["receivedAt"])
    found = {
        "service": verify_service([vector["secret"]], body, vector["headers"]),
        "standard": verify_standard([vector["secret"]], body, vector["headers"], now),
    }
    faults = [scheme for scheme in found if found[scheme] != vector["accepted"][scheme]]
    return faults + (["nothing refuses it"] if all(found.values()) else [])


def main(path):
    with open(path, encoding="utf-8") as file:
        published = json.load(file)
    found = [(each["about"], faults_of(each)) for each in published["accepted"]]
    found += [(each["about"], faults_of_refused(each)) for each in published["refused"]]
    for about, faults in found:
        print(json.dumps({"about": about, "faults": faults}))
    return 1 if not found or any([faults for _, faults in found]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
