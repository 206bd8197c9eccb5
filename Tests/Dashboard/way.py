"""A browser that goes through the pages as a hand does, and is checked at each step."""

import pathlib
import re
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import browser


class Way:
    """One browser that goes through the pages."""

    def __init__(self, context, service, pages):
        # How long a step takes is nobody's business here.
        context.set_default_timeout(120_000)
        expect.set_options(timeout=120_000)
        self.service, self.pages = service, pages
        if pages:
            context.route("**/dashboard/*/**", lambda route: self.take(route, pathlib.Path(pages)))
        self.page = context.new_page()
        self.watch = browser.Watch(self.page, service.url)

    def beside(self, address):
        """A window with the same session at an address; connections of its own, of which a browser has six for all pages of one."""
        context = self.page.context.browser.new_context(storage_state=self.page.context.storage_state())
        other = Way(context, self.service, self.pages)
        other.open(address)
        expect(other.page.locator("main > [role=alert]"), address).to_have_count(0)
        return other

    def take(self, route, folder):
        """Answers with a file of the folder, or with the program's own where that has none, as of CodeMirror's."""
        file = folder.joinpath(*route.request.url.split("/dashboard/")[1].split("/")[1:])
        if file.exists():
            route.fulfill(path=file)
        else:
            route.continue_()

    def open(self, address):
        self.page.goto(f"{self.service.url}/{address}")
        expect(self.page.locator("main:not([aria-busy]) h1")).to_be_visible()

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def editor(self, label):
        """The editor of a label, once its library has been loaded."""
        found = self.page.locator("highlighted-editor").filter(has=self.page.locator("label", has_text=re.compile(f"^{re.escape(label)}$")))
        expect(found.locator(".CodeMirror")).to_be_visible()
        return found

    def write(self, label, text):
        """Puts a text in the place of all that an editor has, as a hand does."""
        self.editor(label).locator(".CodeMirror-lines").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)
        assert self.editor(label).evaluate("editor => editor.text") == text

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
        """Nothing that axe-core finds serious, once no other page is on its way: until then this one is faint."""
        expect(self.page.locator("main:not([aria-busy])")).to_be_attached()
        found = Axe().run(self.page).response["violations"]
        grave = [f"{item['id']}: {item['help']} ({item['nodes'][0]['html'][:120]})" for item in found
                 if item["impact"] in ("serious", "critical")]
        if grave:
            sys.exit(f"{step}: " + "; ".join(grave))

    def passed(self, step):
        self.watch.check(step)
        self.accessible(step)
        print(step, flush=True)
