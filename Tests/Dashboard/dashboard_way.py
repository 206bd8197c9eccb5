#!/usr/bin/env python3
"""Goes a newcomer's way through the dashboard, in Debian's Chromium: dashboard_way.py PROGRAM [--full] [--pages FOLDER]

Signs in, uploads by drop, declares a version whose script has a mistake, sees it marked at its place, mends it, migrates and watches,
looks at objects, follows a link and the way back, downloads. Then it looks at pages while others change what they show, and at the same pages for a realm whose names and values are markup, for a
key that may only read, and for the checks of axe-core. Any error in the console, any request to elsewhere and any value that is not
text fails it. Without Chromium it says so and does nothing.

  --full           also Swift, large uploads, HTTPS, a phone in the dark, and each page in both modes
  --pictures FOLDER  make the pictures of six pages, and nothing else
  --timings REALMS OBJECTS  print how long pages take in a service with so many, ten jobs a realm, and nothing else
  --pages FOLDER    take the files of the dashboard from a folder in place of the program's own, while one works at them
"""

import argparse
import pathlib
import tempfile

from playwright.sync_api import sync_playwright

import browser
import everywhere
import following
import newcomer
import operator_way
import pictures
import strangers
import timings
from way import Way


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pages")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--pictures")
    parser.add_argument("--timings", nargs=2, type=int, metavar=("REALMS", "OBJECTS"))
    options = parser.parse_args()
    if not browser.is_there():
        print("dashboard: SKIPPED, since there is no Chromium here (apt-get install chromium)")
        return
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = pathlib.Path(temporary)
        service = timings.Service(options.program, folder, *options.timings) if options.timings else browser.Service(options.program, folder)
        chromium = browser.launch(playwright)
        try:
            way = Way(chromium.new_context(), service, options.pages)
            if options.pictures:
                way.sign_in(service.key)
                pictures.take(way, options.pictures)
            elif options.timings:
                timings.measure(way, service)
            else:
                go(way, folder, chromium, service, options)
        finally:
            chromium.close()
            service.end()
    print("dashboard: done")


def go(way, folder, chromium, service, options):
    newcomer.go(way, folder, options.full)
    strangers.go(way)
    operator_way.go(way)
    following.go(way)
    strangers.attack(way.page.context, service)
    phone = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}
    strangers.reader(chromium.new_context(**phone), service, options.pages)
    if options.full:
        (folder / "tls").mkdir()
        strangers.by_tls(chromium, options.program, folder / "tls", options.pages)
        everywhere.go(Way(chromium.new_context(**phone), service, options.pages))
        everywhere.go(Way(chromium.new_context(), service, options.pages))


if __name__ == "__main__":
    main()
