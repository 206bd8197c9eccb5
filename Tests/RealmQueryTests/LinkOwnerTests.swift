import Columns
import RealmJSON
import RealmModel
import TestRandomness
import Testing

@testable import RealmQuery

/// Embedded objects are found at their owners, however deep they are nested, and whatever the size of row groups.
struct LinkOwnerTests {
    @Test(arguments: 0..<20 as Range<UInt64>, [1, 3, 16_384])
    func `tells the owner and the path to each embedded object`(seed: UInt64, rows: Int) throws {
        var town = Town(seed: seed)
        let (snapshot, store) = try town.make(rows: rows)
        let objects = SnapshotObjects(snapshot, from: store)
        var found: [Int64: LinkSearch.Owner] = [:]
        for name in Town.parts {
            let index = try #require(snapshot.declared.index(of: name))
            let reader = try ClassReader(try #require(snapshot[name]), store: store)
            let keys = try reader.rowGroups.indices.flatMap { try reader.keys(inGroup: $0) }.map { ObjectKey($0) }
            for (key, owner) in try LinkSearch(snapshot, from: store).owners(of: keys, ofClass: name) {
                let label = try objects.value(0, of: SnapshotObjects.Object(classIndex: index, key: key))
                guard case .int(let label) = label else { continue }
                found[label] = owner
            }
        }
        #expect(found == town.expected)
        #expect(try LinkSearch(snapshot, from: store).owners(of: [ObjectKey(0)], ofClass: "Person").isEmpty)
    }
}

/// People with houses, which have rooms, which have shelves; each has a label.
private struct Town {
    static let parts = ["House", "Room", "Shelf"]
    private static let schema = """
        [{"name":"Person","properties":{"home":"House","more":"House[]","named":"House{}","shelf":"Shelf"}},
        {"name":"House","embedded":true,"properties":{"label":"int","inner":"Room","list":"Room[]"}},
        {"name":"Room","embedded":true,"properties":{"label":"int","inner":"Shelf","list":"Shelf[]"}},
        {"name":"Shelf","embedded":true,"properties":{"label":"int"}}]
        """
    /// The owners by labels.
    private(set) var expected: [Int64: LinkSearch.Owner] = [:]
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func make(rows: Int) throws -> (Snapshot, MemorySegmentStore) {
        let people = (0..<5).map { person in
            let members = [
                "\"home\":\(maybe(0, of: person, ["home"]))", "\"more\":\(list(0, of: person, ["more"]))",
                "\"named\":{\"a\":\(part(0, of: person, ["named"]))}",
                "\"shelf\":\(maybe(2, of: person, ["shelf"]))",
            ]
            return "{\"_key\":\(person),\(members.joined(separator: ","))}"
        }
        let document = """
            {"schemaVersion":0,"schema":\(Self.schema),"objects":{"Person":[\(people.joined(separator: ","))]}}
            """
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store, limits: limits).read()
        }
        return (snapshot, store)
    }

    private mutating func maybe(_ level: Int, of person: Int, _ path: [String]) -> String {
        generator.below(3) == 0 ? "null" : part(level, of: person, path)
    }

    private mutating func list(_ level: Int, of person: Int, _ path: [String]) -> String {
        let parts = (0..<generator.below(3)).map { _ in part(level, of: person, path) }
        return "[\(parts.joined(separator: ","))]"
    }

    private mutating func part(_ level: Int, of person: Int, _ path: [String]) -> String {
        let label = Int64(expected.count)
        expected[label] = LinkSearch.Owner(className: "Person", key: ObjectKey(Int64(person)), path: path)
        guard level < 2 else { return "{\"label\":\(label)}" }
        let inner = maybe(level + 1, of: person, path + ["inner"])
        let list = list(level + 1, of: person, path + ["list"])
        return "{\"label\":\(label),\"inner\":\(inner),\"list\":\(list)}"
    }
}
