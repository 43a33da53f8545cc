"""Hold back an agent's risky calls until a person approves exactly that call. Everything here is loaded when it is first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client import AsyncCountersign as AsyncCountersign
    from .client import Countersign as Countersign
    from .errors import ApiError as ApiError
    from .errors import ApprovalPendingError as ApprovalPendingError
    from .errors import AuthenticationError as AuthenticationError
    from .errors import ConflictError as ConflictError
    from .errors import ConnectionError as ConnectionError
    from .errors import CountersignError as CountersignError
    from .errors import NotFoundError as NotFoundError
    from .errors import PermissionError as PermissionError
    from .errors import PolicyViolationError as PolicyViolationError
    from .errors import RateLimitError as RateLimitError
    from .errors import ServerError as ServerError
    from .errors import TimeoutError as TimeoutError
    from .errors import UnreadableAnswerError as UnreadableAnswerError
    from .errors import ValidationError as ValidationError
    from .guard import Guard as Guard
    from .guard import GuardError as GuardError
    from .webhook import WebhookSignatureError as WebhookSignatureError
    from .webhook import decided_call as decided_call
    from .webhook import verify_webhook as verify_webhook

_HOMES = {
    "client": ("AsyncCountersign", "Countersign"),
    "errors": (
        *("ApiError", "ApprovalPendingError", "AuthenticationError", "ConflictError", "ConnectionError"),
        *("CountersignError", "NotFoundError", "PermissionError", "PolicyViolationError", "RateLimitError"),
        *("ServerError", "TimeoutError", "UnreadableAnswerError", "ValidationError"),
    ),
    "guard": ("Guard", "GuardError"),
    "webhook": ("WebhookSignatureError", "decided_call", "verify_webhook"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"
__all__ = sorted(_HOME_OF)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME_OF[name]}", __name__), name)
