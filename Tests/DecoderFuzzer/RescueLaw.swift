import Columns
import RealmFile
import RealmModel

/// Every object of a realm, by class and key.
struct IntactRealm {
    let snapshot: Snapshot
    private(set) var objects: [NameKey: [Int64: [Value]]] = [:]

    init(_ snapshot: Snapshot, _ store: any SegmentStore) throws {
        self.snapshot = snapshot
        for stored in snapshot.classes {
            let reader = try ClassReader(stored, store: store)
            let types = stored.schema.properties.map { ColumnType($0) }
            var found: [Int64: [Value]] = [:]
            for group in reader.rowGroups.indices {
                let keys = try reader.keys(inGroup: group)
                let columns = try types.indices.map { try reader.column($0, inGroup: group) }
                for (row, key) in keys.enumerated() {
                    found[key] = try zip(columns, types).map { try $0.value(at: row, as: $1) }
                }
            }
            objects[NameKey(stored.schema.name)] = found
        }
    }
}

/// The realms of files that are not damaged, each read once.
enum IntactRealms {
    nonisolated(unsafe) private static var realms: [[UInt8]: IntactRealm?] = [:]

    /// The realm in a file; nil where the reader refuses it.
    static func realm(of bytes: [UInt8]) -> IntactRealm? {
        if let known = realms[bytes] { return known }
        let store = BoundedStore(inputBytes: bytes.count)
        let realm = try? bytes.withUnsafeBytes {
            try IntactRealm(RealmFileReader(bytes: $0).read(into: store, limits: .standard), store)
        }
        realms[bytes] = .some(realm)
        return realm
    }
}

/// All that comes back of a damaged file is what was there, or its report names it lost or suspect.
struct RescueLaw {
    private let original: IntactRealm
    private let report: RescueReport

    init(_ original: IntactRealm, _ report: RescueReport) {
        self.original = original
        self.report = report
    }

    /// The first difference that the report does not name: a class, a property and a key; nil where there is none.
    func unnamed(in rescued: IntactRealm) -> String? {
        if rescued.snapshot.schemaVersion != original.snapshot.schemaVersion,
            !report.isSchemaVersionLost, !report.isSchemaVersionSuspect
        {
            return "the schema version"
        }
        for told in report.classes where !told.isDescriptionSuspect && original.snapshot[told.name] == nil {
            return "a class that was not there: \(told.name)"
        }
        for stored in original.snapshot.classes {
            let name = stored.schema.name
            guard let told = report.classes.first(where: { $0.name.hasSameBytes(as: name) }),
                let found = rescued.snapshot[name]
            else {
                if report.lostClasses.contains(name) || report.lostTables > 0 { continue }
                return "class \(name)"
            }
            if told.isDescriptionSuspect { continue }
            let objects = (original.objects[NameKey(name)] ?? [:], rescued.objects[NameKey(name)] ?? [:])
            if let unnamed = unnamed(told, stored.schema, found.schema, objects) { return "\(name): \(unnamed)" }
        }
        return nil
    }

    private func unnamed(
        _ told: RescueReport.Class, _ schema: ObjectSchema, _ foundSchema: ObjectSchema,
        _ objects: (original: [Int64: [Value]], rescued: [Int64: [Value]])
    ) -> String? {
        for key in objects.original.keys where objects.rescued[key] == nil {
            if !told.lost.contains(where: { $0.keys.contains(key) }) { return "the object of key \(key) is missing" }
        }
        for key in objects.rescued.keys where objects.original[key] == nil {
            if !told.suspectKeys.contains(key) { return "the object of key \(key) was not there" }
        }
        for (index, property) in schema.properties.enumerated() {
            guard let place = foundSchema.properties.firstIndex(where: { $0.name.hasSameBytes(as: property.name) })
            else {
                if told.lostProperties.contains(property.name) { continue }
                return "property \(property.name)"
            }
            let part = told.properties.first { $0.name.hasSameBytes(as: property.name) }
            for (key, values) in objects.rescued where !told.suspectKeys.contains(key) {
                guard let original = objects.original[key], original[index] != values[place] else { continue }
                if part?.keys.contains(key) == true || part?.suspectKeys.contains(key) == true { continue }
                return "\(property.name) of key \(key)"
            }
        }
        return nil
    }
}
