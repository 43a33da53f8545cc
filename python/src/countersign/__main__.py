"""`python -m countersign verify`: checks exported proofs from the files and a trust policy alone, as the command does."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .proof import MalformedPolicy, NotExact, TrustPolicy, Verdict, parse_policy, read_exactly, verify_proof
from .proof._json import number_text, string_text
from .proof._say import Speech
from .proof._summary import is_waiting, summary_of
from .proof._terminal import coloured, folded
from .proof._timestamp import stamp_in
from .proof._values import Members, is_list, is_number, is_object, list_of, members_of, shown, shown_json
from .proof._verdict_lines import MARKS, compact_line, full_lines, openssl, quoted, stamp_lines
from .proof._words import HELP

_COMMAND = "python -m countersign verify"
# Above this number each proof gets one line, and details only when it is invalid.
_FEW_FILES = 5
_TEXTS = ("trust", "declaration", "log", "authority", "timestamp-out", "lang")
_FLAGS = ("no-trust", "strict", "sandbox", "json", "help")


class UsageError(Exception):
    """Wrong usage or an unreadable input: exit code 2."""


@dataclass(frozen=True)
class Wanted:
    trust: TrustPolicy | None
    alone: bool
    """It is enough that a file agrees with itself."""
    strict: bool
    sandbox: bool
    as_json: bool
    in_full: bool
    timestamp_out: str | None
    authorities: tuple[str, ...]
    declarations: tuple[Any, ...]


def judged_as(verdict: Verdict, wanted: Wanted) -> str:
    """The key of its sentence."""
    if verdict.standing in ("altered", "not-a-proof"):
        return "altered"
    if verdict.standing == "newer":
        return "newer"
    if wanted.strict and not verdict.complete:
        return "notComplete"
    if verdict.standing == "sandbox" and not verdict.ok:
        return "sandbox"
    if verdict.standing == "lost":
        return "lost"
    if verdict.standing == "rules-hidden" or (verdict.hides_rules and wanted.alone):
        return "rulesHidden"
    if verdict.ok:
        return "holds"
    return "alone" if wanted.trust is None and wanted.alone else "unvouched"


# ---------------------------------------------------------------- options


def _read_options(arguments: Sequence[str], say: Speech) -> tuple[dict[str, str | bool], list[str]]:
    """Options and words in any order, as the command reads them. Errors suggest the most similar option."""
    options: dict[str, str | bool] = {}
    words: list[str] = []
    left = list(arguments)
    while left:
        given = left.pop(0)
        if given == "--":
            return options, [*words, *left]
        if given == "-" or not given.startswith("-"):
            words.append(given)
            continue
        raw, equals, value = given.partition("=")
        name = "help" if raw == "-h" else raw.removeprefix("--")
        if name not in (*_TEXTS, *_FLAGS) or not (raw.startswith("--") or raw == "-h"):
            near = _nearest(raw.lstrip("-"), (*_TEXTS, *_FLAGS))
            hint = f" {say('didYouMean', name=f'--{near}')}" if near else ""
            raise UsageError(f"{say('unknownOption', name=raw)}{hint}")
        if name in _FLAGS:
            if equals:
                raise UsageError(say("optionTakesNone", name=raw))
            options[name] = True
            continue
        # A value that looks like an option means that the value is missing; "-" alone is the standard input.
        missing = not equals and (not left or re.match("-.", left[0]))
        if missing:
            raise UsageError(say("optionNeedsValue", name=raw))
        options[name] = value if equals else left.pop(0)
    return options, words


def _nearest(typed: str, candidates: Sequence[str]) -> str | None:
    """The candidate with an edit distance of at most two, or with the same beginning."""
    slips = {each: 1 if each.startswith(typed) else _distance(typed, each) for each in candidates}
    ranked = sorted(candidates, key=lambda each: slips[each])
    return next((each for each in ranked if slips[each] <= min(2, len(each) - 1)), None)


def _distance(one: str, other: str) -> int:
    """Insertion, deletion, replacement or swap of neighbors counts one."""
    rows = [list(range(len(other) + 1))]
    for at, char in enumerate(one, 1):
        row = [at]
        for column, each in enumerate(other, 1):
            ways = [rows[at - 1][column] + 1, row[column - 1] + 1, rows[at - 1][column - 1] + (char != each)]
            if at > 1 and column > 1 and char == other[column - 2] and one[at - 2] == each:
                ways.append(rows[at - 2][column - 2] + 1)
            row.append(min(ways))
        rows.append(row)
    return rows[-1][-1]


# As the command names the errors of the system.
_SYSTEM = {
    "ENOENT": "no such file or directory",
    "EACCES": "permission denied",
    "EPERM": "operation not permitted",
    "ENOTDIR": "not a directory",
    "ELOOP": "too many symbolic links encountered",
    "ENAMETOOLONG": "name too long",
}


def _why(error: BaseException, file: str) -> str:
    if not isinstance(error, OSError):
        return str(error)
    if isinstance(error, IsADirectoryError):
        return "EISDIR: illegal operation on a directory, read"
    code = errno.errorcode.get(error.errno or 0, "")
    return f"{code}: {_SYSTEM[code]}, open '{file}'" if code in _SYSTEM else error.strerror or str(error)


def _text_of(file: str) -> str:
    return Path(file).read_bytes().decode("utf-8", "replace")


def _read_policy(file: str, log: str | None, say: Speech) -> TrustPolicy:
    try:
        policy = parse_policy(_text_of(file))
        return policy if log is None else policy.narrowed(log)
    except (OSError, MalformedPolicy) as error:
        raise UsageError(say("badPolicy", file=file, why=_why(error, file))) from None


def _read_authority(file: str, say: Speech) -> str:
    try:
        text = _text_of(file)
    except OSError as error:
        raise UsageError(say("badAuthority", file=file, why=_why(error, file))) from None
    if "-----BEGIN CERTIFICATE-----" not in text:
        raise UsageError(say("badAuthority", file=file, why=say("noCertificate")))
    return text


def _read_declarations(file: str, say: Speech) -> tuple[Any, ...]:
    """One declaration, or the list of a chain's generations as a server shows it."""
    try:
        read = read_exactly(_text_of(file).removeprefix("\ufeff"))
    except (OSError, NotExact) as error:
        raise UsageError(say("badDeclaration", file=file, why=_why(error, file))) from None
    given = members_of(read)
    found = given.get("generations") if given.get("generations") is not None else members_of(given, "data").get("generations")
    return tuple(members_of(each).get("declaration") for each in found) if is_list(found) else (read,)


