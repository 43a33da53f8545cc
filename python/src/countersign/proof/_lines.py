"""The places that a seal gives to its approvals, as docs/formats/dpu-chain-v1.md describes them under "Approval lines".

With the texts of the policies the lines are replayed: the number, the order and the difference of people. Roles and groups are
as the service stated them, and no file shows them.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from ._json import Refused, read_json, sha256
from ._values import Members, Report, is_index, is_list, is_number, is_object, list_of, members_of

LEVELS = ("claim", "session", "passkey")
WAYS = ("role", "group", "person", "escalation", "emergency")
# Default_Ignorable_Code_Point, which Python does not know, and the blank Braille cell.
IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    return "".join(
        char for char in IGNORED.sub("", text) if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")
    )


def comparable(identifier: str) -> str:
    normal = visible(unicodedata.normalize("NFKC", identifier))
    folded = "".join(char.lower() for char in normal.upper())
    return visible(unicodedata.normalize("NFKC", folded))


def _names_fit(holder: Members, *names: str) -> bool:
    """Each member is absent or a list of texts."""
    given = [holder[name] for name in names if name in holder]
    return all(is_list(each) and all(isinstance(one, str) for one in each) for each in given)


def _is_count(value: Any) -> bool:
    return is_index(value) and value >= 1


def _escalation_fits(holder: Members) -> bool:
    if "escalateTo" not in holder:
        return True
    value = holder["escalateTo"]
    return is_object(value) and is_number(value.get("afterSeconds")) and _names_fit(value, "roles", "actorIds")


def _emergency_fits(holder: Members) -> bool:
    if "emergency" not in holder:
        return True
    value = holder["emergency"]
    return (
        is_object(value) and _is_count(value.get("confirmWithinSeconds")) and _names_fit(value, "roles", "actorIds", "groupIds")
    )


def _is_step(step: Any) -> bool:
    return (
        is_object(step)
        and _names_fit(step, "roles", "actorIds", "groupIds")
        and _is_count(step.get("count", 1))
        and isinstance(step.get("identity", ""), str)
        and _escalation_fits(step)
    )


def _is_policy(body: Any) -> bool:
    if not is_object(body) or not is_object(body.get("guards")):
        return False
    guards, approval = members_of(body, "guards"), body.get("approval", {})
    if not is_object(approval) or not _names_fit(approval, "roles", "actorIds") or not _escalation_fits(approval):
        return False
    if not all(isinstance(guards.get(name, False), bool) for name in ("humanReview", "dualApproval")):
        return False
    if not is_number(guards.get("riskThreshold", 0)) or not isinstance(guards.get("minimumEvidenceLevel", ""), str):
        return False
    steps = approval.get("steps", [{}])
    known = is_list(steps) and len(steps) > 0 and all(_is_step(step) for step in steps)
    return known and _emergency_fits(approval) and isinstance(approval.get("identity", ""), str)


class Named(TypedDict):
    """A policy as the seal names it."""

    id: str
    version: float
    digest: str


Asking = Sequence[tuple[Named, Members]]
Texts = Mapping[str, Members]
LineName = tuple[str, float]


def named_policies(evidence: Members) -> list[Named]:
    return [
        {"id": each["id"], "version": each["version"], "digest": each["digest"]}
        for each in list_of(evidence.get("policies"))
        if is_object(each)
        and isinstance(each.get("id"), str)
        and is_number(each.get("version"))
        and isinstance(each.get("digest"), str)
    ]


def read_texts(document: Members, evidence: Members, report: Report) -> dict[str, Members]:
    """The policies by their digests."""
    found: dict[str, Members] = {}
    if "policyTexts" not in document:
        return found
    given = document["policyTexts"]
    if not is_list(given) or not given:
        report("policyTexts", "not-a-list")
        return found
    left = {each["digest"] for each in named_policies(evidence)}
    for position, text in enumerate(given):
        digest = sha256(text) if isinstance(text, str) else ""
        if digest not in left:
            report(f"policyTexts.{position}", "text-unnamed")
            continue
        left.discard(digest)
        try:
            body = read_json(text)
        except Refused:
            body = None
        if is_object(body) and _is_policy(body):
            found[digest] = body
        else:
            report(f"policyTexts.{position}", "not-a-policy")
    return found


def is_place(each: Any) -> bool:
    return (
        is_object(each)
        and isinstance(each.get("policyId"), str)
        and is_index(each.get("version"))
        and is_index(each.get("step"))
        and each.get("by") in WAYS
        and ("since" not in each or is_index(each["since"]))
    )


def _is_right(each: Any) -> bool:
    return is_object(each) and is_index(each.get("since")) and "policyId" not in each


def is_admitted(admitted: Any) -> bool:
    return is_list(admitted) and (all(_is_right(each) for each in admitted) or all(is_place(each) for each in admitted))


def line_name(place: Members) -> LineName:
    return place["policyId"], place["version"]


def _name_of(policy: Named) -> LineName:
    return policy["id"], policy["version"]


Risk = float | Literal["hidden"] | None


def _asks(body: Members, risk: Risk) -> bool | None:
    """None where it depends on a risk score that the file does not show."""
    guards = members_of(body, "guards")
    if guards.get("humanReview") or guards.get("dualApproval") or guards.get("minimumEvidenceLevel") == "AUDIT_READY":
        return True
    if "riskThreshold" not in guards:
        return False
    if isinstance(risk, str):
        return None
    # A risk that nobody stated exceeds every threshold.
    return risk is None or risk > guards["riskThreshold"]


def _risk_in(evidence: Members, undisclosed: Collection[str]) -> Risk:
    """None where there is none."""
    stated = members_of(evidence, "event").get("riskScore")
    if is_number(stated):
        return stated
    return "hidden" if "event.riskScore" in undisclosed else None


def asking_in(evidence: Members, texts: Texts, undisclosed: Collection[str]) -> Asking:
    """The policies that ask, as far as the file shows their texts."""
    risk = _risk_in(evidence, undisclosed)
    known = [(each, texts[each["digest"]]) for each in named_policies(evidence) if each["digest"] in texts]
    return [(each, body) for each, body in known if _asks(body, risk) is True]


@dataclass(eq=False)
class Given:
    """An approval as a line sees it."""

    at: str
    counts: bool
    hidden: bool
    places: list[Members]
    earlier: bool
    """Sealed before approval lines."""
    ids: set[str]
    """Everybody whom the seal names as this approver."""
    person: str | None
    """Whose place it fills; None where the file does not show it."""
    hides: bool
    human: bool
    level: Any
    time: float
    alone: bool
    emergency: bool
    """In place of a whole line. Of the last one its places say it."""


def in_emergency(control: Members | None, is_last: bool) -> bool:
    given = control or {}
    if not is_last:
        return given.get("emergency") is True
    return any(place["by"] == "emergency" for place in list_of(given.get("admitted")) if is_place(place))


def given_by(each: Mapping[str, Any], commitments: Members) -> Given:
    approval, control = members_of(each["approval"]), members_of(each["control"])
    approver, identity = members_of(approval, "approver"), members_of(approval, "identity")
    is_last = bool(each["is_last"])
    level, absent, id = identity.get("level"), approval.get("onBehalfOf"), approver.get("id")
    is_claim = level == "claim"

    def hides(path: str, holder: Members, name: str) -> bool:
        return is_last and name not in holder and path in commitments

    by = None if is_claim else identity.get("by")
    admitted = list_of(control.get("admitted"))
    places = [place for place in admitted if is_place(place)]
    person = absent if absent is not None else id if is_claim else identity.get("by")
    hides_absent = hides("approval.onBehalfOf", approval, "onBehalfOf")
    hides_id = hides("approval.approver.id", approver, "id")
    hides_by = not is_claim and hides("approval.identity.by", identity, "by")
    at = "evidence.control.admitted" if is_last else re.sub(r"\.approval\Z", ".control.admitted", str(each["at"]))
    return Given(
        at=at,
        counts=approval.get("result") == "approved" and (is_last or "void" not in control),
        hidden=bool(each["hidden"]),
        places=places,
        earlier=bool(admitted) and not places,
        ids={comparable(one) for one in (id, by, absent) if isinstance(one, str)},
        person=comparable(person) if isinstance(person, str) and not hides_absent else None,
        hides=hides_absent or hides_id or hides_by,
        human=approver.get("type") == "human" and (isinstance(id, str) or hides_id),
        level=level,
        time=time_of(approval.get("approvedAt")),
        alone=control.get("fallback") == "alone",
        emergency=in_emergency(control, is_last),
    )


def time_of(text: Any) -> float:
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").timestamp()
    except (TypeError, ValueError):
        return float("nan")


def _unknown(why: str) -> Members:
    return {"status": "unknown", "why": why, "claims": False, "alone": False}


def check_lines(
    evidence: Members, approvals: Sequence[Mapping[str, Any]], texts: Texts, undisclosed: Collection[str], report: Report
) -> Members | None:
    """What can be said of the lines, None where there is nothing to say."""
    commitments, control = members_of(evidence, "commitments"), evidence.get("control")
    given = [given_by(each, commitments) for each in approvals]
    if "control" not in commitments or not given or not given[-1].counts:
        return None
    policies = named_policies(evidence)
    if "control" not in evidence:
        return _unknown("redacted") if policies else None
    needs = list_of(members_of(control).get("needs"))
    needed = "lines" in needs or "emergency" in needs
    stated = any(each.places for each in given)
    names = {_name_of(each) for each in policies}
    for each in given:
        if not each.hidden:
            _check_stated(evidence, each, names, needed, stated, report)

    risk = _risk_in(evidence, undisclosed)
    known = [(each, texts[each["digest"]]) for each in policies if each["digest"] in texts]
    asking = asking_in(evidence, texts, undisclosed)
    sure = len(known) == len(policies) and all(_asks(body, risk) is not None for _, body in known)
    if sure and not asking and not stated and not needed:
        return None
    if "lines" not in needs and any("steps" in members_of(body, "approval") for _, body in asking):
        report("evidence.control.needs", "line-needs")
    if not needed and (not stated or any(each.earlier and each.counts for each in given)):
        return _unknown("unstated") if policies else None
    if any(each.hidden for each in given):
        return _unknown("redacted")
    counted = [each for each in given if each.counts]
    judged = {_name_of(each) for each, body in known if _asks(body, risk) is not None}
    _replay(evidence, counted, asking, judged, report)
    if len({_name_of(each) for each, _ in known}) < len(policies):
        return _unknown("texts")
    if not sure or any(each.hides for each in counted):
        return _unknown("redacted")
    claims = any(each.level == "claim" for each in counted)
    return {"status": "fits", "why": None, "claims": claims, "alone": any(each.alone for each in counted)}


def _check_stated(evidence: Members, each: Given, names: set[LineName], needed: bool, stated: bool, report: Report) -> None:
    """What needs no text of a policy."""
    places = [line_name(place) for place in each.places]
    if places and not each.counts:
        report(each.at, "line-void")
    if each.counts and not places and not (each.earlier and not needed) and (needed or stated):
        report(each.at, "line-nowhere")
    if any(name not in names for name in places):
        report(each.at, "line-policy")
    if len(set(places)) < len(places) and not each.alone and not each.emergency:
        report(each.at, "line-double")
    # In an emergency somebody stands for whole lines, and has no ordinary place beside.
    if any((place["by"] == "emergency") != each.emergency for place in each.places):
        report(each.at, "emergency-mixed")
    kind = members_of(members_of(evidence, "event"), "action").get("type")
    if each.alone and not (isinstance(kind, str) and comparable(kind).startswith("countersign.")):
        report(each.at, "line-alone")


def rank(level: Any) -> int:
    return LEVELS.index(level) if level in LEVELS else -1


@dataclass(eq=False)
class Line:
    name: LineName
    steps: list[Members]
    short: bool
    """The policy has no steps: it asks for one person, or for any two."""
    emergency: Members | None


def _line_of(policy: Named, body: Members) -> Line:
    approval = members_of(body, "approval")
    short = {name: approval[name] for name in ("roles", "actorIds", "escalateTo") if name in approval}
    short["count"] = 2 if members_of(body, "guards").get("dualApproval") else 1
    steps = list_of(approval["steps"]) if "steps" in approval else [short]
    emergency = members_of(approval, "emergency") if "emergency" in approval else None
    return Line(_name_of(policy), steps, "steps" not in approval, emergency)


@dataclass(eq=False)
class State:
    """How far a line is filled."""

    line: Line
    seats: list[Given] = field(default_factory=list[Given])
    step: int = 0
    filled: int = 0
    after: Given | None = None

    @property
    def is_full(self) -> bool:
        return self.step == len(self.line.steps)


def least_of(asking: Asking) -> int:
    return max([rank(members_of(body, "approval").get("identity", "session")) for _, body in asking], default=-1)


def new_states(asking: Asking) -> list[State]:
    return [State(_line_of(policy, body)) for policy, body in asking]


def _replay(evidence: Members, given: Sequence[Given], asking: Asking, judged: set[LineName], report: Report) -> None:
    least, states = least_of(asking), new_states(asking)
    left = {id(each): list(each.places) for each in given}
    for state in states:
        for each in given:
            take_places(state, each, left[id(each)], least, report)
    for state in states:
        if not state.is_full:
            report("evidence.policies", "line-open", policy=state.line.name[0])
    actor = members_of(members_of(evidence, "event"), "actor").get("id")
    for each in given:
        for place in left[id(each)]:
            if line_name(place) in judged:
                report(each.at, _stray(place, states))
        if not each.human:
            report(each.at, "line-nobody")
        if isinstance(actor, str) and (comparable(actor) in each.ids) != each.alone:
            report(each.at, "line-alone" if each.alone else "line-actor")
    if len({each.level == "claim" for each in given}) > 1:
        for each in given:
            if each.level == "claim":
                report(each.at, "line-mixed")


def _stray(place: Members, states: Sequence[State]) -> str:
    """Of a place that the replay did not give."""
    state = next((each for each in states if each.line.name == line_name(place)), None)
    if state is None or place["step"] >= len(state.line.steps):
        return "line-no-place"
    return "line-taken" if place["step"] < state.step else "line-order"


def take_places(state: State, each: Given, left: list[Members], least: int, report: Report) -> None:
    """An approval takes its places in a line one after another, as long as the next one is in the current step."""
    line = state.line
    while not state.is_full:
        place = next((one for one in left if line_name(one) == line.name), None)
        if place is None or place["step"] != state.step:
            return
        left.remove(place)
        step = line.steps[state.step]
        for code in _faults(state, each, place["by"], step, least):
            report(each.at, code)
        state.seats.append(each)
        state.filled += 1
        if state.filled >= step.get("count", 1):
            state.step, state.filled, state.after = state.step + 1, 0, each


def _faults(state: State, each: Given, by: str, step: Members, least: int) -> list[str]:
    others = [seat for seat in state.seats if seat is not each]
    # Whoever approves in an emergency fills all places that are open: nobody comes after them.
    if any(seat.emergency for seat in others):
        return ["emergency-mixed"]
    if by == "emergency":
        return _urgent_faults(state.line, each, least)
    found: list[str] = []
    if any(seat.ids & each.ids and not (seat.alone and each.alone) for seat in others):
        found.append("line-person")
    if rank(each.level) < max(least, rank(step.get("identity", "claim"))):
        found.append("line-level")
    if not each.alone and not _admits(step, each, by, state.line.short):
        found.append("line-by")
    if by == "escalation" and state.after is not None:
        waited = each.time - state.after.time
        # Times have milliseconds, which a float does not hold exactly. NaN is never late enough.
        late = waited == waited and round(waited * 1000) >= 1000 * members_of(step, "escalateTo").get("afterSeconds", 0)
        found += [] if late else ["line-early"]
    return found


def _urgent_faults(line: Line, each: Given, least: int) -> list[str]:
    """At the highest level of the line, by somebody whom its policy lets approve so."""
    emergency = line.emergency or {}
    listed = "roles" in emergency or "groupIds" in emergency or each.person is None
    names = {comparable(name) for name in list_of(emergency.get("actorIds"))}
    named = listed or each.person in names
    level = max([least, *(rank(step.get("identity", "claim")) for step in line.steps)])
    allowed = line.emergency is not None and each.level != "claim" and named
    return [*([] if allowed else ["emergency-not"]), *(["line-level"] if rank(each.level) < level else [])]


def _admits(step: Members, each: Given, by: str, short: bool) -> bool:
    """A person only if the text of the step names them, a claim never by role or group."""
    is_claim = each.level == "claim"

    def names(holder: Members) -> bool:
        listed = holder.get("actorIds")
        return listed is not None and (each.person is None or each.person in map(comparable, list_of(listed)))

    if by == "person":
        return names(step)
    if by == "group":
        return "groupIds" in step and not is_claim
    if by == "escalation":
        escalation = members_of(step, "escalateTo")
        return "escalateTo" in step and (("roles" in escalation and not is_claim) or names(escalation))
    if not {"roles", "actorIds", "groupIds"} & set(step):
        return short or not is_claim
    return "roles" in step and not is_claim
