#!/usr/bin/env python3
"""Goes a newcomer's way through the dashboard, in Debian's Chromium: dashboard_way.py PROGRAM [--pages FOLDER]

Signs in, uploads by drop, declares a version whose script has a mistake, sees it marked at its place, mends it, migrates and watches,
looks at objects, follows a link and the way back, downloads. Then the same pages for a realm whose names and values are markup, for a
key that may only read, and for the checks of axe-core. Any error in the console, any request to elsewhere and any value that is not
text fails it. Without Chromium it says so and does nothing.

  --pages FOLDER   take the files of the dashboard from a folder in place of the program's own, while one works at them
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARKUP = "<img src=x onerror=alert(1)>"
FIRST_PAGE_BYTES = 150_000

WRONG_SCRIPT = """function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("User", (oldUser, newUser) => {
    const words = oldUser.full.split(" ";
    newUser.lastName = words.pop();
    newUser.firstName = words.join(" ");
  });
}
"""


def hostile_realm():
    """A realm whose class, property and values would be markup, were they not text."""
    schema = [
        {"name": MARKUP, "primaryKey": "_id", "properties": {
            "_id": "string", MARKUP: "string", "all": "string[]", "by name": "string{}",
            "friend": {"type": "object", "objectType": MARKUP}, "any": "mixed"}},
    ]
    values = {"all": [MARKUP], "by name": {MARKUP: MARKUP}, MARKUP: MARKUP, "any": MARKUP}
    objects = [{"_id": MARKUP, "friend": "a/b?c#d%", **values}, {"_id": "a/b?c#d%", "friend": MARKUP, **values}]
    return {"schemaVersion": 1, "schema": schema, "objects": {MARKUP: objects}}


def linked_realm():
    return {"schemaVersion": 1, "schema": [
        {"name": "Person", "primaryKey": "id", "properties": {
            "id": "int", "name": "string?", "dogs": "Dog[]", "home": "Home", "big": "int", "picture": "data?"}},
        {"name": "Dog", "properties": {"name": "string", "born": "date?"}},
        {"name": "Home", "embedded": True, "properties": {"street": "string"}},
    ], "objects": {
        "Person": [
            {"id": 1, "name": "Ada", "dogs": [4, 5], "home": {"street": "Main Street"}, "big": 9007199254740993,
             "picture": {"$binary": {"base64": "AAEC", "subType": "00"}}},
            {"id": 2, "name": None, "dogs": [], "home": None, "big": 0, "picture": None}],
        "Dog": [{"_key": 4, "name": "Rex", "born": {"$date": "2020-01-31T10:00:00.123Z"}}, {"_key": 5, "name": "Bella", "born": None}]}}


class Way:
    """One browser that goes through the pages."""

    def __init__(self, context, service, pages):
        self.service, self.page = service, context.new_page()
        self.watch = browser.Watch(self.page, service.url)
        if pages:
            self.page.route("**/dashboard/*/**", lambda route: route.fulfill(
                path=pathlib.Path(pages, *route.request.url.split("/dashboard/")[1].split("/")[1:])))

    def open(self, address):
        self.page.goto(f"{self.service.url}/{address}")
        expect(self.page.locator("main:not([aria-busy]) h1")).to_be_visible()

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def follow(self, name):
        self.page.get_by_role("link", name=name, exact=True).first.click()

    def heading(self, text):
        expect(self.page.locator("h1")).to_contain_text(text)

    def drop(self, name, data):
        """Drops a file on the page's place for files, as a hand does."""
        transfer = self.page.evaluate_handle(
            "([name, data]) => { const all = new DataTransfer();"
            " all.items.add(new File([Uint8Array.from(data)], name)); return all; }", [name, list(data)])
        self.page.dispatch_event("file-drop", "drop", {"dataTransfer": transfer})

    def sign_in(self, key):
        self.open("")
        self.heading("Sign in")
        self.page.get_by_label("Key").fill(key)
        self.press("Sign in")
        self.heading("Overview")

    def accessible(self, step):
        """Nothing that axe-core finds serious."""
        found = Axe().run(self.page).response["violations"]
        grave = [f"{item['id']}: {item['help']} ({item['nodes'][0]['html'][:120]})" for item in found
                 if item["impact"] in ("serious", "critical")]
        if grave:
            sys.exit(f"{step}: " + "; ".join(grave))

    def passed(self, step):
        self.watch.check(step)
        self.accessible(step)
        print(step, flush=True)


