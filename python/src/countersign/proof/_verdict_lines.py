"""The verdict on one proof as lines of text, word for word those of the command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ._say import Speech
from ._terminal import coloured, padded
from ._values import Members, in_words, listed, members_of

QUESTIONS = ("intact", "inChain", "signed", "witnessed")
MARKS = {"yes": "✓", "no": "✗", "unknown": "?"}
_STATUS = {"holds": "yes", "altered": "no", "notComplete": "no", "lost": "no"}
# Of such a file nothing is repeated: it proves nothing about anybody, or only a newer version knows what it says.
_UNJUDGED = ("altered", "newer")
_VOID = ("role", "member", "key", "takenBack", "order", "policy")
Verdict = Mapping[str, Any]


def row(head: str, text: str) -> str:
    inside = text.replace("\n", "\n    ")
    return f"    {padded(head, 20)}{inside}"


def headline(name: str, judged: str, verdict: Verdict, say: Speech) -> str:
    """A refusal and a sandbox are named at once: a record that holds is easily taken for a yes."""
    decision = members_of(verdict["facts"], "decision")
    refused = verdict["standing"] not in _UNJUDGED and decision.get("result") == "refused"
    said = [say(judged), *([say("wasRefused")] if refused else []), *([say("isSandbox")] if verdict["sandbox"] else [])]
    status = _STATUS.get(judged, "unknown")
    # Test data never gets the tick of a proof.
    status = "unknown" if verdict["sandbox"] and status == "yes" else status
    return coloured(status, f"{MARKS[status]} {say.printed(name)}: {'; '.join(said)}")


def compact_line(name: str, verdict: Verdict, judged: str, say: Speech) -> str:
    answers = ", ".join(f"{say(each)} {say(verdict[each]['status'])}" for each in QUESTIONS)
    return f"{headline(name, judged, verdict, say)} ({answers})"


def full_lines(name: str, verdict: Verdict, judged: str, say: Speech) -> list[str]:
    facts: Members = verdict["facts"]
    problems, newer = listed(verdict["problems"]), listed(verdict["newer"])
    first = next(iter([*problems, *newer]), None)
    known: Members = {
        **{key: each for key, each in facts.items() if isinstance(each, (str, int, float)) and not isinstance(each, bool)},
        "path": (first["path"] if first else "") or name,
        "message": _problem(first, say) if first else "",
    }
    lines = [headline(name, judged, verdict, say)]
    for question in QUESTIONS:
        status, code, detail = (verdict[question][each] for each in ("status", "code", "detail"))
        answer = coloured(status, padded(say(status), 12))
        lines.append(row(say(question), f"{answer}{say(f'verdict {code}', **{**known, 'detail': detail})}"))
    for each in (problems or newer)[1:6]:
        lines.append(row("", f"{' ' * 12}{say.printed(each['path'])} {say.printed(_problem(each, say))}"))
    lines += _generations(verdict, say)
    if facts["id"] is not None:
        lines.append(row(say("record"), say("recordFacts", **known)))
    if facts["decisionId"] is not None and facts["decisionId"] != facts["id"]:
        lines.append(row(say("decision"), say.printed(facts["decisionId"])))
    lines += _decision(verdict, say)
    lines += [row(say("cosigner"), say("cosignerFacts", **each)) for each in listed(facts["cosignedBy"])]
    for each in listed(verdict["redacted"]):
        word = "redactedFacts" if each.get("reason") is None else "redactedFor"
        lines.append(row(say("redacted"), say(word, **{"reason": "", **each})))
    if verdict["undisclosed"]:
        lines.append(row(say("undisclosed"), say.printed(", ".join(verdict["undisclosed"]))))
    changes, size = facts["asOf"]["change"], facts["asOf"]["size"]
    alone = say("asOfAlone", changes=changes)
    lines.append(row(say("asOf"), alone if size is None else say("asOfSize", changes=changes, size=size)))
    if verdict["outside"]:
        lines.append(row(say("outside"), say("outsideFacts", paths=", ".join(verdict["outside"]))))
    lines.append(row(say("limits"), "; ".join(say(f"limit {each}") for each in verdict["limits"])))
    return lines


def _problem(problem: Members, say: Speech) -> str:
    return in_words(problem["code"], problem.get("params", {}), say.language)


def _generations(verdict: Verdict, say: Speech) -> list[str]:
    """The declared losses of the logs that the file names, and whether the record is among what was lost."""
    lines: list[str] = []
    for each in listed(verdict["successions"]):
        closed = members_of(next(iter(listed(each["lost"])), None))
        facts = {"kept": each["restored"]["size"], "size": closed.get("size", 0), "by": each["declaredBy"]}
        said = say("succession", log=each["log"], reason=each["reason"], at=each["declaredAt"], **facts)
        lines.append(row(say("generations"), said))
    lost = verdict["lost"]
    if lost is None:
        return lines
    facts = {name: lost["lost"][name] for name in ("log", "size", "kept")}
    word = "lostFacts" if lost["admitted"] else "lostDenied"
    return [*lines, row(say("lostRow"), say(word, **facts, successor=lost["successor"], at=lost["declaredAt"]))]


def _decision(verdict: Verdict, say: Speech) -> list[str]:
    facts = verdict["facts"]
    decision: Members = members_of(facts, "decision")
    if verdict["standing"] in _UNJUDGED:
        return []
    lines: list[str] = []
    if decision.get("result") == "unapproved":
        lines.append(row(say("approval"), say("unapproved")))
    for each in listed(decision.get("approvals")):
        lines.append(row(say("refusal" if each["result"] == "refused" else "approval"), _approval(each, say)))
        if not each["hidden"] and each["void"] is None:
            lines += [*_key_row(each, say), *_given(each, say)]
    if verdict["hidesRules"]:
        lines.append(row(say("rules"), say("rulesNotShown")))
    if decision.get("rules"):
        lines.append(row(say("rules"), _rules(decision["rules"], say)))
    if decision.get("line"):
        line = decision["line"]
        why = line["why"] or ("claims" if line["claims"] else "alone" if line["alone"] else "fits")
        lines.append(row(say("line"), say(f"line {why}")))
    lines += [*_emergency(decision, say), *_execution(facts, say)]
    for each in listed(facts["raises"]):
        lines.append(row(say("raise"), say("raiseFacts", to=each["to"] or "–", said=_approval(each, say))))
        lines += _key_row(each, say)
    return lines


def _emergency(decision: Members, say: Speech) -> list[str]:
    emergency = decision.get("emergency")
    if not emergency:
        return []
    state, said = emergency["state"], listed(emergency["confirmations"])
    people = ", ".join(each["by"] or "–" for each in said if each["result"] == state)
    return [row(say("emergency"), say(f"emergency {state}", until=emergency["confirmBy"], people=people))]


def _execution(facts: Members, say: Speech) -> list[str]:
    """Until when the approval could be used, and what an executor reported: that it happened is not proved."""
    until, execution = members_of(facts, "decision").get("usableUntil"), facts["execution"]
    lines: list[str] = []
    if until is not None:
        lines.append(row(say("usable"), say("usableFacts", until=until)))
    if execution is None:
        return lines
    at, outcome = execution["consumedAt"], execution["outcome"]
    word = outcome if outcome in ("succeeded", "failed", "unknown") else "Taken"
    lines.append(row(say("execution"), say(f"execution{word}", at=at)))
    if execution["late"] and until is not None:
        lines.append(row(say("warning"), coloured("no", say("warning late", at=at, until=until))))
    if execution["unconfirmed"]:
        lines.append(row(say("warning"), coloured("no", say("warning unconfirmed", at=at))))
    return lines


def _approval(approval: Members, say: Speech) -> str:
    if approval["hidden"]:
        return say("hiddenApproval")
    name = approval["approver"] if approval["approver"] is not None else say("hiddenName")
    if approval["void"] is not None:
        reason = approval["void"]
        why = say(f"void {reason if reason in _VOID else 'other'}", reason=reason)
        return f"{say('voidApproval', approver=name)}{why}"
    if approval["refusal"] is not None:
        return say(f"refused {approval['refusal']}")
    passkey = members_of(approval["passkey"])
    why = passkey.get("why")
    # Only an approval that counts, of a file that this version can judge, is told.
    why = "redacted" if why in ("newer", "void") else why
    word = f"by passkey {why}" if why else f"by {approval['level']}"
    host, by = passkey.get("rpId"), approval["by"]
    said = say(word, approver=name, by="–" if by is None else by, rpId="–" if host is None else host)
    absent = approval["onBehalfOf"]
    return said if absent is None else say("behalf", said=said, onBehalfOf=absent)


def _key_row(approval: Members, say: Speech) -> list[str]:
    """A key is named with its date and confirmation: whoever holds the log can bind another one later."""
    key = approval["passkey"]
    if key is None:
        return []
    names = ("thumbprint", "boundAt", "confirmation", "confirmedAt")
    if any(key[each] is None for each in names):
        said = say("passkeyHidden")
    else:
        dates = {each: key[each] for each in ("thumbprint", "boundAt", "confirmedAt")}
        said = say("passkeyFacts", how=say(f"how {key['confirmation']}"), **dates)
    return [row(say("passkeyKey"), say("passkeySynced", said=said) if key["backupEligible"] else said)]


def _given(approval: Members, say: Speech) -> list[str]:
    """How the session began, and what the page stated: the words of the service and of the page, and no more."""
    via, stated = approval["via"], approval["shown"]
    lines: list[str] = []
    if via is not None:
        known = via in ("password", "passkey", "oidc", "domain")
        lines.append(row(say("via"), say(f"via {via}") if known else say("via other", via=via)))
    if stated is not None:
        template = members_of(stated, "template")
        values = {"view": stated["view"], "language": stated["language"], **template}
        lines.append(row(say("page"), say("pageTemplate" if template else "pageStated", **values)))
    if approval["noPage"]:
        lines.append(row(say("page"), say("noPage")))
    return lines


def _rules(rules: Members, say: Speech) -> str:
    first = rules["index"] is None
    return say("rulesFirst", digest=rules["digest"]) if first else say("rulesFacts", index=rules["index"], digest=rules["digest"])


def stamp_lines(stamp: Members | None, files: Sequence[str] | None, say: Speech, again: str | None) -> list[str]:
    """`files`: of the token and of the stamped text. `again`: the command that writes them, unless it just did."""
    if stamp is None:
        return []
    if stamp["status"] == "verified":
        return [row(say("timestamp"), say("stampVerified", at=stamp["at"], authority=stamp["authority"]))]
    lines = [row(say("timestamp"), say(f"stamp {stamp['why']}"))]
    if files is None or stamp["why"] == "other-authority":
        return lines
    return [*lines, *([f"      {again}"] if again else []), f"      {openssl(*files)}"]


def openssl(token: str, checkpoint: str) -> str:
    """`authority.pem` is the certificate of the authority, which its operator publishes."""
    return f"openssl ts -verify -token_in -in {quoted(token)} -data {quoted(checkpoint)} -CAfile authority.pem"


def quoted(word: str) -> str:
    return word if re.match(r"[A-Za-z0-9_./-]+\Z", word) else "'" + word.replace("'", "'\\''") + "'"
