import CSeccomp
import Glibc

/// Limits of the kernel on this process from now on.
enum ResourceLimits {
    /// Memory that a virtual machine takes beside its objects as soon as it works: stacks of its compiler and
    /// collector threads, and machine code.
    private static let overheadBytes = 64 << 20

    /// Address space beyond what the process has when it is locked and beyond the limit of its memory: what allocators reserve
    /// and don't take.
    private static let reservedBytes = 8 << 30
    /// Threads and processes of the user whom hosts run as.
    private static let processCount: UInt = 2048

    /// Gives the threads that the virtual machine starts small stacks: all of a stack counts against the memory limit.
    static func shrinkThreadStacks() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 1 << 20)
        pthread_setattr_default_np(&attributes)
        pthread_attr_destroy(&attributes)
    }

    /// Sets the limits of a host; afterwards nothing can raise them.
    ///
    /// The parent sets that of the processor's time, for each task.
    ///
    /// - Parameter memoryBytes: private writable memory beyond what the process has now.
    static func apply(memoryBytes: Int) {
        let idleBytes = bytes(of: "VmData:")
        let limitBytes = idleBytes + min(memoryBytes, 1 << 40) + overheadBytes
        MemoryExhaustion.watch(idleBytes: idleBytes, limitBytes: limitBytes)
        set(RLIMIT_DATA, to: UInt(limitBytes))
        set(RLIMIT_AS, to: UInt(bytes(of: "VmSize:") + limitBytes + reservedBytes))
        set(__RLIMIT_NPROC, to: processCount)
        set(RLIMIT_CORE, to: 0)
        set(RLIMIT_FSIZE, to: 0)
    }

    /// Whether the process has so much left that another task would not miss what earlier ones have not given back.
    static func leaveRoom(memoryBytes: Int) -> Bool {
        MemoryExhaustion.growthBytes <= overheadBytes + memoryBytes / 8
    }

    /// A size of this process now: `VmData:` is private writable memory as `RLIMIT_DATA` counts it, `VmSize:` address space as
    /// `RLIMIT_AS` does.
    private static func bytes(of name: String) -> Int {
        var bytes = [UInt8](repeating: 0, count: 8192)
        let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        let count = read(descriptor, &bytes, bytes.count)
        close(descriptor)
        let lines = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
        let fields = lines.first { $0.hasPrefix(name) }?.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return fields.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * 1024 } ?? 0
    }

    private static func set(_ resource: __rlimit_resource, to value: UInt) {
        var limit = rlimit(rlim_cur: value, rlim_max: value)
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
