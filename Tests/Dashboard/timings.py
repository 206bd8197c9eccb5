"""How long pages take in a service with many realms, jobs and objects: printed, for a quiet machine."""

import json
import pathlib
import statistics
import sys
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Trials"))
import statement_costs

ROUNDS = 5
# From another address to its page: what is asked, made, laid out and painted.
SHOWN = """async (address) => {
    const main = document.querySelector("main");
    location.hash = "#/there/is/none";
    await new Promise((resolve) => setTimeout(resolve, 300));
    const shown = new Promise((resolve) => new MutationObserver((_, observer) => {
        if (main.hasAttribute("aria-busy")) return;
        observer.disconnect();
        resolve();
    }).observe(main, { attributes: true, childList: true }));
    const began = performance.now();
    location.hash = address;
    await shown;
    main.getBoundingClientRect();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - began;
}"""
ANSWERS = """async (place) => {
    const times = [];
    for (let number = 0; number < 20; number += 1) {
        const began = performance.now();
        const answer = await fetch(place);
        await answer.text();
        if (!answer.ok) throw new Error(`${place}: ${answer.status}`);
        times.push(performance.now() - began);
    }
    return times;
}"""
PAGES_OF_OBJECTS = """async (place) => {
    const times = [];
    for (let cursor = "", number = 0; number < 20 && cursor !== null; number += 1) {
        const began = performance.now();
        const page = await (await fetch(`${place}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)).json();
        times.push(performance.now() - began);
        cursor = page.next;
    }
    return times;
}"""


class Service(statement_costs.Service):
    """A service whose tables have many rows."""

    def __init__(self, program, folder, realms, objects):
        super().__init__(program, folder)
        statement_costs.make_seed(self)
        statement_costs.fill(self, realms)
        self.call("PUT", "/v1/apps/large")
        self.upload(folder / "large.ndjson", objects)

    def upload(self, file, objects):
        schema = [{"name": "Note", "primaryKey": "id", "properties": {"id": "int", "text": "string", "stars": "int", "next": "Note"}}]
        with open(file, "w") as out:
            out.write(json.dumps({"schemaVersion": 1, "schema": schema}) + "\n")
            for number in range(objects):
                out.write(f'{{"class":"Note","object":{{"id":{number},"text":"note {number}","stars":{number % 6},"next":{(number + 1) % objects}}}}}\n')
        with open(file, "rb") as data:
            request = urllib.request.Request(
                self.url + "/v1/apps/large/realms/large/snapshots", data, {
                    "Authorization": f"Bearer {self.key}", "Content-Type": "application/x-ndjson",
                    "Content-Length": str(file.stat().st_size)}, method="POST")
            self.snapshot = json.loads(urllib.request.urlopen(request, timeout=3600).read())["id"]
        file.unlink()

    def end(self):
        self.stop()


def addresses(service):
    middle = service.call("GET", "/v1/apps/shop/realms?limit=1&label=tenant:t7")["items"][0]["name"]
    job = service.call("GET", "/v1/jobs?state=failed&limit=1")["items"][0]["id"]
    fleet = service.call("GET", "/v1/apps/shop/fleets")["items"][0]["id"]
    objects = f"#/snapshots/{service.snapshot}/objects/Note"
    return (
        "#/", "#/apps/shop", "#/apps/shop/realms", "#/apps/shop/realms?version=2", f"#/apps/shop/realms/{middle}", "#/apps/shop/versions",
        "#/apps/shop/versions/2", "#/apps/shop/fleets", f"#/apps/shop/fleets/{fleet}", "#/apps/shop/schema", "#/apps/shop/rehearsal", "#/jobs",
        "#/jobs?state=failed", f"#/jobs/{job}", f"#/snapshots/{service.snapshot}", objects, f"{objects}/5", "#/keys", "#/audit",
    )


def measure(way, service):
    way.sign_in(service.key)
    for address in addresses(service):
        times = [way.page.evaluate(SHOWN, address) for _ in range(ROUNDS)]
        print(f"{statistics.median(times):7.0f} ms  {address}  ({min(times):.0f} to {max(times):.0f})", flush=True)
    for place in ("/v1/figures", "/v1/apps/shop/figures"):
        times = way.page.evaluate(ANSWERS, place)
        print(f"{statistics.median(times):7.1f} ms  {place}  ({min(times):.1f} to {max(times):.1f})")
    times = way.page.evaluate(PAGES_OF_OBJECTS, f"/v1/snapshots/{service.snapshot}/objects/Note")
    print(f"{statistics.median(times):7.0f} ms  a page of a hundred objects  ({min(times):.0f} to {max(times):.0f})")
