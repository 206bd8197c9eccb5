#!/usr/bin/env python3
"""Goes a newcomer's way through the dashboard, in Debian's Chromium: dashboard_way.py PROGRAM [--pages FOLDER]

Signs in, uploads by drop, declares a version whose script has a mistake, sees it marked at its place, mends it, migrates and watches,
looks at objects, follows a link and the way back, downloads. Then the same pages for a realm whose names and values are markup, for a
key that may only read, and for the checks of axe-core. Any error in the console, any request to elsewhere and any value that is not
text fails it. Without Chromium it says so and does nothing.

  --pages FOLDER   take the files of the dashboard from a folder in place of the program's own, while one works at them
"""

import argparse
import pathlib
import tempfile

from playwright.sync_api import sync_playwright

import browser
import newcomer
import operator_way
import strangers
from way import Way


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pages")
    options = parser.parse_args()
    if not browser.is_there():
        print("dashboard: SKIPPED, since there is no Chromium here (apt-get install chromium)")
        return
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = pathlib.Path(temporary)
        service = browser.Service(options.program, folder)
        chromium = browser.launch(playwright)
        try:
            way = Way(chromium.new_context(), service, options.pages)
            newcomer.go(way, folder)
            strangers.go(way)
            operator_way.go(way)
            strangers.attack(way.page.context, service)
            (folder / "tls").mkdir()
            strangers.by_tls(chromium, options.program, folder / "tls", options.pages)
            strangers.reader(chromium.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark"), service, options.pages)
        finally:
            chromium.close()
            service.end()
    print("dashboard: the whole way was gone")


if __name__ == "__main__":
    main()
