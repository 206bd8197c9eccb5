import Foundation

/// The standard streams of a command.
enum Console {
    /// Writes text to standard output, whole.
    static func output(_ text: String) {
        write(Array(text.utf8), to: STDOUT_FILENO)
    }

    /// Writes bytes to standard output, whole.
    static func output(_ bytes: [UInt8]) {
        write(bytes, to: STDOUT_FILENO)
    }

    /// Writes text to standard error, whole.
    static func error(_ text: String) {
        write(Array(text.utf8), to: STDERR_FILENO)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