# ---------------------------------------------------------------- files


def _files(names: Sequence[str]) -> list[str]:
    """Replaces folders by the proofs in them; keeps other names."""
    found: list[str] = []
    for name in names:
        if name == "-" or not Path(name).is_dir():
            found.append(name)
            continue
        inside = [os.path.normpath(os.path.join(folder, each)) for folder, _, files in os.walk(name) for each in files]
        proofs = [each for each in inside if re.search(r"\.(?:json|jsonld|ndjson|jsonl)\Z", each, re.I)]
        found += sorted(each for each in proofs if not os.path.islink(each))
    return found


_BLANK = re.compile("\ufeff?[ \t\r]*")


def _documents(name: str) -> Iterator[tuple[str, str]]:
    """A line ends with LF and nothing else, as for the command."""
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if name == "-" else _text_of(name)
    filled = [(at, line) for at, line in enumerate(text.split("\n"), 1) if not _BLANK.fullmatch(line)]
    if re.search(r"\.(?:ndjson|jsonl)\Z", name, re.I):
        yield from ((f"{name}:{at}", line) for at, line in filled)
    elif name != "-":
        yield name, text
    # A pipe has no file extension: if the first line is a complete JSON value, every line is one.
    elif len(filled) > 1 and _is_json(filled[0][1]):
        yield from ((f"stdin:{at}", line) for at, (_, line) in enumerate(filled, 1))
    else:
        yield "stdin", text


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _is_json(text: str) -> bool:
    try:
        # Integers of any length and depth are JSON; NaN isn't.
        json.loads(text, parse_int=str, parse_constant=_no_constant)
        return True
    except RecursionError:
        return True
    except ValueError:
        return False


# ---------------------------------------------------------------- verdicts

_OUTCOMES = {"holds": "holds", "alone": "holds", "altered": "altered", "newer": "unjudged", "rulesHidden": "unjudged"}


