import Columns
import RealmModel
import Threads

/// The segments and columns that the process read last, for its next readers.
///
/// None of them ever changes, so that they may be given to whoever reads; of a realm that was deleted they go with time.
final class RecentlyRead<Content: Sendable>: Sendable {
    /// Bytes that are kept, a few more for each entry.
    let byteLimit: Int
    /// Bytes of an entry that is kept.
    let entryLimit: Int

    private struct Name: Hashable {
        let appID: RealmModel.UUID
        let id: SegmentID
        let part: Int
    }

    private struct Entry {
        let content: Content
        let byteCount: Int
        var lastUse: Int
    }

    private struct Entries {
        var named: [Name: Entry] = [:]
        var byteCount = 0
        var clock = 0
    }

    private let entries = Mutex(Entries())
    private let size: @Sendable (Content) -> Int

    /// - Parameter size: the bytes that a content takes.
    init(byteLimit: Int, entryLimit: Int, size: @escaping @Sendable (Content) -> Int) {
        self.byteLimit = byteLimit
        self.entryLimit = entryLimit
        self.size = size
    }

    /// The content that was noted and is still kept.
    ///
    /// - Parameter part: which of several contents that are kept under one name.
    subscript(_ id: SegmentID, part part: Int = 0, in appID: RealmModel.UUID) -> Content? {
        entries.withLock { entries in
            guard let place = entries.named.index(forKey: Name(appID: appID, id: id, part: part)) else { return nil }
            entries.clock += 1
            entries.named.values[place].lastUse = entries.clock
            return entries.named.values[place].content
        }
    }

    /// Keeps a content unless it is large; those that nobody asked for longest go where there are too many.
    func note(_ content: Content, of id: SegmentID, part: Int = 0, in appID: RealmModel.UUID) {
        let size = size(content)
        guard size <= entryLimit else { return }
        entries.withLock { entries in
            entries.clock += 1
            // With what an entry takes besides.
            let entry = Entry(content: content, byteCount: size + 128, lastUse: entries.clock)
            let old = entries.named.updateValue(entry, forKey: Name(appID: appID, id: id, part: part))
            entries.byteCount += entry.byteCount - (old?.byteCount ?? 0)
            guard entries.byteCount > byteLimit else { return }
            for (name, entry) in entries.named.sorted(by: { $0.value.lastUse < $1.value.lastUse })
            where entries.byteCount > byteLimit / 2 {
                entries.named[name] = nil
                entries.byteCount -= entry.byteCount
            }
        }
    }
}

extension RecentlyRead<[UInt8]> {
    /// Small segments and lists of columns: what every reader of a class reads first.
    static func bytes() -> RecentlyRead {
        RecentlyRead(byteLimit: 8 << 20, entryLimit: 16 << 10, size: \.count)
    }
}

extension RecentlyRead<ColumnArray> {
    /// Decoded segments; those of a million small objects fit, and those of as many partners.
    ///
    /// Where one object was asked for, others of its row group are, and decoding takes longer than all else of a look-up.
    static func arrays() -> RecentlyRead {
        RecentlyRead(byteLimit: 96 << 20, entryLimit: 4 << 20, size: \.byteCount)
    }
}

extension RecentlyRead<PatchReader> {
    /// Patches, of which every batch of changes to their class reads the keys.
    static func patches() -> RecentlyRead {
        RecentlyRead(byteLimit: 64 << 20, entryLimit: 16 << 20, size: \.byteCount)
    }
}

extension RecentlyRead<PrimaryKeyIndex> {
    /// Whole runs of indexes of primary keys, of classes that many are looked up in at once; those of some million objects fit.
    static func runs() -> RecentlyRead {
        RecentlyRead(byteLimit: 48 << 20, entryLimit: 8 << 20, size: \.byteCount)
    }
}
