"""Every page as it is for a key that may do all: no errors, nothing from elsewhere, nothing serious that axe-core finds."""


def addresses(service):
    snapshot = service.call("GET", "/v1/apps/notes/realms/linked")["currentSnapshot"]
    earlier = service.call("GET", f"/v1/snapshots/{snapshot}")["parent"]
    fleet = service.call("GET", "/v1/apps/fleet/fleets")["items"][0]["id"]
    partner = service.call("GET", "/v1/apps/crew/realms/team/partners")["items"][0]["id"]
    job = service.call("GET", "/v1/jobs?state=failed")["items"][0]["id"]
    return (
        "#/", "#/apps/notes", "#/apps/notes/realms", "#/apps/notes/realms/linked", "#/apps/crew/realms/team/synced",
        f"#/apps/crew/realms/team/partners/{partner}", "#/apps/notes/versions", "#/apps/notes/versions/3", "#/apps/notes/versions/77",
        "#/apps/fleet/fleets", f"#/apps/fleet/fleets/{fleet}", "#/apps/notes/schema", "#/apps/notes/rehearsal", "#/jobs", f"#/jobs/{job}",
        f"#/snapshots/{snapshot}", f"#/snapshots/{earlier}/compare/{snapshot}", f"#/snapshots/{snapshot}/objects/Person",
        f"#/snapshots/{snapshot}/objects/Person/1", "#/keys", "#/audit", "#/there/is/none",
    )


def go(way):
    way.sign_in(way.service.key)
    for address in addresses(way.service):
        way.open(address)
        way.passed(f"everywhere: {address}")
