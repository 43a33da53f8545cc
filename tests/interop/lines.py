"""The places that a seal gives to its approvals, as docs/formats/dpu-chain-v1.md describes them under "Approval lines".

With the texts of the policies the lines are replayed: the number, the order and the difference of people. Roles and groups are
as the service stated them, and no file shows them.
"""

import datetime
import re
import unicodedata

LEVELS = ("claim", "session", "passkey")
WAYS = ("role", "group", "person", "escalation", "emergency")
# Default_Ignorable_Code_Point, which Python does not know, and the blank Braille cell.
IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def visible(text):
    return "".join(
        char
        for char in IGNORED.sub("", text)
        if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")
    )


def comparable(identifier):
    normal = visible(unicodedata.normalize("NFKC", identifier))
    folded = "".join(char.lower() for char in normal.upper())
    return visible(unicodedata.normalize("NFKC", folded))


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def names_fit(holder, *members):
    """Each member is absent or a list of texts."""
    given = [holder[name] for name in members if name in holder]
    return all(isinstance(each, list) and all(isinstance(one, str) for one in each) for each in given)


def escalation_fits(holder):
    if "escalateTo" not in holder:
        return True
    value = holder["escalateTo"]
    return isinstance(value, dict) and is_number(value.get("afterSeconds")) and names_fit(value, "roles", "actorIds")


def emergency_fits(holder):
    if "emergency" not in holder:
        return True
    value = holder["emergency"]
    seconds = value.get("confirmWithinSeconds") if isinstance(value, dict) else None
    whole = is_number(seconds) and float(seconds).is_integer() and 1 <= seconds <= 2**53 - 1
    return whole and names_fit(value, "roles", "actorIds", "groupIds")


def is_step(step):
    if not isinstance(step, dict) or not names_fit(step, "roles", "actorIds", "groupIds"):
        return False
    count = step.get("count", 1.0)
    whole = is_number(count) and float(count).is_integer() and 1 <= count <= 2**53 - 1
    return whole and isinstance(step.get("identity", ""), str) and escalation_fits(step)


def is_policy(body):
    if not isinstance(body, dict) or not isinstance(body.get("guards"), dict):
        return False
    guards, approval = body["guards"], body.get("approval", {})
    if not isinstance(approval, dict) or not names_fit(approval, "roles", "actorIds") or not escalation_fits(approval):
        return False
    if not all(isinstance(guards.get(name, False), bool) for name in ("humanReview", "dualApproval")):
        return False
    if not is_number(guards.get("riskThreshold", 0)) or not isinstance(guards.get("minimumEvidenceLevel", ""), str):
        return False
    if not emergency_fits(approval):
        return False
    steps = approval.get("steps", [{}])
    known = isinstance(steps, list) and len(steps) > 0 and all(is_step(step) for step in steps)
    return known and isinstance(approval.get("identity", ""), str)


def named_policies(evidence):
    listed = evidence.get("policies")
    return [
        each
        for each in (listed if isinstance(listed, list) else [])
        if isinstance(each, dict)
        and isinstance(each.get("id"), str)
        and is_number(each.get("version"))
        and isinstance(each.get("digest"), str)
    ]


def read_texts(tools, document, evidence, problem):
    """The policies by their digests."""
    found = {}
    if "policyTexts" not in document:
        return found
    given = document["policyTexts"]
    if not isinstance(given, list) or not given:
        problem("policyTexts is not a list")
        return found
    left = {each["digest"] for each in named_policies(evidence)}
    for text in given:
        digest = tools.sha256(text) if isinstance(text, str) else None
        if digest not in left:
            problem("a text is not that of a policy that the seal names")
            continue
        left.discard(digest)
        try:
            body = tools.read_json(text)
        except Exception:  # whatever the text is
            body = None
        if is_policy(body):
            found[digest] = body
        else:
            problem("a text is not that of a policy")
    return found


def is_place(tools, each):
    return (
        isinstance(each, dict)
        and isinstance(each.get("policyId"), str)
        and tools.is_index(each.get("version"))
        and tools.is_index(each.get("step"))
        and each.get("by") in WAYS
        and ("since" not in each or tools.is_index(each["since"]))
    )


def is_right(tools, each):
    return isinstance(each, dict) and tools.is_index(each.get("since")) and "policyId" not in each


def is_admitted(tools, admitted):
    return isinstance(admitted, list) and (
        all(is_right(tools, each) for each in admitted) or all(is_place(tools, each) for each in admitted)
    )


def line_name(each):
    return each["policyId"], each["version"]


def asks(body, risk):
    """None where it depends on a risk score that the file does not show."""
    guards = body["guards"]
    if guards.get("humanReview") or guards.get("dualApproval") or guards.get("minimumEvidenceLevel") == "AUDIT_READY":
        return True
    if "riskThreshold" not in guards:
        return False
    if risk == "hidden":
        return None
    return risk is None or risk > guards["riskThreshold"]


