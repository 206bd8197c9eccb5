import Columns
import RealmEditing
import RealmModel
import TestRandomness
import Testing

@testable import RealmMigration

@Suite struct `Changed values that wait in memory` {
    private let nothing = MemoryLimits(cachedBytes: 0, dirtyBytes: 0)
    private let classes = [ObjectSchema("A", properties: [Property("n", .int), Property("text", .string)])]

    private func realm(_ count: Int64, rows: Int = 3) throws -> TestRealm {
        try TestRealm(
            classes, objects: ["A": (0..<count).map { ["n": .int($0), "text": .string("before")] }],
            limits: RowGroupLimits(rows: rows, bytes: 1 << 20))
    }

    @Test func `are not lost where a value is set in a row group that was replaced as a whole`() throws {
        let migrated = try realm(3).migrated(to: classes, memory: nothing) { transaction in
            let array = try ColumnArray([.int(10), .int(20), .int(30)], as: ColumnType(.int))
            try transaction.replaceColumn(0, of: 0, rowGroup: 0, with: array)
            try transaction.set("n", of: transaction.reference("A", 1), to: .int(21))
        }
        #expect(try migrated.values("A", "n") == [.int(10), .int(21), .int(30)])
    }

    @Test func `are not lost where objects are created after all were deleted`() throws {
        let migrated = try realm(3).migrated(to: classes, memory: nothing) { transaction in
            try transaction.set("text", of: transaction.reference("A", 0), to: .string("set"))
            _ = try transaction.deleteData(of: "A")
            for number in 0..<5 as Range<Int64> {
                _ = try transaction.create(
                    in: "A", .members([("n", .int(number)), ("text", .string("new \(number)"))]))
            }
        }
        #expect(try migrated.values("A", "n") == (0..<5).map { .int($0) })
        #expect(try migrated.values("A", "text") == (0..<5).map { .string("new \($0)") })
    }

    @Test(arguments: [0, 100, 1000, 10_000, 1_000_000])
    func `are the same however little memory there is`(bytes: Int) throws {
        let memory = MemoryLimits(cachedBytes: bytes, dirtyBytes: bytes)
        let migrated = try realm(50, rows: 7).migrated(to: classes, memory: memory) { transaction in
            for pass in 0..<3 {
                try transaction.enumerate("A") { old, new in
                    guard let old, let new, case .int(let number) = try transaction.value("n", of: old) else { return }
                    let before = try transaction.value("text", of: new)
                    #expect(before == .string(pass == 0 ? "before" : "pass \(pass - 1) of \(number)"))
                    try transaction.set("text", of: new, to: .string("pass \(pass) of \(number)"))
                }
            }
        }
        #expect(try migrated.values("A", "text") == (0..<50).map { .string("pass 2 of \($0)") })
    }

    /// A row group of 32 rows keeps four cells beside it: writes stay there, fill it up, and meet row groups that go.
    @Test(arguments: 0..<60)
    func `are those of a model where writes are scattered`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count: Int64 = 250
        let memory = MemoryLimits(
            cachedBytes: [0, 2000, 1 << 20][Int(seed % 3)], dirtyBytes: [0, 600, 4000, 1 << 20][Int(seed % 4)])
        let isDeleting = seed % 5 == 0
        var model = (0..<count).reduce(into: [Int64: Value]()) { $0[$1] = .string("before") }
        let migrated = try realm(count, rows: 32).migrated(to: classes, memory: memory) { transaction in
            for step in 0..<600 {
                // Some row groups are met more often than others.
                let key = Int64.random(in: 0..<count, using: &random) >> Int64.random(in: 0...2, using: &random)
                let object = transaction.reference("A", key)
                guard let before = model[key] else { continue }
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<7:
                    let text = String(repeating: "\(step) ", count: Int.random(in: 1...9, using: &random))
                    try transaction.set("text", of: object, to: .string(text))
                    model[key] = .string(text)
                case 7 where isDeleting:
                    try transaction.delete(object)
                    model[key] = nil
                case 8 where step % 50 == 0:
                    let array = try ColumnArray((0..<32).map { .string("whole \($0)") }, as: ColumnType(.string))
                    guard !isDeleting else { continue }
                    try transaction.replaceColumn(1, of: 0, rowGroup: 2, with: array)
                    for row in 0..<32 as Range<Int64> { model[64 + row] = .string("whole \(row)") }
                default: #expect(try transaction.value("text", of: object) == before)
                }
            }
        }
        #expect(try migrated.values("A", "text") == model.keys.sorted().map { model[$0] })
    }
}
