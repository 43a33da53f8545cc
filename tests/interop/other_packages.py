"""Packages of the Python index over our formats: a JSON list of cases on stdin, a list of results on stdout."""
import base64
import json
import sys

import rfc8785
from standardwebhooks import Webhook, WebhookVerificationError


def canonical(text):
    # Every number of JSON is a double in RFC 8785; Python would make big integers of some.
    return rfc8785.dumps(json.loads(text, parse_int=float)).decode()


def webhook(case):
    try:
        Webhook(case["secret"]).verify(base64.b64decode(case["body"]), case["headers"])
    except WebhookVerificationError as error:
        return str(error)
    return "ok"


answer = {"canonical": canonical, "webhook": webhook}[sys.argv[1]]
json.dump([answer(case) for case in json.load(sys.stdin)], sys.stdout)
