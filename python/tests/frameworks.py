"""One attempt of each framework, with a scripted model. The state is kept in a file, so that each attempt is a new process."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from attempt import ACTION, SCENE, Told, asynchronous, described, guard_of, plain, work, work_async

from countersign import AsyncCountersign, Countersign

KEPT = Path(SCENE["kept"])


def _reason(content: str) -> Told:
    return Told(content.split(":")[0])


def _kept_file(ending: str) -> Path:
    """What the program kept of the run with these arguments; nothing if it forgets."""
    file = KEPT / f"{SCENE['runId']}-{SCENE['won']}.{ending}"
    if SCENE.get("forgets"):
        file.unlink(missing_ok=True)
    return file


def _scripted(langchain_tool: Any, guard: Any, saver: Any) -> Any:
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, ToolMessage

    from countersign.langchain import guard_tool_calls

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **_: Any) -> Any:
            return self

        def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            from langchain_core.outputs import ChatGeneration, ChatResult

            call = {"id": "call-1", "name": "refund", "args": {"order": "1041", "won": SCENE["won"]}}
            is_done = isinstance(messages[-1], ToolMessage)
            message = AIMessage("Done.") if is_done else AIMessage("", tool_calls=[call])
            return ChatResult(generations=[ChatGeneration(message=message)])

    middleware = guard_tool_calls(guard, tools={"refund": guard.tool(ACTION, describe=described)})
    return create_agent(Model(messages=iter([])), [langchain_tool], middleware=[middleware], checkpointer=saver)


def _ended(result: Any, file: Path) -> Any:
    if result.get("__interrupt__"):
        raise Told("waiting")
    # A run that is over is not continued: the next attempt asks the model again.
    file.unlink(missing_ok=True)
    message = next(each for each in reversed(result["messages"]) if each.type == "tool")
    if message.status == "error":
        raise _reason(message.content)
    return json.loads(message.content)


def _input(file: Path, state: Any) -> Any:
    from langgraph.types import Command

    return Command(resume=True) if state else {"messages": [("user", "Refund order 1041.")]}


def langgraph() -> Any:
    from langchain_core.tools import tool
    from langgraph.checkpoint.sqlite import SqliteSaver

    @tool
    def refund(order: str, won: int) -> str:
        """Refunds an order."""
        return json.dumps(work(order, won))

    file, config = _kept_file("sqlite"), {"configurable": {"thread_id": SCENE["runId"]}}
    with SqliteSaver.from_conn_string(str(file)) as saver:
        agent = _scripted(refund, guard_of(Countersign), saver)
        return _ended(agent.invoke(_input(file, saver.get(config)), config), file)


def langgraph_async() -> Any:
    from langchain_core.tools import tool
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    @tool
    async def refund(order: str, won: int) -> str:
        """Refunds an order."""
        return json.dumps(await work_async(order, won))

    async def run() -> Any:
        file, config = _kept_file("sqlite"), {"configurable": {"thread_id": SCENE["runId"]}}
        async with AsyncSqliteSaver.from_conn_string(str(file)) as saver:
            agent = _scripted(refund, guard_of(AsyncCountersign), saver)
            return _ended(await agent.ainvoke(_input(file, await saver.aget(config)), config), file)

    return asyncio.run(run())


def pydantic_ai() -> Any:
    from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
    from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    from countersign.pydantic_ai import guard_tool_calls

    def model(messages: Any, _: Any) -> ModelResponse:
        if isinstance(messages[-1].parts[-1], ToolReturnPart):
            return ModelResponse(parts=[TextPart("Done.")])
        call = {"order": "1041", "won": SCENE["won"]}
        return ModelResponse(parts=[ToolCallPart("refund", call, tool_call_id="call-1")])

    async def refund(order: str, won: int) -> Any:
        """Refunds an order."""
        return await work_async(order, won)

    async def run() -> Any:
        guard = guard_of(AsyncCountersign)
        capability = guard_tool_calls(guard, tools={"refund": guard.tool(ACTION, describe=described)})
        agent = Agent(FunctionModel(model), output_type=[str, DeferredToolRequests], tools=[refund], capabilities=[capability])
        file = _kept_file("messages")
        if file.exists():
            messages = ModelMessagesTypeAdapter.validate_json(file.read_bytes())
            claim = DeferredToolResults(approvals={"call-1": True})
            result = await agent.run(message_history=messages, deferred_tool_results=claim)
        else:
            result = await agent.run("Refund order 1041.", conversation_id=SCENE["runId"])
        if isinstance(result.output, DeferredToolRequests):
            assert result.output.metadata["call-1"]["approvalUrl"]
            file.write_bytes(result.all_messages_json())
            raise Told("waiting")
        # A run that is over is not continued: the next attempt asks the model again.
        file.unlink(missing_ok=True)
        parts = [part for message in result.all_messages() for part in message.parts]
        part = next(each for each in reversed(parts) if isinstance(each, ToolReturnPart))
        if part.outcome != "success":
            raise _reason(str(part.content))
        return part.content

    return asyncio.run(run())


def openai_agents() -> Any:
    from agents import Agent, RunConfig, Runner, RunState, function_tool, set_tracing_disabled
    from agents.items import ModelResponse
    from agents.models.interface import Model
    from agents.usage import Usage
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    from countersign.openai_agents import guard_tools

    set_tracing_disabled(True)
    outputs: list[str] = []

    class Scripted(Model):
        async def get_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any) -> ModelResponse:
            found = [each for each in input if isinstance(each, dict) and each.get("type") == "function_call_output"]
            if found:
                outputs.append(found[-1]["output"])
                text = ResponseOutputText(type="output_text", text="Done.", annotations=[])
                output: Any = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
            else:
                call = json.dumps({"order": "1041", "won": SCENE["won"]})
                output = ResponseFunctionToolCall(type="function_call", call_id="call-1", name="refund", arguments=call, id="f1")
            return ModelResponse(output=[output], usage=Usage(), response_id=None)

        def stream_response(self, *args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError

    @function_tool
    async def refund(order: str, won: int) -> str:
        """Refunds an order."""
        return json.dumps(await work_async(order, won))

    async def run() -> Any:
        guard = guard_of(AsyncCountersign)
        terms = {"refund": guard.tool(ACTION, describe=described)}
        agent = Agent(name="refunds", model=Scripted(), tools=guard_tools(guard, [refund], run_id=SCENE["runId"], terms=terms))
        file = _kept_file("state")
        given: Any = "Refund order 1041."
        if file.exists():
            given = await RunState.from_string(agent, file.read_text())
            for each in given.get_interruptions():
                given.approve(each)
        result = await Runner.run(agent, given, run_config=RunConfig(tracing_disabled=True))
        if result.interruptions:
            file.write_text(result.to_state().to_string())
            raise Told("waiting")
        # A run that is over is not continued: the next attempt asks the model again.
        file.unlink(missing_ok=True)
        try:
            return json.loads(outputs[-1])
        except ValueError:
            raise _reason(outputs[-1]) from None

    return asyncio.run(run())


def google_adk() -> Any:
    from google.adk.agents import LlmAgent
    from google.adk.models.base_llm import BaseLlm
    from google.adk.models.llm_response import LlmResponse
    from google.adk.runners import Runner
    from google.adk.sessions.sqlite_session_service import SqliteSessionService
    from google.genai import types

    from countersign.adk import guard_tools

    class Model(BaseLlm):
        async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
            is_done = llm_request.contents[-1].parts[-1].function_response is not None
            call = types.FunctionCall(id="call-1", name="refund", args={"order": "1041", "won": SCENE["won"]})
            part = types.Part(text="Done.") if is_done else types.Part(function_call=call)
            yield LlmResponse(content=types.Content(role="model", parts=[part]))

    async def refund(order: str, won: int) -> Any:
        """Refunds an order."""
        return await work_async(order, won)

    def of_user(part: Any) -> Any:
        return types.Content(role="user", parts=[part])

    async def run() -> Any:
        guard = guard_of(AsyncCountersign)
        terms = {"refund": guard.tool(ACTION, describe=described)}
        agent = LlmAgent(name="refunds", model=Model(model="scripted"), tools=guard_tools(guard, [refund], terms=terms))
        file, answers, asked = _kept_file("adk"), [], None
        service = SqliteSessionService(str(file))
        runner = Runner(agent=agent, app_name="refunds", session_service=service)
        about: Any = {"app_name": "refunds", "user_id": "kim", "session_id": SCENE["runId"]}
        session = await service.get_session(**about)
        found = [each for event in session.events for each in event.get_function_calls()] if session else []
        waiting = next((each for each in found if each.name == "adk_request_confirmation"), None)
        message = of_user(types.Part(text="Refund order 1041."))
        if session is None:
            await service.create_session(**about)
        elif waiting is not None:
            claim = types.FunctionResponse(id=waiting.id, name=waiting.name, response={"confirmed": True})
            message = of_user(types.Part(function_response=claim))
        async for event in runner.run_async(user_id="kim", session_id=SCENE["runId"], new_message=message):
            asked = next((each for each in event.get_function_calls() if each.name == "adk_request_confirmation"), asked)
            answers += [each.response for each in event.get_function_responses()]
        if asked is not None:
            assert asked.args["toolConfirmation"]["payload"]["approvalUrl"]
            raise Told("waiting")
        # A run that is over is not continued: the next attempt asks the model again.
        file.unlink(missing_ok=True)
        if "error" in answers[-1]:
            raise _reason(answers[-1]["error"])
        return answers[-1]

    return asyncio.run(run())


FRAMEWORKS = {
    "Google ADK": google_adk,
    "OpenAI Agents": openai_agents,
    "Pydantic AI": pydantic_ai,
    "Python guard": plain,
    "Python guard, asynchronous": asynchronous,
    "LangGraph for Python": langgraph,
    "LangGraph for Python, asynchronous": langgraph_async,
}
