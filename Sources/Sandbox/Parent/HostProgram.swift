import Glibc

/// A program of which hosts are started, held as it was found.
///
/// Another version of it, installed beside a service that goes on running, may speak another language; the service starts what
/// it began with.
final class HostProgram: Sendable {
    /// Where it was found, for errors.
    let path: String
    /// Leads to the file, whatever becomes of its name; −1 where it can't be read.
    private let descriptor: Int32

    init(_ path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The path to execute: by the descriptor of this process, since a child closes its own before.
    var executable: String { descriptor >= 0 ? "/proc/\(getpid())/fd/\(descriptor)" : path }
}
