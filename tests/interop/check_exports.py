#!/usr/bin/env python3
"""Checks exported decision proofs, and whole chains, with nothing but the Python standard library.

Written from docs/formats/dpu-chain-v1.md and transparency.md alone and sharing no code with the service, so that the
two can disagree. What both read is the list of a decision's members in docs/formats/dpu-chain-v1.json.

    check_exports.py [--chain] [--trust FILE [--log NAME]] [--declaration FILE] [--no-trust] [FILE ...]

reads JSON or NDJSON from the files, or from standard input, and prints one JSON verdict per document; with --chain the
lines of one file are the entries of one chain and get one verdict. `valid` is about the file, `inChain`, `signed` and
`witnessed` are about its log, which needs a policy; `standing` sums them up. Exit status 0 when everything holds under
the policy (with --no-trust: agrees with itself), 1 when something is altered, 2 when something is not a proof, 3 when
nobody of the policy vouches for something, something is test data of a sandbox, was signed and then lost by the
declaration of its log, was made by a newer version, or does not show under which rules it was sealed. Time stamps are not
verified here.
"""

import hashlib
import json
import os
import re
import sys
from decimal import Decimal

sys.dont_write_bytecode = True
import emergencies  # noqa: E402
import lines  # noqa: E402
import passkeys  # noqa: E402
import tlog  # noqa: E402

HASH = re.compile(r"sha256:[0-9a-f]{64}\Z")
SALT = re.compile(r"[0-9a-f]{32}\Z")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z\Z")
FORMAT = "dpu-chain-v1"

# ---------------------------------------------------------------- reading JSON exactly


class Refused(Exception):
    """The text cannot be read without a change of its value."""


class Newer(str):
    """Not a fault: something that only a newer version can judge."""


def read_number(token):
    value = float(token)
    if value in (float("inf"), float("-inf")) or Decimal(token) != Decimal(number_text(value)):
        raise Refused("the number %s cannot be kept exactly" % token[:40])
    return value


