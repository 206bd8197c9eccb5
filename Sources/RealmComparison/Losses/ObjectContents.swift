import Columns
import RealmModel

/// Reads the objects that links lead to, one at a time: an embedded object is a part of its owner's value, as is one of a class that is
/// gone now, and another one is known by its primary key.
///
/// Objects of such a class are parts of what links to them from without their class alone: their own links may form circles. Holds a
/// bounded number of row groups. Belongs to one thread.
final class ObjectContents {
    /// Row groups of a class that are held at once, and of one that is gone, to whose objects links lead in any order.
    private static let groupLimit = (usual: 2, gone: 8)
    /// Row groups that are held at once of all classes.
    private static let heldLimit = 24
    /// Embedded objects in embedded objects, at most.
    private static let depthLimit = 16
    /// How much is read of an object that a link leads to, and of all those of one value, at most.
    private static let limit = (object: 1_024, value: 16_384)

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
        let groupLimit: Int
        /// The ones read last come first.
        var groups: [Group] = []
        /// Row groups that were read so far, some of them again.
        var readCount = 0
        /// How many row groups had been read of all classes when an object was asked for last.
        var lastUse = 0

        init(_ stored: StoredClass, groupLimit: Int, _ store: any SegmentStore) throws {
            reader = try ClassReader(stored, store: store)
            self.groupLimit = groupLimit
            types = stored.schema.properties.map { ColumnType($0) }
            primaryKey = stored.schema.primaryKey.flatMap { stored.index(of: $0) }
        }

