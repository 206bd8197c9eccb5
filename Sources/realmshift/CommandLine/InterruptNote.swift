import Glibc

/// The last words of a command that is interrupted (SIGINT) while something that it began goes on elsewhere.
enum InterruptNote {
    nonisolated(unsafe) private static var text: UnsafeMutableBufferPointer<UInt8>?

    /// Says a sentence on standard error when the command is interrupted, and ends it then; called once.
    static func tell(_ sentence: String) {
        let bytes = Array("\nrealmshift: \(sentence)\n".utf8)
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = buffer.initialize(from: bytes)
        text = buffer
        var action = sigaction()
        // Nothing else is safe in a handler.
        action.__sigaction_handler.sa_handler = { signal in
            if let text = InterruptNote.text { _ = write(STDERR_FILENO, text.baseAddress, text.count) }
            _exit(128 + signal)
        }
        sigaction(SIGINT, &action, nil)
    }
}
