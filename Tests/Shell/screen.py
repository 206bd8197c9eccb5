"""A terminal of a program under test: what it writes becomes a screen, as a person would see it."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios


class Screen:
    """Rows of text, changed by the few sequences that the program uses; anything else fails the test."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines, self.row, self.column = [""], 0, 0
        self.rest = ""

    def take(self, text):
        text, self.rest = self.rest + text, ""
        position = 0
        while position < len(text):
            character = text[position]
            if character == "\x1b":
                found = re.match(r"\x1b\[(\d*)([A-Za-z])", text[position:])
                if not found:
                    assert len(text) - position < 8, f"an unknown sequence: {text[position:position + 8]!r}"
                    self.rest = text[position:]
                    return
                self.control(int(found.group(1) or 0), found.group(2))
                position += found.end()
                continue
            if character == "\n":
                self.row += 1
                while len(self.lines) <= self.row:
                    self.lines.append("")
            elif character == "\r":
                self.column = 0
            else:
                assert character >= " ", f"a control character: {character!r}"
                assert self.column < self.columns - 1, f"the line is too long: {self.lines[self.row]}"
                line = self.lines[self.row].ljust(self.column)
                self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
                self.column += 1
            position += 1

    def control(self, number, letter):
        if letter == "A":
            assert number < self.rows, f"the page is higher than the screen: {number} rows up"
            self.row -= number or 1
            assert self.row >= 0
        elif letter == "K":
            self.lines[self.row] = self.lines[self.row][:self.column]
        elif letter == "J":
            self.lines[self.row] = self.lines[self.row][:self.column]
            del self.lines[self.row + 1:]
        else:
            raise AssertionError(f"an unknown sequence: {number}{letter}")

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.lines).rstrip("\n")


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, command, environment, columns=100, rows=24):
        self.screen, self.screens = Screen(columns, rows), []
        self.main, device = pty.openpty()
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=device, stdout=device, stderr=device, start_new_session=True, env={**environment, "TERM": "xterm"})
        os.close(device)
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    def read(self):
        """Takes what the program has written; says whether there may be more. A page is whole where it was read up to `\\x1b[J`."""
        if not select.select([self.main], [], [], 60)[0]:
            raise AssertionError(f"the program has written nothing for a minute:\n{self.screen.text}")
        try:
            text = self.decoder.decode(os.read(self.main, 1 << 16))
        except OSError:
            return False
        for piece in re.split(r"(?<=\x1b\[J)", text):
            self.screen.take(piece)
            if piece.endswith("\x1b[J"):
                self.screens.append(self.screen.text)
        return bool(text)

    def read_until(self, pattern):
        while not re.search(pattern, self.screen.text):
            assert self.read(), f"the program has ended without {pattern}:\n{self.screen.text}"

    def end(self):
        """Reads up to the end, and answers the exit code."""
        while self.read():
            pass
        os.close(self.main)
        return self.process.wait(60)

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
