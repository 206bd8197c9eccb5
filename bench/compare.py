#!/usr/bin/env python3
"""Measures two builds of the program by turns: compare.py OLD NEW [--pairs 5] [options of bench.py, such as --only].

Each pair runs bench.py with both programs, the one that went second going first the next time. A row's figure is the median
over the pairs of the new program's speed as a share of the old one's: machines differ from day to day, and single runs by
20 %. Exits with 1 where a row is below 0.97.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

BENCH = pathlib.Path(__file__).with_name("bench.py")
LEAST = 0.97


def measure(program, options):
    """The rows of one run, by the names of their steps."""
    run = subprocess.run([sys.executable, BENCH, program, *options], stdout=subprocess.PIPE, text=True)
    rows = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return {row["step"]: row for row in rows}


def speed(old, new):
    """The new row's speed as a share of the old one's; nil where one of them failed or measured nothing."""
    if "failed" in old or "failed" in new or not old["ours"] or not new["ours"]:
        return None
    return new["ours"] / old["ours"] if old.get("moreIsBetter") else old["ours"] / new["ours"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--pairs", type=int, default=5)
    options, rest = parser.parse_known_args()
    pairs = []
    for number in range(options.pairs):
        programs = [options.old, options.new]
        order = programs if number % 2 == 0 else programs[::-1]
        rows = {program: measure(program, rest) for program in order}
        pairs.append([rows[program] for program in programs])
        print(f"pair {number + 1} of {options.pairs}", file=sys.stderr, flush=True)
    slower = False
    print(f"{'new for old':>11}  {'lowest':>6}  {'highest':>7}  step")
    for step in pairs[0][0]:
        shares = [speed(old[step], new[step]) for old, new in pairs if step in old and step in new]
        shares = [share for share in shares if share]
        if not shares:
            print(f"{'-':>11}  {'-':>6}  {'-':>7}  {step}: failed")
            slower = True
            continue
        median = statistics.median(shares)
        slower |= median < LEAST
        print(f"{median:11.2f}  {min(shares):6.2f}  {max(shares):7.2f}  {step}{' SLOWER' if median < LEAST else ''}")
    return slower


if __name__ == "__main__":
    sys.exit(main())
