"""Makes the pictures of six pages that the documentation shows."""

import io
import pathlib
import time

from PIL import Image
from playwright.sync_api import expect

import showcase

MOST_BYTES = 100_000
WINDOW = {"width": 1180, "height": 760}
# Interfaces have few colours.
COLOURS = 96


def take(way, folder):
    """Fills the service, and takes a picture of each page; fails where one is too large for the documentation."""
    fleet = showcase.fill(way.service)
    while way.service.call("GET", f"/v1/apps/notes/fleets/{fleet}")["state"] != "paused":
        time.sleep(0.2)
    snapshot = way.service.call("GET", "/v1/apps/notes/realms/grace-1")["currentSnapshot"]
    rehearsal = next(job for job in way.service.call("GET", "/v1/jobs?app=notes&realm=barbara-3")["items"] if job["dryRun"])
    way.page.set_viewport_size(WINDOW)
    for name, address, prepare in (
        ("overview", "#/apps/notes", None),
        ("objects", f"#/snapshots/{snapshot}/objects/Note?where=author.age%20%3E%2030&facet=any", None),
        ("version", "#/apps/notes/versions/3", mistake),
        ("rehearsal", f"#/jobs/{rehearsal['id']}", None),
        ("fleet", f"#/apps/notes/fleets/{fleet}", None),
        ("schema", "#/apps/notes/schema?version=2", None),
    ):
        way.open(address)
        if prepare:
            prepare(way)
        expect(way.page.get_by_text("Counts…")).to_have_count(0)
        way.page.mouse.move(0, 0)
        way.passed(f"picture of {name}")
        save(way.page.screenshot(), pathlib.Path(folder, f"{name}.png"))


def mistake(way):
    way.editor("Script")
    way.write("Script", showcase.RATE.replace("% 6;", "% ;"))
    expect(way.editor("Script").locator(".marked .CodeMirror-linenumber")).to_have_count(1)
    way.editor("Script").scroll_into_view_if_needed()


def save(data, file):
    small = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    assert len(small.getvalue()) <= MOST_BYTES, f"{file} would have {len(small.getvalue())} bytes"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(small.getvalue())
