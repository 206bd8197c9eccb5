import FileStore
import Glibc

/// A file that is not whole yet, beside the one that it will be.
///
/// It is gone if the program is interrupted. A program writes one at a time.
final class PartialFile {
    let descriptor: Int32
    private let path: String
    private let template: UnsafeMutablePointer<CChar>
    private var isOpen = true

    /// The path that an interruption has to remove; nil where there is none.
    ///
    /// Set and read by the one thread that writes, and by signal handlers, which may only read it.
    nonisolated(unsafe) private static var pending: UnsafeMutablePointer<CChar>?

    /// Makes an empty file.
    ///
    /// - Parameters:
    ///   - folder: where the whole file will be.
    ///   - path: names the whole file in errors.
    init(in folder: String, for path: String) throws(FileError) {
        self.path = path
        guard let template = strdup(folder + "/.realmshift-XXXXXX") else { throw .last(path) }
        self.template = template
        descriptor = mkstemp(template)
        guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw .last(path) }
        Self.pending = template
        for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) {
            signal(number) { number in
                if let pending = PartialFile.pending { unlink(pending) }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Whether whoever started the program wants a signal ignored, as nohup does.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Gives the file its name, now that it is whole.
    ///
    /// - Parameter mode: of the file that it replaces; nil where none may be replaced.
    /// - Throws: `FileError`, also where meanwhile a file has come that may not be replaced.
    func finish(as target: String, mode: mode_t?) throws(FileError) {
        let created = umask(0)
        umask(created)
        guard fchmod(descriptor, mode ?? 0o666 & ~created) == 0, fsync(descriptor) == 0 else { throw .last(path) }
        isOpen = false
        guard close(descriptor) == 0 else { throw .last(path) }
        guard mode != nil ? rename(template, target) == 0 : Self.renameNew(template, target) else { throw .last(path) }
        Self.pending = nil
    }

    /// Gives a file a name that no other has: a second name first, which the system refuses where there is a file.
    private static func renameNew(_ from: UnsafePointer<CChar>, _ to: String) -> Bool {
        guard link(from, to) != 0 else { return unlink(from) == 0 }
        guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS else { return false }
        // A file system without second names; what is left of the race is the time between two calls.
        guard access(to, F_OK) != 0 else {
            errno = EEXIST
            return false
        }
        return rename(from, to) == 0
    }

    /// Removes the file unless it has its name.
    func remove() {
        if isOpen { close(descriptor) }
        isOpen = false
        if Self.pending != nil { unlink(template) }
        Self.pending = nil
    }

    deinit { free(template) }
}
