import Glibc

/// Nanoseconds of the clock that is never set.
public enum MonotonicClock {
    /// Nanoseconds since some moment that stays the same.
    public static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
