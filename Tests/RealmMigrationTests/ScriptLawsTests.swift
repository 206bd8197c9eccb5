import Columns
import RealmEditing
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Laws of every script` {
    /// Ways to hold the same objects: all of them have to come to the same realm.
    struct Storage: CustomTestStringConvertible {
        let rows: Int
        let memory: MemoryLimits

        var testDescription: String { "row groups of \(rows), \(memory.dirtyBytes) bytes waiting" }

        static let all = [1, 2, 3, 16_384].flatMap { rows in
            [
                MemoryLimits.standard, MemoryLimits(cachedBytes: 0, dirtyBytes: 0),
                MemoryLimits(cachedBytes: 500, dirtyBytes: 2000),
            ]
            .map { Storage(rows: rows, memory: $0) }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `every step has its effect, however the objects are stored`(seed: UInt64) throws {
        let script = RandomScript(seed: seed, stepCount: 60)
        for storage in Storage.all {
            let realm = try TestRealm(
                RandomScript.classes, objects: script.initial,
                limits: RowGroupLimits(rows: storage.rows, bytes: 1 << 20))
            let before = try realm.contents()
            let migrated = try realm.migrated(to: RandomScript.target, memory: storage.memory) { transaction in
                for (number, step) in script.steps.enumerated() {
                    try transaction.take(step, number)
                }
            }
            let contents = try migrated.contents()
            for (name, objects) in script.expected.contents {
                #expect(contents[name] == objects, "\(storage.testDescription), class \(name)")
            }
            #expect(try realm.contents() == before)
            for stored in migrated.snapshot.classes {
                #expect(stored.nextSequence == script.expected.nextSequence[stored.schema.name] ?? 0)
                #expect(stored.objectCount == script.expected.keys(stored.schema.name).count)
            }
        }
    }
}

extension MigrationTransaction {
    /// Does a step, or checks what it says.
    func take(_ step: ScriptStep, _ number: Int) throws {
        switch step {
        case .create(let className, let members, let key):
            #expect(try create(in: className, .members(members)).key.value == key, "step \(number)")
        case .set(let className, let key, let property, let input):
            let object = reference(className, key)
            try set(property.name, of: object, to: input)
        case .append(let className, let key, let property, let input):
            let object = reference(className, key)
            let place = try #require(self.index(of: property.name, object))
            _ = try append(input, to: place, of: object)
        case .delete(let className, let key): try delete(reference(className, key))
        case .deleteData(let className): #expect(try deleteData(of: className))
        case .read(let className, let key, let property, let value):
            #expect(try self.value(property.name, of: reference(className, key)) == value, "step \(number)")
        case .count(let className, let count):
            #expect(objectCount(of: index(of: className, side: .new) ?? 0, side: .new) == count, "step \(number)")
        case .enumerate(let className, let keys):
            var visited: [Int64] = []
            try enumerate(className) { _, new in
                if let new { visited.append(new.key.value) }
            }
            #expect(visited == keys, "step \(number)")
        case .linkingObjects(let className, let key, let property, let origins):
            let object = reference(className, key)
            let place = try #require(self.index(of: property.name, object))
            #expect(try linkingObjects(place, of: object).map(\.key.value) == origins, "step \(number)")
        }
    }
}
