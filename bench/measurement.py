"""What every step of the benchmark works with."""

import time

from peer import Peer
from realms import Realms
from service import Service


class Measurement:
    def __init__(self, options, folder, results):
        self.options, self.folder, self.results = options, folder, results
        self.realms = Realms(options.program, folder)
        self.service = Service(options.program, folder)
        self.client = self.service.client
        self.peer = Peer(self.service, self.realms, options.objects, options.runs)
        self.snapshots = {}

    @property
    def count(self):
        return self.options.objects

    def time(self, body, runs=None, before=lambda: None):
        """Seconds of each run, the memory peaks of all, and what the last run returned."""
        seconds, result = [], None
        self.service.memory.reset()
        for _ in range(runs or self.options.runs):
            before()
            start = time.monotonic()
            result = body()
            seconds.append(time.monotonic() - start)
        return seconds, dict(self.service.memory.peaks), result

    def step(self, name, body, **more):
        """Measures, and adds a row of seconds."""
        seconds, memory, result = self.time(body, more.pop("runs", None), more.pop("before", lambda: None))
        self.results.add(name, seconds, "s", memory=memory, **more)
        return result

    def snapshot(self, realm, path):
        """The first snapshot of a realm, uploaded when it is first asked for."""
        if realm not in self.snapshots:
            self.snapshots[realm] = self.client.upload(realm, path, "application/x-ndjson")
        return self.snapshots[realm]

    def people(self):
        return self.snapshot("people", self.realms.people(self.count))

    def migrate(self, name, realm, request, **more):
        """Measures from the request until the job has succeeded, on the realm's first snapshot."""
        first = self.snapshots[realm]
        return self.step(
            name, lambda: self.client.migrate(realm, request)["resultSnapshot"],
            before=lambda: self.client.restore(realm, first), **more)

    def another_service(self, name, workers):
        """A service of its own beside the one that is measured otherwise; the caller stops it."""
        folder = self.folder / name
        folder.mkdir(mode=0o755)
        return Service(self.options.program, folder, workers)

    def close(self):
        self.service.stop()
