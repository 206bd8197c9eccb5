"""Has the service migrate a realm whose migration failed on this machine.

usage: migrate.py SERVER APP REALM FILE VERSION, with a token in REALMSHIFT_TOKEN
"""

import json
import os
import sys
import urllib.parse
import urllib.request


def migrate(server, token, app, realm, file, version):
    """Replaces a realm file by what the app's declared migration makes of it; raises, and leaves it as it is, where that fails."""
    def ask(method, path, body=None, **fields):
        fields = {"Authorization": f"Bearer {token}"} | {name.replace("_", "-"): value for name, value in fields.items()}
        return urllib.request.urlopen(urllib.request.Request(server + path, body, fields, method=method), timeout=600)

    path = f"/v1/apps/{app}/realms/{urllib.parse.quote(realm, safe='')}"
    with open(file, "rb") as content:  # sent as it is read
        length = str(os.path.getsize(file))
        with ask("POST", f"{path}/snapshots", content, Content_Type="application/x-realm", Content_Length=length) as uploaded:
            own = json.load(uploaded)["id"]
    order = json.dumps({"targetVersion": version}).encode()
    job = json.load(ask("POST", f"{path}/migrations", order, Content_Type="application/json", Prefer="wait=60"))
    while job["state"] in ("queued", "running"):
        job = json.load(ask("GET", f"/v1/jobs/{job['id']}", Prefer="wait=60"))
    if job["state"] != "succeeded":
        raise RuntimeError((job["error"] or {"detail": "The migration was cancelled."})["detail"])
    if job["sourceSnapshot"] != own:
        raise RuntimeError("Another device has uploaded the realm meanwhile.")
    with ask("GET", f"/v1/snapshots/{job['resultSnapshot']}/content", Accept="application/x-realm") as answer:
        with open(file + ".new", "wb") as migrated:
            while piece := answer.read(1 << 20):
                migrated.write(piece)
            if answer.length:  # bytes that are missing
                raise RuntimeError("The answer broke off.")
    os.replace(file + ".new", file)


if __name__ == "__main__":
    migrate(sys.argv[1], os.environ["REALMSHIFT_TOKEN"], *sys.argv[2:5], int(sys.argv[5]))