def _to_json(value: Any) -> str:
    if is_object(value):
        return "{" + ",".join(f"{_to_json(name)}:{_to_json(each)}" for name, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_to_json, list_of([*value]))) + "]"
    if isinstance(value, str):
        return string_text(value) if re.search("[\ud800-\udfff\0]", value) is None else json.dumps(value)
    return number_text(value) if is_number(value) else json.dumps(value)


def _not_read(name: str, about: str, why: str, wanted: Wanted, say: Speech) -> tuple[str, str]:
    if wanted.as_json:
        return "unread", f"{shown_json(_to_json({'file': name, 'ok': False, about: why}))}\n"
    said = say("notRead" if about == "unread" else "notAProof", why=why)
    return "unread", coloured("no", f"{MARKS['no']} {say.printed(name)}: {said}") + "\n"


def _judge(name: str, text: str, wanted: Wanted, say: Speech) -> tuple[str, str]:
    """The outcome, and what is printed."""
    given = text.removeprefix("\ufeff")
    more: Members = {"declarations": wanted.declarations, "authorities": wanted.authorities}
    verdict = verify_proof(given, wanted.trust, sandbox=wanted.sandbox, **more)
    said = verdict.document
    if "unreadable" in said:
        return _not_read(name, "notAProof", said["unreadable"], wanted, say)
    document = read_exactly(given)
    summary, look_alikes = summary_of(document, said, say.language)
    if verdict.standing == "not-a-proof":
        why = summary if is_waiting(document) else said["intact"]["detail"]
        return _not_read(name, "notAProof", why, wanted, say)
    judged = judged_as(verdict, wanted)
    outcome = _OUTCOMES.get(judged, "unvouched")
    stamp = said["facts"].get("timestamp")
    files = _stamp_files(document, name, wanted.timestamp_out) if stamp else None
    if wanted.as_json:
        ok = {"ok": outcome == "holds" and verdict.ok, **({"openssl": openssl(*files)} if files else {})}
        whole = {"summary": summary, "lookAlikes": look_alikes, "file": name, **said, **ok}
        return outcome, f"{shown_json(_to_json(whole))}\n"
    if not wanted.in_full and outcome == "holds":
        return outcome, f"{compact_line(name, said, judged, say)}\n    {summary}\n"
    warnings = [coloured("no", f"! {each}") for each in look_alikes]
    again = f"{_COMMAND} {shown(quoted(name))} --timestamp-out ." if wanted.timestamp_out is None else None
    lines = [summary, *warnings, *full_lines(name, said, judged, say), *stamp_lines(stamp, files, say, again)]
    return outcome, "\n".join(lines) + "\n"


def _stamp_files(document: Any, at: str, folder: str | None) -> tuple[str, str]:
    """With a folder the token and the stamped text are written there, otherwise only named."""
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "_", re.sub(r"^.*[/\\]", "", at))
    stem = re.sub(r"\.(?:json|jsonld)\Z", "", stem, flags=re.I)
    files = (os.path.join(folder or "", f"{stem}.tst"), os.path.join(folder or "", f"{stem}.checkpoint"))
    if folder is not None:
        files = (os.path.normpath(files[0]), os.path.normpath(files[1]))
        token, checkpoint = stamp_in(document)
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(files[0]).write_bytes(token)
        Path(files[1]).write_text(checkpoint, "utf-8")
    return files


def _summary(counts: Mapping[str, int], wanted: Wanted, say: Speech) -> str:
    altered, unvouched, unjudged, unread = (counts[each] for each in ("altered", "unvouched", "unjudged", "unread"))
    files = counts["holds"] + altered + unvouched + unjudged
    lines: list[str] = []
    if altered > 0:
        lines.append(coloured("no", say("sumSome", files=files, failed=altered)))
    if unvouched > 0 and files > 1:
        lines.append(coloured("unknown", say("sumUnvouched", files=files, unvouched=unvouched)))
    if unjudged > 0 and files > 1:
        lines.append(coloured("unknown", say("sumUnjudged", files=files, unjudged=unjudged)))
    if altered + unvouched + unjudged == 0 and files > 1:
        one = ("unknown", "sumAlone") if wanted.alone else ("yes", "sumAll")
        lines.append(coloured(one[0], say(one[1], files=files)))
    if unread > 0:
        lines.append(coloured("no", say("sumUnread", files=files, unread=unread)))
    if wanted.trust is None and not wanted.alone and files > 0:
        lines.append(say("policyHint"))
    return "".join(f"{line}\n" for line in lines)


