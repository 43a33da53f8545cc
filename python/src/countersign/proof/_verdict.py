"""What the checks of a file and of its log come to, in the members that a verdict has in every language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import _passkeys as passkeys
from . import _tlog as tlog
from ._entry import declared_in
from ._export import CHANGEABLE, Found, action_matches, check_export, is_sandbox_log
from ._json import Refused, read_json
from ._timestamp import read_stamp
from ._values import MISSING, Members, as_text, is_list, is_object, list_of, listed, members_of, shown, text_of

VOUCHED = ("holds", "sandbox", "lost", "rules-hidden")
# Without a signature by a key of the policy a proof is unvouched, not altered: another policy may name the key.
_UNVOUCHED = ("signed-by-nobody-known", "key-stolen", "quorum-not-met")


def judged(
    text: str,
    policy: tlog.Policy | None = None,
    declarations: Sequence[Any] = (),
    authorities: Sequence[str] = (),
    sandbox: bool = False,
) -> Members:
    """What is said of an export; any text gets a verdict."""
    return judged_with_parts(text, policy, declarations, authorities, sandbox)[0]


def judged_with_parts(
    text: str,
    policy: tlog.Policy | None = None,
    declarations: Sequence[Any] = (),
    authorities: Sequence[str] = (),
    sandbox: bool = False,
) -> tuple[Members, Found]:
    """The verdict, and what was found in the file alone."""
    try:
        document = read_json(text)
    except Refused as error:
        judge = _Judge(None, policy, (), (), False)
        return {**judge.verdict(), "unreadable": str(error)}, judge.found
    judge = _Judge(document, policy, declarations, authorities, sandbox)
    return judge.verdict(), judge.found


class _Judge:
    def __init__(
        self, document: Any, policy: tlog.Policy | None, declarations: Sequence[Any], authorities: Sequence[str], sandbox: bool
    ) -> None:
        self.found: Found = check_export(document, policy["passkeys"] if policy else {})
        self.document, self.policy, self.accepts = document, policy, sandbox
        self.evidence, self.verification = members_of(document, "evidence"), members_of(document, "verification")
        self.history, self.bound = listed(self.evidence.get("history")), listed(self.evidence.get("bindings"))
        successions = listed(self.verification.get("successions"))
        self.declared = declared_in([*successions, *declarations], policy)
        self.record = self._anchored(self.evidence, self.verification.get("tlogProof", MISSING))
        self.changes = self._all(self.history, "historyProofs")
        self.bindings = self._all(self.bound, "bindingProofs")
        self.stamp, self.fault = read_stamp(self.verification.get("timestamp"), self.record.checkpoint, authorities)

    def _anchored(self, entry: Members, proof: Any) -> tlog.Anchored:
        chain = members_of(entry, "chain")
        declared = self.declared

        def kept(log: str, index: Any, origin: str) -> tlog.Status:
            return tlog.is_kept(log, index, origin, declared)

        given = None if proof is MISSING else proof if isinstance(proof, str) else False
        return tlog.check_anchor(entry.get("log"), chain.get("index"), chain.get("hash"), given, self.policy, kept)

    def _all(self, entries: Sequence[Members], name: str) -> list[tlog.Anchored]:
        proofs = list_of(self.verification.get(name))
        return [self._anchored(entry, proofs[at] if at < len(proofs) else MISSING) for at, entry in enumerate(entries)]

    def _weakest(self, about: Callable[[tlog.Anchored], tlog.Answer]) -> tlog.Answer:
        """The worst answer over the record, its history and the bindings of its passkeys."""

        def named(name: str, anchored: Sequence[tlog.Anchored]) -> list[tlog.Answer]:
            answers = [about(each) for each in anchored]
            return [each._replace(detail=f"{name} {at} in the history: {each.detail}") for at, each in enumerate(answers, 1)]

        every = [about(self.record), *named("Change", self.changes), *named("Binding", self.bindings)]
        ranked = (next((each for each in every if each.status == status), None) for status in ("no", "unknown"))
        return next((each for each in ranked if each is not None), every[0])

    def _intact(self) -> tlog.Answer:
        if self.found.valid:
            return tlog.Answer("yes", "intact", "The file shows exactly what was sealed.")
        if self.found.problems:
            first = self.found.problems[0]
            return tlog.Answer("no", "altered", f"{shown(first.path or 'The document')} {first.message}.")
        if self.found.newer:
            newer = self.found.newer[0]
            return tlog.Answer("unknown", "newer", f"{shown(newer.path)} {newer.message}.")
        return tlog.Answer("no", "altered", "The document can't be read.")

    def verdict(self) -> Members:
        found, evidence = self.found, self.evidence
        intact = self._intact()
        in_chain = self.fault or self._weakest(lambda each: each.in_chain)
        signed, witnessed = self._weakest(lambda each: each.signed), self._weakest(lambda each: each.witnessed)
        answers = {"intact": intact, "inChain": in_chain, "signed": signed, "witnessed": witnessed}
        entries = [evidence, *self.history, *self.bound]
        sandbox = any(is_sandbox_log(each.get("log")) for each in entries)
        lost = tlog.loss_of(evidence.get("log"), members_of(evidence, "chain").get("index"), self.declared)
        hides_rules = is_object(evidence.get("event")) and "control" in found.undisclosed
        is_entry = is_object(evidence.get("chain"))
        standing = _standing(is_entry, list(answers.values()), sandbox, lost is not None, hides_rules)
        decision = decision_in(evidence, found, standing)
        raises = raises_in(self.history, [under(standing, each) for each in found.raises])
        compared = action_matches(evidence, found.undisclosed)
        execution = execution_in(evidence, self.history)
        redacted = [each for each in _redactions(self.history) if each["path"] in found.undisclosed]
        gone = {each["path"] for each in redacted}
        families = {tlog.family(each["log"])[0] for each in entries if isinstance(each.get("log"), str)}
        late = [name for name in ("late", "unconfirmed") if execution is not None and execution[name]]
        index = self.verification.get("chainIndex")
        return {
            **{name: each.as_json() for name, each in answers.items()},
            "standing": standing,
            "ok": standing == "holds" or (standing == "sandbox" and self.accepts),
            "sandbox": sandbox,
            "hidesRules": hides_rules,
            "complete": all(each.status == "yes" for each in answers.values()),
            "problems": [each.as_json() for each in found.problems],
            "newer": [each.as_json() for each in found.newer],
            "undisclosed": [path for path in found.undisclosed if path not in gone and not _is_superseded(path, self.history)],
            "redacted": redacted,
            "outside": self._outside(),
            "lost": lost,
            "successions": [each for each in self.declared if tlog.family(each["log"])[0] in families],
            "limits": limits_of(decision, raises, compared, execution),
            "warnings": late,
            "facts": {
                "id": text_of(evidence.get("id")),
                "decisionId": text_of(evidence.get("decisionId")),
                "log": text_of(evidence.get("log")),
                "index": index if isinstance(index, (int, float)) and not isinstance(index, bool) else None,
                "hash": found.hash,
                "sealedAt": text_of(evidence.get("sealedAt")),
                "size": self.record.size,
                "cosignedBy": list(self.record.cosigned_by),
                "asOf": {"change": len(self.changes), "size": (self.changes[-1] if self.changes else self.record).size},
                "decision": decision,
                "raises": raises,
                "execution": execution,
                "actionCompared": compared is True,
                **({"timestamp": self.stamp} if self.stamp is not None else {}),
            },
        }

    def _outside(self) -> list[str]:
        """Members that no hash and no signature covers. `anchoring` is what the exporter says."""
        document = members_of(self.document)
        verified = self.stamp is not None and self.stamp["status"] == "verified"
        about = [
            name
            for name in ("anchoring", "timestamp", "verifyUrl")
            if name in self.verification and not (name == "timestamp" and verified)
        ]
        top = [name for name in ("@context", "exportedAt") if name in document]
        return [*top, *(f"verification.{name}" for name in about)]


def _standing(is_entry: bool, answers: Sequence[tlog.Answer], sandbox: bool, lost: bool, hides_rules: bool) -> str:
    if not is_entry:
        return "not-a-proof"
    if any(each.status == "no" and each.code not in _UNVOUCHED for each in answers):
        return "altered"
    if any(each.code == "newer" for each in answers):
        return "newer"
    # A policy may ask for no witness; then none is needed.
    if not all(each.status == "yes" or each.code == "quorum-none" for each in answers):
        return "unvouched"
    if hides_rules:
        return "rules-hidden"
    return "lost" if lost else "sandbox" if sandbox else "holds"


def under(standing: str, facts: Members | None) -> Members | None:
    """A binding that nobody of the policy vouches for could have been made for this file: that is said before the host."""
    if facts is None or standing in VOUCHED or not (facts["status"] == "holds" or facts["why"] == "no-host"):
        return facts
    return {**facts, "status": "unknown", "why": "newer" if standing == "newer" else "unvouched"}


def line_under(standing: str, line: Members | None) -> Members | None:
    """Whoever made a file that nobody vouches for chose its policies too."""
    fits = line is not None and line["status"] == "fits"
    return {**line, "status": "unknown", "why": "unvouched"} if line and fits and standing not in VOUCHED else line


def _redactions(history: Sequence[Members]) -> list[Members]:
    """Those that the history records, oldest first; a path may occur more than once."""
    found: list[Members] = []
    for entry in history:
        if entry.get("type") == "redaction" and is_list(entry.get("paths")):
            why = text_of(entry.get("reason"))
            more = {} if why is None else {"reason": why}
            found += [
                {"path": as_text(path), "at": as_text(entry.get("sealedAt", MISSING)), **more} for path in list_of(entry["paths"])
            ]
    return found


def _is_superseded(path: str, history: Sequence[Members]) -> bool:
    """A committed path whose initial value a later change replaced."""
    return path in CHANGEABLE and any(each.get("type") == CHANGEABLE[path] for each in history)


# ---------------------------------------------------------------- who decided


def decision_in(evidence: Members, found: Found, standing: str) -> Members | None:
    """None for a unit that isn't a decision."""
    if not is_object(evidence.get("event")):
        return None
    given = passkeys.approvals_in(evidence)
    signed = [*found.passkeys, *[None] * len(given)]
    approvals = [_approval(each, under(standing, signed[at])) for at, each in enumerate(given)]
    emergency = found.emergency and {
        **found.emergency,
        "confirmations": [
            {**each, "passkey": under(standing, each["passkey"])} for each in listed(found.emergency["confirmations"])
        ],
    }
    control = members_of(evidence, "control")
    rules = members_of(control, "rules")
    digest, index = rules.get("digest"), rules.get("index", MISSING)
    named = isinstance(digest, str) and (index is None or (isinstance(index, (int, float)) and not isinstance(index, bool)))
    return {
        "result": approvals[-1]["result"] if approvals else "unapproved",
        "approvals": approvals,
        "rules": {"index": index, "digest": digest} if named else None,
        "usableUntil": text_of(control.get("usableUntil")),
        "line": line_under(standing, found.line),
        "emergency": emergency,
    }


