"""An output format: `--format html` writes the answer and its sources for a browser.

[project.entry-points."versus.formats"]
html = "html_page:to_html"
"""

from __future__ import annotations

from html import escape

from versus import Answer


def to_html(answer: Answer) -> str:
    """Return the answer as a piece of HTML."""
    sources = "".join(f"<li>{escape(citation.title)}: {escape(citation.quote)}</li>" for citation in answer.citations)
    return f"<h1>{escape(answer.question)}</h1>\n<pre>{escape(answer.text)}</pre>\n<ol>{sources}</ol>"
