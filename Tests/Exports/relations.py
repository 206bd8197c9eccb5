"""Puts the objects of a realm together again from the rows of its tables, by what docs/exports.md says of these."""

COLLECTIONS = ("list", "set", "dictionary")


def folded(name):
    """A name as a database has it that folds the case of ASCII."""
    return "".join(c.lower() if c.isascii() else c for c in name)


class Names:
    """Names in the order in which they are asked for, each once."""

    def __init__(self, fold=folded, prefix=None):
        self.fold, self.prefix, self.taken = fold, prefix, set()

    def take(self, wanted):
        name = wanted.replace("\0", "\ufffd") or "_"
        if self.prefix and self.fold(name).startswith(self.prefix):
            name = "_" + name
        candidate, number = name, 1
        while self.fold(candidate) in self.taken:
            number += 1
            candidate = f"{name}_{number}"
        self.taken.add(self.fold(candidate))
        return candidate


class Relations:
    """The tables of a realm, by its document."""

    def __init__(self, document):
        self.classes = {each["name"]: each for each in document["schema"]}
        names = Names(prefix="sqlite_")
        self.manifest, self.options = names.take("realm_manifest"), names.take("realm_export")
        self.tables = {name: names.take(name) for name in self.classes}
        self.collections = {
            (name, each): names.take(f"{name}_{each}")
            for name in self.classes for each in self.stored(name) if self.is_collection(name, each)}
        self.without_key = {name for name in self.classes if self.has_null_key(name, document)}

    def has_null_key(self, name, document):
        key = self.classes[name].get("primaryKey")
        return key is not None and any(each[key] is None for each in document["objects"].get(name, []))

    def stored(self, name):
        return [each for each, value in self.classes[name]["properties"].items() if value["type"] != "linkingObjects"]

    def property(self, name, each):
        return self.classes[name]["properties"][each]

    def is_collection(self, name, each):
        return self.property(name, each)["type"] in COLLECTIONS

    def element(self, name, each):
        """The type of a value, and the class that it links to."""
        made = self.property(name, each)
        kind = made["objectType"] if made["type"] in COLLECTIONS else made["type"]
        if kind in self.classes and made["type"] in COLLECTIONS:
            return "object", kind
        return kind, made.get("objectType")

    def key_is_property(self, name):
        return self.classes[name].get("primaryKey") is not None and name not in self.without_key


class Rows:
    """The tables as lists of rows, and the objects that they are of."""

    def __init__(self, relations, read):
        """`read(table, place)` gives the names of a table's columns and its rows, by position where there is one."""
        self.relations = relations
        self.objects, self.columns, self.elements = {}, {}, {}
        for name, table in relations.tables.items():
            self.columns[name], rows = read(table, None)
            self.objects[name] = {self.key(name, row): row for row in rows}
        for (name, each), table in relations.collections.items():
            columns, rows = read(table, "position" if relations.property(name, each)["type"] == "list" else None)
            expected = {"list": ["owner", "position", "value"], "set": ["owner", "value"],
                        "dictionary": ["owner", "key", "value"]}[relations.property(name, each)["type"]]
            assert columns == expected, (table, columns)
            grouped = self.elements[name, each] = {}
            for row in rows:
                grouped.setdefault(row[0], []).append(row[1:])
            assert grouped.keys() <= self.objects[name].keys(), f"{table} has owners that are not there"

    def key(self, name, row):
        return row[self.key_place(name)]

    def key_place(self, name):
        if not self.relations.key_is_property(name):
            return 0
        single = [each for each in self.relations.stored(name) if not self.relations.is_collection(name, each)]
        return single.index(self.relations.classes[name]["primaryKey"])


