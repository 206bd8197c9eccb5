import Columns
import Glibc
import MigrationScript
import RealmJSON
import RealmModel

/// A program whose `host` command decodes as the tests of the sandbox need it: well, badly, and with ill intent.
@main
struct Program {
    static func main() {
        guard CommandLine.arguments.dropFirst().first == "host" else { exit(2) }
        exit(HostMain.run(decoder: decode))
    }

    /// What the format's name asks for.
    private static func decode(
        format: String, input: UnsafeRawBufferPointer, store: any SegmentStore, limits: RowGroupLimits
    ) throws -> Snapshot {
        switch format {
        case "json": return try RealmJSONReader(ByteArraySource(Array(input)), into: store, limits: limits).read()
        case "spin": while true {}
        case "flood": while true { _ = try store.write(segment: []) }
        case "refuse in the middle":
            // Encoding them takes longer than finding out that the file is at fault.
            let cells = (0..<100_000).map { Double($0) * 1.000_000_7 }
            for _ in 0..<8 { _ = try store.write(ColumnArray(count: cells.count, values: .double(cells))) }
        case "trap": fatalError("a decoder's fault")
        case "allocate": allocate()
        case "foreign segment": _ = try store.read(segment: SegmentID(batch: BatchID(high: 0, low: 0), ordinal: 0))
        case "foreign snapshot": return foreignSnapshot()
        case "more rows than any group has": return try snapshot(rows: [Int(Int32.max)], in: store)
        case "more objects than rows": return try snapshot(rows: [3], objects: 4, in: store)
        case "fewer keys than rows": return try snapshot(rows: [3], keys: [2], in: store)
        case "fewer values than rows": return try snapshot(rows: [3, 3], values: [3, 2], in: store)
        case "no values for a row group": return try snapshot(rows: [3, 3], values: [3], in: store)
        case "a constant of another type": return try snapshot(rows: [3], constant: .string("1"), in: store)
        case "constant keys": return try snapshot(rows: [3], hasKeys: false, in: store)
        case "keys that go back": return try snapshot(rows: [3, 3], firstKeys: [5, 0], in: store)
        default: attempt(format)
        }
        throw InputError(.unsupportedFormat, "nothing happened")
    }

    /// Tries what the sandbox forbids, and exits with 0 where it succeeds.
    private static func attempt(_ what: String) {
        switch what {
        case "open": if open("/etc/passwd", O_RDONLY) >= 0 { exit(0) }
        case "create": if open("/tmp/realmshift-sandbox", O_CREAT | O_WRONLY, 0o600) >= 0 { exit(0) }
        case "stat":
            var information = stat()
            if stat("/etc", &information) == 0 { exit(0) }
        case "socket": if socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 { exit(0) }
        case "signal the parent": if kill(getppid(), 0) == 0 { exit(0) }
        case "raise a limit":
            var limit = rlimit(rlim_cur: UInt.max, rlim_max: UInt.max)
            if setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 { exit(0) }
        case "execute": execv("/bin/true", [nil])
        default: break
        }
    }

    private static func allocate() {
        var blocks: [[UInt8]] = []
        while blocks.count < 1 << 20 { blocks.append([UInt8](repeating: 1, count: 1 << 20)) }
    }

    private static func foreignSnapshot() -> Snapshot {
        var stored = StoredClass(empty: ObjectSchema("A", properties: [Property("a", .int)]))
        stored.columns = [.segments(SegmentID(batch: BatchID(high: 0, low: 0), ordinal: 0))]
        return Snapshot(schemaVersion: 0, declared: Schema(), classes: [stored])
    }

    /// A snapshot of one class with constants for values, whose parts need not fit one another.
    private static func snapshot(
        rows: [Int], objects: Int? = nil, keys: [Int]? = nil, values: [Int]? = nil, constant: Value = .int(1),
        hasKeys: Bool = true, firstKeys: [Int64] = [0, 10], in store: any SegmentStore
    ) throws -> Snapshot {
        let schema = ObjectSchema("A", properties: [Property("a", .int)])
        let groups = zip(rows, firstKeys).map { rows, first in
            RowGroup(rowCount: rows, firstKey: ObjectKey(first), lastKey: ObjectKey(first + 2))
        }
        let keyColumn = (keys ?? rows).map { Segment(repeating: .int(0), rowCount: $0) }
        let valueColumn = (values ?? rows).map { Segment(repeating: constant, rowCount: $0) }
        let stored = StoredClass(
            schema: schema, nextSequence: 20, objectCount: objects ?? rows.reduce(0, +),
            rowGroups: try store.write(segment: SnapshotCoding.encode(rowGroups: groups)),
            keys: hasKeys ? .segments(try store.write(column: keyColumn)) : .constant(.int(0)),
            columns: [.segments(try store.write(column: valueColumn))])
        return Snapshot(schemaVersion: 0, declared: Schema([schema]), classes: [stored])
    }
}
