import Glibc
import RealmModel

extension Timestamp {
    /// The time on this machine.
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }

    /// The end of the year 9999, the last that RFC 3339 writes.
    static let endOfYears = Timestamp(seconds: 253_402_300_800, nanoseconds: 0)
}
