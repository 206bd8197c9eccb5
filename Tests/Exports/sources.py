"""The realms that are exported: files of ../shared where that is, documents of its cases, and made-up ones."""

import json
import pathlib
import random

from playlists import write_playlists
from random_realms import RandomRealm

SAMPLE = 12
# Playlists of twenty tracks: in a sample of the corpus, and where all of it is exported.
FEW_PLAYLISTS, MANY_PLAYLISTS = 300, 100_000


class Source:
    """A realm as a file that realmshift reads."""

    def __init__(self, title, path, key=None, may_be_refused=False):
        self.title, self.path, self.key, self.may_be_refused = title, path, key, may_be_refused

    @property
    def options(self):
        return ["--key", self.key] if self.key else []


def files(shared):
    """Every realm of the corpus, with its key where it has one."""
    keys = json.loads((shared / "cases/files/KEYS.json").read_text())
    generated = (shared / "realms/generated/encrypted.key.hex").read_text().strip()
    synced = shared / "realms/synced/key.hex"
    for path in sorted([*(shared / "realms").rglob("*.realm"), *(shared / "cases/files").glob("*.realm")]):
        key = keys.get(path.name)
        if path.parent.name == "generated" and "encrypted" in path.name:
            key = generated
        if path.parent.name == "synced" and "encrypted" in path.name:
            key = synced.read_text().strip()
        if "decrypt" in path.name:
            key = b"1234567890123456789012345678901234567890123456789012345678901234"[:63].hex() + "33"
        yield Source(str(path.relative_to(shared)), path, key, may_be_refused=True)


def documents(shared, folder):
    """Every document of the migration cases, before and after."""
    for path in sorted((shared / "cases").glob("*/*/case.json")):
        case = json.loads(path.read_text())
        for part, document in (("before", case.get("before")), ("expected", case["expected"].get("document"))):
            if document is None:
                continue
            file = folder / f"{path.parent.parent.name}-{case['id']}-{part}.json"
            file.write_text(json.dumps(document))
            # The result of a defect of Core's need not be a realm: equal primary keys, say.
            yield Source(f"{path.parent.name} ({part})", file, may_be_refused=part == "expected" and "quirk" in case)


def made_up(folder, seed, count):
    """Realms of random schemas and values."""
    for number in range(count):
        file = folder / f"random-{seed + number}.json"
        file.write_text(json.dumps(RandomRealm(random.Random(seed + number)).document()))
        yield Source(f"random realm {seed + number}", file)


def playlists(folder, count):
    """A realm of so many lists, sets, dictionaries and embedded lists."""
    file = folder / "playlists.ndjson"
    with open(file, "w") as out:
        write_playlists(count, out)
    return Source(f"{count} playlists", file)


def all_sources(shared, folder, seed, count, whole):
    """A sample, always the same, or everything."""
    shared = pathlib.Path(shared)
    found = []
    if (shared / "cases").is_dir():
        found = [*files(shared), *documents(shared, folder)]
    else:
        print(f"{shared} is missing: exporting made-up realms only")
    if not whole:
        kept = [source for source in found if any(word in source.title for word in ("all-types", "dict", "nested"))]
        found = kept[:SAMPLE // 2] + random.Random(1).sample(found, min(len(found), SAMPLE))
    large = playlists(folder, MANY_PLAYLISTS if whole else FEW_PLAYLISTS)
    return found + list(made_up(folder, seed, count)) + [large]
