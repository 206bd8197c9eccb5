#!/usr/bin/env python3
"""Writes the classes of realms as Swift, has Swift's own parser read them, and compares the schema that they declare.

usage: models_export.py PROGRAM [--shared DIR] [--whole] [--random N] [--seed N] [--jobs N]
"""

import json
import pathlib

import export_check


def main():
    options = export_check.parser(__doc__).parse_args()
    export_check.main("Models", options, compare_models(options.program), "json")


def compare_models(program):
    def compare(document, _, path, number):
        folder = pathlib.Path(path).parent
        made = export_check.run(program, "models", path, "--target", "realm-swift", "--output", folder)
        if made.returncode != 0:
            return [f"models: {made.stderr.strip()}"]
        read = export_check.run(program, "schema", folder / "Models.swift")
        if not document["schema"]:
            # A file without a class is taken for one that is missing its classes.
            return [] if "There is no model class" in read.stderr else [f"schema of no class: {read.stderr.strip()}"]
        if read.returncode != 0:
            return [f"schema: {read.stderr.strip()}"]
        found, wanted = canonical(json.loads(read.stdout)["schema"]), canonical(document["schema"])
        return [f"{name}: {found.get(name)} and not {wanted.get(name)}"
                for name in {**found, **wanted} if found.get(name) != wanted.get(name)]

    return compare


def canonical(schema):
    """The classes by name, with all that is left out where it is what it is without being said."""
    return {each["name"]: {
        "primaryKey": each.get("primaryKey"), "embedded": each.get("embedded", False),
        "asymmetric": each.get("asymmetric", False),
        "properties": {stored_name(name, made): property_of(made) for name, made in each["properties"].items()},
    } for each in schema}


def stored_name(name, made):
    """A name that is none in Swift is mapped to the one in the file."""
    return made.get("mapTo", name) if isinstance(made, dict) else name


def property_of(made):
    if isinstance(made, str):
        made = {"type": made}
    return {
        "type": made["type"], "objectType": made.get("objectType"), "optional": made.get("optional", False),
        "indexed": bool(made.get("indexed", False)), "property": made.get("property"),
    }


if __name__ == "__main__":
    main()
