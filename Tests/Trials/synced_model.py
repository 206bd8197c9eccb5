#!/usr/bin/env python3
"""Random histories of synced realms, compared with a model that shares no code with the service.

usage: synced_model.py PROGRAM [--histories N] [--batches N] [--kills N] [--jobs N] [--seed N]

Clients of three versions, and some that name none, write to a realm: classes with links, sets and embedded objects, partners of a
class and of a property, which are made, taken back and cut over to while clients write; schemas grow, and what lacks a value is
filled. Some histories kill the service in the middle. Every few steps all views, the feed of each version as its clients follow it,
what partners tell, and what differs between snapshots are compared with the model. Of a difference it prints the shortest history
that it finds.
"""

import argparse
import contextlib
import multiprocessing
import pathlib
import queue
import random
import shutil
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from synced.comparison import Difference  # noqa: E402
from synced.histories import Generator  # noqa: E402
from synced.host import Host  # noqa: E402
from synced.known import histories  # noqa: E402
from synced.trial import Trial, told  # noqa: E402
from synced.worlds import World  # noqa: E402


class Run:
    """Histories on one service."""

    def __init__(self, options, folder):
        self.options, self.host = options, Host(options.program, folder)

    def history(self, number):
        """Runs a history; returns its figures, or the text of its difference."""
        seed = f"{self.options.seed}-{number}"
        with_kills = number < self.options.kills
        world = World(random.Random(f"{seed} world"))
        choice = random.Random(seed)
        self.host.work()
        trial, steps = Trial(self.host, world, f"h{number}"), []
        generator = Generator(choice, world, trial.realm, {"keys": 9, "special": 0.16, "kills": with_kills})
        # In some there is more than a job does at once.
        is_large = number % 10 == 9
        share = 0.03 if is_large else 0.15
        try:
            while trial.batches < self.options.batches:
                step = generator.bulk(self.options.bulk) if is_large and not steps else generator.step()
                steps.append(step)
                trial.do(step)
                if choice.random() < share or trial.batches >= self.options.batches:
                    step = {"op": "check", "since": choice.randrange(1, 30), "before": choice.randrange(2, 20)}
                    steps.append(step)
                    trial.do(step)
        except Difference as difference:
            return None, self.tell(seed, world, steps, difference, trial.log)
        return {"batches": trial.batches, "refused": trial.refusals, "kills": self.host.kills, "steps": len(steps)}, None

    def known(self, name):
        """Runs a history that went wrong once; returns the text of its difference, as `history` does."""
        world = histories()[name]
        difference, log = self.attempt(world, world.steps)
        return {}, f"{name}: {difference.kind}\n{difference}\n{told(log)}" if difference else None

    # ---- differences -----------------------------------------------------------------------------------------------

    def tell(self, seed, world, steps, difference, log):
        steps, difference, log = self.shorten(world, steps, difference, log)
        return (f"--seed {self.options.seed}, history {seed}, {len(steps)} steps: {difference.kind}\n{difference}\n"
                f"{told(log)}")

    def attempt(self, world, steps):
        """The difference that some steps come to, and the requests; none where there is no difference."""
        self.host.work()
        trial = Trial(self.host, world, "s")
        try:
            for step in steps:
                trial.do(step)
        except Difference as difference:
            return difference, trial.log
        except (KeyError, StopIteration):
            return None, []
        return None, []

    ATTEMPTS = 3

    def shorten(self, world, steps, difference, log):
        """Leaves out steps, and parts of batches, for as long as the difference stays."""
        end = time.monotonic() + self.options.shorten
        best, found = steps, None
        for _ in range(self.ATTEMPTS):
            if found is None:
                found, its_log = self.attempt(world, best)
        if found is None:
            return steps, Difference(difference.kind, f"{difference}\n(not seen again when the same was done once more)"), log
        shortest = [best, found, its_log]

        def fails(steps):
            if not steps or time.monotonic() > end:
                return False
            again, its_log = self.attempt(world, steps)
            if again is None or again.kind != difference.kind:
                return False
            shortest[:] = [steps, again, its_log]
            return True

        fails([s for s in best[:-1] if s["op"] != "check"] + best[-1:])
        reduced(shortest[0], fails)
        for place in reversed(range(len(shortest[0]))):
            for part in ("upserts", "deletes"):
                def with_part(items, place=place, part=part):
                    steps = shortest[0]
                    return [*steps[:place], {**steps[place], "batch": {**steps[place]["batch"], part: items}}, *steps[place + 1:]]
                items = shortest[0][place].get("batch", {}).get(part, [])
                reduced(items, lambda items: fails(with_part(items)), may_be_empty=True)
            for index, upsert in enumerate(shortest[0][place].get("batch", {}).get("upserts", [])):
                def with_members(members, place=place, index=index):
                    batch = shortest[0][place]["batch"]
                    upserts = list(batch["upserts"])
                    upserts[index] = {**upserts[index], "object": dict(members)}
                    return [*shortest[0][:place], {**shortest[0][place], "batch": {**batch, "upserts": upserts}}, *shortest[0][place + 1:]]
                reduced(list(upsert["object"].items()), lambda members: fails(with_members(members)))
        reduced(shortest[0], fails)
        return shortest