def sign_in(way):
    sizes = []
    way.page.on("response", lambda response: sizes.append(response.request.sizes()["responseBodySize"]))
    way.open("")
    way.page.get_by_label("Key").fill("rsk_wrong")
    way.press("Sign in")
    expect(way.page.get_by_role("alert")).to_contain_text("The key is not known.")
    way.passed("a wrong key is refused")
    way.sign_in(way.service.key)
    assert sum(sizes) <= FIRST_PAGE_BYTES, f"the first page takes {sum(sizes)} bytes"
    way.passed(f"signed in; the first page takes {sum(sizes)} bytes")


def upload(way):
    way.page.get_by_text("New app").click()
    way.page.get_by_label("Name").fill("notes")
    way.press("Make it")
    way.heading("notes")
    way.follow("Upload one")
    way.heading("Realms")
    way.drop("ada.realm", (ROOT / "examples/people.realm").read_bytes())
    expect(way.page.locator("upload-progress")).to_contain_text("uploaded")
    way.drop("torn.realm", b"no realm at all")
    expect(way.page.locator("upload-progress").last.get_by_role("alert")).to_be_visible()
    way.passed("uploaded a realm by drop, and was told why another is none")


def declare(way):
    schema = json.loads((ROOT / "examples/people-v3.json").read_text())["schema"]
    way.follow("Versions")
    way.heading("Versions")
    way.page.get_by_label("Number").fill("3")
    way.press("Go on")
    way.heading("Version 3")
    page = way.page
    page.get_by_label("Schema", exact=True).fill(json.dumps(schema, indent=2).replace('"int"', '"itn"'))
    page.get_by_label("Script in").select_option("javascript")
    page.get_by_label("Script", exact=True).fill(WRONG_SCRIPT)
    way.press("Check and declare")
    line = 2 + next(index for index, text in enumerate(json.dumps(schema, indent=2).splitlines()) if '"age"' in text) - 1
    expect(page.locator("code-editor").first.locator(".numbers .marked")).to_have_text(str(line))
    way.passed("a mistake in the schema is marked at its line")
    page.get_by_label("Schema", exact=True).fill(json.dumps(schema, indent=2))
    way.press("Check and declare")
    script = page.locator("code-editor").nth(1)
    expect(script.locator(".numbers .marked")).to_have_text("3")
    expect(script.locator(".faults")).to_contain_text("Line 3")
    way.passed("a mistake in the script is marked at its line")
    page.get_by_label("Script", exact=True).fill(WRONG_SCRIPT.replace('" ";', '" ");'))
    expect(script.locator(".numbers .marked")).to_have_count(0)
    way.press("Check and declare")
    expect(page.get_by_text("What it changes")).to_be_visible()
    way.passed("mended it and declared the version")


def migrate(way):
    way.follow("Realms")
    way.follow("ada")
    way.heading("ada")
    way.press("Rehearse without changing it")
    way.heading("Rehearsal")
    expect(way.page.locator("h1 .badge")).to_have_text("succeeded")
    expect(way.page.get_by_role("heading", name="Report")).to_be_visible()
    way.passed("rehearsed the migration")
    way.follow("ada")
    way.heading("ada")
    way.press("Migrate")
    way.heading("Migration")
    expect(way.page.locator("h1 .badge")).to_have_text("succeeded")
    way.passed("migrated, and watched")


