"""A Flask receiver of webhooks: `COUNTERSIGN_WEBHOOK_SECRET=whsec_… flask --app receiver_flask run`."""

import os

from flask import Flask, Response, request

from countersign import WebhookSignatureError, decided_call, verify_webhook

app = Flask(__name__)
seen: set[str] = set()  # Keep it in your database: a delivery can arrive twice, and at another process.


@app.post("/webhooks/countersign")
def receive() -> Response:
    try:
        event = verify_webhook(request.get_data(), request.headers, os.environ["COUNTERSIGN_WEBHOOK_SECRET"])
    except WebhookSignatureError:
        return Response(status=401)
    if event["id"] not in seen:
        seen.add(event["id"])
        call = decided_call(event, "refund-agent")
        if call:
            print(f"Continue run {call.run_id}: a person decided about {call.call_id}.")
    return Response(status=204)
