import Columns
import RealmJSON
import RealmModel

/// Counts what is read of a class while it is exported, for the manifest.
final class ClassTally {
    private let source: ClassSource
    private let countsAlone: Bool
    private let digest: Digest?
    private var count = 0
    private var statistics: [PropertyStatistics]

    /// - Parameter countsAlone: whether there is going to be no manifest, and objects are counted to see that none is missed.
    init(_ source: ClassSource, countsAlone: Bool = false) {
        self.source = source
        self.countsAlone = countsAlone
        digest = source.schema.isEmbedded ? nil : Digest()
        statistics = source.schema.persistedProperties.map { PropertyStatistics($0) }
    }

    /// Takes the objects of a row group, and the lines that NDJSON has of them; an embedded class has no lines.
    ///
    /// - Throws: what the store throws; `ColumnError`; `InputError` where embedded objects nest too deep.
    func take(group: Int, _ text: @autoclosure () throws -> RowGroupText? = nil) throws {
        let rows = source.liveRows(inGroup: group)
        count += rows.count
        guard !countsAlone else { return }
        for (index, property) in source.schema.persistedProperties.enumerated() {
            try statistics[index].take(try source.column(property, inGroup: group), rows: rows)
        }
        guard let digest, let text = try text() else { return }
        try text.forEachPiece { digest.update($0) }
    }

    /// The manifest of the class; nothing may follow.
    ///
    /// - Parameters:
    ///   - place: the table or file with the objects; nil where they are their owners' columns.
    ///   - losses: what properties lost, by their names.
    ///   - names: what properties are called in the export, by their names, where it is not as in the realm.
    /// - Throws: `ExportError.wrongCount` where not as many objects were taken as the class has.
    func finish(
        place: String?, losses: [NameKey: Losses], names: [NameKey: PlaceName] = [:]
    ) throws -> ClassManifest {
        try source.check(written: count)
        return ClassManifest(
            className: source.schema.name, place: place, objectCount: count,
            digest: digest.map { Hexadecimal.encode($0.finish()) }, properties: statistics,
            losses: source.schema.persistedProperties.compactMap { property in
                losses[name: property.name].map { (property.publicName, $0) }
            }, names: names)
    }
}
