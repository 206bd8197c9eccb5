import Testing

@testable import Sandbox

/// Memory that is made block by block is, to whoever reads it, as if it were there as a whole.
@Suite(.serialized) struct PagedMemoryTests {
    private static let blockBytes = 8192

    private static func byte(at offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: offset &* 31 &+ offset >> 8) }

    private static func fill(_ block: Int, _ memory: UnsafeMutableRawBufferPointer) {
        for index in memory.indices { memory[index] = byte(at: block * blockBytes + index) }
    }

    @Test(arguments: [1, 4095, 8192, 8193, 1_000_000])
    func `has every byte, read in any order`(count: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let offsets = Array(0..<count).shuffled(using: &generator).prefix(20_000) + [0, count - 1]
        let isRight = try PagedMemory(residentBytes: 3 * Self.blockBytes).withBytes(
            count: count, blockBytes: Self.blockBytes, fill: Self.fill
        ) { bytes in
            bytes.count == count && offsets.allSatisfy { bytes[$0] == Self.byte(at: $0) }
        }
        #expect(isRight)
    }

    @Test func `keeps so many blocks and makes others again`() throws {
        var made: [Int] = []
        let last = try PagedMemory(residentBytes: 2 * Self.blockBytes).withBytes(
            count: 4 * Self.blockBytes, blockBytes: Self.blockBytes,
            fill: { block, memory in
                made.append(block)
                Self.fill(block, memory)
            },
            { bytes in
                for block in [0, 1, 0, 1, 2, 1, 0, 3] {
                    #expect(bytes[block * Self.blockBytes] == Self.byte(at: block * Self.blockBytes))
                }
                return bytes[bytes.count - 1]
            })
        #expect(last == Self.byte(at: 4 * Self.blockBytes - 1))
        #expect(made == [0, 1, 2, 0, 3])
    }

    @Test func `throws what making a block threw, whatever became of it`() throws {
        struct Damaged: Error, Equatable { var block: Int }
        let memory = PagedMemory()
        let fill: (Int, UnsafeMutableRawBufferPointer) throws -> Void = { block, memory in
            guard block != 2 else { throw Damaged(block: block) }
            Self.fill(block, memory)
        }
        let count = 4 * Self.blockBytes
        #expect(throws: Damaged(block: 2)) {
            try memory.withBytes(count: count, blockBytes: Self.blockBytes, fill: fill) { $0.reduce(0) { $0 ^ $1 } }
        }
        struct Other: Error {}
        #expect(throws: Damaged(block: 2)) {
            try memory.withBytes(count: count, blockBytes: Self.blockBytes, fill: fill) { bytes in
                #expect(bytes[2 * Self.blockBytes] == 0)
                throw Other()
            }
        }
        #expect(throws: Other.self) {
            try memory.withBytes(count: count, blockBytes: Self.blockBytes, fill: fill) { _ in throw Other() }
        }
    }

    @Test func `is empty where nothing is asked for`() throws {
        #expect(try PagedMemory().withBytes(count: 0, blockBytes: 4096, fill: Self.fill) { $0.count } == 0)
    }

    @Test func `leaves faults of another kind to whoever has them`() throws {
        let hosts = HostPool(executable: try Probes.program())
        let error = #expect(throws: HostFailure.self) { try hosts.probe("read nowhere") }
        #expect(error == .crash("signal 11"))
    }
}