def objects(way):
    service, page = way.service, way.page
    service.call("POST", "/v1/apps/notes/realms/linked/snapshots", linked_realm())
    way.open("#/apps/notes/realms/linked")
    way.follow("Person")
    way.heading("Person in linked")
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator("tbody")).to_contain_text("9007199254740993")
    page.get_by_label("Where").fill("nam == 'Ada'")
    way.press("Find")
    expect(page.locator("pre.fault")).to_contain_text("▲")
    way.passed("a mistake in a query is marked at its place")
    page.get_by_label("Where").fill("name == 'Ada'")
    way.press("Find")
    expect(page.locator("tbody tr")).to_have_count(1)
    assert "where=" in page.url, "the query is not in the address"
    page.locator("tbody a").nth(1).click()
    way.heading("Dog 4")
    expect(page.get_by_text("Rex")).to_be_visible()
    expect(page.get_by_text("Person.dogs")).to_be_visible()
    way.follow("object 0")
    way.heading("Person in linked")
    expect(page.locator("tbody tr")).to_have_count(1)
    way.follow("1")
    way.heading("Person 1")
    way.passed("looked at objects, and followed a link there and back")


def download(way):
    way.open("#/apps/notes/realms/linked")
    for form in ("json", "sqlite", "realm"):
        way.page.get_by_label("Format").select_option(form)
        with way.page.expect_download() as found:
            way.follow("Download")
        name = found.value.suggested_filename
        data = pathlib.Path(found.value.path()).read_bytes()
        assert name.startswith("linked") and name.endswith(f".{form}") and len(data) > 200, f"{name} has {len(data)} bytes"
        if form == "json":
            assert json.loads(data)["objects"]["Person"][0]["big"] == 9007199254740993
    way.passed("downloaded")


def hostile(way):
    way.service.call("POST", "/v1/apps/notes/realms/hostile/snapshots", hostile_realm())
    way.service.call("PUT", "/v1/apps/notes/schemas/9", {"schema": hostile_realm()["schema"]})
    way.open("#/apps/notes/realms/hostile")
    way.follow(MARKUP)
    way.heading(MARKUP)
    expect(way.page.locator("tbody tr")).to_have_count(2)
    way.page.get_by_label("Where").fill(f"{MARKUP} == '{MARKUP}'")
    way.press("Find")
    expect(way.page.get_by_role("alert")).to_be_visible()
    way.watch.check("markup in a query")
    way.open("#/apps/notes/realms/hostile")
    way.follow(MARKUP)
    way.page.locator("tbody a").first.click()
    expect(way.page.get_by_text("Links to it")).to_be_visible()
    expect(way.page.locator("dl.object")).to_contain_text(MARKUP)
    way.page.locator("dl.object a").first.click()
    expect(way.page.locator("h1")).to_contain_text("a/b?c#d%")
    way.watch.check("objects that are markup")
    for address in ("#/apps/notes/versions/9", "#/apps/notes/versions", "#/" + MARKUP, "#/apps/" + MARKUP, "#/jobs?app=" + MARKUP):
        way.open(address)
        way.watch.check(address)
    way.passed("names and values with markup are text everywhere")


def commands(way):
    """The commands that a page shows do what it did."""
    way.open("#/apps/notes/realms/hostile")
    way.follow(MARKUP)
    way.heading(MARKUP)
    way.page.get_by_label("Where").fill("_id == 'a/b?c#d%'")
    way.press("Find")
    expect(way.page.locator("tbody tr")).to_have_count(1)
    way.page.locator("footer summary").click()
    commands = way.page.locator("footer pre").inner_text()
    done = subprocess.run(["bash", "-ec", commands.replace("curl ", "curl -sS --fail-with-body ")], capture_output=True, text=True,
                          env={**os.environ, "KEY": way.service.key})
    assert done.returncode == 0 and '"a/b?c#d%"' in done.stdout, f"{commands}\n{done.stdout}{done.stderr}"
    way.passed("the page's commands do the same")


