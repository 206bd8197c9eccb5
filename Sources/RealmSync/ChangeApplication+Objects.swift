import Columns
import RealmEditing
import RealmJSON
import RealmModel

/// The objects that a batch makes, a class at a time by columns, and those that it changes; links are set later.
extension ChangeApplication {
    /// Makes the objects that are not there, then changes those that are, in what is no link and no embedded object.
    ///
    /// - Parameters:
    ///   - areNew: whether the caller knows all primary keys to be free, and none to stand twice.
    ///   - known: of each upsert the object that has its primary key; nil where that is to be looked up.
    /// - Returns: the object of each upsert.
    func makeOrChange(
        _ upserts: [ChangeBatch.Upsert], areNew: Bool, knowing known: [ObjectReference?]? = nil
    ) throws -> [ObjectReference] {
        var objects: [ObjectReference?] = Array(repeating: nil, count: upserts.count)
        var made: [MadeObjects] = classes.map { _ in MadeObjects() }
        var changed: [Int] = []
        for (index, upsert) in upserts.enumerated() {
            if areNew {
                made[upsert.classIndex].add(index)
                continue
            }
            try classes[upsert.classIndex].requireStored(upsert.members, in: editor.view.schema)
            let found = try at("/upserts/\(index)/object") {
                try known.map { $0[index] } ?? editor.object(in: upsert.classIndex, of: upsert.primaryKey)
            }
            if let found {
                objects[index] = found
            } else if made[upsert.classIndex].addUnlessThere(index, upsert.primaryKey) {
                continue
            }
            changed.append(index)
        }
        for (classIndex, made) in made.enumerated() where !made.upserts.isEmpty {
            let keys = try at("/upserts/\(made.upserts[0])/object") { try make(made.upserts, of: upserts, classIndex) }
            for (row, index) in made.upserts.enumerated() {
                objects[index] = ObjectReference(side: .new, classIndex: classIndex, key: ObjectKey(keys[row]))
            }
            for (index, row) in made.again {
                objects[index] = ObjectReference(side: .new, classIndex: classIndex, key: ObjectKey(keys[row]))
            }
        }
        // Row group by row group, so that none is read twice.
        let ordered = changed.compactMap { index in objects[index].map { (index: index, object: $0) } }.sorted {
            ($0.object.classIndex, $0.object.key, $0.index) < ($1.object.classIndex, $1.object.key, $1.index)
        }
        for (index, object) in ordered {
            try at("/upserts/\(index)/object") { try change(object, upserts[index].members) }
        }
        return objects.compactMap { $0 }
    }

    /// Changes an object in what is no link and no embedded object.
    private func change(_ object: ObjectReference, _ members: [ChangeBatch.Member]) throws {
        let changed = classes[object.classIndex]
        var values: [(property: Int, value: Value)] = []
        values.reserveCapacity(members.count)
        for member in members {
            guard case .value(let value) = member.value, !changed.isLinked[member.property] else { continue }
            values.append((member.property, value))
        }
        try editor.set(values, of: object, readsBefore: isDerived)
        touched[object.classIndex, default: TouchedObjects()].noteChanged(CollectionOfOne(object.key.value))
    }

    /// Makes objects of a class in as many row groups as they take.
    ///
    /// - Parameter indexes: of their upserts, none of a primary key that an object has.
    /// - Returns: their keys, in the same order.
    private func make(_ indexes: [Int], of upserts: [ChangeBatch.Upsert], _ classIndex: Int) throws -> [Int64] {
        let rows = MadeRows(
            classes[classIndex], try editor.columnTypes(of: classIndex), limits: editor.view.rowGroupLimits)
        var keys: [Int64] = []
        keys.reserveCapacity(indexes.count)
        for (place, index) in indexes.enumerated() {
            if place.isMultiple(of: MadeRows.rowsUnseen) {
                try rows.claim(min(MadeRows.rowsUnseen, indexes.count - place))
            }
            try rows.append(upserts[index])
            if rows.areEnough { keys += try editor.insert(rows.finish(), into: classIndex) }
        }
        keys += try editor.insert(rows.finish(), into: classIndex)
        noteMade(keys, in: classIndex)
        return keys
    }

    func noteMade(_ keys: [Int64], in classIndex: Int) {
        touched[classIndex, default: TouchedObjects()].noteMade(keys)
    }
}

/// The upserts of a class that make an object.
private struct MadeObjects {
    /// Their indexes, in their order.
    private(set) var upserts: [Int] = []
    /// Upserts of an object that one before makes, by their indexes, with that one's place in `upserts`.
    private(set) var again: [(index: Int, row: Int)] = []
    private var rows: [Value: Int] = [:]

    mutating func add(_ index: Int) { upserts.append(index) }

    /// Adds an upsert of an object that is not there.
    ///
    /// - Returns: false where an upsert before it makes the object.
    mutating func addUnlessThere(_ index: Int, _ primaryKey: Value) -> Bool {
        if let row = rows[primaryKey] {
            again.append((index, row))
            return false
        }
        rows[primaryKey] = upserts.count
        upserts.append(index)
        return true
    }
}

/// New objects of a class on their way into columns.
private final class MadeRows {
    private let changed: ChangedClass
    private let builders: [ColumnBuilder]
    private let limits: RowGroupLimits
    /// The values of one object, between objects those of one that is given nothing.
    private var values: [Value]
    private var count = 0
    /// Rows that are appended before bytes, and the budget, are counted again.
    static let rowsUnseen = 64

    init(_ changed: ChangedClass, _ types: [ColumnType], limits: RowGroupLimits) {
        self.changed = changed
        self.limits = limits
        builders = types.map { ColumnBuilder($0) }
        values = changed.initialValues
    }

    /// Whether a row group is full.
    var areEnough: Bool {
        count >= limits.rows
            || count.isMultiple(of: Self.rowsUnseen) && builders.reduce(0) { $0 + $1.byteCount } >= limits.bytes
    }

    /// Counts the work and the memory of rows that are going to be appended: each has a cell of each property, however few are given.
    func claim(_ count: Int) throws {
        try WorkBudget.spend(count * builders.count * 64)
        try WorkBudget.hold(count * builders.count * 16)
    }

    func append(_ upsert: ChangeBatch.Upsert) throws {
        if let column = changed.primaryKeyColumn { values[column] = upsert.primaryKey }
        for member in upsert.members {
            guard case .value(let value) = member.value, !changed.isLinked[member.property] else { continue }
            if let column = changed.columns[member.property] { values[column] = value }
        }
        for (builder, value) in zip(builders, values) { try builder.append(value) }
        count += 1
        for member in upsert.members {
            guard let column = changed.columns[member.property] else { continue }
            values[column] = changed.initialValues[column]
        }
    }

    /// The rows since the last call, by columns.
    func finish() -> [ColumnArray] {
        count = 0
        return builders.map { $0.finish() }
    }
}
