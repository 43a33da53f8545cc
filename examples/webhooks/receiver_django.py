"""A Django view that receives webhooks: `path("webhooks/countersign", receive)` in your urlpatterns."""

import os

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from countersign import WebhookSignatureError, decided_call, verify_webhook

seen: set[str] = set()  # Keep it in your database: a delivery can arrive twice, and at another process.


@csrf_exempt  # The signature says who sends; a delivery has no CSRF token.
@require_POST
def receive(request: HttpRequest) -> HttpResponse:
    try:
        event = verify_webhook(request.body, request.headers, os.environ["COUNTERSIGN_WEBHOOK_SECRET"])
    except WebhookSignatureError:
        return HttpResponse(status=401)
    if event["id"] not in seen:
        seen.add(event["id"])
        call = decided_call(event, "refund-agent")
        if call:
            print(f"Continue run {call.run_id}: a person decided about {call.call_id}.")
    return HttpResponse(status=204)
