import CSeccomp
import Glibc

extension HostProcess {
    /// Limits the processor time that a host may take from now on, of all its threads.
    ///
    /// A backstop: this process watches the clock. The kernel counts from the host's start, so the limit is set anew for each
    /// task; the hard one stays as the first task set it, since raising it takes a privilege.
    ///
    /// - Returns: false where the host has come too near to the hard limit for another task.
    func limitProcessorTime(seconds: Int) -> Bool {
        var current = rlimit()
        guard prlimit(processID, __rlimit_resource_t(RLIMIT_CPU.rawValue), nil, &current) == 0 else { return false }
        let end = UInt(processorSeconds() + max(seconds, 1))
        let isNew = current.rlim_cur == current.rlim_max
        let last = isNew ? end + UInt(max(seconds, 1)) : current.rlim_max
        guard end < last else { return false }
        var limit = rlimit(rlim_cur: end, rlim_max: last)
        return prlimit(processID, __rlimit_resource_t(RLIMIT_CPU.rawValue), &limit, nil) == 0
    }

    /// Seconds of processor time that the host has taken, rounded up.
    private func processorSeconds() -> Int {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(processID, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return time.tv_sec + 1
    }
}
