#!/usr/bin/env python3
"""Compares the cost of the service's statements in a small and in a large database.

usage: statement_costs.py PROGRAM [--realms 1000 100000 | --short] [--all]

Cost is the number of pages that a call of a statement reads (pg_stat_statements): it does not depend on how fast the machine is.
Both databases are filled by SQL with realms, two snapshots and ten ended jobs each, fleets, tokens and an audit log;
then a client goes through the API, runs the commands of the documentation and goes where clients seldom go, and maintenance has its turns.
A statement's cost in the large database may be no more than twice its cost in the small one, for as many rows, and a few pages for deeper
indexes. It lists the others, and exits with 1 where there is one that is not known, and where a statement in the sources of the stores was
not run.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Documentation"))
import browser_statements  # noqa: E402
import pages  # noqa: E402
import rare_walk  # noqa: E402
from store_statements import without_case  # noqa: E402

# Pages that deeper indexes may add to twice the cost in the small database, for a call, and for each row that it gives.
SLACK = 60
SLACK_OF_ROW = 2
JOBS_OF_REALM = 10
FLEETS = 5
# Jobs that retention removes.
OLD_JOBS = 600
# Entries that the audit log no longer keeps.
OLD_ENTRIES = 2_500
# Realms that have the same label.
OF_LABEL = 50
# Events of webhooks that are older than a week.
OLD_EVENTS = 300
# A key may have twice as many.
MOST_TOKENS = 5_000
# The beginnings of statements that are known to read all of something: docs/maintainers/speed.md says why.
KNOWN = (
    # Counts an app's local realms by an index alone.
    "WITH known AS MATERIALIZED (SELECT $1::uuid AS app_id), uncounted AS MATERIALIZED (",
    "INSERT INTO fleet_member (app_id, fleet_id, realm_id, realm_name, position, from_version, weight) SELECT",
)
# The beginnings of statements whose work is bounded by a number that is no realm's, and the most pages that they may read for it.
BOUNDED = {
    # A thousand changes at once.
    "WITH drained AS (": 3_000,
    # Changes of the last seconds.
    "WITH known AS MATERIALIZED (": 500,
    # A hundred thousand names in their index.
    "SELECT count(*) AS found FROM (SELECT name FROM realm": 1_500,
    "SELECT FROM realm WHERE app_id = $1 ORDER BY name LIMIT": 1_500,
    # A key's tokens, ten thousand at most.
    "SELECT t.realm_token_id, t.api_key_id": 400,
    "DELETE FROM api_key": 400,
    # A step of housekeeping.
    "DELETE FROM segment_column": 400,
    # Rows that referred to an app are gone by then, and may not be vacuumed yet.
    "DELETE FROM app ": 1_000,
    # A thousand realms.
    "SELECT count(*) AS count FROM ( SELECT FROM realm WHERE app_id = $1 AND kind": 1_000,
    # A thousand jobs, of which some are removed, or as many entries of the log.
    "SELECT job_id, finished_at IS NOT NULL": 2_500,
    "SELECT job_id, CASE WHEN finished_at": 2_500,
    "DELETE FROM audit_entry": 12_000,
} | browser_statements.BOUNDED
# Realms of the short form, which are enough to tell a statement that reads all of something from one that does not.
SHORT = (400, 4_000)
SCHEMA = [{"name": "Note", "primaryKey": "id", "properties": {"id": "int", "text": "string"}}]
WIDER = [{"name": "Note", "primaryKey": "id", "properties": {"id": "int", "text": "string", "more": "string?"}}]


class Service:
    # The parameter is there once the service was started with its extension.
    setting = ""

    def __init__(self, program, folder, *arguments, settings=""):
        self.program, self.folder, self.arguments = program, folder, arguments
        self.start()
        self.stop()
        file = folder / "data/postgres/postgresql.auto.conf"
        file.write_text(
            file.read_text() + settings + "shared_preload_libraries = 'pg_stat_statements'\npg_stat_statements.max = 10000\n"
            "pg_stat_statements.track_utility = off\nfsync = off\n")
        self.start()
        self.setting = "SET pg_stat_statements.track = '{}';"
        self.sql("CREATE EXTENSION pg_stat_statements SCHEMA public")

    def start(self):
        self.log = (self.folder / "serve.log").open("wb")
        self.process = subprocess.Popen(
            [self.program, "serve", "--listen", "127.0.0.1:0", "--data", self.folder / "data", "--app-bytes", str(1 << 50),
             *self.arguments],
            stderr=self.log)
        deadline = time.monotonic() + 120
        while not (found := re.search(rb"listening on (\S+)", (self.folder / "serve.log").read_bytes())):
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit("the service did not come up:\n" + (self.folder / "serve.log").read_text())
            time.sleep(0.1)
        self.url = found.group(1).decode()
        self.key = (self.folder / "data/admin.key").read_text().strip()

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def sql(self, text, counted=False):
        """The output of psql; statements are the test's own, unless they are to be counted."""
        track = "all" if counted else "none"
        run = subprocess.run(
            ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", self.folder / "data/postgres", "-U", "realmshift", "postgres"],
            input=f"SET search_path = realmshift, public; SET max_parallel_workers_per_gather = 0;{self.setting.format(track)}" + text,
            capture_output=True, text=True)
        if run.returncode:
            sys.exit(run.stderr)
        return run.stdout

    def open(self, method, path, data=None, timeout=600, **fields):
        """The answer as it comes."""
        fields = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in fields.items()}
        return urllib.request.urlopen(urllib.request.Request(self.url + path, data, fields, method=method), timeout=timeout)

    def call(self, method, path, body=None, expect=None, **fields):
        """The answer's JSON where it has some; it is an error of the client's where one is expected."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            with self.open(method, path, data, **fields) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            text = error.read()
            if error.code != expect:
                log = (self.folder / "serve.log").read_text()[-2000:]
                sys.exit(f"{method} {path}: {error.code} {text.decode()}\n{log}")
        try:
            return json.loads(text)
        except ValueError:
            return text


def make_seed(service):
    """A realm that was migrated, whose rows are copied."""
    service.call("PUT", "/v1/apps/shop")
    service.call("PUT", "/v1/apps/shop/schemas/1", {"schema": SCHEMA})
    service.call("PUT", "/v1/apps/shop/schemas/2", {"schema": WIDER})
    realm(service, "seed")
    migrate(service, "seed")
    run_fleet(service, "seed")


def run_fleet(service, *names, version=2, wait=0.2):
    made = service.call("POST", "/v1/apps/shop/fleets", {"targetVersion": version, "select": {"names": names}})
    while service.call("GET", f"/v1/apps/shop/fleets/{made['id']}")["state"] in ("canary", "running"):
        time.sleep(wait)


def realm(service, name):
    document = {"schemaVersion": 1, "schema": SCHEMA, "objects": {"Note": [{"id": n, "text": f"text {n}"} for n in range(20)]}}
    return service.call("POST", f"/v1/apps/shop/realms/{name}/snapshots", document)


def migrate(service, name):
    return service.call("POST", f"/v1/apps/shop/realms/{name}/migrations", {"targetVersion": 2}, Prefer="wait=60")


def columns_of(service, table):
    return service.sql(
        "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute "
        f"WHERE attrelid = 'realmshift.{table}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''"
    ).strip().split(", ")


def copies(service, table, source, changes):
    """An INSERT of what `source` selects of a table's rows, here called `row`, with some columns changed."""
    columns = columns_of(service, table)
    values = ", ".join(changes.get(column, f"row.{column}") for column in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {source};\n"


def fill(service, count):
    start = int(time.time() - 2 * 86_400) * 1000

    def id_of(kind, number="n"):
        """A UUIDv7 of some days ago, the later the greater the number; the first jobs and entries of the log are older."""
        old, days = {"job": (OLD_JOBS, 10), "audit": (OLD_ENTRIES, 400), "event": (OLD_EVENTS, 10)}.get(kind, (0, 0))
        made = f"{start} + {number} - CASE WHEN {number} <= {old} THEN {days * 86_400_000} ELSE 0 END"
        digest = f"md5('{kind}' || {number})"
        return f"(lpad(to_hex({made}), 12, '0') || '7' || substr({digest}, 1, 3) || 'b' || substr({digest}, 4, 15))::uuid"

    numbers = f"generate_series(1, {count}) AS n"
    age = f"now() - (n % 1000) * interval '1 minute'"
    seed = "(SELECT realm_id FROM realm WHERE name = 'seed')"
    script = "SET session_replication_role = replica;\n"
    script += copies(
        service, "realm", f"realm row, {numbers} WHERE row.name = 'seed'",
        {"realm_id": id_of("realm"), "name": "'r' || lpad(n::text, 7, '0')", "current_id": id_of("migration"),
         "labels": f"jsonb_build_object('tenant', 't' || n % {count // OF_LABEL})"})
    for made in ("upload", "migration"):
        script += copies(
            service, "snapshot", f"snapshot row, {numbers} WHERE row.realm_id = {seed} AND row.created_by = '{made}'",
            {"snapshot_id": id_of(made), "realm_id": id_of("realm"), "created_at": age,
             "parent_id": id_of("upload") if made == "migration" else "NULL",
             "job_id": id_of("job", f"(n * {JOBS_OF_REALM})") if made == "migration" else "NULL",
             "column_batches": f"array_fill({id_of('batch')}, ARRAY[cardinality(row.column_batches)])",
             "segment_batches": f"array_fill({id_of('batch')}, ARRAY[cardinality(row.segment_batches)])"})
    batches = f"(SELECT batch_id FROM segment_batch WHERE realm_id = {seed} ORDER BY created_at LIMIT 1)"
    script += copies(
        service, "segment_batch", f"segment_batch row, {numbers} WHERE row.batch_id = {batches}",
        {"batch_id": id_of("batch"), "realm_id": id_of("realm")})
    script += copies(
        service, "segment", f"segment row, {numbers} WHERE row.batch_id = {batches}", {"batch_id": id_of("batch")})
    jobs = f"generate_series(1, {count * JOBS_OF_REALM}) AS n"
    job_realm = f"(1 + (n - 1) / {JOBS_OF_REALM})"
    failed = "n % 100 = 0"
    script += copies(
        service, "job", f"job row, {jobs} WHERE row.kind = 'migration'",
        {"job_id": id_of("job"), "realm_id": id_of("realm", job_realm),
         "realm_name": f"'r' || lpad({job_realm}::text, 7, '0')", "created_at": age,
         "finished_at": f"CASE WHEN n <= {OLD_JOBS} THEN now() - interval '10 days' ELSE {age} END",
         "state": f"CASE WHEN {failed} THEN 'failed' ELSE 'succeeded' END",
         "problem": f"CASE WHEN {failed} THEN '{{\"status\": 500, \"code\": \"x\", \"detail\": \"y\"}}'::json END"})
    script += copies(
        service, "migration_job", f"migration_job row, {jobs} WHERE row.job_id IN (SELECT job_id FROM job WHERE realm_name = 'seed')",
        {"job_id": id_of("job"), "source_id": id_of("upload", job_realm),
         "result_id": f"CASE WHEN {failed} THEN NULL ELSE {id_of('migration', job_realm)} END"})
    script += fleets(service, count, id_of)
    script += f"""
        INSERT INTO webhook (app_id, webhook_id, url, enabled, secret)
        SELECT app_id, {id_of("webhook", "1")}, 'https://example.com/', false, 'secret' FROM app WHERE name = 'shop';
        INSERT INTO webhook_event (app_id, event_id, type, sequence, body)
        SELECT app_id, {id_of("event")}, 'realm.changed', n, '{{}}' FROM app, {numbers} WHERE name = 'shop';
        INSERT INTO webhook_delivery (app_id, event_id, webhook_id, state, next_attempt_at)
        SELECT app_id, {id_of("event")}, {id_of("webhook", "1")}, CASE WHEN {failed} THEN 'failed' ELSE 'delivered' END, NULL
        FROM app, {numbers} WHERE name = 'shop';
        """
    script += f"""
        INSERT INTO audit_entry (app_name, audit_entry_id, at, key_id, key_name, operation, path, request_id, status)
        SELECT 'shop', {id_of("audit")}, {age}, api_key_id, name, 'uploadSnapshot', '/v1/apps/shop', 'r' || n, 201
        FROM (SELECT * FROM api_key LIMIT 1) k, generate_series(1, {count * 5}) AS n;
        INSERT INTO realm_token (realm_token_id, api_key_id, app_id, hash, scopes, realms, expires_at)
        SELECT {id_of("token")}, api_key_id, (SELECT app_id FROM app WHERE name = 'shop'), sha256(n::text::bytea), '{{read}}',
            ARRAY['r' || lpad(n::text, 7, '0')], now() + interval '20 hours'
        FROM (SELECT * FROM api_key LIMIT 1) k, generate_series(1, {min(count, MOST_TOKENS)}) AS n;
        SET session_replication_role = origin;
        """
    service.sql(script)
    service.sql(
        "INSERT INTO realm_label (app_id, label, realm_name, realm_id)"
        " SELECT app_id, label_digest(key, value), name, realm_id FROM realm, jsonb_each_text(labels) ON CONFLICT DO NOTHING")
    # All of them are to be counted.
    service.sql(
        "UPDATE snapshot_counting SET counted_to = lowest_id('epoch'), next_to = lowest_id('epoch');"
        "UPDATE realm SET counted_id = NULL, counted_version = NULL; DELETE FROM realm_count; DELETE FROM snapshot_count")
    service.sql("ANALYZE")
    service.sql("VACUUM")
    while service.sql(
            "SELECT 1 FROM realm WHERE is_uncounted UNION ALL"
            f" SELECT 1 FROM snapshot_count WHERE snapshots < {2 * count} UNION ALL"
            " SELECT 1 WHERE NOT EXISTS (SELECT FROM snapshot_count)"):
        time.sleep(0.5)
    service.sql("VACUUM ANALYZE")


def fleets(service, count, id_of):
    """Five fleets that have a fifth of the realms each; one realm of fifty has failed."""
    size = count // FLEETS
    bad = "n % 50 = 0"
    made = f"generate_series(1, {FLEETS}) AS f"
    script = copies(
        service, "fleet", f"fleet row, {made}",
        {"fleet_id": id_of("fleet", "f"), "state": "'failed'", "total": str(size), "pending": "0", "unchanged": "0",
         "succeeded": f"{size} - {size} / 50", "failed": f"{size} / 50"})
    script += f"""
        INSERT INTO fleet_version_move (app_id, fleet_id, from_version, state, members)
        SELECT (SELECT app_id FROM app WHERE name = 'shop'), {id_of("fleet", "f")}, 1,
            CASE WHEN {bad} THEN 'failed' ELSE 'succeeded' END, count(*) FROM {made}, generate_series(1, {size}) AS n
        GROUP BY f, n / 100, {bad};
        """
    return script + copies(
        service, "fleet_member", f"fleet_member row, {made}, generate_series(1, {size}) AS n WHERE row.realm_name = 'seed'",
        {"fleet_id": id_of("fleet", "f"), "realm_id": id_of("realm"), "realm_name": "'r' || lpad(n::text, 7, '0')",
         "position": "n - 1", "from_version": "1", "state": f"CASE WHEN {bad} THEN 'failed' ELSE 'succeeded' END",
         "job_id": id_of("job", f"(n * {JOBS_OF_REALM})"), "source_id": id_of("upload"),
         "result_id": f"CASE WHEN {bad} THEN NULL ELSE {id_of('migration')} END",
         "reason": f"CASE WHEN {bad} THEN 'it broke' END",
         "problem": f"CASE WHEN {bad} THEN '{{\"status\": 500, \"code\": \"x\", \"detail\": \"y\"}}'::json END",
         "finished_at": "now()"})


def drive(service, count):
    """Goes through the API as clients do; whatever lists is asked for a page at the start and one in the middle."""
    call = service.call
    middle = f"r{count // 2:07}"

    def listed(path):
        page = call("GET", path)
        if page["next"]:
            call("GET", f"{path}{'&' if '?' in path else '?'}cursor={page['next']}")
        return page

    for path in ("", "&version=2", "&label=tenant:t7"):
        listed("/v1/apps/shop/realms?limit=100" + path)
    one = call("GET", f"/v1/apps/shop/realms/{middle}")
    listed(f"/v1/apps/shop/realms/{middle}/snapshots?limit=1")
    for path in ("", "&state=failed", "&state=queued", "&state=succeeded", "&app=shop", "&app=shop&realm=" + middle):
        jobs = listed("/v1/jobs?limit=50" + path)
    for part in ("", "/schema", "/manifest", "/objects/Note"):
        call("GET", f"/v1/snapshots/{one['currentSnapshot']}{part}")
    listed("/v1/apps/shop/fleets?limit=2")
    fleet = call("GET", "/v1/apps/shop/fleets")["items"][0]["id"]
    call("GET", f"/v1/apps/shop/fleets/{fleet}")
    for path in ("", "&state=failed"):
        listed(f"/v1/apps/shop/fleets/{fleet}/realms?limit=20" + path)
    listed("/v1/audit?limit=50")
    listed("/v1/audit?limit=50&app=shop")
    listed("/v1/tokens?limit=50")
    for path in ("/v1/apps", "/v1/apps/shop", "/v1/apps/shop/versions", "/v1/apps/shop/schemas", "/v1/apps/shop/retention",
                 "/v1/keys", "/metrics", "/readyz", f"/v1/jobs/{jobs['items'][0]['id']}"):
        call("GET", path)
    for number in range(5):
        changed = realm(service, f"new{number}")
        job = migrate(service, f"new{number}")
        call("POST", f"/v1/apps/shop/realms/new{number}/restore", {"snapshot": changed["id"]})
        call("POST", "/v1/tokens", {"app": "shop", "realms": [f"new{number}"], "scopes": ["read"], "expiresInSeconds": 60})
        call("DELETE", f"/v1/jobs/{job['id']}")
        call("DELETE", f"/v1/apps/shop/realms/r{number + 10:07}")
    run_fleet(service, "new0", "new1", "new2")
    browser_statements.drive(service, count)
    call("PUT", f"/v1/apps/shop/realms/{middle}", {"labels": {"tenant": "t7", "tier": "gold"}})
    keep_house(service)


def keep_house(service):
    """Has a round of each chore done, in which there is some work; the workers look every few seconds."""
    service.call("PUT", "/v1/apps/shop/retention", {"keepSnapshots": 1, "keepJobs": 100, "keepJobDays": 5})
    service.sql(
        "UPDATE segment_batch SET garbage_since = now() - interval '2 hours' WHERE (app_id, batch_id) IN"
        " (SELECT app_id, batch_id FROM segment_batch LIMIT 50)"
        # Of realms that are gone.
        " OR garbage_since IS NOT NULL AND NOT EXISTS (SELECT FROM realm r WHERE r.realm_id = segment_batch.realm_id);"
        # Events of webhooks that are kept no longer.
        "INSERT INTO webhook_event (app_id, event_id, type, sequence, body)"
        " SELECT app_id, lowest_id(now() - interval '10 days' + n * interval '1 second'), 'realm.changed', n, '{}'"
        " FROM app, generate_series(1, 10) AS n WHERE name = 'shop' ON CONFLICT DO NOTHING;"
        "UPDATE chore SET ended_at = '-infinity', held_until = now() - interval '1 second'")
    while service.sql("SELECT count(*) FROM chore WHERE ended_at = '-infinity'").strip() != "0":
        time.sleep(0.5)


def costs(program, count):
    """Pages that a call of each statement reads, by its text."""
    temporary = tempfile.TemporaryDirectory(prefix="statement-costs-", ignore_cleanup_errors=True)
    folder = pathlib.Path(temporary.name)
    folder.chmod(0o755)
    service = Service(program, folder, "--lease", "3", "--webhook-allow", "127.0.0.1")
    try:
        make_seed(service)
        fill(service, count)
        service.sql("SELECT pg_stat_statements_reset()")
        drive(service, count)
        pages.walk("api.md", service.url, service.key)
        rare_walk.Walk(service).go()
        keep_house(service)
        rows = service.sql(
            "SELECT json_build_array(query, sum(shared_blks_hit + shared_blks_read + local_blks_hit + temp_blks_read)"
            " / sum(calls), sum(rows) / sum(calls)) FROM pg_stat_statements WHERE query !~ 'pg_stat_statements|search_path =' GROUP BY query")
        return {query: (cost, given) for query, cost, given in map(json.loads, rows.splitlines())}
    finally:
        service.stop()
        temporary.cleanup()


def bound_of(text):
    """The most pages that a statement may read whatever it reads in the small database."""
    return next((most for beginning, most in BOUNDED.items() if " ".join(text.split()).startswith(beginning)), 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--realms", type=int, nargs=2, default=(1_000, 100_000), metavar=("FEW", "MANY"))
    parser.add_argument("--short", action="store_true", help=f"with {SHORT[0]} and {SHORT[1]} realms")
    parser.add_argument("--all", action="store_true", help="list every statement")
    options = parser.parse_args()
    realms = SHORT if options.short else options.realms
    with concurrent.futures.ThreadPoolExecutor(len(realms)) as pool:
        few, many = pool.map(costs, [options.program] * len(realms), realms)
    grown = {
        text for text, (cost, rows) in many.items()
        if text in few and cost > bound_of(text) and cost > 2 * few[text][0] * max(1, rows / max(few[text][1], 1)) + SLACK + SLACK_OF_ROW * rows}
    shown = many if options.all else grown
    for text in sorted(shown, key=lambda text: -many[text][0]):
        print(f"{few.get(text, (float('nan'), 0))[0]:10.1f} {many[text][0]:10.1f}  {' '.join(text.split())[:400]}")
    missing = without_case([*few, *many])
    for path, line, text in missing:
        print(f"without a case: {path}:{line}  {text[:100]}")
    print(f"{len(missing)} statements of the stores were not run")
    print(f"{len(many)} statements, of which {len(grown)} cost more with {realms[1]} realms than with {realms[0]}")
    return bool(missing) or any(not " ".join(text.split()).startswith(KNOWN) for text in grown)


if __name__ == "__main__":
    sys.exit(main())
