import Glibc

/// Folders of the file system.
public enum Folder {
    /// Makes a folder, and those above it, where they are not there.
    public static func make(_ path: String) throws(FileError) {
        if mkdir(path, 0o777) == 0 { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try make(String(path[..<slash]))
            if mkdir(path, 0o777) == 0 { return }
        }
        let error = FileError.last(path)
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else { throw error }
    }
}
