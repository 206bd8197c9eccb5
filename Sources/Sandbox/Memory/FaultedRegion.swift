import CSeccomp
import Glibc

/// Address space without memory, whose faults are answered by making the block that was read.
final class FaultedRegion {
    /// The region that the handler works on; nil where there is nothing to read.
    ///
    /// Set and cleared around the reading by the thread that reads, which is also the one that the handler interrupts.
    nonisolated(unsafe) private static var current: FaultedRegion?
    nonisolated(unsafe) private static var previous = sigaction()

    /// Why blocks could not be made; nil as long as all could.
    private(set) var failure: (any Error)?

    private let start: UnsafeMutableRawPointer
    private let count: Int
    private let blockBytes: Int
    private let fill: (Int, UnsafeMutableRawBufferPointer) throws -> Void
    /// The blocks that are there, in a ring: the next place holds the one that has been there longest.
    private var resident: [Int]
    private var next = 0

    /// Reserves the address space.
    init(
        count: Int, blockBytes: Int, residentBlocks: Int,
        fill: @escaping (Int, UnsafeMutableRawBufferPointer) throws -> Void
    ) throws(PagedMemory.Unavailable) {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let start = mmap(nil, count, PROT_NONE, flags, -1, 0), start != MAP_FAILED else {
            throw PagedMemory.Unavailable(errno: errno)
        }
        self.start = start
        self.count = count
        self.blockBytes = blockBytes
        self.fill = fill
        resident = [Int](repeating: -1, count: residentBlocks)
    }

    deinit { munmap(start, count) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Answers faults from now on.
    func catchFaults() {
        precondition(Self.current == nil, "One memory at a time is made block by block.")
        Self.current = self
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { _, information, _ in
            guard let region = FaultedRegion.current, region.load(fault_address(information)) else {
                // A fault of another kind: the load that failed fails again, and whoever was there before hears of it.
                sigaction(SIGSEGV, &FaultedRegion.previous, nil)
                return
            }
        }
        action.sa_flags = SA_SIGINFO
        sigaction(SIGSEGV, &action, &Self.previous)
    }

    /// Answers none any more.
    func stop() {
        sigaction(SIGSEGV, &Self.previous, nil)
        Self.current = nil
    }

    /// Makes the block of an address; false where it is none of this memory's, or none can be made.
    private func load(_ address: UnsafeMutableRawPointer?) -> Bool {
        guard let address, address >= start, address < start + count else { return false }
        let block = (address - start) / blockBytes
        // A resident block can be read: a fault in it is a write.
        guard !resident.contains(block) else { return false }
        release(resident[next])
        let memory = self.memory(of: block)
        guard mprotect(memory.baseAddress, memory.count, PROT_READ | PROT_WRITE) == 0 else { return false }
        make(block, in: memory)
        resident[next] = block
        next = (next + 1) % resident.count
        return mprotect(memory.baseAddress, memory.count, PROT_READ) == 0
    }

    /// Fills a block; with zeros where that fails, as the memory is new: the reader can't be told here, and its caller is.
    private func make(_ block: Int, in memory: UnsafeMutableRawBufferPointer) {
        guard failure == nil else { return }
        do {
            try fill(block, memory)
        } catch {
            failure = error
        }
    }

    private func release(_ block: Int) {
        guard block >= 0 else { return }
        let memory = self.memory(of: block)
        mprotect(memory.baseAddress, memory.count, PROT_NONE)
        madvise(memory.baseAddress, memory.count, MADV_DONTNEED)
    }

    private func memory(of block: Int) -> UnsafeMutableRawBufferPointer {
        let offset = block * blockBytes
        return UnsafeMutableRawBufferPointer(start: start + offset, count: min(blockBytes, count - offset))
    }
}
