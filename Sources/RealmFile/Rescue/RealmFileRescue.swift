import Columns
import RealmModel

/// Reads of a damaged `.realm` file what can be read, formats 2 to 24.
///
/// What `RealmFileReader` refuses at the first contradiction is read past it: under the top array under which there is
/// most, class by class, leaf by leaf, value by value. What is doubtful is left out and counted: a value that can't be
/// read is null, an object without a value that it is required to have does not come back, a link to an object that is
/// not there is null or left out. A file that is not damaged comes back as the reader reads it.
///
/// Each class is read a few times. Memory is bounded by what a row group takes, by what `ObjectCensus` and
/// `PrimaryKeyDuplicates` keep of objects, and by `NodeSurvey`.
public final class RealmFileRescue {
    /// By how much tables that were found one by one have to have more than the best of the commits.
    private static let tablesAdvantage = 2.0

    private let bytes: UnsafeRawBufferPointer
    private let damagedPages: Set<Int>

    /// Starts on the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: the whole file, not encrypted, most likely mapped; it outlives this and does not change.
    ///   - damagedPages: pages of 4,096 bytes, counted from 0, that are known not to be what was written.
    public init(bytes: UnsafeRawBufferPointer, damagedPages: Set<Int> = []) {
        self.bytes = bytes
        self.damagedPages = damagedPages
    }

    /// Reads what can be read into a store, and tells what that is, in a report whose `rescue` is there.
    ///
    /// - Throws: `InputError` where nothing of a realm can be found; whatever the store throws.
    public func read(
        into store: any SegmentStore, limits: RowGroupLimits = .standard
    ) throws -> (snapshot: Snapshot, report: ReadingReport) {
        let search = TopSearch(bytes)
        guard let group = best(of: search) else {
            guard search.hasMark, search.saysEmpty else { throw refusal(search) }
            var report = RescueReport(source: .none)
            report.damagedPages = damagedPages.count
            return (Snapshot(schemaVersion: nil, declared: Schema(), classes: []), ReadingReport(rescue: report))
        }
        let (version, isVersionLost) = group.schemaVersion()
        let (classes, lost) = try group.classes()
        for rescued in classes {
            rescued.count()
            rescued.dropDuplicates()
        }
        EmbeddedOwners(classes).dropOthers()
        let links = LinkRepair(
            censuses: Dictionary(classes.map { (NameKey($0.schema.name), $0.census) }) { first, _ in first })
        let stored = try classes.map { try $0.write(into: store, limits: limits, links: links) }
        var report = RescueReport(
            source: group.candidate.source, topRef: group.candidate.ref, snapshotVersion: group.snapshotVersion,
            formatVersion: group.candidate.formatVersion)
        report.damagedPages = damagedPages.count
        report.isSchemaVersionLost = isVersionLost
        report.lostClasses = lost
        report.lostTables = group.lostTables
        report.classes = classes.map(\.report)
        return (
            Snapshot(schemaVersion: version, declared: Schema(classes.map(\.schema)), classes: stored),
            ReadingReport(unsentChangesets: group.unsentChangesets, rescue: report)
        )
    }

    /// What is under the top array under which there is most.
    private func best(of search: TopSearch) -> RescuedGroup? {
        var best: RescuedGroup?
        // An earlier commit may have objects that were deleted since: the current one is right where most of it is there.
        func isFound() -> Bool { best.map { $0.isSufficient && $0.candidate.source == .current } ?? false }
        func consider(_ group: RescuedGroup?) {
            guard let group else { return }
            guard let found = best else { return best = group }
            // Of two alike the newer, but the current one for any other.
            let isNewer = found.candidate.source != .current && group.snapshotVersion > found.snapshotVersion
            let (less, more) = (min(group.worth, found.worth), max(group.worth, found.worth))
            if less * RescuedGroup.advantage >= more ? isNewer : group.worth > found.worth { best = group }
        }
        for candidate in search.named where !isFound() {
            consider(RescuedGroup(candidate, of: bytes, damagedPages: damagedPages))
        }
        guard !isFound() else { return best }
        let scan = search.scan()
        for candidate in scan.tops { consider(RescuedGroup(candidate, of: bytes, damagedPages: damagedPages)) }
        let tables = RescuedGroup(
            scan.tables, named: scan.names, formatVersion: search.format, of: bytes, damagedPages: damagedPages)
        // Among tables that nothing leads to may be some that were removed.
        if let tables, best.map({ tables.worth > $0.worth * Self.tablesAdvantage }) ?? true { best = tables }
        return best
    }

    private func refusal(_ search: TopSearch) -> InputError {
        search.hasMark || !damagedPages.isEmpty
            ? .damaged("no list of its classes can be found", at: 0) : FileHeader.foreign(bytes)
    }
}
