"""The page in a Chromium of this machine: asked, looked at, and kept as a picture."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

SCREENSHOTS = os.environ.get("VERSUS_SCREENSHOTS")
FAINT = """() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = channels(color).map((c) => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if ((channels(color)[3] ?? 1) === 1) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), faint = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const both = [light(element.closest("svg") ? style.fill : style.color), light(behind(element))];
    if ((Math.max(...both) + 0.05) / (Math.min(...both) + 0.05) < 4.5) faint.push(text.data.trim());
  }
  return faint;
}"""
"""The texts that are seen and have less contrast than WCAG 2.2 wants of small ones (1.4.3)."""


async def looks(page: Any, name: str) -> None:
    """Keep a picture of the page, for those who want to look: `VERSUS_SCREENSHOTS=FOLDER`."""
    if SCREENSHOTS is not None:
        await page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png", full_page=True)


async def ask(page: Any, url: str, question: str) -> list[str]:
    """Ask, and wait for the answer; the addresses on other servers that were fetched, and errors of scripts."""
    wrong: list[str] = []

    async def routed(route: Any) -> None:
        if not route.request.url.startswith(url):
            wrong.append(route.request.url)
        await route.continue_()

    await page.route("**/*", routed)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    await page.goto(url + "/")
    await page.fill("#question", question)
    await page.keyboard.press("Enter")
    await page.get_by_text(re.compile("(Answered|Nothing found).* in [0-9]")).wait_for()
    return wrong
