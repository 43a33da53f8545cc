"""A LangGraph agent whose refund waits for a person, also while no process runs. Start it again to continue."""

import os
import sys

from langchain.agents import create_agent
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from countersign import Guard
from countersign.langchain import guard_tool_calls


def refund(order: str, won: int) -> str:
    """Refunds an order."""
    return f"Refunded {won} won for order {order}."


guard = Guard("refund-agent", requires="session")
config = {"configurable": {"thread_id": sys.argv[1]}}
with SqliteSaver.from_conn_string("refunds.sqlite") as saver:
    agent = create_agent(
        os.environ["MODEL"], [refund], middleware=[guard_tool_calls(guard)], checkpointer=saver
    )
    again = Command(resume=True) if saver.get(config) else {"messages": [("user", sys.argv[2])]}
    result = agent.invoke(again, config)
for each in result.get("__interrupt__", []):
    print(f"Waiting for a person: {each.value['approvalUrl']}")
print(result["messages"][-1].content)