class Comparison:
    """Compares rows with a document, value by value, and says what of it the rows do not have."""

    def __init__(self, document, rows, cell):
        """`cell(type, value)` gives the Realm JSON value as the database should have it, and the reason where it has not."""
        self.document, self.rows, self.relations, self.cell = document, rows, rows.relations, cell
        self.losses, self.problems, self.seen = {}, [], {}

    def compare(self):
        for name in self.relations.classes:
            if self.relations.classes[name].get("embedded"):
                continue
            objects = self.document["objects"].get(name, [])
            found = self.rows.objects[name]
            if len(objects) != len(found):
                self.problems.append(f"{name}: {len(objects)} objects, {len(found)} rows")
            keys = {}
            key = self.relations.classes[name].get("primaryKey")
            if key is not None:
                place = 0 if name not in self.relations.without_key else None
                if place is None:
                    single = self.single(name)
                    keys = {row[1 + single.index(key)]: each for each, row in found.items()}
            for object_ in objects:
                if key is None:
                    at = object_["_key"]
                else:
                    at = self.cell(self.relations.element(name, key)[0], object_[key])[0]
                    at = keys[at] if name in self.relations.without_key else at
                if at not in found:
                    self.problems.append(f"{name}: no row of {at!r}")
                    continue
                self.object(name, object_, at)
        for name, each in self.relations.classes.items():
            if each.get("embedded") and self.seen.get(name, set()) != set(self.rows.objects[name]):
                self.problems.append(f"{name}: rows that no object has")
        return self.problems

    def single(self, name):
        return [each for each in self.relations.stored(name) if not self.relations.is_collection(name, each)]

    def object(self, name, expected, key):
        row = self.rows.objects[name][key]
        single = self.single(name)
        cells = row[len(row) - len(single):]
        for each, value in zip(single, cells):
            self.value(name, each, expected.get(each), value)
        for each in self.relations.stored(name):
            if self.relations.is_collection(name, each):
                self.collection(name, each, expected[each], self.rows.elements[name, each].get(key, []))

    def collection(self, name, each, expected, rows):
        kind = self.relations.property(name, each)["type"]
        if len(rows) != len(expected):
            self.problems.append(f"{name}.{each}: {len(expected)} elements, {len(rows)} rows")
            return
        if kind == "list":
            if [row[0] for row in rows] != list(range(len(rows))):
                self.problems.append(f"{name}.{each}: positions {[row[0] for row in rows]}")
            rows = [row[1] for row in rows]
        elif kind == "set":
            rows = [row[0] for row in rows]
        else:
            by_key = dict(rows)
            if set(by_key) != {self.cell("string", entry)[0] for entry in expected}:
                self.problems.append(f"{name}.{each}: other keys")
                return
            rows = [by_key[self.cell("string", entry)[0]] for entry in expected]
            expected = list(expected.values())
        for value, cell in zip(expected, rows):
            self.value(name, each, value, cell)

    def value(self, name, each, expected, found):
        kind, target = self.relations.element(name, each)
        if kind == "object":
            return self.link(name, each, target, expected, found)
        wanted, loss = self.cell(kind, expected)
        if loss:
            self.losses[name, each, loss] = self.losses.get((name, each, loss), 0) + 1
        if type(wanted) is not type(found) or wanted != found or repr(wanted) != repr(found):
            self.problems.append(f"{name}.{each}: {expected!r} is {found!r} and not {wanted!r}")

    def link(self, name, each, target, expected, found):
        if expected is None or found is None:
            if expected is not None or found is not None:
                self.problems.append(f"{name}.{each}: {expected!r} is {found!r}")
            return
        if self.relations.classes[target].get("embedded"):
            if found not in self.rows.objects[target] or found in self.seen.setdefault(target, set()):
                self.problems.append(f"{name}.{each}: no embedded object of its own")
                return
            self.seen[target].add(found)
            self.object(target, expected, found)
            return
        if target in self.relations.without_key:
            key = self.relations.classes[target]["primaryKey"]
            value = self.rows.objects[target][found][1 + self.single(target).index(key)]
            if value is None:
                value, expected = {"$key": found}, expected
        else:
            value = found
        wanted = expected
        key = self.relations.classes[target].get("primaryKey")
        if key is not None and not (isinstance(expected, dict) and "$key" in expected):
            wanted = self.cell(self.relations.element(target, key)[0], expected)[0]
        if wanted != value:
            self.problems.append(f"{name}.{each}: a link to {expected!r} is {found!r}")

