"""An operator's way: a script that fails is mended, a fleet resumed and undone, a partner cut over, a key made."""

import json
import time

from playwright.sync_api import expect

from samples import MARKUP, linked_realm


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
    way.write("Script", "function migrate(migration) {}\n")
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
    expect(page.locator("schema-picture")).to_have_count(2)
    expect(page.locator("schema-picture").last).to_contain_text("Person")
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
    way.follow("Mend the script")
    way.heading("Version 2")
    way.write("Script", "function migrate() {}\n")
    way.press("Check and declare")
    expect(page.locator("dl.facts")).to_contain_text("Revision2")
    page.go_back()
    way.heading("Fleet to version 2")
    way.press("Try the failed ones again")
    reached(way, "paused", "1")
    way.press("Go on")
    reached(way, "succeeded")
    way.press("Undo what it did")
    way.press("Undo what it did?")
    reached(way, "undone")
    way.passed("the fleet was mended, resumed and undone")


def reached(way, state, succeeded=None):
    """The page tells by itself that the fleet has reached a state."""
    expect(way.page.locator("h1 .badge")).to_have_text(state)
    if succeeded:
        row = way.page.locator(".legend li").filter(has_text="succeeded")
        expect(row.locator("b")).to_have_text(succeeded)


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
    way.follow("team")
    way.heading("team")
    page.go_back()
    expect(page.get_by_text("A draft of yours")).to_be_visible()
    expect(page.get_by_label("The new class")).to_have_value(json.dumps(new, indent=2))
    way.passed("a partner's draft outlives its page")
    way.press("Make the partner")
    way.heading("Person → PersonV2")
    expect(page.locator("h1 .badge")).to_have_text("dual")
    expect(page.get_by_role("region", name="Violations")).to_contain_text('{"age":-1}')
    way.passed("made a partner, and saw what does not come back")
    page.get_by_label("Accept 3").check()
    way.press("Cut over")
    way.press("Take the old class from the schema? Old apps have to start over.")
    expect(page.locator("h1 .badge")).to_have_text("done")
    way.passed("accepted it, and cut over")


def interrupted(way):
    """Events that were refused are asked for again, and what changed meanwhile is shown."""
    page, refused = way.page, []

    def answer(route):
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503)
    page.route("**/v1/apps/notes/events", answer)
    way.watch.expected = "status of 503"
    way.open("#/apps/notes/realms")
    with page.expect_request(lambda request: bool(refused) and request.url.endswith("/apps/notes/events")):
        pass
    way.service.call("POST", "/v1/apps/notes/realms/late/snapshots", linked_realm())
    expect(page.get_by_role("region", name="Realms")).to_contain_text("late")
    way.watch.expected = None
    page.unroute("**/v1/apps/notes/events")
    way.passed("events that were refused are asked for again")


def overtaken(way):
    """A change that comes after the answer to the first question, and before the page has it, is shown."""
    page, answers = way.page, []

    def hold(route):
        answer = route.fetch()
        if not answers:
            way.service.call("POST", "/v1/apps/notes/realms/overtaking/snapshots", linked_realm())
            # The event comes half a second later: before the answer.
            time.sleep(2)
        answers.append(answer)
        route.fulfill(response=answer)
    way.open("#/apps/notes/fleets")
    page.route("**/v1/apps/notes/realms?*", hold)
    way.open("#/apps/notes/realms")
    expect(page.get_by_role("region", name="Realms")).to_contain_text("overtaking")
    assert "overtaking" not in answers[0].text()
    page.unroute("**/v1/apps/notes/realms?*")
    way.passed("a change between the first question and its answer is shown")


def administration(way):
    way.open("#/keys")
    way.page.get_by_label("Name").fill(MARKUP)
    way.press("Make the key")
    expect(way.page.get_by_text("shown this once")).to_be_visible()
    way.passed("made a key")
    way.open("#/audit")
    expect(way.page.get_by_role("region", name="Audit log")).to_contain_text("makeKey")
    way.passed("read the audit log")


def go(way):
    failing(way)
    mend(way)
    fleet(way)
    partner(way)
    interrupted(way)
    overtaken(way)
    administration(way)
