"""The realms that are measured, as files."""

import base64
import json
import subprocess

FIRST = ["Ada", "Alan", "Grace", "Edsger", "Barbara", "Donald", "Frances", "Tony", "Radia", "Niklaus"]
LAST = ["Lovelace", "Turing", "Hopper", "Dijkstra", "Liskov", "Knuth", "Allen", "Hoare", "Perlman", "Wirth"]
CITIES = ["London", "Cambridge", "New York", "Rotterdam", "Los Angeles", "Milwaukee", "Peru", "Wroclaw", "Zurich"]

PERSON = [{"name": "Person", "properties": {"firstName": "string", "lastName": "string", "age": "int"}}]
MEMBER = [{"name": "Member", "primaryKey": "id", "properties": {
    "id": "int", "firstName": "string", "lastName": "string", "age": "int"}}]
PATIENT = [{"name": "Patient", "properties": {
    "firstName": "string", "lastName": "string", "street": "string", "city": "string", "phone": "string",
    "born": "int", "weight": "double", "height": "double", "active": "bool", "note": "string"}}]
FRIEND = [{"name": "Person", "properties": {"name": "string", "friend": "Person"}}]
PLAYLIST = [
    {"name": "Playlist", "properties": {"title": "string", "tracks": "Track[]"}},
    {"name": "Track", "properties": {"title": "string"}},
]
TRACKS = 20
SAMPLE = [{"name": "Sample", "properties": {
    "first": "string", "second": "string", "joined": "string", "uuid": "uuid", "objectId": "objectId", "data": "data",
    "decimal": "decimal128", "mixed": "mixed", "dictionary": "int{}", "set": "int<>", "link": "Sample", "list": "Sample[]"}}]


def key(sequence):
    """The object key that Realm gives the object of a sequence number."""
    return (sequence & 0xFF) | ((sequence & ~0xFF) << 8)


def name(index):
    return FIRST[index % 10], f"{LAST[index // 10 % 10]}{index % 997}"


def persons(count):
    for index in range(count):
        first, last = name(index)
        yield '{"_key":%d,"firstName":"%s","lastName":"%s","age":%d}' % (key(index), first, last, index % 90)


def members(count):
    for index in range(count):
        first, last = name(index)
        yield '{"id":%d,"firstName":"%s","lastName":"%s","age":%d}' % (index, first, last, index % 90)


def patients(count):
    for index in range(count):
        first, last = name(index)
        yield ('{"_key":%d,"firstName":"%s","lastName":"%s","street":"%s Street %d","city":"%s","phone":"0%d/%d-%d",'
               '"born":%d,"weight":%s,"height":%s,"active":%s,"note":"room %d, bed %d"}') % (
            key(index), first, last, LAST[index % 7], index % 211, CITIES[index % 9], 200 + index % 700, index % 9973,
            index % 89, 1930 + index % 90, 50 + index % 500 / 10, 1.5 + index % 50 / 100,
            "true" if index % 3 else "false", index % 400, index % 4)


def friends(count, step):
    """Persons with a link each, `step` persons away: 1 for neighbours, a large prime for scattered ones."""
    for index in range(count):
        yield '{"_key":%d,"name":"%s %s","friend":%d}' % (key(index), *name(index), key((index + step) % count))


def playlists(count):
    for index in range(count):
        tracks = ",".join(str(key((index * 31 + each * 7) % count)) for each in range(TRACKS))
        yield '{"_key":%d,"title":"List %d","tracks":[%s]}' % (key(index), index, tracks)


def tracks(count):
    for index in range(count):
        yield '{"_key":%d,"title":"Track %d"}' % (key(index), index)


def samples(count):
    """Objects of every type, a link each to anywhere; one in ten has a list."""
    for index in range(count):
        listed = ",".join(str(key((index * 31 + each * 101) % count)) for each in range(TRACKS)) if index % 10 == 0 else ""
        yield (
            '{"_key":%d,"first":"%s","second":"%s","joined":"","uuid":{"$uuid":"%08x-0000-4000-8000-%012x"},'
            '"objectId":{"$oid":"%024x"},"data":{"$binary":{"base64":"%s","subType":"00"}},"decimal":{"$numberDecimal":"%d.25"},'
            '"mixed":%s,"dictionary":{"a":%d,"b":%d},"set":[%d,%d],"link":%d,"list":[%s]}') % (
            key(index), *name(index), index, index, index, base64.b64encode(b"%016d" % index).decode(), index,
            index if index % 2 else f'"mixed {index}"', index, index % 9, index, index + 1, key(index * 7919 % count), listed)


class Realms:
    """Makes each file when it is first asked for."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def ndjson(self, file_name, schema, classes):
        """`classes`: a generator of objects, as JSON text, for each class."""
        path = self.folder / f"{file_name}.ndjson"
        if not path.exists():
            with open(path, "w") as file:
                file.write(json.dumps({"schemaVersion": 1, "schema": schema}) + "\n")
                for class_name, objects in classes.items():
                    file.writelines(
                        '{"class":"%s","object":%s}\n' % (class_name, text) for text in objects)
        return path

    def people(self, count):
        return self.ndjson(f"people-{count}", PERSON, {"Person": persons(count)})

    def lines(self, count):
        """The persons as bare objects, a line each: what PostgreSQL takes by COPY."""
        path = self.folder / f"people-{count}.lines"
        if not path.exists():
            with open(path, "w") as file:
                file.writelines(text + "\n" for text in persons(count))
        return path

    def json(self, count):
        path = self.folder / f"people-{count}.json"
        if not path.exists():
            with open(path, "w") as file:
                file.write('{"schemaVersion":1,"schema":%s,"objects":{"Person":[\n' % json.dumps(PERSON))
                file.writelines((",\n" if index else "") + text for index, text in enumerate(persons(count)))
                file.write("\n]}}\n")
        return path

    def realm(self, count):
        path = self.folder / f"people-{count}.realm"
        if not path.exists():
            subprocess.run([self.program, "convert", str(self.people(count)), str(path)], check=True)
        return path
