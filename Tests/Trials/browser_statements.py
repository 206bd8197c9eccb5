"""The requests of a browser, for statement_costs.py: lists that are searched and sorted, totals, figures, events and checks."""

import http.client
import time
import urllib.parse

# The beginnings of statements that look at a bounded number of rows, more than a small database has; docs/api.md says so.
BOUNDED = {
    # Totals: up to 10,001 realms, or 20,000 jobs.
    "SELECT count(*) AS found FROM ( SELECT FROM": 25_000,
    # A thousand realms with their last jobs, which may be in any of some fleets, or names that have a part, or a total.
    "WITH r AS (SELECT": 60_000,
    # Jobs that no index leads to: 20,000 of them, and the place where a page stopped.
    "SELECT j.job_id, j.kind": 25_000,
    "SELECT created_at, job_id FROM job WHERE (created_at, job_id)": 25_000,
    "SELECT name, realm_id FROM realm r WHERE app_id": 1_500,
    # A thousand realms by their last job, and as many as a page looks at.
    "SELECT name FROM (SELECT realm_name FROM job": 60_000,
    # Realms for charts that are counted at once: 2,000.
    "SELECT s.schema_version, s.stored_bytes FROM ( SELECT app_id, current_id FROM realm": 25_000,
}


def drive(service, count):
    call = service.call

    def listed(path):
        page = call("GET", path)
        if page["next"]:
            call("GET", f"{path}{'&' if '?' in path else '?'}cursor={page['next']}")

    for query in ("sort=-name", "sort=createdAt", "sort=-createdAt", "q=12", "q=12&sort=createdAt", "kind=synced", "kind=local",
                  "lastJob=failed", "lastJob=failed,cancelled,queued,running", "lastJob=none", "total=true", "q=7&total=true",
                  "lastJob=failed&total=true"):
        listed("/v1/apps/shop/realms?limit=20&" + query)
    fleet = call("GET", "/v1/apps/shop/fleets")["items"][0]["id"]
    now = urllib.parse.quote(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    for query in ("state=failed,cancelled", "kind=migration", "kind=fleet", f"app=shop&fleet={fleet}", "since=2026-01-01T00:00:00Z",
                  f"until={now}", "sort=createdAt", "total=true", "state=failed&total=true", "app=shop&kind=migration&total=true"):
        listed("/v1/jobs?limit=20&" + query)
    for path in ("/v1/figures", "/v1/apps/shop/figures", "/v1/apps/shop/figures?step=day"):
        call("GET", path)
    call("POST", "/v1/apps/shop/schemas/3/check", {"schema": call("GET", "/v1/apps/shop/schemas/2")["schema"]})
    follow(service)
    job = call("POST", "/v1/apps/shop/realms/r0000001/migrations", {"targetVersion": 2, "runAt": "2099-01-01T00:00:00Z"})
    call("POST", f"/v1/jobs/{job['id']}/cancel")


def follow(service):
    """Follows the app while a realm changes."""
    url = urllib.parse.urlsplit(service.url)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    connection.request("GET", "/v1/apps/shop/events", headers={"Authorization": f"Bearer {service.key}"})
    answer = connection.getresponse()
    service.call("PUT", "/v1/apps/shop/realms/r0000002", {"labels": {"tenant": "t2", "seen": "yes"}})
    while not (line := answer.readline()).startswith(b"event: realm"):
        if not line:
            raise SystemExit("the events of the app ended")
    connection.close()