def raises_in(history: Sequence[Members], signed: Sequence[Members | None]) -> list[Members]:
    """A person raised the level of the record, which is a review."""
    raised = [each for each in history if each.get("type") == CHANGEABLE["evidenceLevel"]]
    found: list[Members] = []
    for at, entry in enumerate(raised):
        passkey = signed[at] if at < len(signed) else None
        by = entry.get("by")
        identity = {"level": "passkey" if passkey else "session", "by": by.get("id") if is_object(by) else None}
        approval = {"approver": by, "identity": identity, "result": "approved"}
        given = passkeys.Approval(approval=approval, control=None, hidden=False)
        found.append({**_approval(given, passkey), "to": text_of(entry.get("evidenceLevel"))})
    return found


def _approval(given: passkeys.Approval, passkey: Members | None) -> Members:
    approval, control = members_of(given["approval"]), given["control"]
    approver, identity = members_of(approval, "approver"), members_of(approval, "identity")
    id, name, level = text_of(approver.get("id")), approver.get("name"), identity.get("level")
    known = level if level in ("session", "passkey", "system") else None
    own = approval.get("reason") if level == "system" else None
    stated = members_of(control)
    return {
        # A level that this version does not know counts as `claim`.
        "level": known or "claim",
        "result": "approved" if approval.get("result") == "approved" or given["hidden"] else "refused",
        "approver": f"{name} ({id})" if isinstance(name, str) and id is not None else text_of(id if name is None else name),
        "approverId": id,
        "by": text_of(identity.get("by")),
        "onBehalfOf": text_of(approval.get("onBehalfOf")),
        "passkey": passkey,
        "via": text_of(stated.get("via")),
        "shown": _shown_in(stated),
        "noPage": control is not None and "shown" not in stated and known != "system",
        "refusal": own if own in ("expired", "replaced", "withdrawn") else None,
        "void": as_text(stated["void"]) if "void" in stated else None,
        "hidden": given["hidden"],
    }


