"""Puts embedded objects that are columns of their owners back into rows of their own, by what docs/exports.md says of these."""

from relations import Names, Relations, Rows


class FlattenedRelations(Relations):
    """The tables of an export whose single embedded objects are columns."""

    def __init__(self, document):
        super().__init__(document)
        self.flat = {name for name, each in self.classes.items() if each.get("embedded") and self.can_be_flat(name)}
        names = Names(prefix="sqlite_")
        self.manifest, self.options = names.take("realm_manifest"), names.take("realm_export")
        self.tables = {name: None if name in self.flat else names.take(name) for name in self.classes}
        self.paths = {name: list(self.collection_paths(name, ())) for name in self.classes if name not in self.flat}
        self.path_tables = {(name, path): names.take("_".join((name, *path)))
                            for name, paths in self.paths.items() for path in paths}

    def can_be_flat(self, name):
        for owner in self.classes:
            for each in self.stored(owner):
                kind, target = self.element(owner, each)
                if kind == "object" and target == name and self.is_collection(owner, each):
                    return False
        open_, seen = [name], set()
        while open_:
            owner = open_.pop()
            for each in self.stored(owner):
                kind, target = self.element(owner, each)
                if kind != "object" or not self.classes[target].get("embedded"):
                    continue
                if target == name:
                    return False
                if target not in seen:
                    seen.add(target)
                    open_.append(target)
        return True

    def flat_target(self, name, each):
        """The class of an embedded object whose properties are columns."""
        kind, target = self.element(name, each)
        return target if kind == "object" and target in self.flat and not self.is_collection(name, each) else None

    def collection_paths(self, name, path):
        for each in self.stored(name):
            if self.is_collection(name, each):
                yield (*path, each)
            elif target := self.flat_target(name, each):
                yield from self.collection_paths(target, (*path, each))


class FlattenedRows(Rows):
    """The rows as they would be without flattening; embedded objects have made-up keys."""

    def __init__(self, relations, read):
        self.relations, self.objects, self.columns, self.elements = relations, {}, {}, {}
        self.owners, self.problems = {}, []
        for name in relations.classes:
            self.objects[name] = {}
            for each in relations.stored(name):
                if relations.is_collection(name, each):
                    self.elements[name, each] = {}
        for name, table in relations.tables.items():
            if table is not None:
                self.take_table(name, read(table, None)[1])
        for (name, path), table in relations.path_tables.items():
            *_, (owner, each) = self.classes_along(name, path)
            place = "position" if relations.property(owner, each)["type"] == "list" else None
            for row in read(table, place)[1]:
                key = self.owners[name, path[:-1]][row[0]]
                self.elements[owner, each].setdefault(key, []).append(row[1:])

    def classes_along(self, name, path):
        for each in path:
            yield name, each
            name = self.relations.element(name, each)[1]

    def take_table(self, name, rows):
        keys = self.owners.setdefault((name, ()), {})
        for row in rows:
            cells = iter(row)
            own = [] if self.relations.key_is_property(name) else [next(cells)]
            parts, nested = self.split(name, (), cells)
            made = (*own, *parts)
            key = self.key(name, made)
            assert next(cells, None) is None, f"{name} has more columns than it should"
            self.objects[name][key] = made
            keys[key] = key
            for path, embedded in nested:
                self.owners.setdefault((name, path), {})[key] = embedded

    def split(self, name, path, cells):
        """The cells of the class itself, and the keys of embedded objects along the paths to them."""
        made, nested = [], []
        for each in self.relations.stored(name):
            if self.relations.is_collection(name, each):
                continue
            target, cell = self.relations.flat_target(name, each), next(cells)
            if target is None:
                made.append(cell)
                continue
            parts, deeper = self.split(target, (*path, each), cells)
            if cell == 0:
                assert all(part is None for part in parts), f"{name}.{each} is not there and has values"
                made.append(None)
                continue
            assert cell == 1, f"{name}.{each} is {cell!r}"
            key = ("embedded", target, len(self.objects[target]))
            self.objects[target][key] = (key, *parts)
            nested += [((*path, each), key), *deeper]
            made.append(key)
        return made, nested