def read_object(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Refused("an object has the same key twice")
    return members


def no_constant(name):
    raise Refused("%s is not JSON" % name)


DEEPEST = 100


def refuse_depth(text):
    """Before parsing, so that a hostile file costs one pass."""
    depth = 0
    for mark in re.findall(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(mark, 0)
        if depth > DEEPEST:
            raise Refused("it is nested more than %d levels deep" % DEEPEST)


UNFIT = re.compile("[\0\ud800-\udfff]")


def refuse_strings(value):
    if isinstance(value, str) and UNFIT.search(value):
        raise Refused("a string holds a lone surrogate or NUL")
    for inner in value if isinstance(value, list) else [*value, *value.values()] if isinstance(value, dict) else []:
        refuse_strings(inner)


def read_json(text):
    refuse_depth(text)
    value = json.loads(
        text,
        parse_int=read_number,
        parse_float=read_number,
        parse_constant=no_constant,
        object_pairs_hook=read_object,
    )
    refuse_strings(value)
    return value


# ---------------------------------------------------------------- RFC 8785


def number_text(value):
    """As ECMAScript writes a double: the shortest digits that read back, which repr() also finds, in its own layout."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, power = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # value = 0.<digits> * 10 ** point
    point = len(whole) + int(power or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    exponent = ("+" if point > 0 else "-") + str(abs(point - 1))
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + "e" + exponent


SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def string_text(value):
    written = ['"']
    for char in value:
        if char == "\0":
            raise Refused("the character NUL is not allowed")
        if "\ud800" <= char <= "\udfff":
            raise Refused("a lone surrogate is not allowed")
        written.append(SHORT.get(char) or ("\\u%04x" % ord(char) if char < " " else char))
    written.append('"')
    return "".join(written)


def canonical(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (float, int)):
        return number_text(float(value))
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    # Sorted by UTF-16 code units, not by code points: U+1F600 comes before U+FB33.
    keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(string_text(key) + ":" + canonical(value[key]) for key in keys) + "}"


def same(one, other):
    """Equality of plain JSON values: in Python False == 0.0, in JSON they differ."""
    return type(one) is type(other) and not isinstance(one, (dict, list)) and one == other


def sha256(text):
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def commitment(salt, path, value):
    return sha256(canonical([salt, path, value]))


def entry_hash(content, previous_hash, sealed_at):
    return sha256(content + (previous_hash or "") + sealed_at)


# ---------------------------------------------------------------- one entry

# The members of a decision stand in the vectors, once for every language.
VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/formats/dpu-chain-v1.json")
with open(VECTORS, encoding="utf-8") as vectors:
    DECISION = json.load(vectors)["decision"]

LAYOUTS = {
    "proof": {name: set(DECISION[name]) for name in ("hashed", "optional", "branches")},
    "dpu": {"hashed": {"id", "referenceType", "vertical"}, "optional": {"country", "region"}, "branches": set()},
    "history": {"hashed": {"id", "previous", "state", "target", "type"}, "optional": set(), "branches": set()},
}
BOOKKEEPING = {"chain", "commitments", "disclosures", "log", "sealedAt"}


def is_hash(value):
    return isinstance(value, str) and HASH.match(value) is not None


def is_index(value):
    return isinstance(value, float) and value >= 0 and value.is_integer() and value <= 2**53 - 1


def well_formed(entry, domain, problem):
    chain, commitments, disclosures = entry.get("chain"), entry.get("commitments"), entry.get("disclosures")
    if not all(isinstance(each, dict) for each in (chain, commitments, disclosures)):
        return problem("chain, commitments and disclosures must be objects")
    if set(chain) != {"hash", "previousHash", "index", "domain"}:
        return problem("chain has other members")
    if chain["domain"] != domain or not is_index(chain["index"]) or not is_hash(chain["hash"]):
        return problem("chain is malformed")
    if chain["previousHash"] is not None if chain["index"] == 0 else not is_hash(chain["previousHash"]):
        return problem("chain.previousHash is malformed")
    if not isinstance(entry.get("sealedAt"), str) or not TIME.match(entry["sealedAt"]):
        return problem("sealedAt is malformed")
    if not isinstance(entry.get("log"), str):
        return problem("log is missing")
    if not all(is_hash(each) for each in commitments.values()):
        return problem("a commitment is malformed")
    return True


SUCCESSION = {"hashed": {"id", "succession"}, "optional": set(), "branches": set()}


def check_entry(entry, domain, elsewhere, problem, layout=None):
    """Returns (content, hash, undisclosed), or None when the entry is too malformed to be hashed."""
    if not well_formed(entry, domain, problem):
        return None
    layout, commitments, disclosures = layout or LAYOUTS[domain], entry["commitments"], entry["disclosures"]
    reserved = layout["hashed"] | layout["optional"] | layout["branches"] | BOOKKEEPING
    for path in commitments:
        parent = path.rpartition(".")[0]
        if path in reserved or (parent and parent not in layout["branches"]):
            problem("commitments.%s must not be committed" % path)

    shown, found = set(), set()

    def collect(members, prefix):
        content = {}
        for name, value in members.items():
            path = prefix + name
            if prefix == "" and (name in BOOKKEEPING or name in elsewhere):
                continue
            if path in commitments:
                shown.add(path)
                salt = disclosures.get(path)
                if not isinstance(salt, str) or not SALT.match(salt):
                    problem("%s has no salt" % path)
                elif commitment(salt, path, value) != commitments[path]:
                    problem("%s does not match its commitment" % path)
            elif path in layout["hashed"] or path in layout["optional"]:
                found.add(path)
                content[name] = value
            elif path in layout["branches"] and isinstance(value, dict) and value:
                inner = collect(value, path + ".")
                if inner:
                    content[name] = inner
            else:
                problem("%s was added" % path)
        return content

    content = collect(entry, "")
    needed = set(layout["hashed"])
    if "approval" in entry:
        needed |= {"approval.approvedAt", "approval.approver.type", "approval.identity.level", "approval.result"}
        if not isinstance(entry["approval"], dict) or entry["approval"].get("approvedAt") != entry["sealedAt"]:
            problem("approval.approvedAt differs from sealedAt")
    for path in needed - found:
        problem("%s is missing" % path)
    for path in disclosures:
        if path not in shown:
            problem("disclosures.%s belongs to nothing that is shown" % path)

    chain = entry["chain"]
    content.update(v=FORMAT, log=entry["log"], domain=domain, index=chain["index"], commitments=commitments)
    text = canonical(content)
    computed = entry_hash(text, chain["previousHash"], entry["sealedAt"])
    if computed != chain["hash"]:
        problem("chain.hash differs from %s" % computed)
    return text, computed, [path for path in commitments if path not in shown]


# ---------------------------------------------------------------- one document


def check_declaration(document, problem):
    """The entry that begins a generation of a log, without its place in the log; None when it is not intact."""
    found = []
    entry = document.get("entry") if isinstance(document, dict) else None
    if entry is None or set(document) != {"@type", "entry", "tlogProof"} or document["@type"] != "LogSuccession":
        found.append("is no declaration")
    elif not isinstance(entry, dict) or not isinstance(entry.get("chain"), dict):
        found.append("holds no entry")
    else:
        domain = entry["chain"].get("domain")
        checked = check_entry(entry, domain, set(), found.append, SUCCESSION) if domain in LAYOUTS else None
        said = tlog.read_succession(entry.get("log"), entry["chain"].get("index"), entry.get("succession"))
        if checked is None or said is None or not isinstance(document["tlogProof"], str):
            found.append("is no statement that begins a generation")
    for each in found:
        problem("succession: %s" % each)
    return None if found else {**said, "log": entry["log"], "declaredAt": entry["sealedAt"]}


def declared_in(documents, policy):
    """The declarations that are intact and in a log that the policy vouches for."""
    declared = []
    for each in documents if isinstance(documents, list) else []:
        try:
            said = check_declaration(each, lambda message: None)
            chain = each["entry"]["chain"] if said else {}
            answers = said and tlog.check_anchor(said["log"], chain["index"], chain["hash"], each["tlogProof"], policy)
        except Exception:  # a document that is far from one
            continue
        if said and answers[:2] == ("yes", "yes"):
            declared.append(said)
    return declared


def stem(log, domain):
    log = tlog.family(log)[0]
    return log[: -len(domain) - 1] if isinstance(log, str) and log.endswith("/" + str(domain)) else log


def check_history(evidence, problem):
    history = evidence.get("history", [])
    if not isinstance(history, list) or ("history" in evidence and not history):
        problem("history is not a list of entries")
        return []
    index, time = -1, ""
    for position, entry in enumerate(history):
        inside = lambda message: problem("history.%d: %s" % (position, message))  # noqa: E731
        if not isinstance(entry, dict) or check_entry(entry, "history", set(), inside) is None:
            inside("is not an entry")
            return []
        if not same(entry.get("target"), evidence.get("id")):
            inside("is about another record")
        if stem(entry["log"], "history") != stem(evidence.get("log"), evidence["chain"].get("domain")):
            inside("is in the log of another center")
        if entry["chain"]["index"] <= index or entry["sealedAt"] < time:
            inside("is out of order")
        index, time = entry["chain"]["index"], entry["sealedAt"]
    return history


def check_anchor_form(verification, evidence, problem):
    if "tlogProof" not in verification:
        if {"anchoring", "timestamp", "historyProofs", "bindingProofs", "successions"} & set(verification):
            problem("something of a log, but no tlogProof")
        return
    level, stamp = verification.get("anchoring"), verification.get("timestamp")
    if not isinstance(verification["tlogProof"], str) or level not in ("logged", "witnessed", "timestamped"):
        problem("tlogProof or anchoring is malformed")
    if ("timestamp" in verification) != (level == "timestamped"):
        problem("timestamp and anchoring do not agree")
    if "timestamp" in verification:
        try:
            tlog.unbase64(stamp)
        except Exception:
            problem("timestamp is malformed")
    if "successions" in verification:
        successions = verification["successions"]
        if not isinstance(successions, list) or not successions:
            problem("successions is not a list")
        else:
            for each in successions:
                check_declaration(each, problem)
    for name, listed in (("historyProofs", evidence.get("history")), ("bindingProofs", evidence.get("bindings"))):
        if name not in verification:
            continue
        proofs = verification[name]
        fits = isinstance(listed, list) and isinstance(proofs, list) and len(proofs) == len(listed)
        if not fits or not all(isinstance(each, str) for each in proofs):
            problem("%s is malformed" % name)


def check_log(document, policy, declared):
    """inChain, signed and witnessed of the record and of every entry of its history: the worst counts."""
    try:
        evidence, verification = document["evidence"], document["verification"]
        history, bindings = evidence.get("history", []), evidence.get("bindings", [])
        entries = [evidence, *history, *bindings]
        proofs = [verification.get("tlogProof")]
        for listed, name in ((history, "historyProofs"), (bindings, "bindingProofs")):
            given = verification.get(name, [])
            proofs += [*given, *[None] * (len(listed) - len(given))][: len(listed)]
        stamp = verification.get("timestamp")
        answers = [
            tlog.check_anchor(
                entry["log"],
                entry["chain"]["index"],
                entry["chain"]["hash"],
                proof,
                policy,
                tlog.unbase64(stamp) if stamp is not None and entry is evidence else None,
                declared,
            )
            for entry, proof in zip(entries, proofs)
        ]
    except Exception:  # a document that is far from one
        return {"inChain": "no", "signed": "no", "witnessed": "no"}, True
    *columns, altered = zip(*answers)
    return dict(zip(("inChain", "signed", "witnessed"), map(tlog.weakest, columns))), any(altered)


def standing_of(document, valid, newer, hides_rules, answers, altered, policy, lost):
    evidence = document.get("evidence") if isinstance(document, dict) else None
    if not isinstance(evidence, dict) or not isinstance(evidence.get("chain"), dict):
        return "not-a-proof"
    if not (valid or newer) or altered:
        return "altered"
    if newer:
        return "newer"
    needed = [answers["inChain"], answers["signed"]]
    if policy is None or policy["quorum"] != "none":
        needed.append(answers["witnessed"])
    if needed != ["yes"] * len(needed):
        return "unvouched"
    if hides_rules:
        return "rules-hidden"
    if lost is not None:
        return "lost"
    return "sandbox" if in_sandbox(document) else "holds"


def is_sandbox_log(log):
    """A host has no slash: the second part of a name is "c" for a center and "sandbox" for a sandbox."""
    return isinstance(log, str) and log.split("/")[1:2] == ["sandbox"]


def in_sandbox(document):
    """Whether the record, a change or a binding is in the log of a sandbox: test data."""
    evidence = document.get("evidence") if isinstance(document, dict) else None
    if not isinstance(evidence, dict):
        return False
    lists = [evidence.get(name) for name in ("history", "bindings")]
    entries = [evidence, *(each for found in lists if isinstance(found, list) for each in found)]
    return any(is_sandbox_log(each.get("log")) for each in entries if isinstance(each, dict))


def outside_of(document):
    """Members that no hash and no signature covers."""
    if not isinstance(document, dict) or not isinstance(document.get("verification"), dict):
        return []
    top = [name for name in ("@context", "exportedAt") if name in document]
    about = [name for name in ("anchoring", "timestamp", "verifyUrl") if name in document["verification"]]
    return top + ["verification." + name for name in about]


def redacted_in(document, undisclosed):
    entries = [entry for entry in document["evidence"].get("history", []) if entry["type"] == "redaction"]
    paths = [path for entry in entries for path in entry.get("paths", [])]
    return [path for path in paths if path in undisclosed]


def check_document(document, hosts, problem):
    if not isinstance(document, dict):
        return problem("is not an object")
    if set(document) - {"policyTexts"} != {"@context", "@type", "version", "exportedAt", "evidence", "verification"}:
        problem("the document has other members")
    context = document.get("@context")
    if not isinstance(context, str) or not context.endswith("/decision-proof/v2"):
        problem("@context is another format")
    if document.get("@type") != "DecisionProof" or document.get("version") != "2.0":
        problem("is not a DecisionProof 2.0")
    if not isinstance(document.get("exportedAt"), str) or not TIME.match(document["exportedAt"]):
        problem("exportedAt is malformed")
    evidence, verification = document.get("evidence"), document.get("verification")
    if not isinstance(evidence, dict) or not isinstance(evidence.get("chain"), dict):
        return problem("evidence holds no entry")
    chain, domain = evidence["chain"], evidence["chain"].get("domain")
    if domain not in ("proof", "dpu"):
        return problem("the domain cannot be exported")

    repeated = {
        "hashAlgorithm": "SHA-256",
        "preimage": FORMAT,
        "chainDomain": domain,
        "chainIndex": chain.get("index"),
        "chainHash": chain.get("hash"),
        "previousHash": chain.get("previousHash"),
    }
    beside = {"verifyUrl", "tlogProof", "anchoring", "timestamp", "historyProofs", "bindingProofs", "successions"}
    if not isinstance(verification, dict) or not isinstance(verification.get("verifyUrl"), str):
        problem("verification is malformed")
    else:
        if not all(name in verification and same(verification[name], repeated[name]) for name in repeated):
            problem("verification does not agree with the evidence")
        if set(verification) - set(repeated) - beside:
            problem("verification has other members")
        check_anchor_form(verification, evidence, problem)

    history = check_history(evidence, problem)
    elsewhere = {"status", "history", "bindings"}
    level = evidence.get("evidenceLevel")
    if evidence.get("status") != ("sealed" if domain == "proof" or level == "AUDIT_READY" else "pending"):
        problem("status is wrong")
    commitments = evidence.get("commitments")
    shows_text = domain == "proof" and not (isinstance(commitments, dict) and "content" in commitments)
    if shows_text:
        elsewhere.add("content")
    if domain == "dpu":
        elsewhere.add("decisionId")
        if not same(evidence.get("decisionId"), evidence.get("id")):
            problem("decisionId differs from id")
    moved = set()
    for member, kind in (("evidenceLevel", "level"), ("metadata", "metadata")):
        changes = [entry for entry in history if entry.get("type") == kind]
        if changes:
            moved.add(member)
            nothing = object()
            now, last = evidence.get(member, nothing), changes[-1].get(member, nothing)
            if (now is nothing) != (last is nothing) or (now is not nothing and canonical(now) != canonical(last)):
                problem("%s is not what its last change says" % member)

    # A decision hashes its level: where it was raised since, the sealed one stands in sealedLevel.
    sealed, level = evidence, evidence.get("evidenceLevel")
    if "evidenceLevel" in moved:
        level = evidence.get("sealedLevel") if domain == "proof" else None
        if domain == "proof":
            moved.discard("evidenceLevel")
            sealed = {name: value for name, value in evidence.items() if name not in ("sealedLevel", "evidenceLevel")}
            if "sealedLevel" in evidence:
                sealed["evidenceLevel"] = level
    checked = check_entry(sealed, domain, elsewhere | moved, problem)
    if checked and shows_text and "content" in evidence and evidence["content"] != checked[0]:
        problem("content differs from the hashed text")
    if checked:
        check_path(evidence, checked[1], level, history, problem)
        check_executions(evidence, history, problem)
    if checked is None:
        return None
    tools = sys.modules[__name__]
    texts = lines.read_texts(tools, document, evidence, problem)
    bindings = passkeys.check_bindings(tools, evidence, hosts, problem)
    raises = passkeys.check_raises(tools, evidence, history, bindings, hosts, problem)
    if domain != "proof":
        return (*checked, [], raises, None, None)
    if not passkeys.check_control(tools, evidence, problem):
        return (*checked, passkeys.unjudged(evidence), raises, None, None)
    compared = action_matches(evidence, checked[2])
    if compared is False:
        problem("actionDigest is not the digest of the action that is shown")
    given = passkeys.approvals_in(evidence)
    line = lines.check_lines(tools, evidence, given, texts, checked[2], problem)
    signed = passkeys.check_signed(tools, evidence, bindings, hosts, compared is True, problem)
    about = (texts, checked[2], bindings, hosts, problem)
    return (*checked, signed, raises, line, emergencies.check_emergency(tools, evidence, given, *about))


def check_executions(evidence, history, problem):
    """A decision is consumed once, for its own action."""
    consumed = False
    for position, entry in enumerate(history):
        if entry.get("type") != "execution" or entry.get("action") != "consumed":
            continue
        if consumed:
            problem("history.%d: the decision is consumed a second time" % position)
        if entry.get("actionDigest") != evidence.get("actionDigest"):
            problem("history.%d: another action is consumed" % position)
        consumed = True


def warnings_in(evidence):
    """What was taken too late, or after an objection, is told. Nothing is altered by that."""
    control = members_of(evidence, "control")
    until, confirm_by = control.get("usableUntil"), members_of(control, "emergency").get("confirmBy")
    listed = evidence.get("history")
    history = [each for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict)]
    places = [at for at, each in enumerate(history) if each.get("type") == "execution" and each.get("action") == "consumed"]
    taken = history[places[0]].get("sealedAt") if places else None
    if not isinstance(taken, str):
        return []
    steps = [each for each in history[: places[0]] if each.get("type") == "confirmation"]
    ended = any(each.get("action") in ("objected", "unconfirmed") for each in steps)
    open_still = not any(each.get("complete") is True for each in steps)
    unconfirmed = isinstance(confirm_by, str) and (ended or (taken > confirm_by and open_still))
    late = isinstance(until, str) and taken > until
    return [*(["late"] if late else []), *(["unconfirmed"] if unconfirmed else [])]


def check_path(evidence, unit_hash, level, history, problem):
    """Each change names the one before it and the state that it leaves. An unknown first level may be any, but one."""
    every = ["DRAFT", "DOCUMENTED", "AUDIT_READY"]
    previous, metadata = unit_hash, evidence["commitments"].get("metadata")
    possible = every if level is None else [level]
    for position, entry in enumerate(history):
        if entry.get("previous") != previous:
            problem("history.%d: a change before it was removed, added or moved" % position)
        previous = entry["chain"]["hash"]
        if entry.get("type") == "level":
            possible = [entry["evidenceLevel"]] if "evidenceLevel" in entry else every
        if entry.get("type") == "metadata":
            metadata = entry["commitments"].get("metadata")
        states = {each: sha256(canonical({"evidenceLevel": each, "metadata": metadata})) for each in possible}
        fitting = [each for each in possible if states[each] == entry.get("state")]
        if not fitting:
            problem("history.%d: state is not what the changes leave" % position)
        else:
            possible = fitting


ACTION_SALT = re.compile(r"[A-Za-z0-9_-]{43}\Z")


def digested(path):
    """Of an object the digest covers every member; another value is covered as a whole."""
    names = [("event.%s" % name, name in DECISION["members"]) for name in DECISION["digested"]]
    return path == "actionSalt" or any(path.startswith(at + ".") if members else path == at for at, members in names)


def action_matches(evidence, undisclosed):
    """None when something that the digest covers is not shown."""
    salt, event = evidence.get("actionSalt"), evidence.get("event")
    if not isinstance(salt, str) or not ACTION_SALT.match(salt) or not isinstance(event, dict):
        return None
    if any(digested(path) for path in undisclosed):
        return None
    shown = {"salt": salt, **{name: event[name] for name in DECISION["digested"] if name in event}}
    # An export cannot show an object without members.
    ways = [shown] if "aiContext" in shown else [shown, {**shown, "aiContext": {}}]
    return any(sha256(canonical(way)) == evidence.get("actionDigest") for way in ways)


def under(standing, signed):
    """A binding that nobody of the policy vouches for proves nothing, and neither does what only a newer version can judge."""
    return "unknown" if signed == "holds" and standing not in VOUCHED else signed


VOUCHED = ("holds", "sandbox", "lost", "rules-hidden")


def line_under(standing, line):
    """Whoever made a file that nobody vouches for chose its policies too."""
    fits = line is not None and line["status"] == "fits"
    return {**line, "status": "unknown", "why": "unvouched"} if fits and standing not in VOUCHED else line


def members_of(document, name):
    found = document.get(name) if isinstance(document, dict) else None
    return found if isinstance(found, dict) else {}


def verdict(text, policy=None, declarations=()):
    problems = []
    checked, document = None, None
    try:
        document = read_json(text)
        checked = check_document(document, policy["passkeys"] if policy else {}, problems.append)
    except Exception as error:  # any file content gets a verdict
        problems.append("cannot be read: %s" % error)
    _, computed, undisclosed, signed, raises, line, emergency = checked or (None, None, [], [], [], None, None)
    newer = [each for each in problems if isinstance(each, Newer)]
    problems = [each for each in problems if not isinstance(each, Newer)]
    valid = not problems and not newer and checked is not None
    declared = declared_in(members_of(document, "verification").get("successions"), policy)
    declared += declared_in(list(declarations), policy)
    answers, altered = check_log(document, policy, declared)
    evidence = members_of(document, "evidence")
    index = members_of(evidence, "chain").get("index")
    lost = tlog.loss_of(evidence.get("log"), index, declared) if isinstance(index, (int, float)) else None
    cannot_judge = bool(newer) and not problems and checked is not None
    hides_rules = "event" in evidence and "control" in undisclosed
    standing = standing_of(document, valid, cannot_judge, hides_rules, answers, altered, policy, lost)
    return {
        "valid": valid,
        **answers,
        "standing": standing,
        "ok": standing == "holds",
        "sandbox": in_sandbox(document),
        "hidesRules": hides_rules,
        "lost": lost and {name: lost[name] for name in ("log", "reason", "declaredBy", "declaredAt")},
        "outside": outside_of(document),
        "hash": computed,
        "problems": problems,
        "newer": newer,
        "undisclosed": undisclosed,
        "warnings": warnings_in(evidence),
        "passkeys": [under(standing, each) for each in signed],
        "raises": [under(standing, each) for each in raises],
        "line": line_under(standing, line),
        "emergency": emergency,
        "redacted": redacted_in(document, undisclosed) if valid else [],
    }


# ---------------------------------------------------------------- a whole chain


def chain_verdict(lines):
    length, head, time, log, domain, genesis = 0, None, "", None, None, None
    for line in lines:
        try:
            entry = read_json(line)
            content = entry["content"]
            log, domain = log or content["log"], domain or content["domain"]
            genesis = genesis or entry["hash"]
            holds = (
                same(entry["index"], float(length))
                and same(content["index"], float(length))
                and same(entry["id"], content["id"])
                and content["v"] == FORMAT
                and content["domain"] == domain
                and entry["previousHash"] == head
                and TIME.match(entry["sealedAt"])
                and entry["sealedAt"] >= time
                and entry_hash(canonical(content), head, entry["sealedAt"]) == entry["hash"]
            )
            if holds and content["log"] != log:
                # Another generation of the log begins with its statement.
                holds = tlog.read_succession(content["log"], length, content.get("succession"), log) is not None
                log = content["log"]
        except (Refused, ValueError, KeyError, TypeError, RecursionError):
            holds = False
        if not holds:
            return {"valid": False, "brokenAt": length, "genesisHash": genesis, "headHash": head, "sandbox": is_sandbox_log(log)}
        length, head, time = length + 1, entry["hash"], entry["sealedAt"]
    ends = {"chainLength": length, "genesisHash": genesis, "headHash": head, "sandbox": is_sandbox_log(log)}
    return {"valid": True, "brokenAt": None, **ends}


def documents(text):
    """The whole text when it is one document, otherwise its lines."""
    lines = [line for line in text.split("\n") if line.strip()]
    try:
        json.loads(lines[0] if lines else "")
        return lines
    except (ValueError, RecursionError):
        return [text]


def option(arguments, name):
    """The value of an option, and the arguments without it."""
    if name not in arguments:
        return None, arguments
    at = arguments.index(name)
    return arguments[at + 1], arguments[:at] + arguments[at + 2 :]


def main(arguments):
    sys.setrecursionlimit(20_000)
    file, arguments = option(arguments, "--trust")
    log, arguments = option(arguments, "--log")
    stated, arguments = option(arguments, "--declaration")
    declarations = [read_json(open(stated, "rb").read().decode("utf-8"))] if stated is not None else []
    policy = tlog.read_policy(open(file, "rb").read().decode("utf-8")) if file is not None else None
    if log is not None:
        policy = tlog.narrowed(policy, log)
    chains, alone = "--chain" in arguments, "--no-trust" in arguments
    names = [name for name in arguments if name not in ("--chain", "--no-trust")] or ["-"]
    found = set()
    for name in names:
        raw = sys.stdin.buffer.read() if name == "-" else open(name, "rb").read()
        text = raw.decode("utf-8-sig", "replace")
        verdicts = [chain_verdict(documents(text))] if chains else [verdict(each, policy, declarations) for each in documents(text)]
        for each in verdicts:
            if each.get("hidesRules"):
                found.add("rules-hidden")
            found.add(each.get("standing") or ("holds" if each["valid"] else "altered"))
            print(json.dumps({"file": name, **each}))
    codes = {"altered": 1, "not-a-proof": 2, "unvouched": 0 if alone and policy is None else 3, "sandbox": 3, "lost": 3}
    codes.update({"newer": 3, "rules-hidden": 3})
    return next((code for standing, code in codes.items() if standing in found), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
