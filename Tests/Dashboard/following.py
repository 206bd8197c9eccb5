"""Pages follow what happens in their apps, and say so while they can't."""

import json
import pathlib
import re

from playwright.sync_api import expect

from samples import MARKUP, linked_realm

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
APP = "/v1/apps/follow"


def person(**properties):
    return [{"name": "Person", "primaryKey": "id", "properties": {"id": "int", **properties}}]


def begin(way):
    """A realm of version 4, and a version 5 whose script fails."""
    call = way.service.call
    call("PUT", APP)
    call("POST", f"{APP}/realms/ada/snapshots", {"schemaVersion": 4, "schema": person(name="string"), "objects": {
        "Person": [{"id": 1, "name": "Ada"}]}})
    call("PUT", f"{APP}/schemas/3", {"schema": person(name="string")})


def fail(way):
    """A job that fails, of which the page that is open does not know."""
    job = way.service.call("POST", f"{APP}/realms/ada/migrations", {"targetVersion": 5})
    while job["state"] in ("queued", "running"):
        job = way.service.call("GET", f"/v1/jobs/{job['id']}", fields={"Prefer": "wait=5"})
    assert job["state"] == "failed", job


def realm(way):
    """A realm is offered the versions above its own, and shows what happens to it."""
    page = way.page
    way.open("#/apps/follow/realms/ada")
    expect(page.get_by_text("No version above its own is declared.")).to_be_visible()
    expect(page.get_by_role("button", name="Migrate", exact=True)).to_have_count(0)
    expect(page.get_by_text("There is no job of this realm.")).to_be_visible()
    wrong = {"language": "javascript", "source": f"function migrate() {{ throw new Error('{MARKUP}'); }}"}
    way.service.call("PUT", f"{APP}/schemas/5", {"schema": person(name="string", age="int"), "migration": wrong})
    expect(page.get_by_label("To").locator("option")).to_have_text(["version 5"])
    fail(way)
    expect(page.get_by_role("region", name="Jobs")).to_contain_text("failed")
    way.passed("a realm is offered the versions above its own, and shows the job that failed by itself")


def figures(way):
    """The figures of an app, and then those of all, come to say of a job that failed what the list below them says."""
    page, call = way.page, way.service.call
    for address in ("#/apps/follow", "#/"):
        way.open(address)
        before = sum(item["failed"] for item in call("GET", "/v1/figures")["jobs"])
        job = page.get_by_role("region", name="Failed last").locator("tbody a").first
        first = job.get_attribute("href")
        fail(way)
        expect(job).not_to_have_attribute("href", first)
        failed = page.locator("figure").first.locator("li").filter(has_text="failed").locator("b")
        # The jobs of this app all fail; those of others have been counted by the time that these are.
        known = len(call("GET", "/v1/jobs?app=follow")["items"])
        expect(failed).to_have_text(str(before + 1 if address == "#/" else known))
    way.passed("figures follow")


def without_report(way):
    """A rehearsal that failed, or was cancelled, shows itself though it has no report."""
    page, call, place = way.page, way.service.call, f"{APP}/realms/ada/migrations"
    way.open(f"#/jobs/{call('POST', place, {'targetVersion': 5, 'dryRun': True})['id']}")
    expect(page.locator("h1")).to_have_text("Rehearsal failed")
    expect(page.get_by_role("main")).to_contain_text("Why it failed")
    later = call("POST", place, {"targetVersion": 5, "dryRun": True, "runAt": "2999-01-01T00:00:00Z"})["id"]
    way.open(f"#/jobs/{later}")
    expect(page.locator("job-progress")).to_contain_text(re.compile(r"Begins no earlier than .*(2998|2999)"))
    way.press("Cancel")
    expect(page.locator("h1")).to_have_text("Rehearsal cancelled")
    expect(page.get_by_role("button", name="Try again", exact=True)).to_be_visible()
    way.passed("a rehearsal without a report is shown")


