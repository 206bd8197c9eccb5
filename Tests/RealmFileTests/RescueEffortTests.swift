import Columns
import Foundation
import RealmModel
import Testing

@testable import RealmFile

/// Work that a rescue does on files whose nodes claim more than they have, counted in steps.
struct RescueEffortTests {
    private static let most = 0xff_ffff
    /// The most for files with nothing but a claim in them.
    private static let fewSteps = 4096

    private static let slow = SharedFiles.root?.appending(path: "realms/damaged/slow.realm")

    @Test(.enabled(if: slow != nil, "shared files are missing"))
    func `reads few nodes of a small file that was changed at random`() throws {
        let bytes = try SharedFiles.bytes(try #require(Self.slow))
        #expect(Self.steps(bytes) < Self.fewSteps)
    }

    @Test func `follows no references that take no bytes`() {
        var file = CraftedFile()
        let leaf = file.node(.bits, count: Self.most, flags: 0xe0)
        let spec = file.array(
            [file.array([0]), file.names(["i"]), file.array([0]), 0, 0, file.array([0])], flags: 0x40)
        let cluster = file.array([1 << 1 | 1, leaf], flags: 0x40)
        #expect(Self.steps(file.finish(table: file.array([spec, 0, cluster, 1], flags: 0x40))) < Self.fewSteps)
    }

    @Test(arguments: [(2, 0), (4, 0), (6, 0), (0, 2), (2, 2), (0, 8), (6, 8)] as [(Int64, Int64)])
    func `reads no collection of millions of elements that take no bytes`(type: Int64, collection: Int64) {
        var file = CraftedFile()
        let trees = [0x40, 0xc0, 0x60, 0xe0, 0].map { file.node(.bits, count: Self.most, flags: $0) }
        let leaf = file.array(trees, flags: 0x40)
        let kind = collection << 1
        let spec = file.array(
            [
                file.array([type]), file.names(["p"]), file.array([kind]), 0, 0, file.array([type << 16 | kind << 22]),
            ], flags: 0x40)
        let cluster = file.array([Int64(trees.count) << 1 | 1, leaf], flags: 0x40)
        #expect(Self.steps(file.finish(table: file.array([spec, 0, cluster, 1], flags: 0x40))) < Self.fewSteps)
    }

    @Test func `reads no list of millions of tables that takes no bytes`() {
        var file = CraftedFile()
        let names = file.node(.cells, count: Self.most)
        let tables = file.node(.bits, count: Self.most, flags: 0x40)
        let top = file.array([names, tables], flags: 0x40)
        var bytes = file.bytes
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: top >> (8 * index)) }
        #expect(Self.steps(bytes) < Self.fewSteps)
    }

    /// Many tables that lie about, each of which leads to all that there is.
    @Test func `ends where nodes lead to one another in too many ways`() throws {
        var file = CraftedFile()
        let (places, nodes) = (1000, 4000)
        let spec = file.array([0, 0, 0, 0, 0, 0], flags: 0x40)
        let shared = file.array((0..<nodes).map { _ in file.node(.blob, count: 0) }, flags: 0x40)
        let clusters = file.array([1, shared], flags: 0x40)
        for index in 0..<2 * places {
            let key = Int64(index % places) << 1 | 1
            _ = file.array([spec, 0, clusters, key, 0, 0, 1, 0, 0, 0, 0, 0], flags: 0x40)
        }
        _ = file.names((0..<places).map { _ in "class_A" })
        let error = #expect(throws: InputError.self) { try RescuedRealm.read(file.bytes) }
        #expect(error?.message.contains("in more ways than a file of its size can have") == true, "\(error as Any)")
        #expect(Self.steps(file.bytes) == RealmFileRescue.stepLimit(bytes: file.bytes.count) + 1)
    }

    @Test(arguments: SharedFiles.fixtures)
    func `takes a step for each byte of a whole file`(_ pair: SharedFiles.Pair) throws {
        let bytes = try SharedFiles.bytes(pair.realm)
        #expect(Self.steps(bytes) <= bytes.count)
    }

    /// The steps of a rescue, whatever comes of it.
    private static func steps(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes {
            let rescue = RealmFileRescue(bytes: $0)
            _ = try? rescue.read(into: MemorySegmentStore())
            return rescue.steps
        }
    }
}