def verify(arguments: Sequence[str]) -> int:
    """0: all hold. 1: one is altered. 2: one can't be read or isn't a proof. 3: nobody vouches for one, or it can't be judged."""
    say, arguments = _language(arguments)
    try:
        options, words = _read_options(arguments, say)
        if options.get("help"):
            print("\n".join(HELP[say.language]).replace("countersign verify FILE", f"{_COMMAND} FILE"))
            return 0
        return _verify(options, words, say)
    except UsageError as error:
        print(f"{error}\n{say('seeHelp', command=_COMMAND)}", file=sys.stderr)
        return 2


def _language(arguments: Sequence[str]) -> tuple[Speech, list[str]]:
    """Read first and at any position, so that usage errors appear in that language too."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    left = list(arguments)
    own = "ko" if locale.lower().startswith("ko") else "en"
    at = next((at for at, each in enumerate(left) if each == "--lang" or each.startswith("--lang=")), None)
    if at is None:
        return Speech(own), left
    taken = 1 if "=" in left[at] else 2
    value = left[at].removeprefix("--lang=") if taken == 1 else next(iter(left[at + 1 : at + 2]), "")
    if value not in ("en", "ko"):
        print(f"Use --lang en or --lang ko.\n{Speech(own)('seeHelp', command=_COMMAND)}", file=sys.stderr)
        raise SystemExit(2)
    return Speech(value), left[:at] + left[at + taken :]


def _verify(options: Mapping[str, str | bool], words: Sequence[str], say: Speech) -> int:
    def given(name: str) -> str | None:
        value = options.get(name)
        return value if isinstance(value, str) else None

    trust, log, authority, declaration = (given(name) for name in ("trust", "log", "authority", "declaration"))
    alone = options.get("no-trust") is True
    wrong = {
        "noFiles": not words,
        "policyTwice": trust is not None and alone,
        "declarationNeedsPolicy": trust is None and declaration is not None,
        "logNeedsPolicy": trust is None and log is not None,
    }
    for word, applies in wrong.items():
        if applies:
            raise UsageError(say(word))
    files = _files(words)
    wanted = Wanted(
        trust=None if trust is None else _read_policy(trust, log, say),
        alone=alone,
        strict=options.get("strict") is True,
        sandbox=options.get("sandbox") is True,
        as_json=options.get("json") is True,
        in_full=len(files) <= _FEW_FILES,
        timestamp_out=given("timestamp-out"),
        authorities=() if authority is None else (_read_authority(authority, say),),
        declarations=() if declaration is None else _read_declarations(declaration, say),
    )
    counts = {"holds": 0, "altered": 0, "unvouched": 0, "unjudged": 0, "unread": 0}
    first = True
    for outcome, printed in _outcomes(files, wanted, say):
        counts[outcome] += 1
        if wanted.as_json:
            sys.stdout.write(printed)
        else:
            sys.stdout.write(folded(printed if not wanted.in_full or first else f"\n{printed}"))
        first = False
    if not wanted.as_json:
        sys.stdout.write(folded(_summary(counts, wanted, say)))
    if counts["altered"]:
        return 1
    if counts["unread"]:
        return 2
    if counts["unvouched"] + counts["unjudged"]:
        return 3
    return 0 if counts["holds"] else 2


def _outcomes(files: Sequence[str], wanted: Wanted, say: Speech) -> Iterator[tuple[str, str]]:
    for file in files:
        try:
            for name, text in _documents(file):
                yield _judge(name, text, wanted, say)
        except OSError as error:
            yield _not_read(file, "unread", _why(error, file), wanted, say)


def _checked(run: Sequence[str]) -> int:
    # Terminals and pipes of any locale: the marks are not ASCII.
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        code = verify(run)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader of the output may stop early, as `head` does. The exit code must not claim success then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


def verify_command() -> int:
    return _checked(sys.argv[1:])


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] != "verify":
        print(f"usage: {_COMMAND} [--trust FILE] FILE…", file=sys.stderr)
        return 2
    return _checked(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
