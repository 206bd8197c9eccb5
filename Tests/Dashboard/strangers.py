"""Things that must not happen: markup that is data, requests of other pages, offers to those who may not."""

import http.server
import os
import subprocess
import threading

from playwright.sync_api import expect

import browser
from samples import MARKUP, hostile_realm
from way import Way


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


def reader(context, service, pages):
    key = service.call("POST", "/v1/keys", {"name": "reader", "scopes": ["read"]})["key"]
    way = Way(context, service, pages)
    way.sign_in(key)
    for address in ("", "#/apps/notes", "#/apps/notes/realms", "#/apps/notes/realms/linked", "#/apps/notes/versions/3", "#/apps/notes/schema",
                    "#/apps/fleet/fleets", "#/jobs"):
        way.open(address)
        expect(way.page.locator("action-button, file-drop")).to_have_count(0)
        way.passed(f"read {address or 'the overview'} on a phone")
    way.press("Sign out")
    way.heading("Sign in")
    way.open("#/jobs")
    way.heading("Sign in")
    way.passed("a key that may only read is offered nothing else")


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of another origin, whose form and script send what the cookie of a session might be taken for."""
    target = ""

    def do_GET(self):
        text = ("<form method=post enctype=text/plain action='%s/v1/apps/notes/rehearsals'><input name='{\"targetVersion\": 3, \"x' "
                "value='\": 1}'></form>" % self.target)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass


def attack(context, service):
    """A page on another port of the machine is of the same site, so that browsers send it the cookie."""
    Elsewhere.target = service.url
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    jobs = len(service.call("GET", "/v1/jobs?limit=1000")["items"])
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    sent = []
    page.on("request", lambda request: sent.append(request.all_headers().get("cookie", "")) if service.url in request.url else None)
    statuses = []
    page.on("response", lambda response: statuses.append(response.status))
    page.evaluate("url => fetch(url + '/v1/apps/attacked', {method: 'PUT', credentials: 'include'}).catch(() => null)", service.url)
    page.evaluate("url => fetch(url + '/v1/apps/notes/rehearsals', {method: 'POST', mode: 'no-cors', credentials: 'include',"
                  " body: '{\"targetVersion\": 3}'}).catch(() => null)", service.url)
    with page.expect_navigation():
        page.evaluate("document.forms[0].submit()")
    assert 403 in statuses and any("realmshift-session" in cookie for cookie in sent), (statuses, sent)
    assert len(service.call("GET", "/v1/jobs?limit=1000")["items"]) == jobs
    assert "attacked" not in [app["name"] for app in service.call("GET", "/v1/apps")["items"]]
    server.shutdown()
    print("another page's requests start nothing", flush=True)


def by_tls(chromium, program, folder, pages):
    """Over HTTPS the cookie is the host's alone."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True)
    service = browser.Service(program, folder, ["--tls-cert", folder / "cert.pem", "--tls-key", folder / "key.pem"])
    try:
        context = chromium.new_context(ignore_https_errors=True)
        way = Way(context, service, pages)
        way.sign_in(service.key)
        cookies = context.cookies()
        assert [(item["name"], item["secure"], item["httpOnly"], item["sameSite"]) for item in cookies] == [
            ("__Host-realmshift-session", True, True, "Strict")], cookies
        way.page.get_by_text("New app").click()
        way.page.get_by_label("Name").fill("secure")
        way.press("Make it")
        way.heading("secure")
        way.passed("signed in over HTTPS")
    finally:
        service.end()


def go(way):
    hostile(way)
    commands(way)
