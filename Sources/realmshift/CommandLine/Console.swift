import FileStore
import Glibc

/// The standard streams of a command.
enum Console {
    /// The name of standard output in errors.
    static let outputName = FileName.of("-", isInput: false)

    /// Gives standard streams that the process began without to files that refuse what the streams are for.
    ///
    /// Otherwise the first files that a command opens would become its streams, and get what is meant for these.
    static func holdClosedStreams() {
        for (stream, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(stream, F_GETFD) < 0 {
            // The lowest free number is the stream's own.
            _ = open("/dev/null", access)
        }
    }

    /// Writes text to standard output, whole.
    ///
    /// - Throws: `FileError` where it can't be written, as where its reader has gone away.
    static func output(_ text: String) throws(FileError) {
        try output(Array(text.utf8))
    }

    /// Writes bytes to standard output, whole.
    ///
    /// - Throws: `FileError` where it can't be written.
    static func output(_ bytes: [UInt8]) throws(FileError) {
        try FileWriting.write(bytes, to: STDOUT_FILENO, named: outputName)
    }

    /// Writes text to standard error, whole; where it can't be written there is nobody to tell.
    static func error(_ text: String) {
        try? FileWriting.write(Array(text.utf8), to: STDERR_FILENO, named: "standard error")
    }
}
