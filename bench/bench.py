#!/usr/bin/env python3
"""Measures the service against PostgreSQL alone, on the same server in the same run.

Starts a service with a PostgreSQL of its own in a temporary folder; prints a line of JSON a step, then a table; leaves
results.json beside this file, and from scaling the chart docs/maintainers/scaling.svg. The environment's BENCH names steps as
--only does.
"""

import argparse
import os
import pathlib
import tempfile

import changes
import differences
import event_streams
import exports
import fleets
import job_engine
import job_requests
import large_realm
import links
import lookups
import partners
import queries
import scaling
import side_by_side
import small_realms
import swift_file
import values
import views
from measurement import Measurement
from results import Results
from service import ServiceError

STEPS = {
    "upload": large_realm.upload,
    "storage": large_realm.storage,
    "download": large_realm.download,
    "declared": large_realm.declared,
    "script": large_realm.script,
    "swift": large_realm.swift,
    "check": swift_file.check,
    "heavy": large_realm.heavy,
    "hosts": side_by_side.hosts,
    "links": links.links,
    "lists": links.lists,
    "values": values.values,
    "lookups": lookups.lookups,
    "queries": queries.queries,
    "partners": partners.partners,
    "changes": changes.changes,
    "views": views.views,
    "differences": differences.differences,
    "exports": exports.exports,
    "small": small_realms.small,
    "fleets": fleets.fleets,
    "engine": job_engine.engine,
    "requests": job_requests.requests,
    "streams": event_streams.streams,
    "scaling": scaling.scaling,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the realmshift to measure")
    parser.add_argument("--only", action="append", choices=STEPS, help="a step; may be repeated")
    parser.add_argument("--objects", type=int, default=1_000_000, help="of the large realms")
    parser.add_argument("--realms", type=int, default=1_000, help="how many small realms")
    parser.add_argument("--fleet", type=int, default=10_000, help="how many realms of a fleet")
    parser.add_argument("--runs", type=int, default=5, help="of each measurement; the median counts")
    options = parser.parse_args()
    names = options.only or os.environ.get("BENCH", "").split() or list(STEPS)
    for name in names:
        if name not in STEPS:
            parser.error(f"BENCH: no step is called {name}; they are {', '.join(STEPS)}")
    results = Results(pathlib.Path(__file__).with_name("results.json"))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        run = Measurement(options, folder, results)
        try:
            for name in names:
                try:
                    STEPS[name](run)
                except ServiceError as error:
                    results.add_failure(name, error)
        finally:
            run.close()
            results.close()
    if any("failed" in row for row in results.rows):
        raise SystemExit("a step failed")


if __name__ == "__main__":
    main()
