"""The service under trial: it can be killed and started again on its data, and its worker comes and goes."""

import http.client
import json
import re
import signal
import subprocess
import time


class Host:
    """A service without workers, and a worker beside it."""

    def __init__(self, program, folder):
        self.program, self.folder, self.data = program, folder, folder / "data"
        self.service = self.worker = self.connection = None
        self.kills = 0
        self.start()
        self.key = (self.data / "admin.key").read_text().strip()

    def start(self):
        log = self.folder / "serve.log"
        before = log.stat().st_size if log.exists() else 0
        self.service = self.spawn("serve", "--listen", "127.0.0.1:0", "--data", str(self.data), "--workers", "0")
        end = time.monotonic() + 120
        while True:
            told = re.search(r"listening on http://\S*:([0-9]+)", log.read_text()[before:])
            if told and self.is_ready(int(told[1])):
                self.port = int(told[1])
                return
            if self.service.poll() is not None or time.monotonic() > end:
                raise SystemExit("the service did not start:\n" + log.read_text()[-3000:])
            time.sleep(0.01)

    def spawn(self, command, *arguments):
        with open(self.folder / f"{command}.log", "a") as log:
            return subprocess.Popen([self.program, command, *arguments], stdout=log, stderr=subprocess.STDOUT)

    @staticmethod
    def is_ready(port):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def kill(self):
        """Kills the service as it stands; its worker goes with it, which needs its database."""
        self.hold()
        self.service.kill()
        self.service.wait()
        self.close()
        self.kills += 1

    @property
    def works(self):
        return self.worker is not None

    def work(self):
        """Lets jobs run."""
        if self.worker is None:
            url = f"postgresql:///postgres?user=realmshift&host={self.data / 'postgres'}"
            self.worker = self.spawn("worker", "--database-url", url, "--workers", "2", "--lease", "2")

    def hold(self, at_once=False):
        """Lets no job run from now on; at once is in the middle of what it does."""
        if self.worker is not None:
            self.worker.kill() if at_once else self.worker.terminate()
            self.worker.wait(60)
            self.worker = None

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def stop(self):
        self.close()
        self.hold()
        if self.service.poll() is None:
            self.service.send_signal(signal.SIGTERM)
            self.service.wait(60)

    # ---- requests --------------------------------------------------------------------------------------------------

    def call(self, method, path, body=None, version=None, raw=False, **fields):
        """The status of an answer and its JSON; connection errors are the caller's."""
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        fields["Authorization"] = f"Bearer {self.key}"
        if version is not None:
            fields["Realm-Schema-Version"] = str(version)
        if body is not None:
            body, fields["Content-Type"] = json.dumps(body), "application/json"
        if self.connection is None or time.monotonic() - self.used > 5:
            self.close()
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        self.used = time.monotonic()
        try:
            self.connection.request(method, path, body, fields)
            response = self.connection.getresponse()
            data = response.read()
        except BaseException:
            self.close()
            raise
        if raw:
            return response.status, data.decode()
        return response.status, json.loads(data) if data else None
