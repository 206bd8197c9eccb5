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
            let known = Set(try before.map { try ObjectRows($0, store).keys } ?? [])
            var found: [Value: Int] = [:]
            for place in new.keys.indices where !known.contains(new.keys[place]) {
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
        // Of objects with a primary key alone nothing else is asked.
        let isOfName = old.sharedNames(with: new) > 0 && keyCount > 0
        guard found * 2 >= count, found > 0, found > keyCount || count == keyCount || isOfName else { return nil }
        return Double(found) / Double(count)
    }
}

/// The live objects of a small class, in the order of their keys; holds what was read of them.
private final class ObjectRows {
    /// The most that it holds.
    static let limits = (objects: 1 << 17, bytes: 64 << 20)

    /// The class has more bytes than are held.
    struct TooLarge: Error {}

    let stored: StoredClass
    let types: [ColumnType]
    let primaryKey: Int?
    private(set) var keys: [Int64] = []
    private let reader: ClassReader
    /// The row group and the row of each.
    private var places: [(group: Int, row: Int)] = []
    private var arrays: [Int: [Int: ColumnArray]] = [:]
    private var byteCount = 0

    init(_ stored: StoredClass, _ store: any SegmentStore) throws {
        self.stored = stored
        reader = try ClassReader(stored, store: store)
        types = stored.schema.properties.map { ColumnType($0) }
        primaryKey = stored.schema.primaryKey.flatMap { stored.index(of: $0) }
        for (number, group) in reader.rowGroups.enumerated() where group.rowCount > 0 {
            let all = try reader.keys(inGroup: number)
            for row in group.liveRows {
                keys.append(all[row])
                places.append((number, row))
            }
        }
    }

    func value(_ column: Int, at place: Int) throws -> Value {
        let (group, row) = places[place]
        if let array = arrays[column]?[group] { return try array.value(at: row, as: types[column]) }
        let array = try reader.column(column, inGroup: group)
        byteCount += array.byteCount
        guard byteCount <= Self.limits.bytes else { throw TooLarge() }
        arrays[column, default: [:]][group] = array
        return try array.value(at: row, as: types[column])
    }

    /// How many properties besides the primary key have the same names and types.
    func sharedNames(with other: ObjectRows) -> Int {
        types.indices.count(where: { column in
            guard column != primaryKey, let index = other.stored.index(of: stored.schema.properties[column].name) else {
                return false
            }
            return types[column] == other.types[index]
        })
    }
}

/// Keeps what is written to it in memory, and has all that another store has besides.
private final class SideStore: SegmentStore {
    private static let batch = BatchID(high: .max, low: .max)
    private let base: any SegmentStore
    private let own = MemorySegmentStore(batch: batch)

    init(beside base: any SegmentStore) { self.base = base }

    private func store(of id: SegmentID) -> any SegmentStore { id.batch == Self.batch ? own : base }

    func write(segment bytes: [UInt8]) throws -> SegmentID { try own.write(segment: bytes) }
    func write(column segments: [Segment]) throws -> SegmentID { try own.write(column: segments) }
    func read(segment id: SegmentID) throws -> [UInt8] { try store(of: id).read(segment: id) }
    func read(column id: SegmentID) throws -> [Segment] { try store(of: id).read(column: id) }
    func read(patch: Patch) throws -> PatchReader { try store(of: patch.segment).read(patch: patch) }
    func willRead(patch: Patch) { store(of: patch.segment).willRead(patch: patch) }

    func read(_ segment: Segment, as type: ColumnType) throws -> ColumnArray {
        guard case .stored(let id, _) = segment.content else { return try decode(segment, as: type) }
        return try store(of: id).read(segment, as: type)
    }

    func willRead(_ segment: Segment) {
        guard case .stored(let id, _) = segment.content else { return }
        store(of: id).willRead(segment)
    }

    func willRead(column id: SegmentID, segmentCount: Int) {
        store(of: id).willRead(column: id, segmentCount: segmentCount)
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
