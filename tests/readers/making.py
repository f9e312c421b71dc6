"""Files of office programs and PDFs, made by the libraries that others make them with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
from openpyxl.styles import Font
from PIL import Image
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.util import Inches
from reportlab.lib import colors
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
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
    sheet.merge_cells("B1:D1")
    sheet.row_dimensions[6].hidden = True
    for r, (item, price) in enumerate((("Item", "Price"), ("Shelf", 1250), ("Prop", "=G4*2")), start=3):
        sheet.cell(r, 6, item).font = Font(bold=r == 3)
        sheet.cell(r, 7, price).number_format = '#,##0" gp"'
    book.save(path)
    return path


def slides(path: Path) -> Path:
    """Two slides, one with a table, one with a list and a foot, and a hidden one."""
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
    deck.slides.add_slide(deck.slide_layouts[1]).element.set("show", "0")
    layout: Any = deck.slide_layouts[1]
    foot = next(shape for shape in layout.placeholders if shape.placeholder_format.type == _FOOTER)
    second.shapes.clone_placeholder(foot)
    second.placeholders[foot.placeholder_format.idx].text = "Kiln makers 1977"
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


_FOOTER = PP_PLACEHOLDER.FOOTER
_FACTS = (("Max heat:", "1,280 °C"), ("Weight:", "48 kg"), ("Voltage:", "230 V"))


def _foot(canvas: object, template: object) -> None:
    canvas.drawString(40, 20, f"The Kiln Book, second printing - page {canvas.getPageNumber()}")  # type: ignore[attr-defined]


COLUMN = (
    "The kiln is lit before dawn by two",
    "men who know the wind. SUMMARY: the",
    "fire burns for two days and a half.",
)
"""Lines of a narrow column."""


def laid_out(path: Path) -> Path:
    """Pages as other programs lay them out: columns of prose with a stamp beside, and tables whose lines mislead."""
    canvas = Canvas(str(path))
    canvas.addPageLabel(0, style="ROMAN_LOWER", start=7)
    for left in (60, 320):
        text = canvas.beginText(left, 700)
        for line in COLUMN:
            text.textLine(line)
        canvas.drawText(text)
    canvas.saveState()
    canvas.translate(30, 400)
    canvas.rotate(90)
    canvas.drawString(0, 0, "stamped 1977")
    canvas.restoreState()
    canvas.setFont("Helvetica", 5)
    text = canvas.beginText(60, 600)
    text.setCharSpace(0.05)
    for word in ("Small", "words", "apart"):
        text.textOut(word)
        text.moveCursor(text.getX() - 60 + 1.4, 0)
    canvas.drawText(text)
    canvas.showPage()
    _stacked(canvas)
    _filled(canvas)
    canvas.drawString(60, 525, "Lids by weight")
    canvas.showPage()
    canvas.drawImage(ImageReader(Image.new("RGB", (8, 8))), 60, 500, 300, 200)
    canvas.save()
    return path


def _stacked(canvas: Canvas) -> None:
    """A table with a line below every third row only, one of whose columns is filled up with spaces."""
    canvas.grid([60, 120, 180, 240], [700, 745, 760])
    for place, row in enumerate(
        (("Kiln", "Heat", "Hours"), ("Ash", "900", "12"), ("Elm", "910", "14"), ("Oak", "920", "16"))
    ):
        for column, text in enumerate(row):
            canvas.drawString(65 + 60 * column, 748 - 15 * place, text)
        canvas.drawString(90, 748 - 15 * place, " " * 12)


def _filled(canvas: Canvas) -> None:
    """A table of coloured boxes, each with another around its text, as Word draws it."""
    for r, row in enumerate((("Lid", "Weight"), ("brick", "7 kg"), ("steel", "9 kg"))):
        for c, text in enumerate(row):
            for inset in (0, 5):
                canvas.setFillColorRGB(0.8, 0.9, 1)
                canvas.rect(60 + 100 * c + inset, 500 - 20 * r, 100 - 2 * inset, 20, stroke=0, fill=1)
            canvas.setFillColorRGB(0, 0, 0)
            canvas.drawString(66 + 100 * c, 505 - 20 * r, text)
