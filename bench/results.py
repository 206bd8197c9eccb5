"""What was measured: a line of JSON a step as it comes, a table and a file at the end."""

import json
import os
import pathlib
import statistics

# How many times better than the peer a step has to be: ratios, because they hold on any machine.
TARGETS = {
    "upload .realm": 1, "upload NDJSON": 1, "upload JSON": 1, "migrate by script": 1,
    "download NDJSON": 1, "download JSON": 1, "stored bytes of the snapshot": 5, "GET job, 32 connections": 0.5,
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
            if step in TARGETS:
                row |= {"target": TARGETS[step], "met": row["ratio"] >= TARGETS[step]}
        row |= more
        if len(values) > 1:
            row["runs"] = [rounded(value) for value in values]
        if memory:
            row["peakMegabytes"] = memory
        self.append(row)

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
              f"{self.load[0]:.1f} at the start, {os.getloadavg()[0]:.1f} at the end, on {self.machine['cores']} cores.")

    @staticmethod
    def cells(row):
        if "failed" in row:
            return row["step"], "FAILED", "", "", "", ""
        ours = f"{row['ours']} {row['unit']}"
        if "objectsPerSecond" in row:
            ours += f" ({row['objectsPerSecond'] / 1e6:.2f} M/s)"
        peer = f"{row['peer']} {row['unit']} {row['peerName']}" if "peer" in row else ""
        target = f"{row['target']} {'met' if row['met'] else 'MISSED'}" if "target" in row else ""
        memory = " ".join(f"{kind}:{size}" for kind, size in row.get("peakMegabytes", {}).items())
        return row["step"], ours, peer, str(row.get("ratio", "")), target, memory