def risk_in(evidence, undisclosed):
    """None where there is none."""
    event = evidence.get("event") if isinstance(evidence.get("event"), dict) else {}
    if is_number(event.get("riskScore")):
        return event["riskScore"]
    return "hidden" if "event.riskScore" in undisclosed else None


def given_by(tools, each, commitments):
    approval, control = each["approval"], each["control"] or {}
    approver = approval.get("approver") if isinstance(approval.get("approver"), dict) else {}
    identity = approval.get("identity") if isinstance(approval.get("identity"), dict) else {}
    level, absent = identity.get("level"), approval.get("onBehalfOf")
    is_claim = level == "claim"
    hides = lambda path, value: each["is_last"] and value is None and path in commitments  # noqa: E731
    by = None if is_claim else identity.get("by")
    admitted = control.get("admitted")
    admitted = admitted if isinstance(admitted, list) else []
    places = [place for place in admitted if is_place(tools, place)]
    person = absent if absent is not None else approver.get("id") if is_claim else by
    urgent = any(place["by"] == "emergency" for place in places) if each["is_last"] else control.get("emergency") is True
    hides_absent = hides("approval.onBehalfOf", absent)
    hides_id = hides("approval.approver.id", approver.get("id"))
    return {
        "counts": approval.get("result") == "approved" and (each["is_last"] or "void" not in control),
        "hidden": each["hidden"],
        "places": places,
        "earlier": bool(admitted) and not places,
        "ids": {comparable(one) for one in (approver.get("id"), by, absent) if isinstance(one, str)},
        "person": comparable(person) if isinstance(person, str) and not hides_absent else None,
        "hides": hides_absent or hides_id or (not is_claim and hides("approval.identity.by", identity.get("by"))),
        "human": approver.get("type") == "human" and (isinstance(approver.get("id"), str) or hides_id),
        "level": level,
        "time": time_of(approval.get("approvedAt")),
        "alone": control.get("fallback") == "alone",
        "emergency": urgent,
    }


def time_of(text):
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").timestamp()
    except (TypeError, ValueError):
        return float("nan")


def unknown(why):
    return {"status": "unknown", "why": why, "claims": False, "alone": False}


def check_lines(tools, evidence, given, texts, undisclosed, problem):
    """What can be said of the lines, None where there is nothing to say."""
    commitments, control = evidence["commitments"], evidence.get("control")
    given = [given_by(tools, each, commitments) for each in given]
    if "control" not in commitments or not given or not given[-1]["counts"]:
        return None
    policies = named_policies(evidence)
    if control is None:
        return unknown("redacted") if policies else None
    needs = control.get("needs") if isinstance(control, dict) else None
    says_lines = isinstance(needs, list) and "lines" in needs
    needed = says_lines or (isinstance(needs, list) and "emergency" in needs)
    stated = any(each["places"] for each in given)
    names = {(each["id"], each["version"]) for each in policies}
    for each in given:
        if not each["hidden"]:
            check_stated(evidence, each, names, needed, stated, problem)

    event = evidence.get("event") if isinstance(evidence.get("event"), dict) else {}
    risk = risk_in(evidence, undisclosed)
    known = [(each, texts[each["digest"]]) for each in policies if each["digest"] in texts]
    asking = [(each, body) for each, body in known if asks(body, risk) is True]
    sure = len(known) == len(policies) and all(asks(body, risk) is not None for _, body in known)
    if sure and not asking and not stated and not needed:
        return None
    if not says_lines and any("steps" in body.get("approval", {}) for _, body in asking):
        problem("a policy has steps, and the seal does not need lines")
    if not needed and (not stated or any(each["earlier"] and each["counts"] for each in given)):
        return unknown("unstated") if policies else None
    if any(each["hidden"] for each in given):
        return unknown("redacted")
    counted = [each for each in given if each["counts"]]
    judged = {(each["id"], each["version"]) for each, body in known if asks(body, risk) is not None}
    replay(event, counted, asking, judged, problem)
    if len({(each["id"], each["version"]) for each, _ in known}) < len(policies):
        return unknown("texts")
    if not sure or any(each["hides"] for each in counted):
        return unknown("redacted")
    claims = any(each["level"] == "claim" for each in counted)
    return {"status": "fits", "why": None, "claims": claims, "alone": any(each["alone"] for each in counted)}


def check_stated(evidence, each, names, needed, stated, problem):
    places = [line_name(place) for place in each["places"]]
    if places and not each["counts"]:
        problem("an approval that did not count fills a place")
    if each["counts"] and not places and not (each["earlier"] and not needed) and (needed or stated):
        problem("an approval fills no place")
    if any(name not in names for name in places):
        problem("a place is in the line of a policy that the seal does not name")
    if len(set(places)) < len(places) and not each["alone"] and not each["emergency"]:
        problem("an approval fills two places of one line")
    if any((place["by"] == "emergency") != each["emergency"] for place in each["places"]):
        problem("an emergency approval has ordinary places, or an ordinary one those of an emergency")
    event = evidence.get("event") if isinstance(evidence.get("event"), dict) else {}
    action = event.get("action") if isinstance(event.get("action"), dict) else {}
    if each["alone"] and not comparable(str(action.get("type"))).startswith("countersign."):
        problem("somebody approved alone what is no change of rules")


