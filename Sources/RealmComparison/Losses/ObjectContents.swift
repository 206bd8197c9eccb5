import Columns
import RealmModel

/// Reads the objects that links lead to, one at a time: an embedded object is a part of its owner's value, and another one is
/// known by its primary key.
///
/// Holds a few row groups of each class that was asked about. Belongs to one thread.
final class ObjectContents {
    /// Row groups of a class that are held at once.
    private static let groupLimit = 2
    /// Embedded objects in embedded objects, at most.
    private static let depthLimit = 16

    /// The columns of a row group, as far as they were read.
    private final class Group {
        let number: Int
        let keys: [Int64]
        var columns: [Int: ColumnArray] = [:]

        init(_ number: Int, keys: [Int64]) {
            self.number = number
            self.keys = keys
        }
    }

    private final class Class {
        let reader: ClassReader
        let types: [ColumnType]
        let primaryKey: Int?
        /// The ones read last come first.
        var groups: [Group] = []

        init(_ stored: StoredClass, _ store: any SegmentStore) throws {
            reader = try ClassReader(stored, store: store)
            types = stored.schema.properties.map { ColumnType($0) }
            primaryKey = stored.schema.primaryKey.flatMap { stored.index(of: $0) }
        }

        /// The place of an object; nil where there is none.
        ///
        /// - Parameter read: hears of each row group that was not held.
        func row(of key: Int64, read: () -> Void) throws -> (group: Group, row: Int)? {
            let rowGroups = reader.rowGroups
            guard let number = rowGroups.index(of: key) else { return nil }
            if let place = groups.firstIndex(where: { $0.number == number }) {
                if place > 0 { groups.swapAt(0, place) }
            } else {
                read()
                groups.insert(Group(number, keys: try reader.keys(inGroup: number)), at: 0)
                groups = Array(groups.prefix(ObjectContents.groupLimit))
            }
            guard let row = groups[0].keys.index(ofKey: key), rowGroups[number].deleted?[row] != true else {
                return nil
            }
            return (groups[0], row)
        }

        func value(_ property: Int, _ place: (group: Group, row: Int)) throws -> Value {
            if let array = place.group.columns[property] { return try array.value(at: place.row, as: types[property]) }
            let array = try reader.column(property, inGroup: place.group.number)
            place.group.columns[property] = array
            return try array.value(at: place.row, as: types[property])
        }
    }

    private let snapshot: Snapshot
    private let store: any SegmentStore
    private var classes: [NameKey: Class] = [:]
    /// Row groups that were read so far, some of them again.
    private(set) var groupCount = 0

    init(_ snapshot: Snapshot, store: any SegmentStore) {
        self.snapshot = snapshot
        self.store = store
    }

    /// Whether objects of a class are parts of others.
    func isEmbedded(_ className: String) -> Bool { snapshot[className]?.schema.isEmbedded == true }

    /// The class of embedded objects of a name; nil where there is none.
    func embeddedSchema(_ className: String) -> ObjectSchema? {
        snapshot[className].flatMap { $0.schema.isEmbedded ? $0.schema : nil }
    }

    /// A value with the embedded objects that it links to in it: each is a dictionary by the stored names of its properties.
    ///
    /// - Parameter className: the class that it links to; nil for any other value.
    func expanded(_ value: Value, of className: String?) throws -> Value {
        guard let className, isEmbedded(className) else { return value }
        return try mapped(value) { try entries(of: $0, className, Self.depthLimit) }
    }

    /// A value with embedded objects in it, and the primary keys of others in the place of links.
    ///
    /// - Parameter className: as above.
    func named(_ value: Value, of className: String?) throws -> Value {
        guard let className else { return value }
        if isEmbedded(className) { return try expanded(value, of: className) }
        return try mapped(value) { key in
            guard let known = try self.known(className), let property = known.primaryKey,
                let place = try row(of: key, in: known)
            else { return .link(ObjectKey(key)) }
            return try known.value(property, place)
        }
    }

    /// All values of an object, with embedded objects in them; none where there is no such object.
    func values(of key: Int64, _ className: String, withLinks: Bool = false) throws -> [Value] {
        guard case .dictionary(let entries) = try entries(of: key, className, Self.depthLimit) else { return [] }
        return entries.map(\.value).filter { withLinks || !$0.isLink }
    }

    /// The values that an object has in some columns, with embedded objects in them; none where there is no such object.
    func values(of key: Int64, _ className: String, in columns: [Int]) throws -> [Value] {
        guard let known = try known(className), let place = try row(of: key, in: known) else { return [] }
        return try columns.map { index in
            try expanded(try known.value(index, place), of: known.reader.stored.schema.properties[index].objectType)
        }
    }

    /// The properties of a class that link to another one.
    func properties(of className: String, linkingTo target: String) -> [String] {
        (snapshot[className]?.schema.properties ?? []).filter {
            $0.type == .object && $0.objectType?.hasSameBytes(as: target) == true
        }.map(\.name)
    }

    /// The keys of the objects that properties of an object lead to.
    func links(from key: Int64, _ className: String, by properties: [String]) throws -> [Int64] {
        guard !properties.isEmpty, let known = try known(className), let place = try row(of: key, in: known) else {
            return []
        }
        return try properties.compactMap { known.reader.stored.index(of: $0) }.flatMap {
            try known.value($0, place).linkedKeys
        }
    }

    private func mapped(_ value: Value, _ map: (Int64) throws -> Value) throws -> Value {
        switch value {
        case .link(let key): try map(key.value)
        case .list(let elements): .list(try elements.map { try mapped($0, map) })
        case .dictionary(let entries):
            .dictionary(try entries.map { DictionaryEntry($0.key, try mapped($0.value, map)) })
        default: value
        }
    }

    private func entries(of key: Int64, _ className: String, _ depth: Int) throws -> Value {
        guard depth > 0, let known = try self.known(className), let place = try row(of: key, in: known) else {
            return .null
        }
        let schema = known.reader.stored.schema
        return .dictionary(
            try schema.properties.enumerated().map { index, property in
                let value = try known.value(index, place)
                guard property.type == .object, let target = property.objectType, isEmbedded(target) else {
                    return DictionaryEntry(property.name, value)
                }
                return DictionaryEntry(property.name, try mapped(value) { try entries(of: $0, target, depth - 1) })
            })
    }

    private func row(of key: Int64, in known: Class) throws -> (group: Group, row: Int)? {
        try known.row(of: key) { groupCount += 1 }
    }

    private func known(_ className: String) throws -> Class? {
        let name = NameKey(className)
        if let known = classes[name] { return known }
        guard let stored = snapshot[className] else { return nil }
        let known = try Class(stored, store)
        classes[name] = known
        return known
    }
}
