"""The bill of materials of a package (CycloneDX 1.5): what it carries, and what of Debian it needs."""

import hashlib
import re
import uuid

from libraries import package_field

SWIFT = "Apache-2.0 WITH Swift-exception"
# Projects of the toolchain that are linked into the programs themselves.
LINKED = ("swift", "swift-corelibs-libdispatch", "swift-foundation")


def toolchain_part(name):
    """The project that a library of the toolchain is of."""
    if name.startswith("libSwift"):
        return "swift-syntax"
    if "dispatch" in name.lower() and not name.startswith("libswift") or name == "libBlocksRuntime.so":
        return "swift-corelibs-libdispatch"
    return "swift"


def file_component(path, root):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"type": "file", "name": str(path.relative_to(root)), "hashes": [{"alg": "SHA-256", "content": digest}]}


def toolchain_component(name, version):
    return {
        "type": "library", "bom-ref": f"swift:{name}", "name": name, "version": version,
        "purl": f"pkg:github/swiftlang/{name}@swift-{version}-RELEASE", "licenses": [{"expression": SWIFT}],
        "properties": [{"name": "realmshift:carried", "value": "true"}], "components": []}


def debian_component(package, files, architecture):
    version = package_field(package, "Version")
    component = {
        "type": "library", "bom-ref": f"deb:{package}", "name": package, "version": version,
        "purl": f"pkg:deb/debian/{package}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}",
        "properties": [{"name": "realmshift:carried", "value": "true" if files else "false"}],
    }
    licences = debian_licences(package)
    if licences:
        component["licenses"] = [{"license": {"name": name}} for name in licences]
    if files:
        component["components"] = files
    return component


def debian_licences(package):
    """The names of the licences in a package's machine-readable copyright file; none where it is not of that form."""
    try:
        text = open(f"/usr/share/doc/{package}/copyright", encoding="utf-8").read()
    except OSError:
        return []
    return sorted(set(re.findall(r"^License: *(\S.*)$", text, flags=re.M))) if text.startswith("Format:") else []


def bill(version, swift_version, architecture, libraries, folder, root, programs):
    """The document; a library is carried where its file is in the folder of the programs."""
    parts, debian = {name: toolchain_component(name, swift_version) for name in LINKED}, {}
    for library in libraries:
        copy = folder / library.name
        files = [file_component(copy, root)] if copy.exists() else []
        if library.is_ours:
            name = toolchain_part(library.name)
            part = parts.setdefault(name, toolchain_component(name, swift_version))
            part["components"] += files
        else:
            debian.setdefault(library.package, []).extend(files)
    components = list(parts.values()) + [
        debian_component(package, files, architecture) for package, files in sorted(debian.items())]
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {
            "type": "application", "bom-ref": "realmshift", "name": "realmshift", "version": version,
            "licenses": [{"license": {"id": "Apache-2.0"}}],
            "components": [file_component(folder / each, root) for each in programs]}},
        "components": components,
        "dependencies": [{"ref": "realmshift", "dependsOn": [each["bom-ref"] for each in components]}]
        + [{"ref": each["bom-ref"]} for each in components],
    }
    # The same programs have the same number.
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, repr(document))}"
    return document
