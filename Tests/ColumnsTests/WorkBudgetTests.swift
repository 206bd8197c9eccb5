import RealmModel
import TestRandomness
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

    @Test func `of memory that comes and goes the most counts`() throws {
        let budget = WorkBudget(memoryBytes: 1000)
        var peak = 0
        for bytes in [100, 700, 300, 700] { try budget.hold(bytes, peak: &peak) }
        #expect(budget.heldBytes == 700)
        #expect(throws: Excess.memory(bytes: 1000)) { try budget.hold(1001, peak: &peak) }
    }

    @Test func `an owner's budgets hold half, and the last eighth is for those that hold little`() throws {
        let shared = SharedMemory(limit: 3200)
        let owners = try (0..<4).map { try Self.owner($0) }
        var budgets = owners.map { WorkBudget(memoryBytes: 1600, shared: shared, owner: $0) }
        try budgets[0].hold(1500)
        #expect(throws: Excess.crowded) { try WorkBudget(shared: shared, owner: owners[0]).hold(101) }
        try budgets[1].hold(1300)
        #expect(throws: Excess.crowded) { try budgets[2].hold(101) }
        try budgets[2].hold(100)
        #expect(throws: Excess.crowded) { try budgets[2].hold(1) }
        #expect(throws: Excess.memory(bytes: 1600)) { try budgets[2].hold(1501) }
        budgets.removeFirst()
        try budgets[1].hold(1400)
        #expect(budgets[1].heldBytes == 1500)
    }

    @Test func `others that are tried again hold little until the one that waited has ended`() throws {
        let shared = SharedMemory(limit: 3200)
        let (owner, other) = (try Self.owner(0), try Self.owner(1))
        var rival: WorkBudget? = WorkBudget(shared: shared, owner: owner)
        var large: WorkBudget? = WorkBudget(shared: shared, owner: owner) {
            rival = nil
            return nil
        }
        try rival?.hold(600)
        try large?.hold(900)
        try large?.hold(200)
        #expect(rival == nil)
        let again = WorkBudget(shared: shared, owner: owner)
        try again.hold(100)
        #expect(throws: Excess.crowded) { try again.hold(100) }
        try WorkBudget(shared: shared, owner: other).hold(1000)
        large = nil
        try again.hold(1000)
    }

    @Test func `the budget that holds most waits for the others, which are refused`() throws {
        let shared = SharedMemory(limit: 200)
        let owner = try Self.owner(0)
        var small: WorkBudget? = WorkBudget(shared: shared, owner: owner)
        var looks = 0
        let large = WorkBudget(shared: shared, owner: owner) {
            looks += 1
            if looks == 3 { small = nil }
            return nil
        }
        try small?.hold(40)
        try large.hold(60)
        #expect(throws: Excess.crowded) { try small?.hold(1) }
        try large.hold(40)
        #expect(looks == 3 && large.heldBytes == 100)
    }

    /// Budgets that ask at once hold no more than there is, and one of them comes to its end.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `budgets that compete are never all refused`(seed: UInt64) throws {
        final class Holder {
            let owner: UUID
            var bytes = 0
            init(_ owner: UUID) { self.owner = owner }
        }
        var generator = SeededGenerator(seed: seed)
        let (limit, wanted) = (1000, 500)
        let shared = SharedMemory(limit: limit)
        let owners = try (0...generator.below(3)).map { try Self.owner($0) }
        var holders = (0..<8).map { Holder(owners[$0 % owners.count]) }
        var finished = 0
        while !holders.isEmpty {
            let all = holders.count
            var waiting = 0
            for holder in holders.shuffled(using: &generator) {
                let bytes = min(1 + generator.below(100), wanted - holder.bytes)
                let claim = shared.claim(bytes, for: ObjectIdentifier(holder), of: holder.owner)
                if claim == .granted { holder.bytes += bytes }
                #expect(holders.reduce(0) { $0 + $1.bytes } <= limit)
                waiting += claim == .wait ? 1 : 0
                guard claim == .refused || holder.bytes == wanted else { continue }
                finished += claim == .refused ? 0 : 1
                shared.giveBack(of: ObjectIdentifier(holder))
                holders.removeAll { $0 === holder }
            }
            try #require(waiting < all, "all wait for one another")
        }
        #expect(finished > 0)
    }

    private static func owner(_ number: Int) throws -> UUID {
        try #require(UUID(bytes: repeatElement(UInt8(number), count: UUID.byteCount)))
    }
}
