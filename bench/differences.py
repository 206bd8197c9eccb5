"""What differs between two snapshots of a large realm, and a rehearsal beside the migration that it tries."""

from changes import Shared
from large_realm import FULL_NAME, FULL_NAME_SCRIPT, by_script

CHANGED = 1_000
TOUCHED = """
let count = 0;
function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("Person", (oldPerson, newPerson) => {
    if (count++ %% %d === 0) newPerson.age = oldPerson.age + 1;
  });
}
"""


def differences(run):
    batch(run)
    migration(run)
    rehearsal(run)


def batch(run):
    shared = Shared(run, "diff", run.count)
    before = shared.snapshot
    shared.change(shared.batch(CHANGED))
    compare(run, f"difference of {CHANGED} among {run.count} objects, by a batch", before, shared.snapshot)


def migration(run):
    run.people()
    first = run.snapshots["people"]
    run.client.restore("people", first)
    schema = run.client.json("GET", f"/v1/snapshots/{first}/schema")["schema"]
    second = run.client.migrate("people", by_script(schema, TOUCHED % (run.count // CHANGED)))["resultSnapshot"]
    compare(run, f"difference of {CHANGED} among {run.count} objects, by a migration", first, second)


def compare(run, name, first, second):
    def body():
        return run.client.json("GET", f"/v1/snapshots/{first}/diff/{second}")

    seconds, memory, answer = run.time(body)
    if sum(each["changed"] for each in answer["classes"]) != CHANGED:
        raise RuntimeError(f"{name}: {answer}")
    run.results.add(name, [each * 1000 for each in seconds], "ms", memory=memory)


def rehearsal(run):
    run.people()
    first = run.snapshots["people"]
    request = by_script(FULL_NAME, FULL_NAME_SCRIPT)

    def seconds(members):
        taken, _, _ = run.time(
            lambda: run.client.migrate("people", request | members), before=lambda: run.client.restore("people", first))
        return sorted(taken)[len(taken) // 2]

    run.results.add("rehearsal, for the migration", [seconds({"dryRun": True}) / seconds({})], "times")
