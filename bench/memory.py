"""Peak memory of a process and its descendants."""

import os
import pathlib
import threading


class Memory(threading.Thread):
    """Keeps the peak of anonymous and shared memory, in MiB, of the largest process of each kind since the last reset.

    Shared memory counts once in every process that touched it: the processes of PostgreSQL each show its shared buffers.
    """

    INTERVAL_SECONDS = 0.1

    def __init__(self, root):
        super().__init__(daemon=True)
        self.root, self.peaks, self.ended = root, {}, threading.Event()

    def reset(self):
        self.peaks = {}
        self.look_at_all()

    def run(self):
        while not self.ended.wait(self.INTERVAL_SECONDS):
            self.look_at_all()

    def look_at_all(self):
        for pid in self.family():
            self.look(pid)

    def family(self):
        parents = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    stat = pathlib.Path(f"/proc/{entry}/stat").read_text()
                except OSError:
                    continue
                parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry))
        found, waiting = [], [self.root]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            waiting += parents.get(pid, [])
        return found

    def look(self, pid):
        try:
            lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return
        fields = dict(line.split(":", 1) for line in lines if ":" in line)
        size = sum(int(fields.get(name, "0").split()[0]) for name in ("RssAnon", "RssShmem"))
        if size > 0:
            kind = "service" if pid == self.root else self.kind([word.decode(errors="replace") for word in words])
            self.peaks[kind] = max(self.peaks.get(kind, 0), max(1, size // 1024))

    @staticmethod
    def kind(words):
        if len(words) > 1 and words[1] in ("host", "serve"):
            return "host" if words[1] == "host" else "service"
        return os.path.basename(words[0]).split(":")[0].split(" ")[0] or "process"
