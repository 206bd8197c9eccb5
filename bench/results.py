"""What was measured: a line of JSON a step as it comes, a table and a file at the end."""

import json
import os
import pathlib
import statistics

# Targets of a row's figures: ratios hold on any machine, the others on one of two cores.
AT_LEAST = {
    "upload .realm": {"objectsPerSecond": 2e6},
    "upload NDJSON": {"objectsPerSecond": 1e6, "ratio": 3},
    "upload JSON": {"objectsPerSecond": 1e6, "ratio": 3},
    "migrate by script": {"objectsPerSecond": 2.3e6},
    "migrate by Swift block": {"objectsPerSecond": 2e6, "ratio": 0.85},
    "migrate by heavy script": {"objectsPerSecond": 0.8e6},
    "migrate by heavy script, independent": {"ratio": 1.4},
    "heavy script from file to file, two hosts": {"ratio": 1.7},
    "follow a link each, scattered": {"objectsPerSecond": 2e6},
    "reverse lists of 20 links": {"objectsPerSecond": 2e6},
    "read and write back: uuid": {"ratio": 0.8},
    "read and write back: objectId": {"ratio": 0.8},
    "read and write back: data": {"ratio": 0.8},
    "read and write back: decimal128": {"ratio": 0.5},
    "read and write back: mixed": {"ratio": 0.5},
    "read and write back: dictionary": {"ratio": 0.5},
    "read and write back: set": {"ratio": 0.5},
    "follow a link of a sample": {"ratio": 0.7},
    "write to where a link leads": {"ratio": 0.4},
    "follow a link, look into a list, reverse some": {"ratio": 0.5},
    "download .realm": {"objectsPerSecond": 1e6},
    "download NDJSON": {"objectsPerSecond": 1.5e6},
    "download JSON": {"objectsPerSecond": 1.5e6},
    "export to SQLite": {"ratio": 1},
    "export to Parquet": {"objectsPerSecond": 3e6},
    "export to SQL": {"objectsPerSecond": 1.5e6},
    "export to CSV": {"objectsPerSecond": 1.5e6},
    "stored bytes of the snapshot": {"ratio": 8},
    "stored bytes of the snapshot, to file": {"ratio": 2},
    "migrate small realms": {"ours": 300},
    "migrate a fleet of small realms": {"ours": 800, "ratio": 2},
    "GET job, 32 connections": {"ours": 30_000, "ratio": 0.6},
    "drain 4000 brief migrations": {"ours": 300},
    "upload NDJSON beside them": {"ratio": 0.95},
    "backfill of a partner class": {"objectsPerSecond": 0.5e6},
    "scattered upserts over 100 batches, folded": {"objectsPerSecond": 40_000},
    "inserts in batches of 10000": {"objectsPerSecond": 100_000},
    "read a class with 16000 patched objects, for one without": {"ours": 0.8},
}
AT_MOST = {
    "declared changes": {"ours": 25},
    "check a Swift file of 400 lines": {"ours": 60},
    "migration without script, 1000000 for 10000 objects": {"ours": 1.2},
    "migration without script, 10000000 for 10000 objects": {"ours": 1.2},
    "peak of a process, 10000000 objects": {"ours": 256},
    "peak of a process, 10000000 for 1000000 objects": {"ours": 1.2},
    "one small realm, started to succeeded, p50": {"p95": 40},
    "GET job, 32 connections": {"p99Milliseconds": 10},
    "a fleet, its causes and versions": {"ours": 50},
    "a fleet's failed realms, listed": {"ours": 50},
    "enqueue to start, idle, p95": {"ours": 50},
    "enqueue to start beside another app's endless scripts, p95": {"ours": 100},
    "queue time p95, the last 1000 of 10000 for the first": {"ours": 1.5},
    "GET object by primary key, p95": {"ours": 1.5},
    "query of 1000000 objects": {"ours": 300},
    "1000 scattered changes of both sides, for one": {"ours": 2.5},
    "change one of 1000000 objects, p95": {"ours": 8},
    "change one object, 1000000 for 10000 objects": {"ours": 1.3},
    "batch of 1000 scattered upserts": {"ours": 60},
    "GET object through a view, for plainly": {"ours": 1.2},
    "read all objects through a view, for plainly": {"ours": 1.2},
    "difference of 1000 among 10000000 objects, by a batch": {"ours": 150},
    "difference of 1000 among 10000000 objects, by a migration": {"ours": 1500},
    "rehearsal, for the migration": {"ours": 1.5},
    "10000 event streams on 1000 running jobs": {"ours": 600, "threads": 100},
}


