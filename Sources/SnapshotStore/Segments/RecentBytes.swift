import Columns
import RealmModel
import Synchronization

/// Small segments and lists of columns that the process read last: what every look-up of an object in a class reads again.
///
/// None of them ever changes, so that they may be given to whoever reads; of a realm that was deleted they go with time.
final class RecentBytes: Sendable {
    /// Bytes that are kept, a few more for each entry.
    static let byteLimit = 8 << 20
    /// Bytes of what is small.
    static let entryLimit = 16 << 10

    private struct Name: Hashable {
        let appID: RealmModel.UUID
        let id: SegmentID
    }

    private struct Entries {
        var bytes: [Name: (bytes: [UInt8], lastUse: Int)] = [:]
        var byteCount = 0
        var clock = 0
    }

    private let entries = Mutex(Entries())

    /// What was noted and is still kept.
    subscript(_ id: SegmentID, in appID: RealmModel.UUID) -> [UInt8]? {
        entries.withLock { entries in
            guard let place = entries.bytes.index(forKey: Name(appID: appID, id: id)) else { return nil }
            entries.clock += 1
            entries.bytes.values[place].lastUse = entries.clock
            return entries.bytes.values[place].bytes
        }
    }

    /// Keeps bytes where they are few; those that nobody asked for longest go where there are too many.
    func note(_ bytes: [UInt8], of id: SegmentID, in appID: RealmModel.UUID) {
        guard bytes.count <= Self.entryLimit else { return }
        entries.withLock { entries in
            entries.clock += 1
            let old = entries.bytes.updateValue((bytes, entries.clock), forKey: Name(appID: appID, id: id))
            entries.byteCount += Self.size(bytes) - (old.map { Self.size($0.bytes) } ?? 0)
            guard entries.byteCount > Self.byteLimit else { return }
            for (name, entry) in entries.bytes.sorted(by: { $0.value.lastUse < $1.value.lastUse })
            where entries.byteCount > Self.byteLimit / 2 {
                entries.bytes[name] = nil
                entries.byteCount -= Self.size(entry.bytes)
            }
        }
    }

    /// With what an entry takes besides.
    private static func size(_ bytes: [UInt8]) -> Int { bytes.count + 128 }
}
