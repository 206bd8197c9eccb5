import Foundation

/// How many files, and so connections, this process may have open.
enum OpenFiles {
    /// Raises the limit as far as the system permits: every client that waits has a descriptor.
    static func raiseLimit() {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        // Where it can't be raised, the service has as many as it was given.
        _ = setrlimit(files, &limit)
    }
}
