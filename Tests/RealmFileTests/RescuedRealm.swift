import Columns
import RealmModel
import Testing

@testable import RealmFile

/// A rescue in memory.
enum RescuedRealm {
    static func read(_ bytes: [UInt8], limits: RowGroupLimits = .standard) throws -> (ReadRealm, RescueReport) {
        try bytes.withUnsafeBytes { try read($0, [], limits: limits) }
    }

    static func read(encrypted bytes: [UInt8], _ key: EncryptionKey) throws -> (ReadRealm, RescueReport) {
        try bytes.withUnsafeBytes {
            try PlainRealmFile.withSalvagedBytes(of: $0, key: key, in: WholeMemory()) {
                try read($0, $1, limits: .standard)
            }
        }
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer, _ damagedPages: Set<Int>, limits: RowGroupLimits
    ) throws -> (ReadRealm, RescueReport) {
        let store = MemorySegmentStore()
        let (snapshot, report) = try RealmFileRescue(bytes: bytes, damagedPages: damagedPages)
            .read(into: store, limits: limits)
        return (try ReadRealm(snapshot, store), try #require(report.rescue))
    }
}

extension ReadRealm {
    /// The classes and keys at which another realm has something else.
    func differences(from other: ReadRealm) -> [String] {
        Set(objects.keys).union(other.objects.keys).sorted().flatMap { name -> [String] in
            let (mine, others) = (objects[name] ?? [], other.objects[name] ?? [])
            let byKey = Dictionary(uniqueKeysWithValues: others.map { ($0.key, $0.values) })
            let changed = mine.filter { byKey[$0.key] != $0.values }.map { "\(name) \($0.key)" }
            return changed + (mine.count == others.count ? [] : ["\(name): \(mine.count) of \(others.count)"])
        }
    }

    /// The values that another realm of the same classes has not, and that are not null or a part of what it has.
    func inventions(beside other: ReadRealm) -> [String] {
        snapshot.classes.flatMap { stored -> [String] in
            let name = stored.schema.name
            let places = stored.schema.properties.map { property in
                other.snapshot[name]?.schema.properties.firstIndex { $0.name == property.name }
            }
            let byKey = Dictionary(uniqueKeysWithValues: (other.objects[name] ?? []).map { ($0.key, $0.values) })
            return (objects[name] ?? []).flatMap { object -> [String] in
                guard let values = byKey[object.key] else { return ["\(name) \(object.key)"] }
                return zip(object.values, places).compactMap { value, place in
                    place.map { value.isPart(of: values[$0]) } == true ? nil : "\(name) \(object.key)"
                }
            }
        }
    }
}

extension Value {
    /// Whether a value is another, or nothing, or a collection of some of what it has.
    fileprivate func isPart(of other: Value) -> Bool {
        switch (self, other) {
        case (.null, _): true
        case (.list(let mine), .list(let others)): mine.allSatisfy { $0.isNull || others.contains($0) }
        case (.dictionary(let mine), .dictionary(let others)):
            mine.allSatisfy { entry in others.contains { $0.key == entry.key && entry.value.isPart(of: $0.value) } }
        default: self == other
        }
    }
}