        /// The place of an object; nil where there is none.
        func row(of key: Int64) throws -> (group: Group, row: Int)? {
            let rowGroups = reader.rowGroups
            guard let number = rowGroups.index(of: key) else { return nil }
            if let place = groups.firstIndex(where: { $0.number == number }) {
                if place > 0 { groups.swapAt(0, place) }
            } else {
                readCount += 1
                groups.insert(Group(number, keys: try reader.keys(inGroup: number)), at: 0)
                groups = Array(groups.prefix(groupLimit))
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
    private let gone: Set<NameKey>
    private let newNames: [NameKey: String]
    private var classes: [NameKey: Class] = [:]
    /// Row groups that were read so far, some of them again.
    private(set) var groupCount = 0
    /// Classes whose objects are too large, or lie too far apart, to be read by each link to them.
    private var overfull: Set<NameKey> = []
    /// How much may be read yet of a linked object, and of all those of the value.
    private var left = 0
    private var room = 0

    /// - Parameters:
    ///   - gone: the classes that are gone now.
    ///   - newNames: of classes that have another name now.
    init(
        _ snapshot: Snapshot, gone: Set<NameKey> = [], newNames: [NameKey: String] = [:], store: any SegmentStore
    ) {
        self.snapshot = snapshot
        self.newNames = newNames
        self.gone = gone
        self.store = store
    }

    /// Whether objects of a class are embedded in others.
    func isEmbedded(_ className: String) -> Bool { snapshot[className]?.schema.isEmbedded == true }

    /// Whether objects of a class are parts of others.
    func isPart(_ className: String) -> Bool { isEmbedded(className) || gone.contains(NameKey(className)) }

    /// Whether not all links to a class could be followed, so that nobody can tell what its objects had.
    func isOverfull(_ className: String?) -> Bool { className.map { overfull.contains(NameKey($0)) } ?? false }

    func schema(_ className: String) -> ObjectSchema? { snapshot[className]?.schema }

    /// A value with the parts that it links to in it: each is a dictionary by the stored names of its properties.
    ///
    /// - Parameter className: the class that it links to; nil for any other value.
    func expanded(_ value: Value, of className: String?) throws -> Value {
        guard let className, isPart(className) else { return value }
        return try opened(value, of: className)
    }

    /// A value with the objects of any class that it links to in it.
    func opened(_ value: Value, of className: String) throws -> Value {
        room = Self.limit.value
        let owner = isEmbedded(className) ? nil : NameKey(className)
        return try mapped(value) { try entries(of: $0, className, Self.depthLimit, in: owner) }
    }

    /// A value with embedded objects in it, and the primary keys of others in the place of links.
    ///
    /// - Parameters:
    ///   - className: as above.
    ///   - column: the one that others are known by; nil for that of their primary key.
    func named(_ value: Value, of className: String?, by column: Int? = nil) throws -> Value {
        guard let className else { return value }
        if isPart(className) { return try expanded(value, of: className) }
        return try mapped(value) { key in
            guard let known = try self.known(className), let property = column ?? known.primaryKey,
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

    /// The objects that properties of an object lead to.
    func links(from key: Int64, _ className: String, by properties: [String]) throws -> [PlacedLink] {
        guard !properties.isEmpty, let known = try known(className), let place = try row(of: key, in: known) else {
            return []
        }
        return try properties.compactMap { known.reader.stored.index(of: $0) }.flatMap {
            PlacedLink.all(try known.value($0, place), of: known.reader.stored.schema.properties[$0])
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

    /// - Parameter owner: the class of the linked object that it is, or is embedded in; nil where that is none.
    private func entries(of key: Int64, _ className: String, _ depth: Int, in owner: NameKey? = nil) throws -> Value {
        guard depth > 0, let known = try self.known(className) else { return .null }
        let schema = known.reader.stored.schema
        if let owner, !schema.isEmbedded {
            left = Self.limit.object
            if known.readCount > 256 + 8 * known.reader.rowGroups.count { overfull.insert(owner) }
            if overfull.contains(owner) { return .link(ObjectKey(key)) }
        }
        guard let place = try row(of: key, in: known) else { return .null }
        let entries = try schema.properties.enumerated().map { index, property in
            DictionaryEntry(property.name, try part(try known.value(index, place), property, depth - 1, owner))
        }
        if !overfull.isEmpty, schema.isEmbedded, schema.properties.contains(where: { isOverfull($0.linkTarget) }) {
            overfull.insert(NameKey(className))
        }
        return .dictionary(entries)
    }

    /// A value of an object, with the parts that it links to in it.
    private func part(_ value: Value, _ property: Property, _ depth: Int, _ owner: NameKey?) throws -> Value {
        if let owner {
            let weight = value.weight
            (left, room) = (left - weight, room - weight)
            if min(left, room) < 0 {
                overfull.insert(owner)
                return .null
            }
        }
        guard let target = property.linkTarget else { return value }
        guard isPart(target) else { return value.linking(to: newNames[NameKey(target)] ?? target) }
        // Links of linked objects may form circles.
        if owner != nil, !isEmbedded(target) { return .null }
        let linked = owner ?? (isEmbedded(target) ? nil : NameKey(target))
        return try mapped(value) { try entries(of: $0, target, depth, in: linked) }
    }

    private func row(of key: Int64, in known: Class) throws -> (group: Group, row: Int)? {
        let count = known.readCount
        let row = try known.row(of: key)
        if known.readCount > count {
            groupCount += 1
            letGo(besides: known)
        }
        known.lastUse = groupCount
        return row
    }

    /// Lets go of row groups of the classes that were asked for longest ago, where there are too many.
    private func letGo(besides known: Class) {
        var held = classes.values.reduce(0) { $0 + $1.groups.count }
        while held > Self.heldLimit {
            let others = classes.values.filter { $0 !== known && !$0.groups.isEmpty }
            guard let oldest = others.min(by: { $0.lastUse < $1.lastUse }) else { return }
            oldest.groups.removeLast()
            held -= 1
        }
    }

    private func known(_ className: String) throws -> Class? {
        let name = NameKey(className)
        if let known = classes[name] { return known }
        guard let stored = snapshot[className] else { return nil }
        let limit = gone.contains(name) ? Self.groupLimit.gone : Self.groupLimit.usual
        let known = try Class(stored, groupLimit: limit, store)
        classes[name] = known
        return known
    }
}

extension Value {
    /// How many values it counts as: the elements that it has, and a part of its bytes.
    fileprivate var weight: Int {
        switch self {
        case .list(let elements): elements.reduce(1) { $0 + $1.weight }
        case .dictionary(let entries): entries.reduce(1) { $0 + $1.value.weight }
        case .string(let text): 1 + text.utf8.count / 64
        case .data(let bytes): 1 + bytes.count / 64
        default: 1
        }
    }
}
