#!/usr/bin/env python3
"""Checks Dockerfile and docker-compose.yml without a registry: container_check.py PROGRAM

Starts the service with the arguments that the image and the composition give it, with another port and another data directory, and
asks what the health check asks. Checks that what is copied is there, that the user owns the data, and that Debian installs
every library that the programs are linked with.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]


def instructions(text):
    """The instructions of a Dockerfile's stages, each a pair of its name and its arguments."""
    stages = []
    for line in re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines():
        name, _, rest = line.strip().partition(" ")
        if name == "FROM":
            stages.append([])
        if name:
            stages[-1].append((name, rest.strip()))
    return stages


def only(stage, name):
    found = [rest for each, rest in stage if each == name]
    assert len(found) == 1, f"the image has {len(found)} times {name}"
    return found[0]


def serve(program, arguments, health_path):
    """Starts the service as a container does, but for the port and the data, and asks for its health until it is well."""
    data = arguments[arguments.index("--data") + 1]
    with tempfile.TemporaryDirectory() as folder:
        own = {data: folder + "/data", "0.0.0.0:8080": "0.0.0.0:0"}
        process = subprocess.Popen(
            [program, *(own.get(each, each) for each in arguments)], stderr=subprocess.PIPE, text=True)
        try:
            log = []
            for line in process.stderr:
                log.append(line)
                found = re.search(r"listening on http://0\.0\.0\.0:(\d+)", line)
                if found:
                    break
            else:
                sys.exit("the service does not start with " + " ".join(arguments) + ":\n" + "".join(log))
            url = f"http://127.0.0.1:{found.group(1)}{health_path}"
            subprocess.run(
                ["curl", "--fail", "--silent", "--show-error", "--retry", "10", "--retry-all-errors", url],
                check=True, stdout=subprocess.DEVNULL)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
        assert process.returncode == 0, f"the service ended with {process.returncode}"
    return data


def libraries(program):
    """The Debian packages of the libraries that a program is linked with; Swift's own are in the image."""
    linked = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    for path in re.findall(r"=> (/\S+)", linked):
        real = os.path.realpath(path)
        if "/swift/" not in real:
            # Packages name files as they were before /lib became a link to /usr/lib.
            owner = subprocess.run(["dpkg", "-S", real, real.removeprefix("/usr")], capture_output=True, text=True).stdout
            assert owner, f"no package has {real}"
            yield owner.partition(":")[0]


def installed_with(packages):
    """The packages, with all that they depend on."""
    listed = subprocess.run(
        ["apt-cache", "depends", "--recurse", "--no-recommends", "--no-suggests", "--no-conflicts", "--no-breaks",
         "--no-replaces", "--no-enhances", *packages], check=True, capture_output=True, text=True).stdout
    return {line.split(":")[0] for line in listed.splitlines() if line and not line.startswith(" ")}


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    build, image = instructions((ROOT / "Dockerfile").read_text())
    for name, rest in build:
        if name == "COPY":
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists(), f"{source} is copied and is not there"

    install = only(image, "RUN")
    packages = re.search(r"--no-install-recommends\s+([^&]+)", install).group(1).split()
    there = installed_with(packages)
    for each in ("realmshift", "realmshift-script", "realmshift-swift"):
        missing = set(libraries(program.with_name(each))) - there
        assert not missing, f"{each} needs packages that the image does not install: {', '.join(sorted(missing))}"

    health = json.loads(only(image, "HEALTHCHECK").partition("CMD ")[2])
    assert health[0] in packages, f"{health[0]} is not installed"
    health_path = re.search(r"http://127\.0\.0\.1:8080(/\S+)", health[-1]).group(1)
    assert json.loads(only(image, "ENTRYPOINT")) == ["realmshift"]
    data = serve(program, json.loads(only(image, "CMD")), health_path)
    assert data == only(image, "VOLUME"), "the volume is not where the data is"
    user = only(image, "USER")
    assert re.search(rf"install -d -m 700 -o {user} -g {user} {data}\b", install), "the data does not belong to the user"

    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    service = services["realmshift"]
    assert serve(program, service["command"], health_path) == data
    assert f"data:{data}" in service["volumes"], "the composition's volume is not where the data is"
    assert "--insecure" not in service["command"] or all(
        port.startswith("127.0.0.1:") for port in service["ports"]), "plain HTTP is published to other machines"
    for name, each in services.items():
        assert each.get("restart") == "unless-stopped", f"{name} stays down when it has ended"
    assert service["depends_on"]["database"]["condition"] == "service_healthy" and "healthcheck" in services["database"]
    print("the image and the composition: started as they say, and all that they need is there")


if __name__ == "__main__":
    main()
