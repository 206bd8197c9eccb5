import Glibc

/// How many files, and so connections, this process may have open.
enum OpenFiles {
    /// Descriptors that the service opens besides connections: its database's, files, and channels to children.
    private static let reserve = 512

    /// Raises the limit as far as the system permits: every client that waits has a descriptor.
    ///
    /// - Returns: how many connections there is room for.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(files, &limit) == 0 else { return reserve }
        var raised = limit
        raised.rlim_cur = raised.rlim_max
        // Where it can't be raised, the service has as many as it was given.
        if setrlimit(files, &raised) == 0 { limit = raised }
        return max(reserve, Int(clamping: limit.rlim_cur) - reserve)
    }
}
