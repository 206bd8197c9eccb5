"""How time and memory grow with the number of objects."""

import collections
import pathlib
import statistics

import chart
from large_realm import DECLARED_REQUEST, FORMATS, FULL_NAME, FULL_NAME_SCRIPT, by_script

COUNTS = (10_000, 100_000, 1_000_000, 10_000_000)
CHART = pathlib.Path(__file__).resolve().parent.parent / "docs" / "maintainers" / "scaling.svg"


def scaling(run):
    """Rows of each size, how the largest compares with smaller ones, and the chart."""
    lines, peaks = collections.defaultdict(list), {}
    for count in COUNTS:
        seconds, peaks[count] = measure(run, count)
        for name, values in seconds.items():
            run.results.add(f"{name}, {count} objects", values, "s", objects=count)
            lines[name].append((count, statistics.median(values)))
        largest = max(peaks[count], key=peaks[count].get)
        run.results.add(
            f"peak of a process, {count} objects", [peaks[count][largest]], "MiB", process=largest, memory=peaks[count])
    declared = dict(lines["migration without script"])
    for count in COUNTS[1:]:
        run.results.add(f"migration without script, {count} for {COUNTS[0]} objects", [declared[count] / declared[COUNTS[0]]], "times")
    growth = {kind: peak / peaks[COUNTS[-2]].get(kind, peak) for kind, peak in peaks[COUNTS[-1]].items()}
    run.results.add(
        f"peak of a process, {COUNTS[-1]} for {COUNTS[-2]} objects", [max(growth.values())], "times",
        each={kind: round(value, 2) for kind, value in growth.items()})
    CHART.write_text(chart.scaling("Seconds that work takes, against the number of objects", lines))


def measure(run, count):
    """The seconds of each run, and the memory peaks of all of them and of a download."""
    realm, file, media_type = f"scaled-{count}", run.realms.realm(count), FORMATS[".realm"]
    first = run.client.upload(realm, file, media_type)
    by_name = {
        "upload .realm": lambda: run.client.upload(realm, file, media_type),
        "migration by script": lambda: run.client.migrate(realm, by_script(FULL_NAME, FULL_NAME_SCRIPT)),
        "migration without script": lambda: run.client.migrate(realm, DECLARED_REQUEST),
    }
    seconds, peaks = {}, {}

    def note(memory):
        for kind, size in memory.items():
            peaks[kind] = max(peaks.get(kind, 0), size)
    for name, body in by_name.items():
        # A step of milliseconds is measured more often.
        runs = run.options.runs * (3 if name == "migration without script" else 1)
        seconds[name], memory, _ = run.time(body, runs, lambda: run.client.restore(realm, first))
        note(memory)
    for title, media_type in FORMATS.items():
        path = run.folder / "downloaded"
        note(run.time(lambda: run.client.download(first, media_type, path), 1)[1])
        path.unlink()
    return seconds, peaks
