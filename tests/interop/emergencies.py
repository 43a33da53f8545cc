"""What was approved in an emergency, as docs/formats/dpu-chain-v1.md describes it under "Emergency approvals".

What comes later than the file is not in it.
"""

import datetime
import re

import lines
import passkeys

ACTIONS = ("confirmed", "objected", "unconfirmed", "closed")


def check_emergency(tools, evidence, given, texts, undisclosed, bindings, hosts, problem):
    """How it stands, None where nobody approved so or the file does not show the rules of the seal."""
    control, commitments = evidence.get("control"), evidence["commitments"]
    steps = [each for each in evidence.get("history", []) if each.get("type") == "confirmation"]
    if not isinstance(control, dict):
        if "control" not in commitments:
            refuse_all(steps, problem)
        return None
    given = [lines.given_by(tools, each, commitments) for each in given]
    approved = bool(given) and given[-1]["counts"]
    hidden = any(each["hidden"] for each in given)
    counted = [each for each in given if approved and each["counts"] and not each["hidden"]]
    used = [each for each in counted if each["emergency"]]
    needs = control.get("needs") if isinstance(control.get("needs"), list) else []
    if used and not ("emergency" in control and "emergency" in needs):
        problem("somebody approved in an emergency, and the seal does not say so")
    if not used and not hidden and ("emergency" in control or "emergency" in needs):
        problem("the seal speaks of an emergency in which nobody approved")
    emergency = control.get("emergency")
    until = emergency.get("confirmBy") if isinstance(emergency, dict) else None
    if not isinstance(until, str):
        refuse_all(steps, problem)
        return None
    risk = lines.risk_in(evidence, undisclosed)
    known = [(each, texts[each["digest"]]) for each in lines.named_policies(evidence) if each["digest"] in texts]
    asking = [(each, body) for each, body in known if lines.asks(body, risk) is True]
    urgent = {lines.line_name(place) for each in used for place in each["places"] if place["by"] == "emergency"}
    if not hidden:
        check_time(evidence, asking, urgent, until, problem)
    ordinary = [each for each in counted if not each["emergency"]]
    judge = Judge(tools, evidence, until, used, ordinary, asking, urgent, hidden)
    for step in steps:
        if not judge.take(step, bindings, hosts, problem):
            break
    return {"confirmBy": until, "state": judge.state, "closed": judge.closed, "confirmations": judge.said}


def refuse_all(steps, problem):
    for _ in steps:
        problem("a confirmation of an approval that was not given in an emergency")


def check_time(evidence, asking, urgent, until, problem):
    """The shortest time of the policies whose lines were filled so, where the file has all of their texts."""
    times = [
        body["approval"]["emergency"]["confirmWithinSeconds"]
        for each, body in asking
        if (each["id"], each["version"]) in urgent and "emergency" in body.get("approval", {})
    ]
    if not times or len(times) < len(urgent):
        return
    expected = moment(evidence["sealedAt"]) + datetime.timedelta(seconds=min(times))
    if moment(until) != expected:
        problem("the time to confirm is not that of the policies")


def moment(text):
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    except (TypeError, ValueError):
        return None


