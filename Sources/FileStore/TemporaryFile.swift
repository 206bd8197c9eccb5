import FoundationEssentials
import Glibc

/// Files without a name.
public enum TemporaryFile {
    /// An open descriptor of a new empty file that no folder lists.
    public static func open() throws(FileError) -> Int32 {
        let (file, path) = try make()
        unlink(path)
        return file
    }

    /// The path of a new empty file, for what can only be given a name; whoever uses it removes that.
    public static func named() throws(FileError) -> String {
        let (file, path) = try make()
        close(file)
        return path
    }

    /// The folder that they are made in, `TMPDIR` of the environment.
    public static var folder: String { ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp" }

    private static func make() throws(FileError) -> (file: Int32, path: String) {
        let folder = folder
        var template = Array((folder + "/realmshift-XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0, fcntl(file, F_SETFD, FD_CLOEXEC) == 0 else { throw .last(folder) }
        return (file, template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? folder })
    }
}