def busy(way):
    """A page whose app never rests is shown anew all the same, and not at each change."""
    page = way.page
    way.open("#/apps/follow/realms")
    for change in range(600):
        way.service.call("PUT", f"{APP}/realms/ada", {"kind": "local", "labels": {"turn": str(change)}})
        page.wait_for_timeout(200)
        if change > 30 and page.get_by_text(re.compile(r"^turn:\d+$")).count():
            break
    else:
        raise AssertionError("a page whose app never rests is not shown anew")
    begins = page.evaluate(
        "performance.getEntriesByType('resource').filter(one => one.name.includes('/apps/follow/realms?')).map(one => one.startTime)")
    assert all(later - earlier > 1000 for earlier, later in zip(begins, begins[1:])), begins
    way.passed("a page whose app never rests is shown anew, and not at each change")


def jobs(way):
    """The list of jobs follows its app; that of all apps says which ones it follows, where they are many."""
    page = way.page
    for address in ("#/jobs?app=follow", "#/jobs"):
        way.open(address)
        rows = page.get_by_role("region", name="Jobs").locator("tbody tr")
        first = rows.first.locator("a").first.get_attribute("href")
        fail(way)
        expect(rows.first.locator("a").first).not_to_have_attribute("href", first)
        expect(rows.first).to_contain_text("failed")
    asked = []
    listener = lambda request: asked.append(request.url)
    page.on("request", listener)
    for name in ("foll", "no name"):
        way.open(f"#/jobs?app={name}")
    page.remove_listener("request", listener)
    assert not any(url.endswith("/events") for url in asked), asked
    way.open("#/jobs")
    assert page.get_by_text("This page follows what changes in ").count() == (len(way.service.call("GET", "/v1/apps")["items"]) > 2)
    way.passed("the list of jobs follows")


def many_windows(way):
    """More windows than a browser has connections follow an app, also when the one that has the connection is closed."""
    windows = [way.page.context.new_page() for _ in range(8)]

    def follow(turn):
        way.service.call("PUT", f"{APP}/realms/ada", {"kind": "local", "labels": {"window": turn}})
        for window in windows:
            expect(window.get_by_role("region", name="Realms")).to_contain_text(f"window:{turn}")
    for window in windows:
        window.goto(f"{way.service.url}/#/apps/follow/realms")
        expect(window.get_by_role("region", name="Realms")).to_contain_text("ada")
    follow("all")
    for _ in range(3):
        windows.pop(0).close()
        follow(str(len(windows)))
    # The one that has it does not run for a while: another takes it, and the first follows again afterwards.
    busy = 12_000
    windows[0].evaluate("busy => setTimeout(() => { const end = Date.now() + busy; while (Date.now() < end); })", busy)
    way.service.call("PUT", f"{APP}/realms/ada", {"kind": "local", "labels": {"window": "busy"}})
    for window in [*windows[1:], windows[0]]:
        expect(window.get_by_role("region", name="Realms")).to_contain_text("window:busy", timeout=60_000)
    follow("rested")
    for window in windows:
        window.close()
    way.passed("more windows than connections follow an app")


def jobs_gone(way):
    """Lists of jobs show none of a realm that was removed with them."""
    page, call, realm = way.page, way.service.call, f"{APP}/realms/brief"
    for address in ("#/jobs?app=follow", "#/jobs?app=follow&realm=brief", "#/apps/follow/rehearsal"):
        call("POST", f"{realm}/snapshots", {"schemaVersion": 4, "schema": person(name="string"), "objects": {}})
        job = call("POST", f"{realm}/migrations", {"targetVersion": 5, "dryRun": True, "runAt": "2999-01-01T00:00:00Z"})["id"]
        way.open(address)
        link = page.locator(f'a[href="#/jobs/{job}"]')
        expect(link).to_have_count(1)
        # The page asks once more when its events have begun: nothing but the event is to tell it of the realm.
        page.wait_for_timeout(4000)
        call("DELETE", realm)
        expect(link, address).to_have_count(0)
    way.passed("the jobs of a realm that was removed leave the lists")


def versions(way):
    """The declared versions, and the rehearsals of them, are listed as they come; what is typed meanwhile stays."""
    page = way.page
    way.open("#/apps/follow/versions")
    page.get_by_label("Number").fill("77")
    way.service.call("PUT", f"{APP}/schemas/6", {"schema": person(name="string")})
    expect(page.get_by_role("region", name="Declared versions")).to_contain_text("version 6")
    expect(page.get_by_label("Number")).to_have_value("77")
    way.open("#/apps/follow/rehearsal")
    expect(page.get_by_text("None among the last hundred jobs.")).to_be_visible()
    way.service.call("POST", f"{APP}/rehearsals", {"targetVersion": 6})
    expect(page.get_by_role("region", name="Rehearsals")).to_contain_text("succeeded")
    way.passed("declared versions and rehearsals follow")


