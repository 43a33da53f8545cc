"""The lines of a file with a proof per line are those that the command reads."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from countersign.__main__ import _documents

VECTORS = json.loads((Path(__file__).parents[2] / "docs/formats/proof-lines.json").read_text("utf-8"))["files"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["about"])
def test_lines(vector: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "proofs.ndjson"
    file.write_bytes(base64.b64decode(vector["bytes"]))
    assert list(_documents(str(file))) == [(f"{file}:{number}", text) for number, text in vector["lines"]]
