import Columns
import RealmModel

/// Finds the classes that are gone and of which each object was made anew in another class, and puts the new objects beside the old ones.
///
/// So does a script that creates the objects of one class in another, deletes the old ones, and thereby renames a class or merges two. Objects
/// belong together by their primary keys; where these don't tell, by their order, in a class of as many objects. Objects of a class that others
/// link to are parts of these, and are looked for in what became of them.
struct ClassCopies {
    /// The objects by which two classes are compared.
    private static let sampleCount = 64
    /// The part of a class's objects that has to be found by primary keys, in percent.
    private static let foundPercent = 90

    /// The realm afterwards, in which each class that is gone is there with the new objects under the old keys.
    private(set) var to: Snapshot
    /// Has the columns of these classes, too.
    private(set) var store: any SegmentStore
    /// The classes that have the objects now, by the names of those that are gone.
    private(set) var newNames: [NameKey: String] = [:]
    /// How many objects each of them has taken over.
    private var takenCounts: [NameKey: Int] = [:]

    /// Objects that may be looked at yet, where many classes are gone and many are new.
    private var left = 1 << 23

    private let from: Snapshot
    private let names: RenamedNames

    /// - Parameter names: of classes that the migration renamed.
    init(
        _ from: Snapshot, _ to: Snapshot, _ names: RenamedNames, store: any SegmentStore, _ isCancelled: () -> Bool
    ) throws {
        (self.from, self.to, self.names) = (from, to, names)
        self.store = store
        let gone = from.declared.classes.filter { schema in
            schema.kind == .topLevel && to.declared[schema.name] == nil
                && names.newClasses[NameKey(schema.name)] == nil && !isLinked(schema.name)
        }
        guard !gone.isEmpty else { return }
        self.store = SideStore(beside: store)
        let targets = to.declared.classes.compactMap { to[$0.name] }.filter(mayHaveCopies)
        for old in gone.compactMap({ from[$0.name] }) where Self.isSmall(old) {
            if isCancelled() { throw Rehearsal.Cancelled() }
            // Classes that are too large to be held are left to the search for words.
            do { try take(old, from: targets) } catch is ObjectRows.TooLarge {}
        }
    }

    /// Whether all new objects of a class are such copies.
    func cover(_ className: String) -> Bool {
        guard let count = takenCounts[NameKey(className)], let stored = to[className] else { return false }
        return count >= stored.objectCount - (from[names.oldClass(className)]?.objectCount ?? 0)
    }

    /// Whether another class links to a class.
    private func isLinked(_ className: String) -> Bool {
        from.classes.contains { owner in
            !owner.schema.name.hasSameBytes(as: className)
                && owner.schema.properties.contains { $0.linkTarget?.hasSameBytes(as: className) == true }
        }
    }

    private func mayHaveCopies(_ new: StoredClass) -> Bool {
        guard new.schema.kind == .topLevel, Self.isSmall(new) else { return false }
        return from[names.oldClass(new.schema.name)].map { $0.nextSequence < new.nextSequence } ?? true
    }

    private static func isSmall(_ stored: StoredClass) -> Bool {
        (1...ObjectRows.limits.objects).contains(stored.objectCount)
    }

    /// Puts the class that has most of what the objects of a class had in the place of that.
    private mutating func take(_ old: StoredClass, from targets: [StoredClass]) throws {
        let rows = try ObjectRows(old, store)
        var best: (share: Double, new: ObjectRows, places: [Int?])?
        for target in targets {
            left -= old.objectCount + target.objectCount
            guard left >= 0 else { break }
            let new = try ObjectRows(target, store)
            guard let places = try places(of: rows, in: new), let share = try share(of: rows, in: new, places),
                share > best?.share ?? 0
            else { continue }
            best = (share, new, places)
        }
        guard let (_, new, places) = best else { return }
        let name = old.schema.name
        let schema = new.stored.schema.renamed(name)
        let declared = (to.declared[new.stored.schema.name] ?? new.stored.schema).renamed(name)
        let oldKeys = Dictionary(
            zip(rows.keys, places).compactMap { key, place in place.map { (new.keys[$0], key) } }
        ) { first, _ in first }
        let writer = ClassWriter(schema: schema, store: store)
        for (key, place) in zip(rows.keys, places) {
            guard let place else { continue }
            for (column, property) in schema.properties.enumerated() {
                let value = try new.value(column, at: place)
                let isOwn = property.linkTarget?.hasSameBytes(as: name) == true
                try writer.columns[column].append(isOwn ? value.linking(by: oldKeys) : value)
            }
            try writer.endRow(key: ObjectKey(key))
        }
        let copy = try writer.finish(nextSequence: old.nextSequence)
        to = Snapshot(
            schemaVersion: to.schemaVersion, declared: Schema(to.declared.classes + [declared]),
            classes: to.classes.filter { !$0.schema.name.hasSameBytes(as: name) } + [copy])
        newNames[NameKey(name)] = new.stored.schema.name
        takenCounts[NameKey(new.stored.schema.name), default: 0] += copy.objectCount
    }