def refused(way):
    """An answer that fails after an event is asked for again, and the page says that it is not up to date meanwhile."""
    page, attempts = way.page, []
    place = "**/v1/apps/follow/realms?*"
    way.open("#/apps/follow/realms")
    notice = page.get_by_role("status").filter(has_text="this shows what was so before")
    expect(notice).to_have_count(0)

    def answer(route):
        attempts.append(route.request.url)
        if len(attempts) == 1:
            route.fulfill(status=502, body="<h1>Bad Gateway</h1>")
        else:
            route.abort("connectionrefused")
    page.route(place, answer)
    way.watch.expected = "Failed to load resource"
    way.service.call("POST", f"{APP}/realms/late/snapshots", linked_realm())
    expect(notice).to_be_visible()
    while len(attempts) < 3:
        page.wait_for_timeout(100)
    way.accessible("a page that is not up to date")
    page.unroute(place)
    expect(page.get_by_role("region", name="Realms")).to_contain_text("late")
    expect(notice).to_have_count(0)
    way.watch.expected = None
    way.service.call("DELETE", f"{APP}/realms/late")
    way.passed("what could not be asked for after an event is asked for again, and is said to be old meanwhile")


def gone(way):
    """A page whose realm is removed says so and nothing else, and does not ask for it again."""
    page, asked = way.page, []
    way.service.call("POST", f"{APP}/realms/short/snapshots", linked_realm())
    way.open("#/apps/follow/realms/short")
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/realms/short") else None)
    way.service.call("DELETE", f"{APP}/realms/short")
    expect(page.get_by_role("main")).to_contain_text("There is no realm “short”")
    expect(page.get_by_role("button", name="Delete the realm")).to_have_count(0)
    number = len(asked)
    page.wait_for_timeout(2500)
    assert len(asked) == number, asked
    way.passed("a realm that was removed is said to be gone")


def removed(way):
    """Pages of a job, of a snapshot and of its comparison say so when these alone are removed, and the realm's page shows neither."""
    call, realm = way.service.call, f"{APP}/realms/pruned"
    first, second = (call("POST", f"{realm}/snapshots", linked_realm())["id"] for _ in range(2))
    job = call("POST", f"{realm}/migrations", {"targetVersion": 5, "dryRun": True, "runAt": "2999-01-01T00:00:00Z"})["id"]
    call("POST", f"/v1/jobs/{job}/cancel")
    page = way.page
    way.open("#/apps/follow/realms/pruned")
    expect(page.locator(f'a[href="#/jobs/{job}"]')).to_have_count(1)
    old = page.locator(f'a[href="#/snapshots/{first}"]')
    expect(old).to_have_count(1)
    pages = {address: way.beside(address) for address in (
        f"#/jobs/{job}", f"#/snapshots/{first}", f"#/snapshots/{first}/objects/Person", f"#/snapshots/{first}/compare/{second}",
        f"#/snapshots/{second}/compare/{first}")}
    # The pages ask once more when their events have begun: nothing but these is to tell them.
    page.wait_for_timeout(4000)
    call("DELETE", f"/v1/jobs/{job}")
    call("DELETE", f"/v1/snapshots/{first}")
    expect(page.locator(f'a[href="#/jobs/{job}"]')).to_have_count(0)
    expect(old).to_have_count(0)
    all_gone(pages, "a job and a snapshot that were removed are said to be gone")
    call("DELETE", realm)


def all_gone(ways, step):
    """Each page says that it is gone, has nothing else, and asks for nothing more."""
    asked = []
    for address, way in ways.items():
        main = way.page.get_by_role("main")
        expect(main.get_by_role("alert"), address).to_contain_text("There is no")
        expect(main.locator("> *"), address).to_have_count(2)
        way.page.on("request", lambda request: asked.append(request.url))
    way.page.wait_for_timeout(2500)
    assert not asked, asked
    for way in ways.values():
        way.watch.check(step)
        way.page.context.close()
    print(step, flush=True)


