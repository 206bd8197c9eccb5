import Glibc

/// Which file a path leads to, whatever it is called and however many links lead there.
struct FileIdentity: Hashable {
    private let device: dev_t
    private let inode: ino_t

    /// The regular file that a path leads to; nil where there is none, and for devices and pipes.
    ///
    /// - Parameter path: `-` is a standard stream, which may be a file.
    init?(_ path: String, isInput: Bool) {
        var status = stat()
        let result = path == "-" ? fstat(isInput ? STDIN_FILENO : STDOUT_FILENO, &status) : stat(path, &status)
        guard result == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
