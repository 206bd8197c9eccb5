import Foundation

/// A file in which a fuzzing process notes where it is, for when it dies.
final class Progress {
    struct Unwritable: Error {}

    private let descriptor: Int32

    /// Opens or makes the file.
    init(path: String) throws(Unwritable) {
        descriptor = open(path, O_CREAT | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw Unwritable() }
    }

    deinit { close(descriptor) }

    /// Notes that an iteration begins.
    func note(_ iteration: UInt64) {
        withUnsafeBytes(of: iteration) { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The iteration that was noted last.
    var iteration: UInt64 {
        var iteration: UInt64 = 0
        withUnsafeMutableBytes(of: &iteration) { _ = pread(descriptor, $0.baseAddress, $0.count, 0) }
        return iteration
    }
}