def parts_gone(way):
    """Pages about parts of a realm say that these are gone with it, as a rehearsal does that waits."""
    call, realm = way.service.call, f"{APP}/realms/parts"
    call("PUT", realm, {"kind": "synced"})
    schema = [{"name": "Person", "primaryKey": "_id", "properties": {"_id": "int", "name": "string"}}]
    first, second = (call("POST", f"{realm}/{path}", body) for path, body in (
        ("snapshots", {"schemaVersion": 4, "schema": schema, "objects": {"Person": [{"_id": 1, "name": "Ada"}]}}),
        ("changes", {"upserts": [{"class": "Person", "object": {"_id": 2, "name": "Bob"}}]})))
    # A rehearsal keeps nobody from removing its realm, and no worker takes one of a time to come.
    trial = {"schema": schema, "dryRun": True, "runAt": "2999-01-01T00:00:00Z"}
    waiting, ended = (call("POST", f"{realm}/migrations", trial)["id"] for _ in range(2))
    call("POST", f"/v1/jobs/{ended}/cancel")
    snapshot = f"#/snapshots/{second['id']}"
    pages = {address: way.beside(address) for address in (
        "#/apps/follow/realms/parts/synced", snapshot, f"{snapshot}/objects/Person", f"{snapshot}/objects/Person/1",
        f"#/snapshots/{first['id']}/compare/{second['id']}", f"#/jobs/{ended}", f"#/jobs/{waiting}")}
    call("DELETE", realm)
    all_gone(pages, "the parts of a realm that was removed are said to be gone")


def gone_with_app(way):
    """Every page of an app that was removed says so."""
    call, app, place = way.service.call, "/v1/apps/away", "#/apps/away"
    call("PUT", app)
    call("PUT", f"{app}/schemas/2", {"schema": person(name="string", age="int")})
    for name in ("ada", "bob"):
        call("POST", f"{app}/realms/{name}/snapshots", {"schemaVersion": 1, "schema": person(name="string"), "objects": {}})
    fleets = []
    for verb in ("cancel", None):
        fleet = call("POST", f"{app}/fleets", {"targetVersion": 2, "canary": {"percent": 50}})
        while fleet["state"] != "paused":
            fleet = call("GET", f"{app}/fleets/{fleet['id']}")
        fleets.append(call("POST", f"{app}/fleets/{fleet['id']}/{verb}", {}) if verb else fleet)
    job = call("GET", "/v1/jobs?app=away")["items"][0]["id"]
    pages = {address: way.beside(address) for address in (place, *(f"{place}/{rest}" for rest in (
        "realms", "realms/ada", "versions", "versions/2", "schema", "rehearsal", "fleets", *(f"fleets/{fleet['id']}" for fleet in fleets))),
        f"#/jobs/{job}")}
    list_of_jobs = way.beside("#/jobs?app=away")
    while call("GET", "/v1/jobs?app=away&state=running,queued")["items"]:
        pass
    call("DELETE", app)
    expect(list_of_jobs.page.get_by_text("There is no app “away”.")).to_be_visible()
    list_of_jobs.page.context.close()
    all_gone(pages, "all pages of an app that was removed say so")


def in_use(way, realm):
    """A version that a realm has, and its current snapshot, are not offered for removal; others are."""
    page, place = way.page, f"#/apps/{realm['app']}"
    for version, number in ((2, 0), (3, 1)):
        way.open(f"{place}/versions/{version}")
        expect(page.get_by_role("button", name="Remove the version", exact=True)).to_have_count(number)
        expect(page.get_by_text("It can’t be removed: 1 realm has reached it.")).to_have_count(1 - number)
    # A job that waits keeps the version, too: the service says so, and the page beside the button.
    job = way.service.call("POST", f"/v1/apps/{realm['app']}/realms/{realm['name']}/migrations", {
        "targetVersion": 3, "dryRun": True, "runAt": "2999-01-01T00:00:00Z"})["id"]
    way.press("Remove the version")
    page.wait_for_timeout(1100)
    way.press("Remove version 3?")
    refusal = page.locator("action-button").filter(has=page.get_by_role("button", name="Remove the version", exact=True)).get_by_role("alert")
    expect(refusal).to_contain_text("a job or fleet leads there")
    way.service.call("POST", f"/v1/jobs/{job}/cancel")
    delete = page.get_by_role("button", name="Delete the snapshot", exact=True)
    way.open(f"#/snapshots/{realm['currentSnapshot']}")
    expect(page.get_by_text("It can’t be deleted: it is the realm’s current snapshot.")).to_be_visible()
    expect(delete).to_have_count(0)
    parent = way.service.call("GET", f"/v1/snapshots/{realm['currentSnapshot']}")["parent"]
    restore = lambda snapshot: way.service.call("POST", f"/v1/apps/{realm['app']}/realms/{realm['name']}/restore", {"snapshot": snapshot})
    restore(parent)
    expect(delete).to_be_visible()
    restore(realm["currentSnapshot"])
    expect(delete).to_have_count(0)


