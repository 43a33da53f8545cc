"""One sentence about what happened. It claims no more than the verdict, and whatever a value says, it stays one value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from . import _unicode as unicode
from ._passkeys import Approval, approvals_in
from ._say import Saying
from ._values import MISSING, Members, is_number, is_object, list_of, listed, members_of, shown, text_of
from ._view import action_values, marks_of
from ._words import SUMMARY, VIEW

_LONGEST, _MOST_VALUES = 60, 3
# Nothing in it can be taken for a part of the sentence.
_TOKEN = re.compile(f"[{unicode.PLAIN}][{unicode.PLAIN}._:@/+-]*\\Z")
_PLAIN_PATH = re.compile(f"[{unicode.ALPHABET}{unicode.NUMBER}_.]+\\Z")


def summary_of(document: Any, verdict: Mapping[str, Any], language: str) -> tuple[str, list[str]]:
    """The sentence, and what is easily read as something else in it. `document` is the file that the verdict is about."""
    say, standing = Saying(SUMMARY, language), verdict["standing"]
    if standing == "newer":
        return say("newer"), []
    if standing == "not-a-proof" and is_waiting(document):
        return say("waiting"), []
    if standing in ("altered", "not-a-proof"):
        return say("altered"), []
    telling = _Telling(say, language)
    evidence = members_of(document, "evidence")
    decision = verdict["facts"]["decision"]
    said = (
        say("whole", asked=telling.asked(evidence), rest=telling.decided(evidence, verdict))
        if decision
        else f"{telling.unit(evidence)}."
    )
    inside = say(standing, said=said) if standing in ("lost", "unvouched") else said
    return (say("sandbox", said=inside) if verdict["sandbox"] else inside), list(telling.warnings)


def is_waiting(document: Any) -> bool:
    """What the API answers about a decision that waits, which somebody may take for its proof."""
    given = members_of(document)
    inside = members_of(given, "data") if is_object(given.get("data")) else given
    return is_object(inside.get("waiting")) or inside.get("outcome") == "approval_required"


class _Telling:
    def __init__(self, say: Saying, language: str) -> None:
        self.say, self.language = say, language
        self.warnings: dict[str, None] = {}

    def value(self, text: str) -> str:
        said = self._quoted(text)
        for mark in marks_of(text):
            self.warnings[self.say("warning", value=said, why=Saying(VIEW, self.language)(mark))] = None
        return said

    def _quoted(self, text: str) -> str:
        if len(text) <= _LONGEST and _TOKEN.match(text) and shown(text) == text:
            return text
        cut = text[:_LONGEST].replace("\\", "\\\\").replace('"', '\\"')
        more = f"… ({self.say('length', count=len(text))})" if len(text) > _LONGEST else ""
        return f'"{shown(cut)}"{more}'

    def name(self, name: Any, id: Any) -> str | None:
        """A name and an ID, each a value of its own."""
        name, id = text_of(name), text_of(id)
        if name is None or id is None:
            one = id if name is None else name
            return None if one is None else self.value(one)
        return f"{self.value(name)} ({self.value(id)})"

    def asked(self, evidence: Members) -> str:
        event, say = members_of(evidence, "event"), self.say
        actor, action = members_of(event, "actor"), event.get("action")
        named = self.name(actor.get("name"), actor.get("id"))
        kind = "person" if actor.get("type") == "human" else "agent"
        who = say("unnamed") if named is None else say(kind, name=named)
        committed = "event.action.input" in members_of(evidence, "commitments")
        hidden = committed and "input" not in members_of(action)
        return say("askedHidden" if hidden else "asked", who=who, what=self._what(members_of(action)))

    def _what(self, action: Members) -> str:
        """The type and the values that matter most, as an approver sees them first."""
        values = action_values(action["input"], self.language) if "input" in action else []
        short = [each for each in values if each.kind in ("amount", "number", "text", "boolean")][:_MOST_VALUES]
        said: list[str] = []
        for each in short:
            label = " › ".join(each.label) if _PLAIN_PATH.match(each.path) else self.value(each.path)
            said.append(f"{label} {self.value(each.value) if isinstance(each.value, str) else each.text}")
        if len(said) < len(values):
            said.append("…")
        kind = self.value(str(action.get("type")))
        return f"{kind} ({', '.join(said)})" if said else kind

    def decided(self, evidence: Members, verdict: Mapping[str, Any]) -> str:
        say, facts = self.say, verdict["facts"]
        given = approvals_in(evidence)
        approvals = list(zip(listed(facts["decision"]["approvals"]), given, strict=True))
        execution = self._executed(evidence, facts["execution"])
        if not approvals:
            return say("unapproved", execution=execution)
        last = approvals[-1]
        if last[0]["result"] == "refused":
            refusal = last[0]["refusal"]
            return say(f"refused {refusal}") if refusal else say(f"refused {_way(last[0])}", who=self._who(*last))
        counting = [each for each in approvals if each[0]["void"] is None]
        if len(counting) == 1:
            return say("approved", by=say(f"by {_way(last[0])}", who=self._who(*last)), execution=execution)
        each_said = [self._one(*each) for each in counting]
        return say("approved", by=say("list", count=len(each_said), each=", ".join(each_said)), execution=execution)

    def _one(self, facts: Members, given: Approval) -> str:
        if facts["hidden"]:
            return self.say("each hidden")
        said = self.say(f"each {_way(facts)}", who=self._who(facts, given))
        step = _step(given["control"])
        return said if step is None else self.say("step", step=step, said=said)

    def _who(self, facts: Members, given: Approval) -> str:
        approver = members_of(given["approval"], "approver")
        who = self.name(approver.get("name"), approver.get("id")) or self.say("someone")
        absent = facts["onBehalfOf"]
        return who if absent is None else self.say("deputy", who=who, other=self.value(absent))

    def _executed(self, evidence: Members, execution: Members | None) -> str:
        """That it was reported, never that it happened."""
        if execution is None:
            return self.say("ran none")
        history = listed(evidence.get("history"))
        count = sum(each.get("type") == "execution" and each.get("action") == "consumed" for each in history)
        if count != 1:
            return self.say("ran again", count=count)
        outcome = execution["outcome"]
        known = outcome if outcome in ("succeeded", "failed", "unknown") else "Taken"
        return self.say(f"ran {known}", at=execution["consumedAt"])

    def unit(self, evidence: Members) -> str:
        def named(name: str) -> str:
            found = text_of(evidence.get(name))
            return "–" if found is None else found

        level = text_of(evidence.get("evidenceLevel"))
        said = {"id": self.value(named("id")), "type": self.value(named("referenceType")), "at": named("sealedAt")}
        return self.say("unit", **said, level=level and self.value(level))


def _way(facts: Members) -> str:
    """A signature of a passkey that isn't verified is told as what the record says."""
    signed = facts["level"] == "passkey"
    doubt = signed and members_of(facts["passkey"]).get("status") != "holds"
    return f"{facts['level']} unknown" if doubt else str(facts["level"])


def _step(control: Any) -> int | None:
    """The step that it filled, counted from one; None where it filled places of several lines, or states none."""
    admitted = list_of(members_of(control).get("admitted"))
    step = members_of(admitted[0]).get("step", MISSING) if len(admitted) == 1 else MISSING
    return int(step) + 1 if is_number(step) else None
