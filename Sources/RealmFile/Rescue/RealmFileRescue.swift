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

    private let file: DamagedFile

    /// The steps that reading took, as `RescueEffort` counts them.
    package var steps: Int { file.effort.steps }

    /// The most steps that reading a file of so many bytes may take.
    package static func stepLimit(bytes: Int) -> Int { RescueEffort.limit(bytes: bytes) }

    /// Starts on the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: the whole file, not encrypted, most likely mapped; it outlives this and does not change.
    ///   - damagedPages: pages of 4,096 bytes, counted from 0, that are known not to be what was written.
    public init(bytes: UnsafeRawBufferPointer, damagedPages: Set<Int> = []) {
        file = DamagedFile(bytes: bytes, damagedPages: damagedPages, effort: RescueEffort(bytes: bytes.count))
    }

    /// Reads what can be read into a store, and tells what that is, in a report whose `rescue` is there.
    ///
    /// - Throws: `InputError` where nothing of a realm can be found, or the file takes more steps than one of its size
    ///   may; whatever the store throws.
    public func read(
        into store: any SegmentStore, limits: RowGroupLimits = .standard
    ) throws -> (snapshot: Snapshot, report: ReadingReport) {
        let search = TopSearch(file)
        let best = best(of: search)
        try file.effort.check()
        guard let group = best else {
            guard search.hasMark, search.saysEmpty else { throw refusal(search) }
            var report = RescueReport(source: .none)
            report.damagedPages = file.damagedPages.count
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
        try file.effort.check()
        let stored = try classes.map { try $0.write(into: store, limits: limits, links: links) }
        try file.effort.check()
        var report = RescueReport(
            source: group.candidate.source, topRef: group.candidate.ref, snapshotVersion: group.snapshotVersion,
            formatVersion: group.candidate.formatVersion)
        report.damagedPages = file.damagedPages.count
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
            consider(RescuedGroup(candidate, of: file))
        }
        guard !isFound() else { return best }
        let scan = search.scan()
        for candidate in scan.tops { consider(RescuedGroup(candidate, of: file)) }
        let tables = RescuedGroup(
            scan.tables, named: scan.names, formatVersion: search.format, of: file)
        // Among tables that nothing leads to may be some that were removed.
        if let tables, best.map({ tables.worth > $0.worth * Self.tablesAdvantage }) ?? true { best = tables }
        return best
    }

    private func refusal(_ search: TopSearch) -> InputError {
        search.hasMark || !file.damagedPages.isEmpty
            ? .damaged("no list of its classes can be found", at: 0) : FileHeader.foreign(file.bytes)
    }
}
