"""Files of office programs and PDFs, made by the libraries that others make them with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import docx
import openpyxl
import pptx
from openpyxl.styles import Font
from pptx.util import Inches
from reportlab.lib import colors
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

HEADS = (("Cone", "Temperature", ""), ("", "slow", "fast"))
"""Two rows of heads: the first cell covers both, the second two columns."""


def cones(count: int) -> list[tuple[str, str, str]]:
    """So many rows, each with values of its own."""
    return [(f"cone {n}", str(900 + 7 * n), str(950 + 6 * n)) for n in range(1, count + 1)]


def word(path: Path, rows: Sequence[Sequence[str]]) -> Path:
    """A document with a heading, bold labels and a table with merged heads."""
    document = docx.Document()
    document.add_heading("The Kiln Book", 1)
    document.add_heading("Clinker 20", 2)
    for label, value in (("Max heat", "1,280 °C"), ("Weight", "48 kg"), ("Voltage", "230 V")):
        paragraph = document.add_paragraph()
        paragraph.add_run(f"{label}:").bold = True
        paragraph.add_run(f" {value}")
    document.add_heading("Cones", 2)
    table = document.add_table(rows=len(rows) + 2, cols=3)
    for r, row in enumerate((*HEADS, *rows)):
        for c, text in enumerate(row):
            run = table.cell(r, c).paragraphs[0].add_run(text)
            run.bold = r < 2
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(0, 1).merge(table.cell(0, 2))
    document.save(str(path))
    return path


def workbook(path: Path, rows: Sequence[Sequence[str]]) -> Path:
    """A sheet with a caption, merged heads, a hidden row, and a second table beside the first."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Cones"
    sheet["B1"] = "Heat by speed"
    for r, row in enumerate((*HEADS, *rows), start=3):
        for c, text in enumerate(row, start=2):
            cell = sheet.cell(r, c, int(text) if text.isdigit() else text or None)
            cell.font = Font(bold=r < 5)
    sheet.merge_cells("B3:B4")
    sheet.merge_cells("C3:D3")
    sheet.row_dimensions[6].hidden = True
    for r, (item, price) in enumerate((("Item", "Price"), ("Shelf", 1250), ("Prop", "=G4*2")), start=3):
        sheet.cell(r, 6, item).font = Font(bold=r == 3)
        sheet.cell(r, 7, price).number_format = '#,##0" gp"'
    book.save(path)
    return path


def slides(path: Path) -> Path:
    """Two slides: one with a table, one with a list."""
    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[5])
    first.shapes.title.text = "Kilns"
    table = first.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(5), Inches(2)).table
    for r, row in enumerate((("Kiln", "Weight"), ("Clinker 20", "48 kg"), ("Clinker 30", "71 kg"))):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    second = deck.slides.add_slide(deck.slide_layouts[1])
    second.shapes.title.text = "Rules"
    second.placeholders[1].text = "Never open a hot kiln\nWear gloves"
    deck.save(str(path))
    return path


def pdf(path: Path, rows: Sequence[Sequence[str]], *, ruled: bool = True, password: str = "") -> Path:
    """A printed book with running feet, and a table that runs on over the pages."""
    styles = getSampleStyleSheet()
    lines = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)] if ruled else []
    style = TableStyle([
        *lines, ("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (2, 0)), ("FONTNAME", (0, 0), (-1, 1), "Helvetica-Bold"),
    ])  # fmt: skip
    story = [
        Paragraph("The Kiln Book", styles["Heading1"]),
        Paragraph("Never open a hot kiln, for the shelves crack when the cold air reaches them.", styles["BodyText"]),
        Paragraph("Clinker 20", styles["Heading2"]),
        *(Paragraph(f"<b>{label}</b> {value}", styles["BodyText"]) for label, value in _FACTS),
        PageBreak(),
        Paragraph("Cones", styles["Heading2"]),
        Table([list(row) for row in (*HEADS, *rows)], style=style, repeatRows=2),
        Spacer(1, 12),
        Paragraph("Afterwards", styles["Heading2"]),
        Paragraph("Let it cool for a day.", styles["BodyText"]),
    ]
    encrypt = password or None
    template = SimpleDocTemplate(str(path), pagesize=A5, encrypt=encrypt)
    template.build(story, onFirstPage=_foot, onLaterPages=_foot)
    return path


_FACTS = (("Max heat:", "1,280 °C"), ("Weight:", "48 kg"), ("Voltage:", "230 V"))


def _foot(canvas: object, template: object) -> None:
    canvas.drawString(40, 20, f"The Kiln Book, second printing - page {canvas.getPageNumber()}")  # type: ignore[attr-defined]
