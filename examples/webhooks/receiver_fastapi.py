"""A FastAPI receiver of webhooks: `COUNTERSIGN_WEBHOOK_SECRET=whsec_… uvicorn receiver_fastapi:app`."""

import os

from fastapi import FastAPI, Request, Response

from countersign import WebhookSignatureError, decided_call, verify_webhook

app = FastAPI()
seen: set[str] = set()  # Keep it in your database: a delivery can arrive twice, and at another process.


@app.post("/webhooks/countersign")
async def receive(request: Request) -> Response:
    try:
        event = verify_webhook(await request.body(), request.headers, os.environ["COUNTERSIGN_WEBHOOK_SECRET"])
    except WebhookSignatureError:
        return Response(status_code=401)
    if event["id"] not in seen:
        seen.add(event["id"])
        call = decided_call(event, "refund-agent")
        if call:
            print(f"Continue run {call.run_id}: a person decided about {call.call_id}.")
    return Response(status_code=204)
