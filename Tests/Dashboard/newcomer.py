"""A newcomer's way: to sign in, upload, declare, migrate, look and download."""

import json
import pathlib

from playwright.sync_api import expect

from samples import linked_realm

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIRST_PAGE_BYTES = 150_000

WRONG_SCRIPT = """function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("User", (oldUser, newUser) => {
    const words = oldUser.full.split(" ";
    newUser.lastName = words.pop();
    newUser.firstName = words.join(" ");
  });
}
"""


def sign_in(way):
    sizes = []
    measure = lambda response: sizes.append(response.request.sizes()["responseBodySize"])
    way.page.on("response", measure)
    way.open("")
    way.page.get_by_label("Key").fill("rsk_wrong")
    way.press("Sign in")
    expect(way.page.get_by_role("alert")).to_contain_text("The key is not known.")
    way.passed("a wrong key is refused")
    way.sign_in(way.service.key)
    assert sum(sizes) <= FIRST_PAGE_BYTES, f"the first page takes {sum(sizes)} bytes"
    # Events that a later page follows have no size before they end.
    way.page.remove_listener("response", measure)
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
    expect(way.page.get_by_role("region", name="Realms")).to_contain_text("ada")
    expect(way.page.get_by_text("1 realm", exact=True)).to_be_visible()
    way.drop("torn.realm", b"no realm at all")
    expect(way.page.locator("upload-progress").last.get_by_role("alert")).to_be_visible()
    way.passed("uploaded a realm by drop, and was told why another is none")


def upload_in_parts(way, folder):
    """A large file goes on where it was when its connection broke."""
    file = folder / "large.ndjson"
    with open(file, "w") as out:
        out.write(json.dumps({"schemaVersion": 1, "schema": [{"name": "Note", "properties": {"text": "string"}}]}) + "\n")
        for number in range(20_000):
            out.write(json.dumps({"class": "Note", "object": {"text": f"{number} " + "x" * 1000}}) + "\n")
    offsets = []

    def pass_on(route):
        offsets.append(int(route.request.headers.get("upload-offset", "-1")))
        if len(offsets) == 2:
            route.abort("connectionreset")
        else:
            route.continue_()
    way.page.route("**/uploads/*", lambda route: pass_on(route) if route.request.method == "PATCH" else route.continue_())
    way.watch.expected = "net::ERR_CONNECTION_RESET"
    way.open("#/apps/notes/realms")
    way.page.set_input_files("file-drop input", file)
    expect(way.page.locator("upload-progress").last).to_contain_text("uploaded")
    way.watch.expected = None
    assert offsets == [0, 8 << 20, 8 << 20, 16 << 20], offsets
    realm = way.service.call("GET", "/v1/apps/notes/realms?limit=1000")["items"]
    assert [item["objectCount"] for item in realm if item["name"] == "large"] == [20_000]
    way.passed("a large upload went on after a break")


def marked(way, label, line):
    expect(way.editor(label).locator(".marked .CodeMirror-linenumber")).to_have_text(str(line))


def declare(way):
    schema = json.loads((ROOT / "examples/people-v3.json").read_text())["schema"]
    text = json.dumps(schema, indent=2)
    way.follow("Versions")
    way.heading("Versions")
    way.page.get_by_label("Number").fill("3")
    way.press("Go on")
    way.heading("Version 3")
    page = way.page
    way.write("Schema", text.replace('"int"', '"itn"'))
    page.get_by_label("Script in").select_option("javascript")
    way.write("Script", WRONG_SCRIPT)
    marked(way, "Schema", 1 + next(index for index, line in enumerate(text.splitlines()) if '"age"' in line))
    way.passed("a mistake in the schema is marked at its line while one types")
    way.write("Schema", text)
    marked(way, "Script", 3)
    expect(way.editor("Script").locator(".faults")).to_contain_text("Line 3, column ")
    expect(page.get_by_text("1 fault")).to_be_visible()
    way.passed("a mistake in the script is marked at its line while one types")
    way.press("Check and declare")
    expect(page.get_by_role("alert")).to_be_visible()
    way.passed("and the version is not declared")
    keep_draft(way)
    way.write("Script", WRONG_SCRIPT.replace('" ";', '" ");'))
    expect(way.editor("Script").locator(".marked")).to_have_count(0)
    expect(page.get_by_text("can be declared")).to_be_visible()
    way.press("Check and declare")
    expect(page.get_by_text("Revision")).to_be_visible()
    expect(page.get_by_text("A draft, not declared yet")).to_have_count(0)
    way.passed("mended it and declared the version")


