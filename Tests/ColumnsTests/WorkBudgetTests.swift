import RealmModel
import Testing

@testable import Columns

/// Who reads columns counts what it reads, where somebody has set a budget.
struct WorkBudgetTests {
    private typealias Excess = WorkBudget.Excess

    private static func snapshot(objects: Int) throws -> (StoredClass, MemorySegmentStore) {
        let store = MemorySegmentStore()
        let schema = ObjectSchema("Note", properties: [Property("number", .int)])
        let writer = ClassWriter(schema: schema, store: store)
        for start in stride(from: 0, to: objects, by: 100) {
            let keys = (start..<start + 100).map { Int64($0) }
            try writer.append(keys: keys, columns: [ColumnArray(count: 100, values: .int(keys.map { $0 * $0 }))])
        }
        return (try writer.finish(nextSequence: Int64(objects)), store)
    }

    /// Reads a class, and says how many row groups that were.
    private static func read(_ stored: StoredClass, _ store: any SegmentStore) throws -> Int {
        let reader = try ClassReader(stored, store: store)
        for group in reader.rowGroups.indices { _ = try reader.column(0, inGroup: group) }
        return reader.rowGroups.count
    }

    @Test func `columns count by their bytes, and end what has no more to spend`() throws {
        let (stored, store) = try Self.snapshot(objects: 1000)
        let budget = WorkBudget()
        let groups = try WorkBudget.$current.withValue(budget) { try Self.read(stored, store) }
        #expect(groups == 10)
        #expect((12_000..<13_000).contains(budget.spentBytes))
        let half = WorkBudget(workBytes: 8000)
        #expect(throws: Excess.work(bytes: 8000)) {
            try WorkBudget.$current.withValue(half) { try Self.read(stored, store) }
        }
        #expect(half.spentBytes <= 8000 + 800)
        // Nobody has set one here.
        #expect(try Self.read(stored, store) == 10)
    }

    @Test func `what is watched is looked at once in some work, and ends it`() throws {
        let (stored, store) = try Self.snapshot(objects: 1000)
        var looks = 0
        let budget = WorkBudget(watchedBytes: 2000) {
            looks += 1
            return looks == 3 ? .abandoned : nil
        }
        #expect(throws: Excess.abandoned) {
            try WorkBudget.$current.withValue(budget) { try Self.read(stored, store) }
        }
        #expect(looks == 3)
        #expect((8000..<12_000).contains(budget.spentBytes))
    }

    @Test func `memory that is held adds up`() throws {
        let budget = WorkBudget(memoryBytes: 1000)
        try budget.hold(600)
        try budget.checkRoom(for: 400)
        #expect(throws: Excess.memory(bytes: 1000)) { try budget.checkRoom(for: 401) }
        #expect(throws: Excess.memory(bytes: 1000)) { try budget.hold(401) }
    }

    @Test func `budgets share memory until they are let go of`() throws {
        let shared = SharedMemory(limit: 100)
        var first: WorkBudget? = WorkBudget(memoryBytes: 80, shared: shared)
        let second = WorkBudget(memoryBytes: 80, shared: shared)
        try first?.hold(60)
        try second.hold(40)
        #expect(throws: WorkBudget.Excess.crowded) { try second.hold(1) }
        #expect(throws: WorkBudget.Excess.memory(bytes: 80)) { try second.hold(41) }
        #expect(second.heldBytes == 40)
        first = nil
        try second.hold(40)
    }
}
