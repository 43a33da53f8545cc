"""One run of Claude Code through its agent SDK, whose built-in tool Bash is guarded."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query

from countersign import AsyncCountersign, Guard
from countersign.claude_agent import guard_hooks

SCENE = json.loads(os.environ["SCENE"])


def say(**event: Any) -> None:
    print(json.dumps(event), flush=True)


async def main() -> None:
    guard = Guard(
        "builder",
        client=AsyncCountersign(SCENE["url"], SCENE["key"]),
        trust=SCENE["policy"],
        center=SCENE["center"],
        within=SCENE["within"],
        requires=SCENE.get("requires"),
        on_waiting=lambda decision: say(waiting=decision["id"]),
    )
    options = ClaudeAgentOptions(
        # Without a hook, or with one that fails open, the call would run.
        allowed_tools=["Bash"],
        hooks=guard_hooks(guard, tools={"Bash": None if SCENE.get("free") else guard.tool("shell")}),
        resume=SCENE.get("resume"),
        cwd=SCENE["cwd"],
    )
    async for message in query(prompt="Continue." if options.resume else "Do it.", options=options):
        if isinstance(message, ResultMessage):
            say(session=message.session_id, deferred=message.deferred_tool_use and message.deferred_tool_use.id)
            break


asyncio.run(main())