def machine():
    def field(path, name):
        lines = (line.partition(":") for line in pathlib.Path(path).read_text().splitlines())
        return next((value.strip() for key, _, value in lines if key.strip() == name), "")
    return {
        "cores": os.cpu_count(), "cpu": field("/proc/cpuinfo", "model name"),
        "memoryMegabytes": int(field("/proc/meminfo", "MemTotal").split()[0]) // 1024,
        "system": os.uname().sysname + " " + os.uname().release,
    }


def rounded(value):
    return value if isinstance(value, int) else round(value, 3 if value < 100 else 1)


class Results:
    def __init__(self, path):
        self.path, self.rows, self.machine, self.load = path, [], machine(), os.getloadavg()

    def add(self, step, values, unit, *, objects=None, peer=None, peer_name=None, lower=True, memory=None, **more):
        """`values`: one a run; `lower`: whether less is better."""
        ours = statistics.median(values)
        row = {"step": step, "ours": rounded(ours), "unit": unit}
        if objects and unit == "s":
            row |= {"objects": objects, "objectsPerSecond": round(objects / ours)}
        if peer:
            row |= {"peer": rounded(peer), "peerName": peer_name, "ratio": rounded(peer / ours if lower else ours / peer)}
        if not lower:
            row["moreIsBetter"] = True
        row |= more
        row |= self.judged(row)
        if len(values) > 1:
            row["runs"] = [rounded(value) for value in values]
        if memory:
            row["peakMegabytes"] = memory
        self.append(row)

    @staticmethod
    def judged(row):
        """What the row misses of its targets, where it has some."""
        least, most = AT_LEAST.get(row["step"], {}), AT_MOST.get(row["step"], {})
        missed = [f"{name} {value:g}" for name, value in least.items() if row.get(name, 0) < value]
        missed += [f"{name} {value:g}" for name, value in most.items() if row[name] > value]
        return {"met": not missed, "missed": missed} if least or most else {}

    def add_failure(self, step, error):
        self.append({"step": step, "failed": str(error)})

    def append(self, row):
        self.rows.append(row | {"load": round(os.getloadavg()[0], 2)})
        print(json.dumps(self.rows[-1]), flush=True)

    def close(self):
        document = {
            "machine": self.machine, "loadAtStart": self.load, "loadAtEnd": os.getloadavg(), "rows": self.rows}
        self.path.write_text(json.dumps(document, indent=2) + "\n")
        self.print_table()

    def print_table(self):
        table = [("step", "ours", "peer", "ratio", "target", "peak memory, MiB")] + [self.cells(row) for row in self.rows]
        widths = [max(len(cells[column]) for cells in table) for column in range(len(table[0]))]
        print()
        for cells in table:
            print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip())
        print("\nratio: times better than the peer. Load average "
              f"{self.load[0]:.1f} at the start, {os.getloadavg()[0]:.1f} at the end, on {self.machine['cores']} cores "
              f"of {self.machine['cpu']}, {self.machine['memoryMegabytes'] // 1000} GB.")

    @staticmethod
    def cells(row):
        if "failed" in row:
            return row["step"], "FAILED", "", "", "", ""
        ours = f"{row['ours']} {row['unit']}"
        if "objectsPerSecond" in row:
            ours += f" ({row['objectsPerSecond'] / 1e6:.2f} M/s)"
        peer = f"{row['peer']} {row['unit']} {row['peerName']}" if "peer" in row else ""
        target = ("met" if row["met"] else "MISSED " + ", ".join(row["missed"])) if "met" in row else ""
        memory = " ".join(f"{kind}:{size}" for kind, size in row.get("peakMegabytes", {}).items())
        return row["step"], ours, peer, str(row.get("ratio", "")), target, memory
