"""Processes that are started again when they die, and connections that can be cut."""

import contextlib
import pathlib
import socket
import subprocess
import threading


class Kept:
    """A program that is started again whenever it ends, until it is told to end."""

    def __init__(self, command, log, environment):
        self.command, self.log, self.environment, self.process = command, log, environment, None
        self.ended = threading.Event()
        self.start()
        self.thread = threading.Thread(target=self.keep, daemon=True)
        self.thread.start()

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=subprocess.STDOUT, env=self.environment)

    def keep(self):
        while True:
            self.process.wait()
            if self.ended.wait(0.2):
                return
            self.start()

    @property
    def pid(self):
        return self.process.pid

    @property
    def is_running(self):
        return self.process.poll() is None

    def end(self):
        self.ended.set()
        self.process.terminate()
        self.thread.join(60)


class Process:
    def __init__(self, pid, command, is_busy):
        self.pid, self.command, self.is_busy = pid, command, is_busy


def children(parent):
    """The processes that a process has started and that are there still; busy is one that runs at this moment."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if folder.name.isdigit() and int(fields[1]) == parent:
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found.append(Process(int(folder.name), command, fields[0] == "R"))
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Relay:
    """Passes connections on, and cuts them."""

    def __init__(self, listener, connect):
        self.listener, self.connect, self.open, self.lock = listener, connect, set(), threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    @staticmethod
    def of_ports(target):
        listener = socket.create_server(("127.0.0.1", 0))
        relay = Relay(listener, lambda: socket.create_connection(("127.0.0.1", target), timeout=5))
        relay.port = listener.getsockname()[1]
        return relay

    @staticmethod
    def of_files(path, target):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen(128)

        def connect():
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(5)
            connection.connect(str(target))
            return connection
        return Relay(listener, connect)

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = self.connect()
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            with self.lock:
                self.open.add((client, server))
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=(*pair, (client, server)), daemon=True).start()

    def pump(self, source, target, pair):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
        self.shut(pair)

    def shut(self, pair):
        with self.lock:
            self.open.discard(pair)
        for end in pair:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def cut(self):
        """Cuts all connections; returns how many there were."""
        with self.lock:
            pairs = list(self.open)
        for pair in pairs:
            self.shut(pair)
        return len(pairs)

    def close(self):
        self.listener.close()
        self.cut()
