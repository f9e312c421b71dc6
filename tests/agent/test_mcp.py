"""The MCP door, by the client of the SDK: in memory, and as a program over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents
from typer.testing import CliRunner

from agent.application.application import Application
from agent.cli.app import app
from agent.doors.mcp.server import mcp_server
from agent.settings.settings import Settings

REPOSITORY = Path(__file__).parents[2]
FARE = "What is the fare of the Reed?"
OWN = ("run_id", "timings_ms", "ms")
"""What two answers to one question differ in."""


def without_own(data: Any) -> Any:
    """The object without what no two runs have in common."""
    if isinstance(data, dict):
        return {name: without_own(value) for name, value in data.items() if name not in OWN}
    return list(map(without_own, data)) if isinstance(data, list) else data


def text_of(result: Any) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def command(*arguments: str) -> Any:
    """What a command prints, in a thread, where it has an event loop of its own."""
    said = await asyncio.to_thread(CliRunner().invoke, app, arguments, env={"VERSUS_LOG_TO": "none"})
    return json.loads(said.stdout)


def connected(application: Application) -> Client:
    """A client in this process; entered and left in one task, as anyio wants it, so it is no fixture."""
    return Client(mcp_server(application))


async def test_there_are_five_tools_that_only_read_each_with_the_schema_of_its_object(application: Application) -> None:
    async with connected(application) as client:
        tools = (await client.list_tools()).tools
        assert ["ask", "search", "plan", "read_cell", "list_collections"] == [tool.name for tool in tools]
        for tool in tools:
            assert tool.description and tool.output_schema is not None and tool.annotations is not None
            assert tool.annotations.read_only_hint and tool.annotations.open_world_hint is False
            assert "context" not in tool.input_schema["properties"]


async def test_a_tool_gives_the_object_that_the_command_prints(application: Application, two_books: Settings) -> None:
    async with connected(application) as client:
        place = ["--chroma", two_books.chroma, "--collection", "ferries", "--planner", "rules", "--json"]
        for tool, arguments in (("ask", [FARE]), ("search", [FARE]), ("plan", [FARE, "--debug"])):
            printed = await command(tool, *arguments, *place)
            given = await client.call_tool(tool, {"question": FARE})
            assert without_own(printed) == without_own(given.structured_content)
        printed = await command("collections", "--json", "--chroma", two_books.chroma)
        assert printed == (await client.call_tool("list_collections", {})).structured_content


async def test_the_text_tells_the_answer_and_where_each_cell_is_read(application: Application) -> None:
    async with connected(application) as client:
        answered = await client.call_tool("ask", {"question": FARE})
        assert "Reed" in text_of(answered)
        assert answered.structured_content is not None
        (citation,) = answered.structured_content["citations"]
        cell = citation["cell"]
        place = f"table {cell['table']}, row #{cell['row']}, column #{cell['column']}"
        assert f"[1] chunk_id {citation['chunk_id']!r}, {place}" in text_of(answered)
        at = {"row": f"#{cell['row']}", "column": f"#{cell['column']}", "table": cell["table"]}
        read = await client.call_tool("read_cell", {"chunk_id": citation["chunk_id"], **at})
        assert read.structured_content is not None
        assert ("3", 3.0) == (read.structured_content["value"], read.structured_content["number"])


async def test_another_collection_is_asked_by_its_name(application: Application) -> None:
    async with connected(application) as client:
        answered = await client.call_tool("ask", {"question": "What is the fare of the Lark?", "collection": "trams"})
        assert answered.structured_content is not None
        assert "2" == answered.structured_content["verdict"]


async def test_progress_tells_plan_searches_and_answer_in_order(application: Application) -> None:
    async with connected(application) as client:
        heard: list[tuple[float, float | None, str | None]] = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            heard.append((progress, total, message))

        await client.call_tool("ask", {"question": FARE}, progress_callback=hear)
        steps = [done for done, _, _ in heard]
        assert list(range(1, len(heard) + 1)) == steps
        assert ("planned", "answered") == (heard[0][2], heard[-1][2])
        assert heard[-1][0] == heard[-1][1]
        assert all(total is not None and done <= total for done, total, _ in heard)


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("ask", {"question": " "}, "the question is empty; ask something"),
        ("ask", {"question": "x" * 4001}, "at most 4000 characters"),
        ("ask", {"question": FARE, "effort": "huge"}, "'auto', 'minimal', 'low' or 'medium'"),
        ("ask", {"question": FARE, "max_chunks": 201}, "less than or equal to 200"),
        ("search", {"question": FARE, "collection": "ferrys"}, "Did you mean 'ferries'?"),
        ("plan", {"question": FARE, "collection": "../x"}, "existing: ferries, trams"),
        ("read_cell", {"chunk_id": "c0", "row": "Reed"}, "no chunk 'c0' in this collection"),
    ],
)
async def test_an_error_says_what_to_do_about_it(
    application: Application, tool: str, arguments: dict[str, Any], said: str
) -> None:
    async with connected(application) as client:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert said in text_of(result)


async def test_a_cell_that_is_missed_lists_the_rows_that_there_are(application: Application) -> None:
    async with connected(application) as client:
        answered = await client.call_tool("ask", {"question": FARE})
        assert answered.structured_content is not None
        chunk_id = answered.structured_content["citations"][0]["chunk_id"]
        missed = await client.call_tool("read_cell", {"chunk_id": chunk_id, "row": "Swan", "column": "Fare"})
        assert missed.is_error
        assert "no row is called 'Swan'; the rows are: #0 'Reed', #1 'Heron'" in text_of(missed)


async def test_chunks_and_catalogs_are_resources(application: Application) -> None:
    async with connected(application) as client:
        templates = (await client.list_resource_templates()).resource_templates
        assert {"versus://{collection}/chunk/{+chunk_id}", "versus://{collection}/catalog"} == {
            template.uri_template for template in templates
        }
        catalog = await read(client, "versus://ferries/catalog")
        assert ("ferries", 1) == (catalog["name"], catalog["tables"])
        found = await client.call_tool("search", {"question": FARE})
        assert found.structured_content is not None
        chunk_id = found.structured_content["evidence"][0]["chunk_id"]
        chunk = await read(client, f"versus://ferries/chunk/{chunk_id}")
        assert [["Reed", "3", "40"], ["Heron", "5", "12"]] == chunk["tables"][0]["rows"]


async def read(client: Client, uri: str) -> Any:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert "application/json" == content.mime_type
    return json.loads(content.text)


@pytest.mark.parametrize("uri", ["versus://ferries/chunk/c0", "versus://boats/catalog"])
async def test_a_resource_that_is_not_there_is_told_as_such(application: Application, uri: str) -> None:
    async with connected(application) as client:
        with pytest.raises(MCPError, match=r"no chunk 'c0'|no collection named 'boats'"):
            await client.read_resource(uri)


@pytest.mark.slow
async def test_over_standard_input_and_output_it_is_the_same(two_books: Settings, tmp_path: Path) -> None:
    """Whatever is noted or logged, the output has nothing but the protocol, or the client would stumble."""
    arguments = ["-m", "versus", "mcp", "--chroma", two_books.chroma, "--collection", "ferries"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "VERSUS_PLANNER": "rules", "VERSUS_NO_SETTING": "1"}
    noted = tmp_path / "stderr"
    program = StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=tmp_path)
    with noted.open("w") as errors:
        async with Client(stdio_client(program, errlog=errors)) as client:
            answered = await client.call_tool("ask", {"question": FARE})
    assert answered.structured_content is not None
    assert "3" == answered.structured_content["verdict"]
    assert "VERSUS_NO_SETTING" in noted.read_text()
    assert "answer.completed" in "".join(path.read_text() for path in (tmp_path / "logs").glob("*.jsonl"))
