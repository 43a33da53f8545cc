"""The package's errors. Use `except` with a class, and `code`, to tell them apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class CountersignError(Exception):
    """Every error of this package."""


class ApiError(CountersignError):
    """The server returned an error."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        request_id: str | None = None,
        details: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
        docs_url: str | None = None,
        attempts: int = 1,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        """The API's error code, or `HTTP_<status>` if the response has none, such as one from a proxy."""
        self.request_id = request_id
        """Quote it in a support request."""
        self.details: Mapping[str, Any] = details or {}
        self.retry_after = retry_after
        """The wait from `Retry-After`, in seconds; None if the response has none."""
        self.docs_url = docs_url
        """The server's documentation of this error code; None if the response doesn't link to it."""
        self.attempts = attempts


class ValidationError(ApiError):
    """400, 413, 415 and 422: the request is invalid; change it before you send it again."""


class PolicyViolationError(ApiError):
    """422 `POLICY_VIOLATION`: a policy refused the request; `details` names the policy and the guard."""


class AuthenticationError(ApiError):
    """401: the credential is missing, invalid or expired."""


class PermissionError(ApiError):
    """403: the credential isn't allowed to do this."""


class NotFoundError(ApiError):
    """404: there's nothing with this ID, or you can't see it."""


class ConflictError(ApiError):
    """409: the request conflicts with the current state. Read that state before you decide what to do. Never retried."""


class RateLimitError(ApiError):
    """429: too many requests. Raised after the last attempt, or if the wait would be too long."""


class ServerError(ApiError):
    """500 and above: the server failed. Raised after the last attempt."""


class ConnectionError(CountersignError):
    """There was no complete response. A write may have taken effect; retry it only with the same idempotency key."""

    def __init__(self, message: str, attempts: int) -> None:
        super().__init__(message)
        self.attempts = attempts


class TimeoutError(ConnectionError):
    """No complete response arrived in time; otherwise like `ConnectionError`."""


class UnreadableAnswerError(CountersignError):
    """The response is a success but isn't what the API sends: something else responded, such as a proxy."""


class ApprovalPendingError(CountersignError):
    """The decision was still open when the time ran out."""

    def __init__(self, event_id: str, decision: Mapping[str, Any] | None) -> None:
        super().__init__(
            f"{event_id} wasn't decided in time. Wait again, or ask someone to decide on the page at waiting.approvalUrl."
        )
        self.decision = decision
        """The decision as last read, as JSON; None if the server couldn't be reached."""


_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: ValidationError,
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    413: ValidationError,
    415: ValidationError,
    422: ValidationError,
    429: RateLimitError,
}


def api_error_kind(status: int, code: str) -> type[ApiError]:
    if code == "POLICY_VIOLATION":
        return PolicyViolationError
    return _BY_STATUS.get(status) or (ServerError if status >= 500 else ApiError)
