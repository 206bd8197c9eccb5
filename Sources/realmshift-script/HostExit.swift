import Glibc

/// The end of the process.
enum HostExit {
    static func end(with code: Int32) -> Never { exit(code) }
}
