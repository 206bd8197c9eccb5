import Foundation
import Synchronization

/// A thread that ends the process where one input takes too much memory, or hangs.
///
/// How long a decoder takes depends on the machine; that it goes on for minutes with a file of a mebibyte does not.
final class Watchdog: Sendable {
    /// Seconds of the processor, so that a machine with much to do is not taken for a decoder that hangs.
    static let secondsAnInput = 300
    /// By the clock, for a decoder that waits for what never comes.
    private static let waitingFactor = 4
    /// Beyond what the process had, and what the input's size allows.
    private static let memoryBytes = 3 << 30
    private static let pollMicroseconds: UInt32 = 20_000

    private let isDecoding = Atomic<Bool>(false)
    private let startedAt = Atomic<UInt64>(0)
    private let processorAtStart = Atomic<UInt64>(0)
    private let memoryLimit = Atomic<Int>(.max)

    /// Starts to watch.
    func start() {
        Thread.detachNewThread { [self] in
            while true {
                usleep(Self.pollMicroseconds)
                check()
            }
        }
    }

    /// Notes that an input begins.
    func begin(inputBytes: Int) {
        memoryLimit.store(Self.residentBytes() + Self.memoryBytes + 64 * inputBytes, ordering: .relaxed)
        startedAt.store(Self.nanoseconds(CLOCK_MONOTONIC), ordering: .relaxed)
        processorAtStart.store(Self.nanoseconds(CLOCK_PROCESS_CPUTIME_ID), ordering: .relaxed)
        isDecoding.store(true, ordering: .releasing)
    }

    /// Notes that an input is done with.
    func end() { isDecoding.store(false, ordering: .releasing) }

    private func check() {
        guard isDecoding.load(ordering: .acquiring) else { return }
        let limit = UInt64(Self.secondsAnInput) * 1_000_000_000
        let processor = Self.nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
        let now = Self.nanoseconds(CLOCK_MONOTONIC)
        // An input may begin meanwhile, so that a start is behind what was read before it.
        if processor > processorAtStart.load(ordering: .relaxed) + limit
            || now > startedAt.load(ordering: .relaxed) + limit * UInt64(Self.waitingFactor)
        {
            Finding.end(.tooSlow, "one input takes more than \(Self.secondsAnInput) s")
        }
        if Self.residentBytes() > memoryLimit.load(ordering: .relaxed) {
            Finding.end(.tooMuchMemory, "one input takes more than \(Self.memoryBytes >> 20) MiB")
        }
    }

    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
    }
}
