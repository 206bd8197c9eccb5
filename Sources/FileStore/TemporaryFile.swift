import Foundation

/// Files without a name.
public enum TemporaryFile {
    /// An open descriptor of a new empty file that no folder lists.
    public static func open() throws(FileError) -> Int32 {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((folder + "/realmshift-XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0, fcntl(file, F_SETFD, FD_CLOEXEC) == 0 else { throw .last(folder) }
        template.withUnsafeBufferPointer { _ = $0.baseAddress.map { unlink($0) } }
        return file
    }
}