class Judge:
    """Follows the confirmations, oldest first."""

    def __init__(self, tools, evidence, until, used, ordinary, asking, urgent, hidden):
        self.tools, self.evidence, self.until, self.urgent, self.hidden = tools, evidence, until, urgent, hidden
        self.users = {one for each in used for one in each["ids"]}
        self.given, self.least = list(ordinary), lines.least_of(asking)
        self.asking = [pair for pair in asking if (pair[0]["id"], pair[0]["version"]) in urgent]
        actor = evidence.get("event", {}).get("actor") if isinstance(evidence.get("event"), dict) else None
        self.actor = actor.get("id") if isinstance(actor, dict) else None
        self.state, self.closed, self.said = "open", False, []

    def take(self, step, bindings, hosts, problem):
        """False where the file leaves out what decides, and nothing can be said of what comes after."""
        if any(name in step["commitments"] and name not in step for name in ("action", "level", "admitted", "complete")):
            self.state = "hidden"
            return False
        action, time = step.get("action"), step["sealedAt"]
        if action not in ACTIONS:
            problem("a confirmation is of no known kind")
            return True
        may_close = action == "closed" and self.state in ("objected", "unconfirmed")
        if self.closed or (not may_close if action == "closed" else self.state != "open"):
            problem("the matter of an emergency approval was over")
        by = step.get("by").get("id") if isinstance(step.get("by"), dict) else None
        absent = step.get("onBehalfOf")
        names = [each for each in (by, absent) if isinstance(each, str)]
        ids = {lines.comparable(each) for each in names}
        if action != "unconfirmed" and ids & self.users:
            problem("an emergency approval is confirmed or closed by the one who gave it")
        if action == "closed":
            self.closed = True
            return True
        if action == "unconfirmed":
            if not time > self.until:
                problem("there was still time to confirm")
            self.state = "unconfirmed"
            return True
        if time > self.until:
            problem("a confirmation after the time for it")
        if isinstance(self.actor, str) and lines.comparable(self.actor) in ids:
            problem("the actor of the decision confirms it")
        if step.get("level") not in ("session", "passkey"):
            problem("a confirmation has no known level")
        check_signature(self.tools, self.evidence, step, bindings, hosts, problem)
        self.said.append(
            {
                "result": action,
                "by": by if isinstance(by, str) else None,
                "onBehalfOf": absent if isinstance(absent, str) else None,
                "at": time,
            }
        )
        if action == "objected":
            self.state = "objected"
            return True
        complete = self.fill(step, names, ids, problem)
        if complete is not None and step.get("complete") is not complete:
            problem("a confirmation does not say rightly whether the line is complete")
        if step.get("complete") is True:
            self.state = "confirmed"
        return True

    def fill(self, step, names, ids, problem):
        """Whether the lines are full now; None where the file lacks the text of one of them."""
        admitted = step.get("admitted") if isinstance(step.get("admitted"), list) else []
        places = [each for each in admitted if lines.is_place(self.tools, each)]
        given = {
            **{"places": places, "ids": ids, "person": lines.comparable(names[-1]) if names else None},
            **{"level": step.get("level"), "time": lines.time_of(step["sealedAt"]), "alone": False, "emergency": False},
        }
        self.given.append(given)
        if self.hidden:
            return None
        if not places or any(lines.line_name(place) not in self.urgent for place in places):
            problem("a confirmation fills no place of a line that was filled in an emergency")
        if any(place["by"] == "emergency" for place in places):
            problem("a confirmation is itself one in an emergency")
        if len(self.asking) < len(self.urgent):
            return None
        states, left = lines.new_states(self.asking), []
        for each in self.given:
            said = problem if each is given else lambda message: None
            left = list(each["places"])
            for state in states:
                lines.take_places(state, each, left, self.least, said)
        if any(lines.line_name(place) in self.urgent for place in left):
            problem("a confirmation is not in the line, or not at its time")
        return all(lines.is_full(state) for state in states)


def check_signature(tools, evidence, step, bindings, hosts, problem):
    signed = "passkey" in step["commitments"]
    if signed != (step.get("level") == "passkey"):
        problem("a confirmation has a passkey and another level, or the other way round")
    if not signed or "passkey" not in step:
        return
    passkey = step["passkey"]
    if not passkeys.has_members(passkey) or "statement" not in passkey:
        problem("the passkey of a confirmation is malformed")
        return
    if passkey["historySize"] != step["chain"]["index"]:
        problem("the history before a confirmation has another size")

    def agrees(said):
        expected = {
            **{"log": step["log"], "eventId": re.sub("^evd_", "evt_", str(evidence.get("id")))},
            **{"chainHash": evidence["chain"]["hash"], "result": step.get("action")},
        }
        hides = lambda name: name not in step and name in step["commitments"]  # noqa: E731
        if not hides("by"):
            expected["approverId"] = step["by"].get("id") if isinstance(step.get("by"), dict) else None
        if not hides("reason") and not hides("reasonSalt"):
            covered = {"salt": step.get("reasonSalt"), "reason": step.get("reason")}
            expected["reasonDigest"] = tools.sha256(tools.canonical(covered)) if "reason" in step else None
        return all(said[name] == value for name, value in expected.items())

    shows = all(name in step for name in step["commitments"])
    passkeys.check_passkey(tools, passkey, ("countersign-confirm-v1",), agrees, shows, bindings, hosts, problem)