def reduced(items, fails, may_be_empty=False):
    """Leaves out as many of some items as it can while `fails` still says so."""
    size = max(1, len(items) // 2)
    while items and size:
        start, smaller = 0, False
        while start < len(items):
            fewer = items[:start] + items[start + size:]
            if (fewer or may_be_empty) and fails(fewer):
                items, smaller = fewer, True
            else:
                start += size
        size = size if smaller and size == 1 else size // 2
    return items


def work(options, numbers, results):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="synced-"))
    folder.chmod(0o755)
    run = None
    try:
        run = Run(options, folder)
        while (number := numbers.get()) is not None:
            results.put((number, *(run.known(number) if isinstance(number, str) else run.history(number))))
    except BaseException:
        results.put((None, None, traceback.format_exc()))
    finally:
        if run:
            run.host.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--histories", type=int, default=200)
    parser.add_argument("--batches", type=int, default=200, help="of a history")
    parser.add_argument("--kills", type=int, default=50, help="histories in which the service is killed")
    parser.add_argument("--first", type=int, default=0, help="the number of the first history")
    parser.add_argument("--bulk", type=int, default=3000, help="objects that every tenth history begins with")
    parser.add_argument("--jobs", type=int, default=2, help="services at once")
    parser.add_argument("--shorten", type=float, default=60, help="seconds to look for a shorter history")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--faults", type=int, default=20, help="differences after which it ends")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    print(f"seed {options.seed}", flush=True)
    start = time.monotonic()
    numbers, results = multiprocessing.Queue(), multiprocessing.Queue()
    wanted = [*histories(), *range(options.first, options.first + options.histories)]
    for number in wanted:
        numbers.put(number)
    processes = [multiprocessing.Process(target=work, args=(options, numbers, results)) for _ in range(options.jobs)]
    for process in processes:
        numbers.put(None)
        process.start()
    figures, differences, ended = [], 0, 0
    while ended < len(wanted) and differences < options.faults:
        number, found, text = results.get()
        if text:
            differences += 1
            print(text, flush=True)
        if found:
            figures.append(found)
        if number is None:
            break
        ended += 1
    with contextlib.suppress(queue.Empty):
        while True:
            numbers.get_nowait()
    for _ in processes:
        numbers.put(None)
    for process in processes:
        process.join(120)
    batches, refused = sum(f["batches"] for f in figures), sum(f["refused"] for f in figures)
    print(f"{len(figures)} histories, {batches} batches, {refused} of them refused, in {time.monotonic() - start:.0f} s: "
          f"{differences or 'no'} difference{'' if differences == 1 else 's'}")
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
