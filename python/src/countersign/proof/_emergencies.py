"""What was approved in an emergency, as docs/formats/dpu-chain-v1.md describes it under "Emergency approvals".

What comes later than the file is not in it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Sequence
from typing import Any

from . import _lines as lines
from . import _passkeys as passkeys
from . import _tlog as tlog
from ._values import MISSING, Members, Report, as_text, is_object, list_of, members_of, silent, text_of

ACTIONS = ("confirmed", "objected", "unconfirmed", "closed")
Step = tuple[int, Members]


def check_emergency(
    evidence: Members,
    history: Sequence[Members],
    texts: lines.Texts,
    undisclosed: Collection[str],
    signing: passkeys.Signing,
) -> Members | None:
    """How it stands, None where nobody approved so or the file does not show the rules of the seal."""
    report = signing.report
    control, commitments = evidence.get("control"), members_of(evidence, "commitments")
    steps = [(at, each) for at, each in enumerate(history) if each.get("type") == "confirmation"]
    if not is_object(control):
        # A record without rules was approved by nobody so; of one that does not show them nothing is known.
        if "control" not in commitments:
            _refuse_all(steps, report)
        return None
    given = [lines.given_by(each, commitments) for each in passkeys.approvals_in(evidence)]
    # What was refused needs nobody to confirm it.
    approved = bool(given) and given[-1].counts
    hidden = any(each.hidden for each in given)
    counted = [each for each in given if approved and each.counts and not each.hidden]
    used = [each for each in counted if each.emergency]
    needs = list_of(control.get("needs"))
    if used and not ("emergency" in control and "emergency" in needs):
        report("evidence.control.emergency", "emergency-unstated")
    if not used and not hidden and ("emergency" in control or "emergency" in needs):
        report("evidence.control.emergency", "emergency-none")
    until = members_of(control, "emergency").get("confirmBy")
    if not isinstance(until, str):
        _refuse_all(steps, report)
        return None
    asking = lines.asking_in(evidence, texts, undisclosed)
    urgent = {lines.line_name(place) for each in used for place in each.places if place["by"] == "emergency"}
    if not hidden:
        _check_time(evidence, asking, urgent, until, report)
    judge = Judge(evidence, until, counted, asking, urgent, hidden, signing)
    for at, step in steps:
        if not judge.take(step, f"evidence.history.{at}"):
            break
    return {"confirmBy": until, "state": judge.state, "confirmations": judge.said, "closed": judge.closed}


def _refuse_all(steps: Sequence[Step], report: Report) -> None:
    for at, _ in steps:
        report(f"evidence.history.{at}", "confirmation-none")


def _check_time(evidence: Members, asking: lines.Asking, urgent: set[lines.LineName], until: str, report: Report) -> None:
    """The shortest time of the policies whose lines were filled so, where the file has all of their texts."""
    times: list[float] = [
        members_of(members_of(body, "approval"), "emergency")["confirmWithinSeconds"]
        for each, body in asking
        if (each["id"], each["version"]) in urgent and "emergency" in members_of(body, "approval")
    ]
    if not times or len(times) < len(urgent):
        return
    sealed = _moment(evidence.get("sealedAt"))
    if sealed is None or _moment(until) != sealed + datetime.timedelta(seconds=min(times)):
        report("evidence.control.emergency", "emergency-time")


def _moment(text: Any) -> datetime.datetime | None:
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    except (TypeError, ValueError):
        return None


class Judge:
    """Follows the confirmations, oldest first."""

    def __init__(
        self,
        evidence: Members,
        until: str,
        counted: Sequence[lines.Given],
        asking: lines.Asking,
        urgent: set[lines.LineName],
        hidden: bool,
        signing: passkeys.Signing,
    ) -> None:
        self.evidence, self.until, self.urgent, self.hidden, self.signing = evidence, until, urgent, hidden, signing
        self.users = {one for each in counted if each.emergency for one in each.ids}
        self.given, self.least = [each for each in counted if not each.emergency], lines.least_of(asking)
        self.asking = [pair for pair in asking if (pair[0]["id"], pair[0]["version"]) in urgent]
        actor = members_of(members_of(evidence, "event"), "actor").get("id")
        self.actor = lines.comparable(actor) if isinstance(actor, str) else None
        self.state, self.closed = "open", False
        self.said: list[Members] = []

    def take(self, step: Members, at: str) -> bool:
        """False where the file leaves out what decides, and nothing can be said of what comes after."""
        report, commitments = self.signing.report, members_of(step, "commitments")
        if any(name in commitments and name not in step for name in ("action", "level", "admitted", "complete")):
            self.state = "hidden"
            return False
        action, time = step.get("action"), as_text(step.get("sealedAt", MISSING))
        if action not in ACTIONS:
            report(f"{at}.action", "confirmation-form")
            return True
        may_close = action == "closed" and self.state in ("objected", "unconfirmed")
        if self.closed or (not may_close if action == "closed" else self.state != "open"):
            report(at, "confirmation-over")
        by, absent = members_of(step, "by").get("id"), step.get("onBehalfOf")
        names = [each for each in (by, absent) if isinstance(each, str)]
        ids = {lines.comparable(each) for each in names}
        if action != "unconfirmed" and ids & self.users:
            report(f"{at}.by", "confirmation-user")
        if action == "closed":
            self.closed = True
            return True
        if action == "unconfirmed":
            if not time > self.until:
                report(at, "confirmation-early")
            self.state = "unconfirmed"
            return True
        if time > self.until:
            report(at, "confirmation-late")
        if self.actor is not None and self.actor in ids:
            report(f"{at}.by", "line-actor")
        if step.get("level") not in ("session", "passkey"):
            report(f"{at}.level", "confirmation-form")
        passkey = _check_signature(self.evidence, step, at, self.signing)
        self.said.append({"result": action, "by": text_of(by), "onBehalfOf": text_of(absent), "at": time, "passkey": passkey})
        if action == "objected":
            self.state = "objected"
            return True
        complete = self.fill(step, names, ids, f"{at}.admitted")
        if complete is not None and step.get("complete") is not complete:
            report(f"{at}.complete", "confirmation-complete")
        if step.get("complete") is True:
            self.state = "confirmed"
        return True

    def fill(self, step: Members, names: Sequence[str], ids: set[str], at: str) -> bool | None:
        """Whether the lines are full now; None where the file lacks the text of one of them."""
        report = self.signing.report
        places = [each for each in list_of(step.get("admitted")) if lines.is_place(each)]
        given = lines.Given(
            at=at,
            counts=True,
            hidden=False,
            places=places,
            earlier=False,
            ids=ids,
            person=lines.comparable(names[-1]) if names else None,
            hides=not names,
            human=True,
            level=step.get("level"),
            time=lines.time_of(step.get("sealedAt")),
            alone=False,
            emergency=False,
        )
        self.given.append(given)
        if self.hidden:
            return None
        if not places or any(lines.line_name(place) not in self.urgent for place in places):
            report(at, "line-policy")
        if any(place["by"] == "emergency" for place in places):
            report(at, "emergency-mixed")
        if len(self.asking) < len(self.urgent):
            return None
        states, left = lines.new_states(self.asking), {id(each): list(each.places) for each in self.given}
        for state in states:
            for each in self.given:
                said: Report = report if each is given else silent
                lines.take_places(state, each, left[id(each)], self.least, said)
        if any(lines.line_name(place) in self.urgent for place in left[id(given)]):
            report(at, "line-order")
        return all(state.is_full for state in states)


def _check_signature(evidence: Members, step: Members, at: str, signing: passkeys.Signing) -> Members | None:
    commitments = members_of(step, "commitments")
    signed = "passkey" in commitments
    if signed != (step.get("level") == "passkey"):
        signing.report(f"{at}.passkey", "passkey-unclaimed" if signed else "missing")
    if not signed:
        return None
    if "passkey" not in step:
        return passkeys.not_judged("redacted")

    def hides(name: str) -> bool:
        return name not in step and name in commitments

    def agrees(said: Members) -> bool:
        expected: Members = {
            "eventId": re.sub("^evd_", "evt_", as_text(evidence.get("id", MISSING))),
            "chainHash": members_of(evidence, "chain").get("hash"),
            "result": step.get("action"),
        }
        if not hides("by"):
            expected["approverId"] = members_of(step, "by").get("id", MISSING)
        if not hides("reason") and not hides("reasonSalt"):
            salt = step.get("reasonSalt", MISSING)
            expected["reasonDigest"] = passkeys.reason_digest(salt, step["reason"]) if "reason" in step else None
        return tlog.is_up_to(said["log"], step.get("log")) and all(said[name] == value for name, value in expected.items())

    passkey = step["passkey"]
    return passkeys.check_passkey(
        passkey,
        at,
        signing,
        kinds=("countersign-confirm-v1",),
        statement=members_of(passkey).get("statement", MISSING),
        statement_at=f"{at}.passkey.statement",
        agrees=agrees,
        shown=all(name in step for name in commitments),
        index=members_of(step, "chain").get("index"),
    )
