import Columns
import RealmModel

/// Reads of a damaged `.realm` file what can be read, formats 2 to 24.
///
/// `RealmFileReader` refuses a file at the first contradiction; this reads past it: under the top array that `CommitChoice`
/// takes, class by class, leaf by leaf, value by value. Doubtful values are left out and counted: a value that can't be
/// read is null, an object without a value that it is required to have does not come back, a link to an object that is not
/// there is null or left out. A file that is not damaged comes back as the reader reads it.
///
/// Each class is read a few times. Memory is bounded by what a row group takes, by what `ObjectCensus` and
/// `PrimaryKeyDuplicates` keep of objects, and by `NodeSurvey`.
public final class RealmFileRescue {
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

    /// The bytes of the nodes that the current commit leads to, ascending, for tests of damage.
    package func currentNodes() -> [Range<Int>] {
        guard let current = TopSearch(file).named.first(where: { $0.source == .current }) else { return [] }
        let (image, survey) = file.surveyed(from: [current.ref], formatVersion: current.formatVersion)
        return survey.ranges(in: image)
    }

    /// Reads what can be read into a store, and tells what that is, in a report whose `rescue` is there.
    ///
    /// - Throws: `InputError` where no object of a realm that had some can be found, or the file takes more steps than one of its size
    ///   may; whatever the store throws.
    public func read(
        into store: any SegmentStore, limits: RowGroupLimits = .standard
    ) throws -> (snapshot: Snapshot, report: ReadingReport) {
        let search = TopSearch(file)
        let choice = CommitChoice(of: search, in: file)
        try file.effort.check()
        guard let group = choice.group else {
            guard search.isEmpty else { throw refusal(search) }
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
        report.damagedNodes = group.damagedNodes
        report.isOwnStateLost = group.isOwnStateLost
        report.isSchemaVersionLost = isVersionLost
        report.isSchemaVersionSuspect = group.isVersionSuspect
        report.lostClasses = lost
        report.lostTables = group.lostTables
        report.classes = classes.map(\.report)
        report.newerCommit = choice.newerCommit
        try Self.checkSomeIsLeft(report, hasFoundTables: choice.hasFoundTables)
        return (
            Snapshot(schemaVersion: version, declared: Schema(classes.map(\.schema)), classes: stored),
            ReadingReport(unsentChangesets: group.unsentChangesets, rescue: report)
        )
    }

    /// Throws the damage where no object is left of a file that had some.
    private static func checkSomeIsLeft(_ report: RescueReport, hasFoundTables: Bool) throws(InputError) {
        // Tables that were found by themselves are those of a realm that had classes.
        let hadSome =
            report.source == .tables || !report.lostClasses.isEmpty || report.lostTables > 0
            || report.newerCommit != nil || report.classes.isEmpty && (report.damagedNodes > 0 || hasFoundTables)
            || report.classes.contains { !$0.lost.isEmpty || $0.expected != 0 }
        guard report.readCount == 0, hadSome else { return }
        let names = (report.lostClasses + report.classes.filter { $0.expected != 0 }.map(\.name)).map { "'\($0)'" }
        let classes = names.count == 1 ? "class" : "classes"
        let of = names.isEmpty ? "" : " of the \(classes) \(names.joined(separator: ", "))"
        let required = Set(report.classes.flatMap(\.lost).filter { $0.reason == .requiredValue }.compactMap(\.property))
        let why =
            required.isEmpty
            ? "" : ": required values of \(required.sorted().prefix(5).joined(separator: ", ")) are lost"
        throw nothing("not one object\(of) can be read\(why)", at: Int(report.topRef))
    }

    /// The damage of a file in which nothing is found.
    private static func nothing(_ what: String, at offset: Int) -> InputError {
        .damaged(what, at: offset, hint: "No rescue finds anything in this file: look for another copy of it.")
    }

    private func refusal(_ search: TopSearch) -> InputError {
        guard search.hasMark || !file.damagedPages.isEmpty else { return FileHeader.foreign(file.bytes) }
        let end = file.bytes.count
        return switch search.currentPlace {
        case .named(let ref) where ref > Int64(end) - Int64(Node.headerBytes):
            Self.nothing(
                "it ends before byte \(ref), where the list of its classes has to be, and no other can be found",
                at: end)
        case .named(let ref): Self.nothing("no list of its classes can be found", at: Int(clamping: max(ref, 0)))
        case .atEnd:
            Self.nothing(
                "its end is missing, which says where the list of its classes is, and no list can be found", at: end)
        case .unknown: Self.nothing("no list of its classes can be found", at: 0)
        }
    }
}
