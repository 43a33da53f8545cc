"""What a guard refuses before it asks anybody."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from countersign import Countersign, Guard
from countersign._guard_values import frozen_json, reportable, restored

POLICY = json.loads((Path(__file__).parents[2] / "docs/formats/passkeys.json").read_text("utf-8"))["policy"]
CLIENT = Countersign("https://proof.example", "csk_test_x")


def guard_of(**change: Any) -> Guard:
    return Guard("agent", **{"client": CLIENT, "trust": POLICY, "center": 7, **change})


@pytest.mark.parametrize(
    "value",
    [2**53 + 1, 10**400, float("nan"), float("inf"), "\ud800", "a\0b", {1: 2}, {"\ud800": 1}, object(), b"x", {1, 2}],
    ids=repr,
)
def test_refuses_arguments_that_would_be_approved_as_something_else(value: Any) -> None:
    with pytest.raises(TypeError):
        frozen_json({"value": value})
    with pytest.raises(TypeError):
        frozen_json({"inside": [{"value": value}]})


def test_keeps_arguments_as_they_are() -> None:
    given = {"name": "김밥 😀", "won": 82_000, "rate": 0.1, "list": (1, None, True), "most": 2**53}
    assert json.loads(frozen_json(given)) == {**given, "list": [1, None, True]}


@pytest.mark.parametrize("output", ["paid", 5, [1, {"a": 2}], {"a": 1}, {"result": 5}, {"omitted": "x"}, None])
def test_restores_what_was_reported(output: Any) -> None:
    assert restored(reportable(output)) == (output,)


@pytest.mark.parametrize("output", [object(), float("nan"), "x" * 17_000])
def test_leaves_out_what_cannot_be_reported(output: Any) -> None:
    assert restored(reportable(output)) is None


@pytest.mark.parametrize(
    "change",
    [
        {"center": 0},
        {"center": "7"},
        {"center": 1_000_000_001},
        {"requires": "claim"},
        {"approvers": "act_ada"},
        {"bound_before": datetime(2026, 1, 1)},
    ],
    ids=repr,
)
def test_notices_wrong_settings_before_the_first_call(change: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        guard_of(**change)


def test_a_call_needs_an_id() -> None:
    refund = guard_of()("refund.issue")(lambda order: order)
    with pytest.raises(TypeError, match="has no ID"):
        refund("1041")


def test_a_term_that_returns_nothing_is_an_error() -> None:
    refund = guard_of(requires=lambda given: None)("refund.issue", call_id="x")(lambda order: order)
    with pytest.raises(TypeError, match="requires returned no value"):
        refund("1041")
