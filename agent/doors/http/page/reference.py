"""The reference of the API as a page: the content of `/openapi.json` for people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

_CODE = re.compile(r"`([^`]+)`")
Schema = Mapping[str, Any]


def reference_html(description: Schema, base: str) -> str:
    """Return the operations and objects of an OpenAPI document; `base` leads from the page to the server."""
    operations = [
        _operation(method, path, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = description["components"]["schemas"]
    objects = [_object(name, schema) for name, schema in sorted(schemas.items())]
    for_programs = f'<p>The same for programs, by OpenAPI 3.1: <a href="{base}openapi.json">openapi.json</a></p>'
    parts = ["<article>", "<h2>The API</h2>", for_programs, *operations, "</article>"]
    return "\n".join([*parts, "<article>", "<h2>Objects</h2>", *objects, "</article>"])


def _operation(method: str, path: str, operation: Schema) -> str:
    well, *_ = operation["responses"].values()
    lines = [f"<h3><code>{method.upper()} {escape(path)}</code></h3>", f"<p>{_prose(operation['summary'])}</p>"]
    queries = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
    if queries:
        lines.append(f"<p>With <code>?{'=…&amp;'.join(queries)}=…</code></p>")
    if "requestBody" in operation:
        lines.append(f"<p>Takes {_content(operation['requestBody'])}</p>")
    lines.append(f"<p>Gives {_content(well) or 'nothing but its status'}</p>")
    return "\n".join(lines)


def _content(body: Schema) -> str:
    """Return what a body contains, in each of its formats."""
    kinds = body.get("content", {})
    return " or ".join(
        f"events, as <code>{kind}</code>" if kind == "text/event-stream" else _kind(content["schema"])
        for kind, content in kinds.items()
    )


def _object(name: str, schema: Schema) -> str:
    required = schema.get("required", ())
    rows = [
        f'<tr><th scope="row"><code>{escape(field)}</code></th><td>{_kind(told)}</td>'
        f"<td>{'needed' if field in required else ''}</td><td>{_prose(told.get('description', ''))}</td></tr>"
        for field, told in schema.get("properties", {}).items()
    ]
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("field", "type", "", "what it is"))
    table = f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    return f'<h3 id="{escape(name)}">{escape(name)}</h3>\n<p>{_prose(schema.get("description", ""))}</p>\n{table}'


def _kind(schema: Schema) -> str:
    """Return the type of a value, with links to the objects that it may be.

    >>> _kind({"anyOf": [{"type": "array", "items": {"$ref": "#/components/schemas/HitData"}}, {"type": "null"}]})
    'list of <a href="#HitData">HitData</a> or null'
    >>> _kind({"enum": ["rules", "llm"], "type": "string"})
    '<code>rules</code> or <code>llm</code>'
    """
    return " or ".join(_kinds(schema))


def _kinds(schema: Schema) -> Iterator[str]:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        yield f'<a href="#{name}">{name}</a>'
    elif "anyOf" in schema:
        for each in schema["anyOf"]:
            yield from _kinds(each)
    elif "enum" in schema:
        for value in schema["enum"]:
            yield f"<code>{escape(str(value))}</code>"
    elif schema.get("type") == "array":
        yield f"list of {_kind(schema.get('items', {}))}"
    elif isinstance(schema.get("additionalProperties"), Mapping):
        yield f"object of {_kind(schema['additionalProperties'])}"
    else:
        yield escape(str(schema.get("type", "any value")))


def _prose(text: str) -> str:
    """Return a sentence with names between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))
