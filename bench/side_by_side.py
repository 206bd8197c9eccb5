"""Row groups of one realm side by side: in the service, and from file to file."""

import filecmp
import json
import statistics
import subprocess

from large_realm import CARD, CARD_SCRIPT, by_script
from realms import PATIENT, patients
from service import ServiceError


def hosts(run):
    path = run.realms.ndjson("patients", PATIENT, {"Patient": patients(run.count)})
    first = run.snapshot("patients", path)
    whole, parted = by_script(CARD, CARD_SCRIPT), by_script(CARD, CARD_SCRIPT)
    parted["migration"]["independent"] = ["Patient"]
    seconds, _, _ = run.time(
        lambda: run.client.migrate("patients", whole), before=lambda: run.client.restore("patients", first))
    run.migrate(
        "migrate by heavy script, independent", "patients", parted, objects=run.count, peer=statistics.median(seconds),
        peer_name="not declared")
    files(run, path)


def files(run, path):
    """One host and two have to make the same file."""
    source, schema, script = (run.folder / name for name in ("patients.realm", "card.json", "card.js"))
    schema.write_text(json.dumps({"schemaVersion": 2, "schema": CARD}))
    script.write_text(CARD_SCRIPT)
    call(run, "convert", path, source)
    outputs = [run.folder / f"cards-{count}.realm" for count in (1, 2)]

    def migrate(count):
        output = outputs[count - 1]
        output.unlink(missing_ok=True)
        call(run, "migrate", source, "--schema", schema, "--script", script, "--output", output,
             "--independent", "Patient", "--hosts", str(count))

    one, _, _ = run.time(lambda: migrate(1))
    run.step("heavy script from file to file, two hosts", lambda: migrate(2), objects=run.count,
             peer=statistics.median(one), peer_name="one host")
    if not filecmp.cmp(*outputs, shallow=False):
        raise ServiceError("two hosts made another file than one")


def call(run, *arguments):
    done = subprocess.run([run.options.program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise ServiceError(f"{arguments[0]} says {done.stdout} {done.stderr}")
