import Glibc

/// Writing to a descriptor, whole or not at all as far as the caller sees.
public enum FileWriting {
    /// Writes bytes.
    ///
    /// - Parameter name: what the descriptor is called in errors.
    public static func write(_ bytes: [UInt8], to file: Int32, named name: String) throws(FileError) {
        var failure: FileError?
        bytes.withUnsafeBytes { bytes in
            do throws(FileError) {
                try write(bytes, to: file, named: name)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Writes the bytes of a buffer.
    ///
    /// - Parameter name: what the descriptor is called in errors.
    public static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, named name: String) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .last(name) }
            rest = rest.dropFirst(count)
        }
    }
}
