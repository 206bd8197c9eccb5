import Columns
import Foundation
import RealmModel
import TestRandomness
import Testing

@testable import RealmFile

/// Twenty files, each damaged in fifty ways: what is whole comes back, and what comes back is whole.
struct RescuedDamageTests {
    private static let damagesPerFile = 50

    /// Files of all kinds that take a moment each; some are beside the package.
    static let files: [URL] = {
        let shared = [
            "cases/files/streaming_copy", "cases/files/strings_mixed_leaves", "cases/files/strings_enumerated",
            "cases/files/links_many_backlinks", "cases/files/mixed_collections", "cases/files/scalars_optional",
            "cases/files/sets_all_types", "cases/files/strings_medium", "cases/files/sparse_keys",
            "cases/files/embedded", "cases/files/links", "realms/synced/sync23-people",
            "realms/synced/sync24-tombstones", "realms/synced/sync24-nested", "realms/upstream/js_simple",
        ]
        let besides = SharedFiles.root.map { root in shared.map { root.appending(path: $0 + ".realm") } } ?? []
        return SharedFiles.fixtures.map(\.realm) + besides
    }()

    /// The number of objects that no damage met, and of those that came back.
    private struct Score {
        var whole = 0
        var back = 0
        var share: Double { whole == 0 ? 1 : Double(back) / Double(whole) }

        init() {}

        init(_ objects: [ObjectBytes.Object], in keys: [String: Set<Int64>]) {
            whole = objects.count
            back = objects.count { keys[$0.className]?.contains($0.key) == true }
        }

        mutating func add(_ other: Score) {
            whole += other.whole
            back += other.back
        }
    }

    @Test func `brings back what is whole, and nothing that the file has not`() throws {
        var shares: [FileDamage: [Double]] = [:]
        var (described, whole) = (Score(), Score())
        for (index, file) in Self.files.enumerated() {
            let bytes = try SharedFiles.bytes(file)
            let places = try ObjectBytes(of: bytes)
            for round in 0..<Self.damagesPerFile {
                var generator = SeededGenerator(seed: UInt64(index * 1000 + round))
                let damage = FileDamage.allCases[round % FileDamage.allCases.count]
                let changed = damage.applied(to: bytes, using: &generator)
                let harmed = FileDamage.ranges(from: bytes, to: changed)
                let keys = try Self.keys(in: changed, "\(file.lastPathComponent) \(round)")
                let score = Score(places.objects(without: harmed, described: true), in: keys)
                if score.whole > 0 { shares[damage, default: []].append(score.share) }
                described.add(score)
                whole.add(Score(places.objects(without: harmed, described: false), in: keys))
            }
        }
        for (damage, shares) in shares {
            print("rescue: \(damage): \(shares.reduce(0, +) / Double(shares.count)) of \(shares.count) files")
        }
        let all = shares.values.flatMap(\.self)
        let mean = all.reduce(0, +) / Double(all.count)
        print("rescue: \(described.back) of \(described.whole) objects whose bytes, and those that say what they are,")
        print("rescue: are whole, \(mean) on average; \(whole.back) of \(whole.whole) of which but their own are")
        #expect(mean >= 0.9)
    }

    /// The keys of the objects that come back, by class; none where nothing does.
    private static func keys(in changed: [UInt8], _ name: String) throws -> [String: Set<Int64>] {
        do {
            let (rescued, report) = try RescuedRealm.read(changed)
            #expect(rescued.contradictions == [], "\(name)")
            #expect(report.readCount == rescued.objects.values.reduce(0) { $0 + $1.count })
            for found in report.classes where found.expected != nil {
                #expect(found.lost.allSatisfy { $0.reason != .unreadable || $0.count > 0 }, "\(name), \(found.name)")
            }
            return rescued.objects.mapValues { Set($0.map(\.key)) }
        } catch let error as InputError {
            #expect(!error.message.isEmpty)
            return [:]
        }
    }
}

extension ReadRealm {
    /// Contradictions in a realm: links that lead nowhere, two objects of a primary key, embedded objects without an owner.
    var contradictions: [String] {
        let keys = objects.mapValues { Set($0.map(\.key)) }
        let embedded = Set(snapshot.classes.filter(\.schema.isEmbedded).map(\.schema.name))
        var found: [String] = []
        var owners: [String: [Int64: Int]] = [:]
        for stored in snapshot.classes {
            let schema = stored.schema
            for (index, property) in schema.properties.enumerated() {
                for object in objects[schema.name] ?? [] {
                    for (name, key) in object.values[index].links(to: property.objectType) {
                        if keys[name]?.contains(key) != true {
                            found.append("\(schema.name).\(property.name) to \(name) \(key)")
                        }
                        if embedded.contains(name) { owners[name, default: [:]][key, default: 0] += 1 }
                    }
                }
            }
            guard let primaryKey = schema.properties.firstIndex(where: { schema.isPrimaryKey($0) }) else { continue }
            let values = (objects[schema.name] ?? []).map { $0.values[primaryKey] }
            if Set(values.map { "\($0)" }).count != values.count { found.append("primary keys of \(schema.name)") }
        }
        for name in embedded {
            for key in keys[name] ?? [] where owners[name]?[key] != 1 { found.append("owner of \(name) \(key)") }
        }
        return found
    }
}

extension Value {
    /// The links in a value, those without a class leading to one.
    fileprivate func links(to objectType: String?) -> [(String, Int64)] {
        switch self {
        case .link(let key): [(objectType ?? "", key.value)]
        case .typedLink(let name, let key): [(name, key.value)]
        case .list(let elements): elements.flatMap { $0.links(to: objectType) }
        case .dictionary(let entries): entries.flatMap { $0.value.links(to: objectType) }
        default: []
        }
    }
}
