import CSeccomp
import Glibc

/// The system calls that a host may make once it is locked: memory, its threads, its clock, and the socket it has.
///
/// By seccomp(2). A thread may signal those of its own process, and memory may be mapped that no other process sees: what is
/// shared no limit of private memory counts. Every other call ends the process; calls that look for files fail as if there were none, because the
/// C library and ICU look for files that they can do without.
enum SystemCallFilter {
    /// The filter could not be set; the host must not go on.
    struct Failed: Error {}

    private static let allowed = [
        "read", "write", "readv", "writev", "pread64", "recvmsg", "close", "fstat", "lseek", "poll", "ppoll",
        "mprotect", "munmap", "mremap", "madvise", "mincore", "brk", "mlock", "munlock",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "sigaltstack",
        "futex", "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "getpriority",
        "set_robust_list", "rseq", "membarrier", "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid",
        "getegid",
        "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times", "getrusage",
        "getrandom", "sysinfo", "uname", "eventfd2", "exit", "exit_group", "restart_syscall",
    ]

    private static let refused: [(calls: [String], errno: Int32)] = [
        (
            ["open", "openat", "access", "faccessat", "faccessat2", "stat", "lstat", "newfstatat", "statx", "statfs"],
            ENOENT
        ),
        (["readlink", "readlinkat", "getcwd", "unlink", "memfd_create"], ENOENT),
        (["clone3", "sched_setscheduler", "sched_setparam", "sched_setattr", "setpriority", "ioctl", "fcntl"], ENOSYS),
        (["getrlimit", "setrlimit", "prlimit64", "kill"], EPERM),
    ]

    /// Locks the process, all its threads included, for good.
    static func apply() throws(Failed) {
        guard let context = seccomp_init(seccomp_action_kill_process()) else { throw Failed() }
        defer { seccomp_release(context) }
        var failures: Int32 = 0
        func note(_ result: Int32) { if result != 0 { failures += 1 } }

        note(seccomp_attr_set(context, SCMP_FLTATR_CTL_TSYNC, 1))
        for name in allowed { note(add(name, seccomp_action_allow(), to: context)) }
        for (names, errno) in refused {
            for name in names { note(add(name, seccomp_action_errno(UInt16(errno)), to: context)) }
        }
        let thread = clone_thread_flag()
        note(seccomp_allow_masked(context, seccomp_syscall_resolve_name("clone"), 0, thread, thread))
        note(
            seccomp_allow_masked(
                context, seccomp_syscall_resolve_name("prctl"), 0, UInt64.max, prctl_set_name_option()))
        note(
            seccomp_allow_masked(
                context, seccomp_syscall_resolve_name("tgkill"), 0, UInt64(UInt32.max), UInt64(getpid())))
        note(
            seccomp_allow_masked(
                context, seccomp_syscall_resolve_name("mmap"), 3, shared_mapping_flag(), 0))
        guard failures == 0, seccomp_load(context) == 0 else { throw Failed() }
    }

    private static func add(_ name: String, _ action: UInt32, to context: scmp_filter_ctx) -> Int32 {
        let call = seccomp_syscall_resolve_name(name)
        // A call that this architecture has not needs no rule.
        return call == __NR_SCMP_ERROR ? 0 : seccomp_rule_add_array(context, action, call, 0, nil)
    }
}
