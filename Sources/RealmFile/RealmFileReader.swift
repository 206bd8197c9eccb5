import Columns
import RealmModel

/// Reads a `.realm` file, formats 2 to 24, as REALM_FORMAT describes it.
///
/// Nothing in the file is trusted: every number is checked before it is used, and what contradicts the format is an
/// `InputError` with its place. A reader belongs to one thread at a time.
public final class RealmFileReader {
    private let bytes: UnsafeRawBufferPointer
    private let header: FileHeader
    /// The top array, once it was read.
    private var knownGroup: Group?
    private var repairedTexts: [ReadingReport.RepairedTexts] = []

    /// Looks at the header of a file.
    ///
    /// - Parameter bytes: the whole file, not encrypted, most likely mapped; it outlives the reader and does not change.
    /// - Throws: `notARealm`, `truncated`, `unsupportedFormat`, or `wrongEncryptionKey` where the file seems encrypted.
    public init(bytes: UnsafeRawBufferPointer) throws(InputError) {
        self.bytes = bytes
        header = try FileHeader(bytes)
        if header.topRef != 0 { try FormatVersion.check(header.formatVersion) }
    }

    /// Reads every class into a store.
    ///
    /// The stored schema is the declared one too. Realm's own tables, backlinks and tombstones are left out.
    ///
    /// - Throws: `InputError` where the file is bad; whatever the store throws.
    public func read(into store: any SegmentStore, limits: RowGroupLimits = .standard) throws -> Snapshot {
        try read(into: store, limits: limits) { $0.className }
    }

    /// Reads every table, Realm's own included, as if each held a class: more to decode for tests of damaged files.
    package func read(tablesInto store: any SegmentStore, limits: RowGroupLimits) throws -> Snapshot {
        try read(into: store, limits: limits) { $0.className ?? $0.name }
    }

    /// Reads every table that is said to hold a class; core's own test files have no classes by name.
    func read(
        into store: any SegmentStore, limits: RowGroupLimits, className: (Table) -> String?
    ) throws -> Snapshot {
        guard let image else { return Snapshot(schemaVersion: nil, declared: Schema(), classes: []) }
        let group = try group(of: image)
        let schema = try StoredSchema(group.tables, in: image, className: className)
        let version = try SchemaVersion.read(group.tables, in: image)
        var classes: [StoredClass] = []
        repairedTexts = []
        for source in schema.classes {
            let decoder = try ClassDecoder(source, of: schema, in: image, store: store, limits: limits)
            classes.append(try decoder.decode())
            repairedTexts += decoder.repairedTexts
        }
        return Snapshot(
            schemaVersion: version, declared: Schema(schema.classes.map(\.schema)), classes: classes)
    }

    /// Describes the file without reading its objects.
    ///
    /// - Parameter measuresSpace: whether the bytes of each property are counted, for which every node is looked at.
    /// - Throws: `InputError` where the parts that are read are bad.
    public func summary(measuresSpace: Bool = false) throws(InputError) -> RealmFileSummary {
        var summary = RealmFileSummary(
            formatVersion: header.formatVersion, fileBytes: bytes.count, isStreaming: header.isStreaming)
        guard let image else { return summary }
        let group = try group(of: image)
        summary.snapshotVersion = group.snapshotVersion
        summary.history = RealmFileSummary.History(stored: group.history.type)
        summary.unsentChangesets = try unsentChangesets(of: group, in: image)
        summary.freeBytes = group.freeBytes
        summary.schemaVersion = try SchemaVersion.read(group.tables, in: image)
        let schema = try StoredSchema(group.tables, in: image)
        for source in schema.classes {
            let count = try source.table.rowCount(in: image)
            summary.classes.append(.init(schema: source.schema, objectCount: count))
        }
        if measuresSpace {
            var census = SpaceCensus(image)
            summary.space = try census.count(topRef: header.topRef, schema: schema)
        }
        return summary
    }

    /// The report on the file that its snapshot does not hold; that on its texts, once `read` has read them.
    ///
    /// - Throws: `InputError` where the parts that are read are bad.
    public func report() throws(InputError) -> ReadingReport {
        guard let image else { return ReadingReport() }
        let group = try group(of: image)
        return ReadingReport(
            unsentChangesets: try unsentChangesets(of: group, in: image), repairedTexts: repairedTexts)
    }

    private func unsentChangesets(of group: Group, in image: Image) throws(InputError) -> Int? {
        try SyncHistory(at: group.history, snapshotVersion: group.snapshotVersion, in: image)?.unsentChangesets
    }

    /// The top array and the descriptions of the tables, read once.
    private func group(of image: Image) throws(InputError) -> Group {
        if let knownGroup { return knownGroup }
        let group = try Group(topRef: header.topRef, of: image)
        knownGroup = group
        return group
    }

    /// The nodes, each of which may be read once; nil in a file without tables.
    private var image: Image? {
        guard header.topRef != 0 else { return nil }
        return Image(
            UnsafeRawBufferPointer(rebasing: bytes[..<header.nodesEnd]), formatVersion: header.formatVersion)
    }
}