def in_a_fleet(way):
    """A realm that fleets alone have had says so, and a fleet offers and advises what there is to do."""
    page, call, app = way.page, way.service.call, "/v1/apps/tried"
    call("PUT", app)
    script = "function migrate() { throw new Error('never'); }"
    call("PUT", f"{app}/schemas/2", {"schema": person(name="string", age="int")})
    call("PUT", f"{app}/schemas/3", {"schema": person(), "migration": {"language": "javascript", "source": script}})
    call("POST", f"{app}/realms/ada/snapshots", {"schemaVersion": 1, "schema": person(name="string"), "objects": {}})
    way.open("#/apps/tried/realms/ada")
    expect(page.get_by_text("There is no job of this realm.")).to_be_visible()

    def ended(version, **wishes):
        fleet = call("POST", f"{app}/fleets", {"targetVersion": version, **wishes})
        while not fleet["finishedAt"]:
            fleet = call("GET", f"{app}/fleets/{fleet['id']}")
        return fleet["id"]
    first = ended(2)
    last = page.get_by_text("A fleet’s job had it last")
    expect(last).to_have_text(re.compile(r"^A fleet’s job had it last: job \w{8} succeeded$"))
    expect(page.get_by_text("There is no job of this realm alone.")).to_be_visible()
    last.get_by_role("link").click()
    way.heading("Part of a fleet")
    way.follow(first[-8:])
    way.heading("Fleet to version 2")
    expect(page.get_by_role("button", name="Undo what it did", exact=True)).to_be_visible()
    trial = ended(2, dryRun=True)
    way.open("#/apps/tried")
    expect(page.get_by_role("region", name="Fleets").locator(f'td:has(a[href$="{trial}"])')).to_have_text("version 2 (dry run)")
    way.open(f"#/apps/tried/fleets/{trial}")
    expect(page.get_by_role("button", name="Undo what it did", exact=True)).to_have_count(0)
    way.open("#/apps/tried/realms/ada")
    expect(last.locator(".badge")).to_have_text("unchanged")
    failed = ended(3)
    way.open("#/apps/tried/realms/ada")
    expect(last.locator(".badge")).to_have_text("failed")
    in_use(way, call("GET", f"{app}/realms/ada"))
    retry, advice = page.get_by_role("button", name="Try the failed ones again", exact=True), page.get_by_text("then try the failed ones again")
    way.open(f"#/apps/tried/fleets/{failed}")
    expect(retry).to_be_visible()
    expect(advice).to_be_visible()
    call("POST", f"{app}/fleets/{failed}/undo", {})
    page.reload()
    expect(page.locator("h1 .badge")).to_have_text("undone")
    expect(page.get_by_text("Why realms failed")).to_be_visible()
    expect(retry).to_have_count(0)
    expect(advice).to_have_count(0)
    call("POST", f"{app}/realms/bob/snapshots", {"schemaVersion": 1, "schema": person(name="string"), "objects": {}})
    call("POST", f"{app}/realms/cid/snapshots", {"schemaVersion": 1, "schema": person(name="string"), "objects": {}})
    fleet = call("POST", f"{app}/fleets", {"targetVersion": 2, "select": {"version": "<2"}, "canary": {"count": 1}})["id"]
    way.open(f"#/apps/tried/fleets/{fleet}")
    expect(page.locator("h1 .badge")).to_have_text("paused")
    expect(page.get_by_role("button", name="Go on", exact=True)).to_be_visible()
    expect(retry).to_have_count(0)
    way.passed("a realm tells of its fleets, and a fleet offers what there is to do")