def rank(level):
    return LEVELS.index(level) if level in LEVELS else -1


def line_of(policy, body):
    approval = body.get("approval", {})
    short = {name: approval[name] for name in ("roles", "actorIds", "escalateTo") if name in approval}
    short["count"] = 2 if body["guards"].get("dualApproval") else 1
    steps = approval.get("steps", [short])
    name = policy["id"], policy["version"]
    return {"name": name, "steps": steps, "short": "steps" not in approval, "emergency": approval.get("emergency")}


def least_of(asking):
    return max([rank(body.get("approval", {}).get("identity", "session")) for _, body in asking], default=-1)


def new_states(asking):
    lines = [line_of(policy, body) for policy, body in asking]
    return [{"line": line, "seats": [], "step": 0, "filled": 0, "after": None} for line in lines]


def is_full(state):
    return state["step"] == len(state["line"]["steps"])


def replay(event, given, asking, judged, problem):
    least, states = least_of(asking), new_states(asking)
    strays = []
    for each in given:
        left = list(each["places"])
        for state in states:
            take_places(state, each, left, least, problem)
        strays += [line_name(place) for place in left]
    for state in states:
        if not is_full(state):
            problem("a line is not full")
    if any(name in judged for name in strays):
        problem("a place is not in the line, or not at its time")
    actor = event.get("actor") if isinstance(event.get("actor"), dict) else {}
    for each in given:
        if not each["human"]:
            problem("a place is filled by nobody")
        if isinstance(actor.get("id"), str) and (comparable(actor["id"]) in each["ids"]) != each["alone"]:
            problem("the actor of the decision approved it, or somebody else alone")
    if len({each["level"] == "claim" for each in given}) > 1:
        problem("claims count beside members")


def take_places(state, each, left, least, problem):
    """An approval takes its places in a line one after another, as long as the next one is in the current step."""
    line = state["line"]
    while not is_full(state):
        mine = [place for place in left if line_name(place) == line["name"]]
        if not mine or mine[0]["step"] != state["step"]:
            return
        left.remove(mine[0])
        step = line["steps"][state["step"]]
        check_seat(state, each, mine[0]["by"], step, least, problem)
        state["seats"].append(each)
        state["filled"] += 1
        if state["filled"] >= step.get("count", 1):
            state.update(step=state["step"] + 1, filled=0, after=each)


def check_seat(state, each, by, step, least, problem):
    if any(seat is not each and seat["emergency"] for seat in state["seats"]):
        return problem("a place is filled after an emergency approval filled all of them")
    if by == "emergency":
        return check_urgent(state["line"], each, least, problem)
    if any(seat is not each and seat["ids"] & each["ids"] for seat in state["seats"]):
        problem("a person fills two places of one line")
    if rank(each["level"]) < max(least, rank(step.get("identity", "claim"))):
        problem("a place asks for a higher level")
    if not each["alone"] and not admits(step, each, by, state["line"]["short"]):
        problem("the step does not admit this person")
    if by == "escalation" and state["after"] is not None:
        waited = each["time"] - state["after"]["time"]
        # Times have milliseconds, which a float does not hold exactly.
        if not round(waited * 1000) >= 1000 * step.get("escalateTo", {}).get("afterSeconds", 0):
            problem("an escalation counts before its time")


def check_urgent(line, each, least, problem):
    """At the highest level of the line, by somebody whom its policy lets approve so."""
    emergency = line["emergency"]
    names = [] if emergency is None else emergency.get("actorIds", [])
    listed = emergency is not None and ("roles" in emergency or "groupIds" in emergency or each["person"] is None)
    if each["level"] == "claim" or not (listed or each["person"] in map(comparable, names)):
        problem("the policy does not let this person approve in an emergency")
    if rank(each["level"]) < max([least] + [rank(step.get("identity", "claim")) for step in line["steps"]]):
        problem("an emergency approval has a lower level than its line")


def admits(step, each, by, short):
    is_claim = each["level"] == "claim"

    def names(ids):
        return ids is not None and (each["person"] is None or each["person"] in map(comparable, ids))

    if by == "person":
        return names(step.get("actorIds"))
    if by == "group":
        return "groupIds" in step and not is_claim
    if by == "escalation":
        escalation = step.get("escalateTo")
        return escalation is not None and (("roles" in escalation and not is_claim) or names(escalation.get("actorIds")))
    if not {"roles", "actorIds", "groupIds"} & set(step):
        return short or not is_claim
    return "roles" in step and not is_claim