def accept_rename(way):
    """A change that may be a rename becomes one by a press, before anything is declared."""
    schema = json.loads((ROOT / "examples/people-v3.json").read_text())["schema"]
    way.open("#/apps/notes/versions/4")
    way.write("Schema", json.dumps(schema, indent=2).replace("lastName", "familyName"))
    way.press("User: “lastName” was renamed to “familyName”")
    expect(way.page.get_by_role("button", name="was renamed to")).to_have_count(0)
    assert json.loads(way.editor("Other members of the migration, as JSON").evaluate("editor => editor.text")) == {
        "renames": [{"class": "User", "from": "lastName", "to": "familyName"}]}
    way.press("Discard it")
    expect(way.page.get_by_text("A draft, not declared yet")).to_have_count(0)
    way.passed("accepted a rename, and discarded the draft")


def keep_draft(way):
    """A typed text is there again after another page, and after a reload, which the browser asks about."""
    way.follow("Versions")
    way.heading("Versions")
    way.page.go_back()
    way.heading("Version 3")
    expect(way.page.get_by_text("A draft, not declared yet")).to_be_visible()
    assert way.editor("Script").evaluate("editor => editor.text") == WRONG_SCRIPT
    asked = []
    way.watch.leaves = lambda dialog: asked.append(dialog.type)
    way.page.reload()
    way.watch.leaves = None
    way.heading("Version 3")
    assert asked == ["beforeunload"], asked
    assert way.editor("Script").evaluate("editor => editor.text") == WRONG_SCRIPT
    way.passed("a draft outlives its page")


def declare_in_swift(way):
    """Model classes and a block of Swift, each with a mistake that is marked at its line and column."""
    page = way.page
    models = "import RealmSwift\n\nclass Cat: Object {\n    @Persisted var name: Strin\n}\n"
    block = ("import RealmSwift\n\nlet migrationBlock: MigrationBlock = { migration, oldSchemaVersion in\n"
             "    migration.enumerateObjects(ofType: \"Cat\") { old, new in\n        new?[\"name\"] = oldd?[\"name\"]\n    }\n}\n")
    way.open("#/apps/notes/versions/20")
    page.get_by_label("Schema as").select_option("swift")
    page.get_by_label("Script in").select_option("swift")
    way.write("Schema", models)
    way.write("Script", block.replace("oldd", "old"))
    way.press("Check and declare")
    expect(way.editor("Schema").locator(".faults")).to_contain_text("Line 4, column ")
    way.write("Schema", models.replace("Strin", "String"))
    way.write("Script", block)
    way.press("Check and declare")
    expect(way.editor("Script").locator(".faults")).to_contain_text("Line 5, column ")
    way.write("Script", block.replace("oldd", "old"))
    way.press("Check and declare")
    expect(page.get_by_text("Revision")).to_be_visible()
    assert way.editor("Script").evaluate("editor => editor.text") == block.replace("oldd", "old")
    way.service.call("DELETE", "/v1/apps/notes/schemas/20")
    way.passed("declared a version in Swift, whose mistakes were marked at their lines and columns")


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
    way.follow("ada")
    way.heading("ada")
    way.follow("what changed")
    way.heading("From")
    expect(way.page.locator(".findings")).to_contain_text("User.firstName")
    way.passed("saw what the migration changed")


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
    expect(page.get_by_role("listitem").filter(has_text="Person.dogs")).to_contain_text("Ada")
    way.follow("1")
    way.heading("Person 1")
    way.passed("looked at objects, and followed a link there and back")
    changed = linked_realm()
    changed["objects"]["Person"][0]["name"] = "Ada Lovelace"
    service.call("POST", "/v1/apps/notes/realms/linked/snapshots", changed)
    way.open("#/apps/notes/realms/linked")
    way.follow("what changed")
    way.heading("From")
    way.follow("Person")
    expect(page.get_by_role("region", name="Objects that differ")).to_contain_text("Ada Lovelace")
    way.passed("compared two snapshots")


