import Columns
import RealmModel

/// The tables of a snapshot's SQLite export: what is written into, and what records of other libraries have to fit.
struct SQLiteShape {
    let schema: RelationalSchema
    let options: ExportOptions
    private let traits: SnapshotTraits

    /// - Throws: as `RelationalSchema.init`; what the store throws.
    init(_ snapshot: Snapshot, store: any SegmentStore, _ options: ExportOptions) throws {
        let traits = try SnapshotTraits(
            snapshot, store: store, mayLoseValues: { $0.mayLoseValues(options) },
            losesValues: { $0.losesValues(options) })
        schema = try RelationalSchema(
            snapshot.declared, rules: .sqlite, flattens: options.flattens, needsObjectKey: traits.hasNullKey)
        self.options = options
        self.traits = traits
    }

    /// Whether a property that requires a value may still be null in the table, for a value that SQLite has not.
    func losesValues(_ className: String, _ property: Property) -> Bool { traits.losesValues(property, of: className) }
}

extension Property {
    /// Whether SQLite may have no value for one of the property, other than null.
    fileprivate func mayLoseValues(_ options: ExportOptions) -> Bool {
        type == .float || type == .double || type == .date && options.dates == .unixMillis
    }
}

extension ColumnArray {
    /// Whether a value is none that SQLite has.
    fileprivate func losesValues(_ options: ExportOptions) -> Bool {
        switch values {
        case .float(let cells): cells.contains { $0.isNaN }
        case .double(let cells): cells.contains { $0.isNaN }
        case .date(let seconds, _):
            options.dates == .unixMillis && seconds.contains { $0.magnitude >= UInt64(Int64.max / 1000) }
        case .list(_, let elements): elements.losesValues(options)
        case .dictionary(_, _, let values): values.losesValues(options)
        case .int, .bool, .fixed, .variable: false
        }
    }
}
