"""Runs what the pages for users show, as it stands there, against a service."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("api.md", "realm-json.md", "partner-classes.md")


def walk(url, key):
    """Has a shell run all commands of the pages; the test of the pages looks at what they print."""
    script = "\n".join(
        block for page in PAGES for block in re.findall(r"```sh\n(.*?)\n```", (ROOT / "docs" / page).read_text(), re.S))
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "examples").symlink_to(ROOT / "examples")
        run = subprocess.run(
            ["bash", "-euxo", "pipefail", "-c", script], cwd=folder, env=os.environ | {"URL": url, "KEY": key},
            capture_output=True, text=True)
    if run.returncode:
        sys.exit("a command of the documentation failed:\n" + run.stderr[-3000:])
