"""Takes the picture of the page that the README shows: a question about the bundled rulebook, with a cell opened.

make serve                              # in one terminal
.venv/bin/python docs/screenshot.py     # in another; needs versus-rag[browser] and a Chromium
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

QUESTION = "Who wins, an orc or an ogre?"
PICTURE = Path(__file__).with_name("page.png")
CITATION = "[6]"


def take(url: str, chromium: str, picture: Path) -> None:
    """Ask, open a citation, and write what is seen."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 1000})
        page.goto(url)
        page.fill("#question", QUESTION)
        page.keyboard.press("Enter")
        page.get_by_text("Answered in").wait_for()
        page.locator("a.cite", has_text=CITATION).click()
        page.wait_for_selector("#source mark")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=picture)
        browser.close()


def main() -> int:
    """Take it from the server at an address."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8321/", help="where versus serves (default: %(default)s)")
    parser.add_argument("--to", type=Path, default=PICTURE, help="the picture (default: %(default)s)")
    arguments = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.stderr.write("there is no Chromium on this machine\n")
        return 1
    take(arguments.url, chromium, arguments.to)
    sys.stdout.write(f"{arguments.to}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
