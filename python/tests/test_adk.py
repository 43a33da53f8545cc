"""What the guard of Google ADK holds back, besides the table of failures."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.function_tool import FunctionTool
from google.genai import types

from countersign import Guard
from countersign.adk import guard_tools
from countersign.testing import FakeCountersign, fake_countersign


class Model(BaseLlm):
    args: dict[str, Any]
    called: str = "refund"

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
        is_done = llm_request.contents[-1].parts[-1].function_response is not None
        call = types.FunctionCall(id="call-1", name=self.called, args=self.args)
        yield LlmResponse(
            content=types.Content(role="model", parts=[types.Part(text="Done.") if is_done else types.Part(function_call=call)])
        )


RAN: list[Any] = []


def refund(order: str, won: int) -> dict[str, Any]:
    """Refunds an order."""
    RAN.append((order, won))
    return {"refunded": won}


class Shop(BaseToolset):
    async def get_tools(self, readonly_context: Any = None) -> list[BaseTool]:
        return [FunctionTool(refund)]


class Agent:
    """One session of an agent, with a fake server."""

    def __init__(self, fake: FakeCountersign, tools: list[Any], args: Any, called: str = "refund", **options: Any) -> None:
        RAN.clear()
        guarded = guard_tools(Guard("agent", **fake.async_options), tools)
        agent = LlmAgent(name="shop", model=Model(model="scripted", args=args, called=called), tools=guarded, **options)
        self.runner = InMemoryRunner(agent=agent, app_name="shop")
        self.waiting: Any = None

    async def said(self, part: Any) -> list[Any]:
        await self.runner.session_service.create_session(
            app_name="shop", user_id="kim", session_id="s1"
        ) if not self.waiting else None
        message = types.Content(role="user", parts=[part])
        answers = []
        async for event in self.runner.run_async(user_id="kim", session_id="s1", new_message=message):
            self.waiting = next(
                (each for each in event.get_function_calls() if each.name == "adk_request_confirmation"), self.waiting
            )
            answers += [each.response for each in event.get_function_responses()]
        return answers

    async def asked(self) -> list[Any]:
        return await self.said(types.Part(text="Refund order 1041."))

    async def answered(self, confirmed: bool) -> list[Any]:
        response = {"confirmed": confirmed}
        return await self.said(
            types.Part(function_response=types.FunctionResponse(id=self.waiting.id, name=self.waiting.name, response=response))
        )


CALL = {"order": "1041", "won": 820_000}


@pytest.mark.parametrize(
    ("tools", "called"),
    [([refund], "refund"), ([FunctionTool(refund)], "refund"), ([Shop(tool_name_prefix="shop")], "shop_refund")],
)
def test_holds_functions_tools_and_toolsets(tools: list[Any], called: str) -> None:
    async def run() -> None:
        fake = fake_countersign()
        agent = Agent(fake, tools, CALL, called)
        assert (await agent.asked())[0]["error"].startswith("waiting: ")
        assert agent.waiting.args["toolConfirmation"]["payload"]["type"] == "countersign"
        fake.approve(fake.waiting()[0]["id"])
        assert await agent.answered(True) == [{"refunded": 820_000}]
        assert [("1041", 820_000)] == RAN

    asyncio.run(run())


def test_does_not_run_what_the_program_declines() -> None:
    async def run() -> None:
        fake = fake_countersign()
        agent = Agent(fake, [refund], CALL)
        await agent.asked()
        fake.approve(fake.waiting()[0]["id"])
        assert await agent.answered(False) == [{"error": "This tool call is rejected."}]
        assert RAN == []

    asyncio.run(run())


def test_runs_what_was_approved_whatever_a_callback_changes() -> None:
    """A callback runs before the guard, so what it changes is what a person sees."""

    async def run() -> None:
        fake = fake_countersign()

        def raised(tool: Any, args: dict[str, Any], tool_context: Any) -> None:
            args["won"] = 9

        agent = Agent(fake, [refund], dict(CALL), before_tool_callback=raised)
        await agent.asked()
        event = fake.waiting()[0]
        assert event["action"]["input"]["won"] == 9
        fake.approve(event["id"])
        await agent.answered(True)
        assert [("1041", 9)] == RAN

    asyncio.run(run())


def test_reports_a_call_that_the_function_could_not_take_as_failed() -> None:
    async def run() -> None:
        fake = fake_countersign(asks=lambda action, agent: False)
        answers = await Agent(fake, [refund], {"order": "1041"}).asked()
        assert "mandatory input parameters" in answers[0]["error"]
        event = next(iter(fake.client.decisions.list()))
        execution: Any = fake.client.request("decisions.get", event.id).data["execution"]
        assert (execution["outcome"]["status"], RAN) == ("failed", [])

    asyncio.run(run())


class Provided(BaseTool):
    """Runs at the model's provider."""


async def stream(order: str) -> Any:
    """Gives a stream."""
    yield order


@pytest.mark.parametrize("tool", [Provided(name="search", description="Searches."), stream], ids=["provided", "stream"])
def test_refuses_what_cannot_be_guarded(tool: Any) -> None:
    guard = Guard("agent", **fake_countersign().async_options)
    with pytest.raises(TypeError, match="can't be guarded"):
        guard_tools(guard, [tool])
    name = tool.name if isinstance(tool, BaseTool) else tool.__name__
    assert len(guard_tools(guard, [tool], terms={name: None})) == 1
