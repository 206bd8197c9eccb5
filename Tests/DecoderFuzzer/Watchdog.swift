import Foundation
import Synchronization

/// A thread that ends the process where one input takes too long or too much memory.
final class Watchdog: Sendable {
    static let secondsAnInput = 10
    /// Beyond what the process had, and what the input's size allows.
    private static let memoryBytes = 3 << 30
    private static let pollMicroseconds: UInt32 = 20_000

    private let started = Atomic<UInt64>(0)
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
        started.store(DispatchTime.now().uptimeNanoseconds, ordering: .releasing)
    }

    /// Notes that an input is done with.
    func end() { started.store(0, ordering: .releasing) }

    private func check() {
        let start = started.load(ordering: .acquiring)
        guard start != 0 else { return }
        let now = DispatchTime.now().uptimeNanoseconds
        if now > start, now - start > UInt64(Self.secondsAnInput) * 1_000_000_000 {
            Finding.end(.tooSlow, "one input takes more than \(Self.secondsAnInput) s")
        }
        if Self.residentBytes() > memoryLimit.load(ordering: .relaxed) {
            Finding.end(.tooMuchMemory, "one input takes more than \(Self.memoryBytes >> 20) MiB")
        }
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