def choose_and_complete(way):
    """Names are completed, columns chosen, what a query finds is saved; all of it is in the address."""
    page = way.page
    way.open("#/apps/notes/realms/linked")
    way.follow("Person")
    way.heading("Person in linked")
    where = page.get_by_label("Where")
    where.press_sequentially("do")
    expect(page.locator(".completions li").first).to_have_text("dogs list of Dog")
    where.press("ArrowDown")
    where.press("Enter")
    where.press_sequentially(".na")
    where.press("ArrowDown")
    where.press("Tab")
    expect(where).to_have_value("dogs.name")
    where.press_sequentially(" == 'Rex'")
    where.press("Enter")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_text("Columns (").click()
    page.get_by_label("dogs").uncheck()
    expect(page.get_by_role("columnheader", name="dogs")).to_have_count(0)
    assert "columns=" in page.url and "where=" in page.url, page.url
    expect(page.get_by_text("1 of 2 objects")).to_be_visible()
    way.passed("completed a query, and chose columns")
    for form, text in (("CSV", "id,name,dogs,home,big,picture"), ("NDJSON", '"big":9007199254740993')):
        with page.expect_download() as found:
            way.press(f"Save as {form}")
        assert text in pathlib.Path(found.value.path()).read_text(), form
    way.passed("saved what the query found")
    way.open("#/apps/notes/realms/linked")
    way.follow("Person")
    head = page.get_by_role("columnheader").first
    head.get_by_role("link").click()
    expect(head).to_contain_text("▲")
    head.get_by_role("link").click()
    expect(head).to_contain_text("▼")
    expect(page.locator("tbody tr").first).to_contain_text("2")
    page.get_by_label("Property").select_option("name")
    facets = page.locator(".facets li")
    expect(facets).to_have_count(2)
    facets.filter(has_text="Ada").get_by_role("link").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.get_by_label("Where")).to_have_value('name == "Ada Lovelace"')
    assert "sort=-id" in page.url and "facet=name" in page.url, page.url
    way.passed("sorted, and narrowed by a value")


def scroll(way):
    """A class of many objects is a table to scroll in, of which the seen part is there."""
    page = way.page
    way.service.call("POST", "/v1/apps/notes/realms/many/snapshots", {"schemaVersion": 1, "schema": [
        {"name": "Row", "primaryKey": "_id", "properties": {"_id": "int", "any": "mixed"}},
    ], "objects": {"Row": [{"_id": number, "any": ["1", 1, 1.0][number % 3]} for number in range(2_000)]}})
    way.open("#/apps/notes/realms/many")
    way.follow("Row")
    way.heading("Row in many")
    table = page.locator("object-table tbody")
    expect(table.first).to_contain_text("1 string")
    expect(table.first).to_contain_text("1 int")
    expect(table.first).to_contain_text("1.0 double")
    for _ in range(200):
        page.locator(".window").evaluate("region => { region.scrollTop += 3000; }")
        if page.get_by_role("link", name="1999", exact=True).count():
            break
        page.wait_for_timeout(50)
    expect(page.get_by_role("link", name="1999", exact=True)).to_be_visible()
    assert page.locator("object-table tbody tr").count() < 700, "rows that nobody sees are still there"
    page.wait_for_url("**cursor=**")
    page.reload()
    way.heading("Row in many")
    expect(table.first.get_by_role("link").first).to_be_visible()
    expect(page.get_by_role("link", name="0", exact=True)).to_have_count(0)
    way.follow("From the first object on")
    expect(page.get_by_role("link", name="0", exact=True)).to_be_visible()
    way.passed("scrolled to the last of two thousand objects, which the address remembers")


