import CAllocator

/// How the allocator treats memory that the service frees.
enum ServiceMemory {
    /// Has it keep some for the next request.
    ///
    /// It would give a few MiB back after each, and the system would clear every page of them again: a tenth of the time that a query
    /// takes. Four arenas keep that much; without a word, eight for each core would.
    static func prepare() {
        _ = mallopt(M_TRIM_THRESHOLD, 16 << 20)
        _ = mallopt(M_MMAP_THRESHOLD, 4 << 20)
        _ = mallopt(M_ARENA_MAX, 4)
    }
}