def tried_again(way):
    """Pages of a job and of a fleet that have ended follow those who have them go on."""
    page, call, app = way.page, way.service.call, "/v1/apps/again"
    call("PUT", app)
    call("PUT", f"{app}/schemas/2", {"schema": person(name="string", age="int")})
    call("POST", f"{app}/realms/ada/snapshots", {"schemaVersion": 1, "schema": person(name="string"), "objects": {}})
    job = call("POST", f"{app}/realms/ada/migrations", {"targetVersion": 2, "runAt": "2999-01-01T00:00:00Z"})["id"]
    call("POST", f"/v1/jobs/{job}/cancel")
    fleet = call("POST", f"{app}/fleets", {"targetVersion": 2})["id"]
    while not call("GET", f"{app}/fleets/{fleet}")["finishedAt"]:
        pass
    way.open(f"#/apps/again/fleets/{fleet}")
    expect(page.locator("h1 .badge")).to_have_text("succeeded")
    # The page asks once more when its events have begun: nothing but an event is to tell it of the rest.
    page.wait_for_timeout(4000)
    call("POST", f"{app}/fleets/{fleet}/undo", {})
    expect(page.locator("h1 .badge")).to_have_text("undone")
    expect(page.get_by_role("button", name="Undo what it did", exact=True)).to_have_count(0)
    way.open(f"#/jobs/{job}")
    expect(page.locator("h1 .badge")).to_have_text("cancelled")
    page.wait_for_timeout(4000)
    call("POST", f"/v1/jobs/{job}/retry")
    expect(page.locator("h1 .badge")).to_have_text("succeeded")
    expect(page.get_by_role("button", name="Try again", exact=True)).to_have_count(0)
    way.passed("a job and a fleet that have ended are followed where somebody has them go on")


def schema_alone(way):
    """A schema without objects is no realm, and is not sent."""
    page, sent = way.page, []
    way.open("#/apps/follow/realms")
    listener = lambda request: sent.append(request.url) if request.method == "POST" else None
    page.on("request", listener)
    way.drop("people-v3.json", (EXAMPLES / "people-v3.json").read_bytes())
    expect(page.locator("upload-progress")).to_contain_text("was refused")
    expect(page.locator("upload-progress")).to_contain_text("It has a schema and no objects")
    page.remove_listener("request", listener)
    assert sent == [], sent
    schema = json.loads((EXAMPLES / "people-v3.json").read_text())
    way.drop("empty.json", json.dumps({**schema, "objects": {}}).encode())
    expect(page.locator("upload-progress").last).to_contain_text("uploaded")
    assert {item["name"] for item in way.service.call("GET", f"{APP}/realms")["items"]} == {"ada", "empty"}
    way.passed("a schema alone is not taken for a realm")


def embedded(way):
    """A link of an embedded object leads to the owner; values of other types that look alike tell their type."""
    page = way.page
    schema = [
        {"name": "Person", "primaryKey": "id", "properties": {"id": "int", "name": "string", "homes": "Home[]", "any": "mixed"}},
        {"name": "Home", "embedded": True, "properties": {"host": "Person"}}]
    way.service.call("POST", f"{APP}/realms/homes/snapshots", {"schemaVersion": 4, "schema": schema, "objects": {"Person": [
        {"id": 1, "name": "Ada", "homes": [{"host": 2}], "any": {"$float": 1.5}}, {"id": 2, "name": "Grace", "homes": [], "any": 1.5}]}})
    way.open("#/apps/follow/realms/homes")
    way.follow("Person")
    way.heading("Person in homes")
    page.get_by_label("Property").select_option("any")
    facets = page.locator(".facets li")
    expect(facets).to_have_count(2)
    expect(facets.filter(has_text="1.5 float")).to_have_count(1)
    expect(facets.filter(has_text="1.5 double")).to_have_count(1)
    way.follow("2")
    way.heading("Person 2")
    expect(page.get_by_role("listitem").filter(has_text="Home.host")).to_contain_text("1 Ada at Person.homes")
    way.follow("1")
    way.heading("Person 1")
    way.passed("a link of an embedded object leads to its owner, and values of a mixed property tell their type")


def go(way):
    begin(way)
    realm(way)
    figures(way)
    jobs(way)
    versions(way)
    many_windows(way)
    jobs_gone(way)
    without_report(way)
    busy(way)
    refused(way)
    gone(way)
    removed(way)
    parts_gone(way)
    gone_with_app(way)
    in_a_fleet(way)
    tried_again(way)
    schema_alone(way)
    embedded(way)
