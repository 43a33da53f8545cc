"""Writes the operations and the models of the package from the contract; with `--check` it only names what is stale.

    python python/tools/generate.py [--check]

Needs the pinned datamodel-code-generator of `requirements-dev.txt`.
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python/src/countersign"
CONTRACT = ROOT / "packages/contract/openapi.json"
TABLE = ROOT / "packages/sdk/table.generated.ts"

# An export is kept and verified as the text that was sent.
AS_TEXT = {"evidence.export"}
# Left out of models: the server validates, and a newer server may send more.
CHECKS = {
    *("pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "format", "examples", "default"),
    *("additionalProperties", "propertyNames", "dependentRequired"),
}


def snake(name: str) -> str:
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()
    return f"{text}_" if keyword.iskeyword(text) else text


def rows() -> list[dict[str, Any]]:
    """The table of the other SDK: both clients have the same operations and repeat the same ones."""
    text = TABLE.read_text("utf-8").split("export const proofTable: Table = {")[1].split("\n}\n")[0]
    found, resource = [], ""
    for line in text.split("\n"):
        if named := re.fullmatch(r"  (\w+): \{", line):
            resource = named[1]
        elif method := re.fullmatch(r"    (\w+): \{ (.*) \},", line):
            cells = dict(re.findall(r"(\w+): (?:'([^']*)'|true)", method[2]))
            found.append({"resource": resource, "verb": method[1], **cells, "open": "open: true" in method[2]})
    return found


def operation_of(document: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    return document["paths"][row["path"]][row["method"].lower()]


def resolved(document: dict[str, Any], schema: Any) -> Any:
    while isinstance(schema, dict) and "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def payloads(document: dict[str, Any], row: dict[str, Any]) -> list[Any]:
    found: list[Any] = []
    for status, reply in operation_of(document, row)["responses"].items():
        if not status.startswith("2"):
            continue
        for kind, content in reply.get("content", {}).items():
            if kind == "text/html":
                continue
            schema = content.get("schema", {})
            if row["reply"] in ("data", "page"):
                schema = resolved(document, schema).get("properties", {}).get("data", {})
            if row["reply"] == "page":
                schema = schema.get("items", {})
            if schema not in found:
                found.append(schema)
    return found


def model_name(schema: Any) -> str | None:
    if isinstance(schema, dict) and "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if isinstance(schema, dict) and schema.get("type") == "array":
        inner = model_name(schema.get("items"))
        return inner and f"list:{inner}"
    return None


def model_of(document: dict[str, Any], row: dict[str, Any]) -> str | None:
    names = [model_name(each) for each in payloads(document, row)]
    return names[0] if len(names) == 1 and names[0] else None


def annotation(name: str | None) -> str:
    if name is None:
        return "Any"
    return f"List[m.{name[5:]}]" if name.startswith("list:") else f"m.{name}"


SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def operations(document: dict[str, Any]) -> str:
    head = [
        '"""Generated from the contract by python/tools/generate.py."""',
        "",
        "# pyright: reportPrivateUsage=false",
        "from __future__ import annotations",
        "",
        "from collections.abc import AsyncIterator, Iterator, Mapping",
        "from typing import TYPE_CHECKING, Any, Union",
        "",
        "from ._call import Row",
        "from ._resource import AsyncResource, Resource",
        "",
        "if TYPE_CHECKING:",
        "    from . import models as m",
        "    from ._page import AsyncPage, Page",
        "",
        "List = list",
        "",
        "TABLE: Mapping[str, Row] = {",
    ]
    table, classes = [], {"": [], "Async": []}
    by_resource: dict[str, list[dict[str, Any]]] = {}
    for row in rows():
        by_resource.setdefault(row["resource"], []).append(row)
    for resource, listed in by_resource.items():
        for flavour in classes:
            name = f"{flavour}{resource[:1].upper()}{resource[1:]}"
            classes[flavour] += ["", "", f"class {name}({flavour}Resource):"]
        for row in listed:
            name = f"{row['resource']}.{row['verb']}"
            operation = operation_of(document, row)
            reply = "text" if name in AS_TEXT else row["reply"]
            model = None if reply in ("text", "bytes", "none") else model_of(document, row)
            parameters = operation.get("parameters", [])
            query = [each for each in parameters if each.get("in") == "query"] if row.get("input") == "query" else []
            pairs = tuple((snake(each["name"]), each["name"]) for each in query)
            cells = [repr(row["method"]), repr(row["path"]), repr(reply)]
            cells += [f"{key}={row[key]!r}" for key in ("input", "repeat") if row.get(key)]
            cells += ["open=True"] if row["open"] else []
            cells += [f"model={model!r}"] if model else []
            cells += [f"query={pairs!r}"] if pairs else []
            table.append(f"    {name!r}: Row({', '.join(cells)}),")
            for flavour in classes:
                classes[flavour] += method(document, row, name, operation, reply, model, query, flavour)
    members = []
    for flavour in classes:
        names = [(snake(each), f"{flavour}{each[:1].upper()}{each[1:]}") for each in by_resource]
        members += [
            "",
            "",
            f"{flavour.upper()}{'_' if flavour else ''}RESOURCES: Mapping[str, type[{flavour}Resource]] = {{",
        ]
        members += [f"    {one!r}: {other}," for one, other in names] + ["}"]
    return "\n".join([*head, *table, "}", *classes[""], *classes["Async"], *members]) + "\n"


def method(document, row, name, operation, reply, model, query, flavour) -> list[str]:
    path = re.findall(r"\{(\w+)\}", row["path"])
    arguments = ["self", *[f"{snake(each)}: str | int" for each in path]]
    given = "None"
    if row.get("input") == "body":
        body = model_name(operation["requestBody"]["content"]["application/json"]["schema"])
        needed = operation["requestBody"].get("required", False)
        kinds = f"m.{body} | Mapping[str, Any]" if body else "Mapping[str, Any]"
        arguments.append(f"body: {kinds}" if needed else f"body: {kinds} | None = None")
        given = "body"
    keywords = []
    for each in query:
        schema = resolved(document, each["schema"])
        kind = SCALARS.get(schema.get("type", ""), "str")
        keywords.append(f"{snake(each['name'])}: {kind}{'' if each.get('required') else ' | None = None'}")
    keywords.sort(key=lambda each: "= None" in each)
    if query:
        inner = ", ".join(f"{each['name']!r}: {snake(each['name'])}" for each in query)
        given = f"{{{inner}}}"
    repeats = bool(row.get("repeat") in ("header", "field"))
    keywords += ["idempotency_key: str | None = None"] if repeats else []
    keywords += ["timeout: float | None = None", "headers: Mapping[str, str] | None = None"]
    values = f"({', '.join(snake(each) for each in path)}{',' if len(path) == 1 else ''})"
    key = "idempotency_key" if repeats else "None"
    if reply == "page":
        result, call = f"{flavour}Page[{annotation(model)}]", "_page"
    elif reply == "lines":
        result, call = f"{'Async' if flavour else ''}Iterator[{annotation(model)}]", "_lines"
    elif reply == "none":
        result, call = "None", "_one"
    elif reply in ("text", "bytes"):
        result, call = ("str" if reply == "text" else "bytes"), "_one"
    else:
        result, call = annotation(model), "_one"
    start, wait = ("async def", "await ") if flavour and call != "_lines" else ("def", "")
    summary = operation["summary"].replace('"', "'")
    return [
        "",
        f"    {start} {snake(row['verb'])}(",
        *[f"        {each}," for each in arguments],
        "        *,",
        *[f"        {each}," for each in keywords],
        f"    ) -> {result}:",
        f'        """{summary}: `{row["method"]} {row["path"]}`."""',
        f"        return {wait}self.{call}({name!r}, {values}, {given}, {key}, timeout, headers)",
    ]


def referred(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"].rsplit("/", 1)[1]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*(referred(each) for each in value.values()), set())
    return set().union(*(referred(each) for each in value)) if isinstance(value, list) else set()


def loose(value: Any, inside: str = "") -> Any:
    """Without checks, where `inside` is not a map of members, whose names may be anything."""
    if isinstance(value, dict):
        named = inside in ("properties", "schemas", "$defs")
        return {key: loose(each, key if not named else "") for key, each in value.items() if named or key not in CHECKS}
    return [loose(each) for each in value] if isinstance(value, list) else value


def models(document: dict[str, Any]) -> str:
    schemas = document["components"]["schemas"]
    wanted: set[str] = set()
    for row in rows():
        operation = operation_of(document, row)
        found = referred(payloads(document, row)) if f"{row['resource']}.{row['verb']}" not in AS_TEXT else set()
        wanted |= found | referred(operation.get("requestBody", {}))
    while more := set().union(*(referred(schemas[each]) for each in wanted)) - wanted:
        wanted |= more
    kept = {name: loose(schemas[name]) for name in sorted(wanted)}
    cut = {
        "openapi": document["openapi"],
        "info": {"title": "x", "version": "0"},
        "paths": {},
        "components": {"schemas": kept},
    }
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "openapi.json"), Path(folder, "models.py")
        source.write_text(json.dumps(cut), "utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", source, "--output", target]
        command += ["--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"]
        command += ["--target-python-version", "3.10", "--snake-case-field", "--enum-field-as-literal", "all"]
        command += ["--use-standard-collections", "--use-union-operator", "--use-annotated", "--disable-timestamp"]
        command += ["--allow-population-by-field-name", "--extra-fields", "allow", "--formatters", "builtin"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        text = target.read_text("utf-8")
    body = re.sub(r"\A(#.*\n|\n)+", "", text)
    # A newer server may send a word that this version doesn't know.
    body = re.sub(r"(Literal\[\s*'[^\]]*'\s*,?\s*\])", r"\1 | str", body)
    return '"""Generated from the contract by python/tools/generate.py."""\n\n# ruff: noqa\n' + body


def main() -> int:
    document = json.loads(CONTRACT.read_text("utf-8"))
    made = {PACKAGE / "_operations.py": operations(document), PACKAGE / "models.py": models(document)}
    made[PACKAGE / "_operations.py"] = formatted(made[PACKAGE / "_operations.py"])
    stale = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" not in sys.argv:
        for path in stale:
            path.write_text(made[path], "utf-8")
    names = ", ".join(str(path.relative_to(ROOT)) for path in stale)
    print(f"Stale: {names}. Run python/tools/generate.py." if stale and "--check" in sys.argv else names or "Fresh.")
    return 1 if stale and "--check" in sys.argv else 0


def formatted(text: str) -> str:
    """Unused names out, then the layout of the other files."""
    fix = [
        "ruff",
        "check",
        "--fix",
        "-q",
        "--select",
        "F401,I",
        "--stdin-filename",
        "src/countersign/_operations.py",
        "-",
    ]
    for command in (fix, ["ruff", "format", "-q", "--stdin-filename", "src/countersign/_operations.py", "-"]):
        done = subprocess.run(
            [sys.executable, "-m", *command],
            input=text,
            capture_output=True,
            text=True,
            cwd=ROOT / "python",
            check=True,
        )
        text = done.stdout
    return text


if __name__ == "__main__":
    sys.exit(main())
