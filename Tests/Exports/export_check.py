"""Exports realms to a format and has every value of them compared with Realm JSON."""

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

from sources import all_sources


def run(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def parser(description):
    """The options of every program that checks a format."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("program")
    made.add_argument("--shared", default="../shared", help="the folder of the corpus")
    made.add_argument("--whole", action="store_true", help="all of the corpus rather than a sample")
    made.add_argument("--random", type=int, default=40, help="how many made-up realms")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--jobs", type=int, default=2)
    return made


def read_realm(program, source, folder):
    """The document of a realm and the digest of each class's lines; or why it can't be read."""
    lines = pathlib.Path(folder, "realm.ndjson")
    read = run(program, "convert", source.path, lines, *source.options, "--quiet")
    return read.stderr.strip() if read.returncode != 0 else read_lines(lines)


def read_lines(path):
    """The document that NDJSON is, and the digest of each class's lines."""
    digests = {}
    with open(path, "rb") as file:
        document = json.loads(file.readline())
        objects = document["objects"] = {}
        for line in file:
            each = json.loads(line)
            objects.setdefault(each["class"], []).append(each["object"])
            digests.setdefault(each["class"], hashlib.sha256()).update(line)
    return document, digests


def check(program, source, ending, options, compare, after, folder, database):
    """The faults of the export of a realm; None if the realm can't be read at all."""
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        realm = read_realm(program, source, temporary)
        if isinstance(realm, str):
            return None if source.may_be_refused else [f"convert: {realm}"]
        exported, path = pathlib.Path(temporary, f"realm.{ending}"), source.path
        if database is not None:
            # The schema of a database is named as the realm.
            exported, name = database
            path = pathlib.Path(temporary, name + "".join(pathlib.Path(source.path).suffixes[-1:]))
            path.symlink_to(pathlib.Path(source.path).absolute())
        made = run(program, "convert", path, exported, *source.options, *options, "--quiet")
        if made.returncode != 0:
            return [f"convert: {made.stderr.strip()}"]
        return compare(*realm, exported) or after(program, exported, source)


def main(title, options, compare, ending, more_options=lambda number: [], after=lambda program, path, source: [],
         database=lambda number: None):
    """Checks a format and ends the program.

    `compare(document, digests, path, number)` says what is wrong with an export, `more_options(number)` how it is made,
    `after(program, path, source)` what else is wrong with one of which nothing is. `database(number)` is the URL that a realm
    is copied into, and the name of the schema; or None, for a file.
    """
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        sources = all_sources(options.shared, folder, options.seed, options.random, options.whole)

        def one(pair):
            number, source = pair
            try:
                return source.title, check(
                    options.program, source, ending, more_options(number),
                    lambda *realm: compare(*realm, number), after, folder, database(number))
            except Exception as error:  # a reader that can't read what was written
                return source.title, [f"{type(error).__name__}: {error}"]

        passed, failed, refused = 0, 0, 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name, problems in pool.map(one, enumerate(sources)):
                if problems is None:
                    refused += 1
                elif problems:
                    failed += 1
                    print(f"FAILED {name}", *problems[:8], sep="\n    ")
                else:
                    passed += 1
    print(f"{title}: {passed} passed, {failed} failed; {refused} are no realms that can be read")
    sys.exit(1 if failed or not passed else 0)