def odd_keys(way):
    """Objects whose keys no path can have are found."""
    way.service.call("POST", "/v1/apps/notes/realms/odd/snapshots", {"schemaVersion": 1, "schema": [
        {"name": "Odd", "primaryKey": "_id", "properties": {"_id": "string", "text": "string"}},
    ], "objects": {"Odd": [{"_id": key, "text": f"[{key}]"} for key in ("", ".", "..", "a/b")]}})
    way.open("#/apps/notes/realms/odd")
    way.follow("Odd")
    way.heading("Odd in odd")
    for number, key in enumerate(("", ".", "..")):
        way.page.locator("tbody tr").nth(number).get_by_role("link").click()
        expect(way.page.locator("tbody tr")).to_have_count(1)
        expect(way.page.locator("tbody tr")).to_contain_text(f"[{key}]")
        way.page.go_back()
        expect(way.page.locator("tbody tr")).to_have_count(4)
    way.passed("opened objects whose keys are dots or nothing")


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
    way.open("#/apps/notes/realms?version=abc")
    expect(way.page.get_by_role("alert")).to_contain_text("version")
    way.page.get_by_label("Schema version").fill("<3")
    way.press("Filter")
    expect(way.page.locator("tbody tr").first).to_be_visible()
    way.page.get_by_label("Name").fill("INKE")
    way.page.get_by_label("Order").select_option("-createdAt")
    way.press("Filter")
    expect(way.page.locator("tbody tr")).to_have_count(1)
    expect(way.page.locator("tbody tr")).to_contain_text("linked")
    way.open("#/jobs?realm=ada")
    expect(way.page.get_by_role("alert")).to_contain_text("realm")
    way.page.get_by_label("App").fill("notes")
    way.press("Filter")
    expect(way.page.locator("tbody tr")).to_have_count(2)
    way.page.get_by_label("failed").check()
    way.page.get_by_label("cancelled").check()
    way.press("Filter")
    expect(way.page.get_by_text("There is no such job.")).to_be_visible()
    assert "state=failed%2Ccancelled" in way.page.url, way.page.url
    way.passed("filtered")


def lossy(way):
    """A rehearsal of a migration that loses data says which, with an object's value before and after."""
    service, page = way.service, way.page
    person = {"name": "Person", "primaryKey": "id", "properties": {"id": "int", "name": "string"}}
    service.call("PUT", "/v1/apps/lossy")
    service.call("POST", "/v1/apps/lossy/realms/one/snapshots", {"schemaVersion": 1, "schema": [person], "objects": {
        "Person": [{"id": number, "name": f"Ada {number}"} for number in range(4)]}})
    service.call("PUT", "/v1/apps/lossy/schemas/2", {"schema": [{**person, "properties": {"id": "int"}}]})
    way.open("#/apps/lossy/realms/one")
    way.press("Rehearse without changing it")
    way.heading("Rehearsal")
    losses = page.get_by_role("region", name="Losses")
    expect(losses).to_contain_text("Person.name")
    expect(losses).to_contain_text("100 %")
    expect(losses).to_contain_text('"Ada 0"')
    way.passed("read what a migration would lose")
    way.open("#/apps/lossy/rehearsal")
    way.press("Rehearse")
    expect(page.get_by_role("region", name="Versions tried")).to_contain_text("no error")
    expect(page.get_by_role("region", name="Versions tried")).to_contain_text("Person.name")
    way.passed("and so it is from every version")


def go(way, folder, is_full):
    sign_in(way)
    upload(way)
    declare(way)
    accept_rename(way)
    migrate(way)
    lossy(way)
    objects(way)
    choose_and_complete(way)
    scroll(way)
    odd_keys(way)
    download(way)
    if is_full:
        upload_in_parts(way, folder)
        declare_in_swift(way)