def _shown_in(control: Members) -> Members | None:
    stated = members_of(control, "shown")
    view, language, template = stated.get("view"), stated.get("language"), members_of(stated, "template")
    if not isinstance(view, str) or not isinstance(language, str):
        return None
    version, digest = template.get("version"), template.get("digest")
    named = isinstance(version, (int, float)) and not isinstance(version, bool) and isinstance(digest, str)
    return {"view": view, "language": language, "template": {"version": version, "digest": digest} if named else None}


def execution_in(evidence: Members, history: Sequence[Members]) -> Members | None:
    """A log shows that it was reported, never that it happened."""
    steps = [each for each in history if each.get("type") == "execution"]
    taken = next((each for each in steps if each.get("action") == "consumed"), None)
    at = text_of(taken.get("sealedAt")) if taken else None
    if at is None:
        return None
    control = members_of(evidence, "control")
    until, confirm_by = text_of(control.get("usableUntil")), members_of(control, "emergency").get("confirmBy")
    before = list(history[: next(place for place, each in enumerate(history) if each is taken)])
    said = [each for each in before if each.get("type") == "confirmation"]
    ended = any(each.get("action") in ("objected", "unconfirmed") for each in said)
    open_still = not any(each.get("complete") is True for each in said)
    outcomes = [text_of(each.get("status")) for each in steps if each.get("action") == "outcome"]
    return {
        "consumedAt": at,
        "outcome": outcomes[-1] if outcomes else None,
        "late": until is not None and at > until,
        "unconfirmed": isinstance(confirm_by, str) and (ended or (at > confirm_by and open_still)),
    }


def limits_of(decision: Members | None, raises: Sequence[Members], compared: bool | None, execution: Members | None) -> list[str]:
    """What is not proved, whatever the verdicts are."""
    approvals = listed(decision["approvals"]) if decision else []
    reviews = [*(each for each in approvals if not each["hidden"] and each["void"] is None), *raises]
    levels = {each["level"] for each in reviews}
    signed, pages = "passkey" in levels, any(each["shown"] is not None for each in reviews)
    synced = any(members_of(each["passkey"]).get("backupEligible") for each in reviews)
    return [
        *("right", "unrecorded", "later"),
        *(["who"] if "claim" in levels else []),
        *(["passkey", "removal"] if signed else []),
        *(["synced"] if synced else []),
        *(["action"] if decision is not None and compared is None else []),
        *(["screen"] if signed or pages else []),
        *(["executed"] if execution is not None else []),
    ]