def failing(way):
    way.service.call("PUT", "/v1/apps/notes/schemas/4", {
        "schema": linked_realm()["schema"], "migration": {"language": "javascript", "source": (
            f"function migrate(migration) {{\n  console.log('{MARKUP}');\n"
            f"  throw new Error('{MARKUP}');\n}}\n")}})
    way.open("#/apps/notes/realms/linked")
    way.page.get_by_label("To").select_option("4")
    way.press("Migrate")
    expect(way.page.locator("h1 .badge")).to_have_text("failed")
    expect(way.page.locator(".numbers .marked")).to_have_text("3")
    expect(way.page.locator("ol.log")).to_contain_text(MARKUP)
    way.follow("Mend it")
    way.heading("Version 4")
    way.passed("a script that fails is shown with its line")


def mend(way):
    """A script that works takes the place of the one that failed."""
    page = way.page
    page.get_by_label("Script", exact=True).fill("function migrate(migration) {}\n")
    way.press("Check and declare")
    expect(page.locator("dl.facts")).to_contain_text("2")
    way.passed("mended the script that failed")
    for version in (4, 9):
        way.open(f"#/apps/notes/versions/{version}")
        before = way.service.call("GET", f"/v1/apps/notes/schemas/{version}")
        with page.expect_response(lambda answer: answer.request.method == "PUT") as found:
            way.press("Check and declare")
        assert found.value.json()["revision"] == before["revision"], "the editor does not give back the schema that it got"
    way.follow("Schema")
    way.heading("Schema of version 9")
    page.get_by_label("Version").select_option("4")
    way.heading("Schema of version 4")
    expect(page.locator("schema-picture")).to_contain_text("Person")
    expect(page.get_by_role("region", name="Changes")).to_be_visible()
    way.follow("Rehearsal")
    way.heading("Rehearsal")
    page.get_by_label("To").select_option("4")
    way.press("Rehearse")
    expect(page.locator("h1 .badge")).to_have_text("succeeded")
    expect(page.get_by_role("region", name="Versions tried")).to_be_visible()
    way.passed("mended it, saw what changes, and rehearsed it from every version")


def fleet(way):
    """A canary that fails is mended, tried again, resumed and undone."""
    service, page = way.service, way.page
    schema = linked_realm()["schema"]
    for name in ("one", "two", "three"):
        service.call("POST", f"/v1/apps/fleet/realms/{name}/snapshots", linked_realm()) if name != "one" else (
            service.call("PUT", "/v1/apps/fleet"), service.call("POST", "/v1/apps/fleet/realms/one/snapshots", linked_realm()))
    wrong = {"language": "javascript", "source": f"function migrate() {{\n  throw new Error('{MARKUP}');\n}}\n"}
    service.call("PUT", "/v1/apps/fleet/schemas/2", {"schema": schema, "migration": wrong})
    way.open("#/apps/fleet/fleets")
    page.get_by_label("Canary, percent").fill("10")
    way.press("Begin the fleet")
    way.heading("Fleet to version 2")
    reached(way, "paused")
    expect(page.get_by_text("Why realms failed")).to_be_visible()
    way.passed("a canary failed, and its reason is told")
    service.call("PUT", "/v1/apps/fleet/schemas/2", {"schema": schema, "migration": {**wrong, "source": "function migrate() {}"}})
    way.press("Try the failed ones again")
    reached(way, "paused", "1")
    way.press("Go on")
    reached(way, "succeeded")
    way.press("Undo what it did")
    way.press("Undo what it did?")
    reached(way, "undone")
    way.passed("the fleet was mended, resumed and undone")


def reached(way, state, succeeded=None):
    """Looks again until the fleet has reached a state; it tells nothing of itself."""
    for _ in range(300):
        way.press("Look again")
        expect(way.page.locator("main:not([aria-busy]) h1 .badge")).to_be_visible()
        bars = way.page.locator(".bars").inner_text().split()
        if way.page.locator("h1 .badge").inner_text() == state and (
                succeeded is None or ("succeeded" in bars and bars[bars.index("succeeded") + 1] == succeeded)):
            return
        way.page.wait_for_timeout(100)
    sys.exit(f"the fleet did not become {state}")


