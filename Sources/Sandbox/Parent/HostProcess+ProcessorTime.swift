import CSeccomp
import Glibc

extension HostProcess {
    /// The limits on the processor time of a host, in seconds since it began.
    struct ProcessorLimit {
        /// The limit of the task.
        var end: Int
        /// The limit of all tasks: the kernel lets nobody raise it without a privilege.
        let last: Int
        /// Whether the kernel ends the host there; else this process has to look, as long as it is alive.
        var isKernels: Bool
    }

    /// Limits the processor time that a host may take from now on, of all its threads.
    ///
    /// A backstop: this process watches the clock. The kernel counts from the host's start, so the limit is set anew for each
    /// task. A host that is another user than this process can be limited by the kernel only with a privilege (CAP_SYS_RESOURCE),
    /// which containers' root has not.
    ///
    /// - Returns: false where the host has come too near to what no task may take for another one, or has ended.
    func limitProcessorTime(seconds: Int) -> Bool {
        let end = processorSeconds() + max(seconds, 1)
        let last = processorLimit?.last ?? end + max(seconds, 1)
        guard end < last else { return false }
        var limit = rlimit(rlim_cur: UInt(end), rlim_max: UInt(last))
        let isSet = prlimit(processID, __rlimit_resource_t(RLIMIT_CPU.rawValue), &limit, nil) == 0
        guard isSet || errno == EPERM else { return false }
        processorLimit = ProcessorLimit(end: end, last: last, isKernels: isSet)
        return true
    }

    /// Whether the host has taken more than its task may, and the kernel does not see to it.
    var isBeyondProcessorLimit: Bool {
        guard let processorLimit, !processorLimit.isKernels else { return false }
        return processorSeconds() > processorLimit.end + 1
    }

    /// Seconds of processor time that the host has taken, rounded up.
    private func processorSeconds() -> Int {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(processID, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return time.tv_sec + 1
    }
}
