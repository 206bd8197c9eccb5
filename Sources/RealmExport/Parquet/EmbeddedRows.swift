import Columns
import RealmModel

/// The properties of embedded objects, in the order in which their owners have them.
///
/// Row groups that were read for that are kept, until they are too many bytes.
final class EmbeddedRows {
    private struct Place: Hashable {
        let className: NameKey
        let group: Int
    }

    private struct Group {
        let keys: [Int64]
        let deleted: Set<Int>
        let columns: [ColumnArray]
        var used: Int

        var byteCount: Int { keys.count * 8 + columns.reduce(0) { $0 + $1.byteCount } }
    }

    private let snapshot: Snapshot
    private let store: any SegmentStore
    private let byteLimit: Int
    private var sources: [NameKey: ClassSource] = [:]
    private var groups: [Place: Group] = [:]
    private var bytes = 0
    private var clock = 0

    init(_ snapshot: Snapshot, store: any SegmentStore, byteLimit: Int = 48 << 20) {
        self.snapshot = snapshot
        self.store = store
        self.byteLimit = byteLimit
    }

    /// The columns of the declared properties for the objects that an array has the keys of; set bits are objects that are there.
    func columns(of keys: ColumnArray, _ schema: ObjectSchema) throws -> (validity: Bitmap, columns: [ColumnArray]) {
        guard case .int(let numbers) = keys.values else {
            throw ColumnError.damaged(what: "links of another type", offset: 0)
        }
        let source = try source(of: schema.name)
        let builders = schema.persistedProperties.map { ColumnBuilder(ColumnType($0)) }
        var validity = Bitmap(repeating: false, count: keys.count)
        for row in 0..<keys.count {
            guard !keys.isNull(row), let number = source.group(of: numbers[row]) else {
                for builder in builders { builder.appendNull() }
                continue
            }
            let group = try group(number, of: source)
            guard let place = group.keys.index(ofKey: numbers[row]), !group.deleted.contains(place) else {
                for builder in builders { builder.appendNull() }
                continue
            }
            validity[row] = true
            for (index, builder) in builders.enumerated() {
                let type = ColumnType(schema.persistedProperties[index])
                try builder.append(try group.columns[index].value(at: place, as: type))
            }
        }
        return (validity, builders.map { $0.finish() })
    }

    private func source(of name: String) throws -> ClassSource {
        if let source = sources[name: name] { return source }
        let source = try ClassSource(name, of: snapshot, store: store)
        sources[name: name] = source
        return source
    }

    private func group(_ number: Int, of source: ClassSource) throws -> Group {
        clock += 1
        let place = Place(className: NameKey(source.schema.name), group: number)
        groups[place]?.used = clock
        if let group = groups[place] { return group }
        let keys = try source.keys(inGroup: number)
        let live = source.liveRows(inGroup: number)
        let group = Group(
            keys: keys, deleted: live.count == keys.count ? [] : Set(0..<keys.count).subtracting(live),
            columns: try source.schema.persistedProperties.map { try source.column($0, inGroup: number) }, used: clock)
        makeRoom(for: group)
        groups[place] = group
        return group
    }

    private func makeRoom(for group: Group) {
        bytes += group.byteCount
        guard bytes > byteLimit else { return }
        for (place, old) in groups.sorted(by: { $0.value.used < $1.value.used }) where bytes > byteLimit / 2 {
            groups[place] = nil
            bytes -= old.byteCount
        }
    }
}
