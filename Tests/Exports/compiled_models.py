#!/usr/bin/env python3
"""Compiles the models of realms with every type of property and with names that languages reserve, against interfaces written for it.

usage: compiled_models.py PROGRAM

Swift (Realm and GRDB) by swiftc, TypeScript by tsc, C# by Mono's mcs; Kotlin and Dart, for which Debian has no compiler that reads
them, are parsed by a grammar.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import tree_sitter
import tree_sitter_dart
import tree_sitter_kotlin
from hostile_names import first_error

STAND_INS = pathlib.Path(__file__).resolve().parent / "StandIns"

# Words of languages, members of the SDKs' own objects, types that generated code itself names, unicode, and what is no letter.
NAMES = sorted({
    # words
    *"""abstract actor any as associatedtype async await base bool break byte case catch char checked class const constructor continue
    convenience debugger decimal declare default defer deinit delegate delete didSet do double dynamic else enum event explicit export extends
    extension extern external factory fallthrough false field file fileprivate final finally fixed float for foreach fun func function get global
    goto guard if implements implicit import in indirect infix init inline inout instanceof int interface internal is isolated late lazy let library
    lock long macro mixin module mutating namespace new nil nonisolated null object on open operator optional out override package params part
    postfix precedencegroup prefix private protected protocol public readonly record ref repeat required rethrows return sbyte sealed set short
    sizeof some stackalloc static string struct subscript super switch symbol sync this throw throws true try type typealias typeof uint ulong
    unchecked suspend keyof infer unique asserts intrinsic unowned unsafe use ushort using val value var virtual void volatile weak when where while willSet with yield""".split(),
    "self", "Self", "Type", "Protocol", "Any", "__proto__", "prototype", "arguments", "eval", "_", "__", "$0", "await", "nameof",
    # members of objects
    *"""description debugDescription hash hashValue isEqual copy className realm objectSchema isInvalidated isFrozen observe freeze thaw
    isSameObject primaryKey ignoredProperties propertiesMapping superclass keys entries toJSON isValid linkingObjects addListener
    schema models name length toString hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString valueOf Equals GetHashCode GetType ToString MemberwiseClone ReferenceEquals Finalize Realm
    IsManaged IsValid IsFrozen ObjectSchema DynamicApi BacklinksCount PropertyChanged databaseTableName CodingKeys encode all""".split(),
    # types
    *"""Object EmbeddedObject List MutableSet Map LinkingObjects Persisted Data Date UUID String Int Bool Float Double Decimal128 ObjectId
    AnyRealmValue Optional Set Array Dictionary Error Foundation RealmSwift GRDB Realms MongoDB System Linq Guid RealmValue IList
    ISet IDictionary IQueryable DateTimeOffset MapTo PrimaryKey Indexed Backlink BSON Results Number Promise Symbol Function Record
    ForeignKey Codable CodingKey Int64 Swift""".split(),
    # letters, and none
    "é", "e\u0301", "日本", "Ünïcödé", "😀", "a b", "a-b", "a.b", "1st", "a\"b", "a\\b", "${x}", "\\(x)", " ", "",
} - {""})

TYPES = ["int", "bool", "float", "double", "string", "data", "date", "decimal128", "objectId", "uuid", "mixed"]


def document():
    """A class of each name, one with a property of each name, and one with every type alone, optional and in collections."""
    classes = [{"name": name, "properties": {"value": "string", "next": {"type": "object", "objectType": name, "optional": True}}}
               for name in NAMES]
    classes.append({"name": "Every", "properties": {name: "string" for name in NAMES}})
    # In a collection a type that ends like a shorthand is read as one.
    plain = [name for name in NAMES if not name.endswith("}")]
    classes.append({"name": "Links", "properties": {name: {"type": "list", "objectType": name} for name in plain}})
    every = {"_id": "objectId"}
    for kind in TYPES:
        every[f"{kind}Value"] = {"type": kind, "optional": kind == "mixed"}
        if kind != "mixed":
            every[f"{kind}Optional"] = {"type": kind, "optional": True}
        for collection in ["list", "set", "dictionary"]:
            every[f"{kind}{collection}"] = {"type": collection, "objectType": kind, "optional": kind == "mixed"}
            if kind != "mixed":
                every[f"{kind}{collection}Optional"] = {"type": collection, "objectType": kind, "optional": True}
    for kind in ["int", "bool", "string", "date", "objectId", "uuid", "mixed"]:
        every[f"{kind}Indexed"] = {"type": kind, "indexed": True, "optional": kind == "mixed"}
    every |= {"text": {"type": "string", "indexed": "full-text"}, "link": "Types?", "home": "Home?", "links": "Types[]", "homes": "Home[]",
              "linkSet": "Types<>", "linkMap": "Types{}", "homeMap": "Home{}",
              "back": {"type": "linkingObjects", "objectType": "Types", "property": "link"}}
    classes.append({"name": "Types", "primaryKey": "_id", "properties": every})
    classes.append({"name": "Home", "embedded": True, "properties": {"street": "string?"}})
    return {"schemaVersion": 1, "schema": classes, "objects": {}}


def run(*command, cwd=None):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, cwd=cwd)


def swift(module):
    def compile_models(path, folder):
        made = run("swiftc", "-parse-as-library", "-emit-module", "-module-name", module, "-emit-module-path",
                   folder / f"{module}.swiftmodule", STAND_INS / f"{module}.swift")
        return made if made.returncode != 0 else run("swiftc", "-typecheck", "-swift-version", "5", "-I", folder, path)

    return compile_models


def typescript(path, folder):
    return run("tsc", "--noEmit", "--strict", "--target", "es2020", "--moduleResolution", "node", path, STAND_INS / "realm.d.ts", cwd=folder)


def csharp(path, folder):
    # Mono's compiler knows nothing of references that may be null; it takes the rest.
    source = path.read_text().replace("#nullable enable\n", "").replace(" = null!;", "")
    source = re.sub(r"(?<=[\w>\]])\?(?= \w+ \{|>|,)", lambda found: found[0] if value_type(found) else "", source)
    plain = folder / "Plain.cs"
    # What Realm's generator adds to each class.
    parts = "".join(
        f"public partial class {name} {{ public Realms.Realm Realm => null; public bool IsManaged => false; public bool IsValid => false; "
        "public bool IsFrozen => false; public object ObjectSchema => null; public object DynamicApi => null; "
        "public int BacklinksCount => 0; }\n"
        for name in re.findall(r"^public partial class (\S+) :", source, re.M))
    plain.write_text(source + parts)
    return run("mcs", "-target:library", f"-out:{folder}/models.dll", plain, STAND_INS / "Realms.cs")


def value_type(found):
    """Whether the type before a question mark is of values, where null takes a type of its own."""
    word = re.search(r"([\w.]+)$", found.string[:found.start()])
    return bool(word) and word[1] in ("int", "long", "bool", "float", "double", "DateTimeOffset", "Decimal128", "ObjectId", "Guid")


def parsed(language):
    def parse(path, folder):
        # Kotlin has more letters than the grammar.
        source = "".join("x" if each.isalpha() and not each.isascii() else each for each in path.read_text()).encode()
        root = tree_sitter.Parser(tree_sitter.Language(language())).parse(source).root_node
        text = f"{path}: error: {first_error(root, source)}" if root.has_error else ""
        return subprocess.CompletedProcess([], 1 if root.has_error else 0, text, "")

    return parse


COMPILERS = {"realm-swift": swift("RealmSwift"), "grdb": swift("GRDB"), "realm-js": typescript, "realm-dotnet": csharp,
             "realm-kotlin": parsed(tree_sitter_kotlin.language), "room": parsed(tree_sitter_kotlin.language),
             "realm-dart": parsed(tree_sitter_dart.language)}


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    problems = []
    with tempfile.TemporaryDirectory() as name:
        realm = pathlib.Path(name) / "names.json"
        realm.write_text(json.dumps(document()))
        for target, compile_models in COMPILERS.items():
            folder = pathlib.Path(name) / target
            output = folder / "models"
            output.mkdir(parents=True)
            made = run(program, "models", realm, "--target", target, "--output", output)
            if made.returncode != 0:
                problems.append(f"{target}: {made.stderr.strip()}")
                continue
            (path,) = output.iterdir()
            compiled = compile_models(path, folder)
            if compiled.returncode != 0:
                text = (compiled.stdout + compiled.stderr).replace(name, "")
                found = [line for line in text.split("\n") if "error" in line]
                problems += [f"{target}: {line}" for line in found[:20] or [text[:500]]]
            # A compiler that takes anything would find nothing.
            path.write_text(re.sub(r"(class|struct) (_?Types)", r"\1 )( \2", path.read_text(), count=1))
            if compile_models(path, folder).returncode == 0:
                problems.append(f"{target}: a mistake was not found")
    for problem in problems:
        print("FAILED", problem)
    print(f"Compiled models: {len(COMPILERS)} targets, {len(NAMES)} names, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
