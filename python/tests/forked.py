"""Loads a framework once, and forks a process for each attempt: `forked.py SOCKET MODULE…`. Ends with its standard input."""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import socket
import sys
import traceback
from pathlib import Path

TESTS = Path(__file__).parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "src")]


def attempted(connection: socket.socket, noted: Path) -> None:
    """In the new process: the connection is its input and output. The first line is the scene."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for stream in (0, 1, 2):
        os.dup2(connection.fileno(), stream)
    try:
        os.environ["SCENE"] = sys.stdin.readline()
        importlib.import_module("attempt").main()
    except BaseException:
        traceback.print_exc()
    finally:
        noted.write_text("\n".join(sys.modules))
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def load(noted: Path) -> None:
    """What an attempt has loaded on the way, the next ones have from the start."""
    for name in noted.read_text().split("\n") if noted.exists() else []:
        if name not in ("__main__", "attempt", "frameworks"):
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def main(path: str, *modules: str) -> None:
    noted = Path(f"{path}.modules")
    for name in modules:
        importlib.import_module(name)
    # Nobody waits for the processes.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen(64)
        print("ready", flush=True)
        while True:
            readable, _, _ = select.select([server, 0], [], [])
            if 0 in readable:
                return
            connection, _ = server.accept()
            load(noted)
            if os.fork() == 0:
                server.close()
                attempted(connection, noted)
            connection.close()


main(*sys.argv[1:])