    /// The new object for each old one; nil where there are too few.
    private func places(of old: ObjectRows, in new: ObjectRows) throws -> [Int?]? {
        let before = from[names.oldClass(new.stored.schema.name)]
        if let key = old.primaryKey, let other = new.primaryKey, old.types[key] == new.types[other] {
            let first = before.map { ObjectKey.allocated(sequence: $0.nextSequence, hasPrimaryKey: true).value }
            var found: [Value: Int] = [:]
            for place in new.keys.indices where new.keys[place] >= first ?? .min {
                found[try new.value(other, at: place)] = place
            }
            let places = try old.keys.indices.map { found[try old.value(key, at: $0)] }
            if places.count(where: { $0 != nil }) * 100 >= places.count * Self.foundPercent { return places }
        }
        guard before == nil, old.keys.count == new.keys.count else { return nil }
        return Array(new.keys.indices)
    }

    /// The share of the values of some objects that the new ones have; nil where that is too small.
    private func share(of old: ObjectRows, in new: ObjectRows, _ places: [Int?]) throws -> Double? {
        let step = max(old.keys.count / Self.sampleCount, 1)
        var (count, found, keyCount) = (0, 0, 0)
        for row in stride(from: 0, to: old.keys.count, by: step) {
            guard let place = places[row] else { continue }
            let values = try Set(new.types.indices.map { try new.value($0, at: place) })
            for column in old.types.indices where old.types[column].element != .bool {
                let value = try old.value(column, at: row)
                if value.isEmptyOrZero || old.types[column].element == .object { continue }
                count += 1
                guard values.contains(value) else { continue }
                found += 1
                if column == old.primaryKey { keyCount += 1 }
            }
        }
        guard found * 2 >= count, found > 0 else { return nil }
        // Numbers that count up are those of any objects.
        let isByKey = found == keyCount && count > keyCount
        let shared = old.sharedColumns(with: new).filter { isByKey || !old.types[$0.own].isNumber }
        if isByKey, shared.isEmpty { return nil }
        for columns in shared where try haveOthers(old, new, columns, places) { return nil }
        return Double(found) / Double(count)
    }

    /// Whether most of what new objects have in a property of the same name is nothing that an old one had there.
    private func haveOthers(
        _ old: ObjectRows, _ new: ObjectRows, _ columns: (own: Int, other: Int), _ places: [Int?]
    ) throws -> Bool {
        let known = Set(try old.keys.indices.map { try old.value(columns.own, at: $0) })
        var (count, others) = (0, 0)
        for place in places.lazy.compactMap(\.self) {
            let value = try new.value(columns.other, at: place)
            if value.isEmptyOrZero { continue }
            count += 1
            if !known.contains(value) { others += 1 }
        }
        return others * 2 > count
    }
}

extension ObjectSchema {
    /// The class under another name, with the links between its own objects.
    fileprivate func renamed(_ name: String) -> ObjectSchema {
        var renamed = self
        renamed.name = name
        for index in properties.indices where properties[index].linkTarget?.hasSameBytes(as: self.name) == true {
            renamed.properties[index].objectType = name
        }
        return renamed
    }
}

extension Value {
    /// The value with links to the same objects by other keys; one to any other object leads to none.
    fileprivate func linking(by keys: [Int64: Int64]) -> Value {
        switch self {
        case .link(let key): .link(ObjectKey(keys[key.value] ?? .max))
        case .list(let elements): .list(elements.map { $0.linking(by: keys) })
        case .dictionary(let entries): .dictionary(entries.map { DictionaryEntry($0.key, $0.value.linking(by: keys)) })
        default: self
        }
    }
}