def partner(way):
    """A partner with a violation, which is accepted at the cut-over."""
    service, page = way.service, way.page
    person = {"name": "Person", "primaryKey": "_id", "properties": {"_id": "int", "name": "string", "age": "int"}}
    service.call("PUT", "/v1/apps/crew")
    service.call("PUT", "/v1/apps/crew/realms/team", {"kind": "synced"})
    service.call("POST", "/v1/apps/crew/realms/team/snapshots", {"schemaVersion": 1, "schema": [person], "objects": {
        "Person": [{"_id": 1, "name": MARKUP, "age": 36}, {"_id": 3, "name": "Grace", "age": -1}]}})
    way.open("#/apps/crew/realms/team/synced")
    page.get_by_text("New partner").click()
    text = page.get_by_label("The new class").input_value()
    new = json.loads(text)
    new["properties"]["age"] = "string"
    page.get_by_label("The new class").fill(json.dumps(new, indent=2))
    page.get_by_label("forward: from the old object to the new one").fill(
        "o => ({ name: o.name, age: o.age < 0 ? 'unknown' : String(o.age) })")
    page.get_by_label("backward: from the new object to the old one").fill(
        "o => ({ name: o.name, age: o.age === 'unknown' ? 0 : Number(o.age) })")
    way.press("Make the partner")
    way.heading("Person → PersonV2")
    for _ in range(300):
        way.press("Look again")
        expect(page.locator("main:not([aria-busy]) h1 .badge")).to_be_visible()
        if page.locator("h1 .badge").inner_text() == "dual":
            break
        page.wait_for_timeout(100)
    expect(page.get_by_role("region", name="Violations")).to_contain_text('{"age":-1}')
    way.passed("made a partner, and saw what does not come back")
    page.get_by_label("Accept 3").check()
    way.press("Cut over")
    way.press("Take the old class from the schema? Old apps have to start over.")
    expect(page.locator("h1 .badge")).to_have_text("done")
    way.passed("accepted it, and cut over")


def administration(way):
    way.open("#/keys")
    way.page.get_by_label("Name").fill(MARKUP)
    way.press("Make the key")
    expect(way.page.get_by_text("shown this once")).to_be_visible()
    way.passed("made a key")
    way.open("#/audit")
    expect(way.page.get_by_role("region", name="Audit log")).to_contain_text("makeKey")
    way.passed("read the audit log")


def reader(context, service, pages):
    key = service.call("POST", "/v1/keys", {"name": "reader", "scopes": ["read"]})["key"]
    way = Way(context, service, pages)
    way.sign_in(key)
    for address in ("", "#/apps/notes", "#/apps/notes/realms", "#/apps/notes/realms/linked", "#/apps/notes/versions/3", "#/jobs"):
        way.open(address)
        expect(way.page.locator("action-button, file-drop")).to_have_count(0)
    way.press("Sign out")
    way.heading("Sign in")
    way.open("#/jobs")
    way.heading("Sign in")
    way.passed("a key that may only read is offered nothing else")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pages")
    options = parser.parse_args()
    if not browser.is_there():
        print("dashboard: SKIPPED, since there is no Chromium here (apt-get install chromium)")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = browser.Service(options.program, pathlib.Path(folder))
        chromium = browser.launch(playwright)
        try:
            way = Way(chromium.new_context(), service, options.pages)
            for step in (sign_in, upload, declare, migrate, objects, download, hostile, commands, failing, mend, fleet, partner, administration):
                step(way)
            reader(chromium.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark"), service, options.pages)
        finally:
            chromium.close()
            service.end()
    print("dashboard: the whole way was gone")


if __name__ == "__main__":
    main()
