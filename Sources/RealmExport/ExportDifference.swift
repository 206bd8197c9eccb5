/// Something that is not as it would be in an export of the realm.
public struct ExportDifference: Hashable, Sendable {
    /// The kind of a difference.
    public enum Kind: String, Hashable, Sendable {
        /// The table, or a column of it, is not there.
        case absent
        /// A table, or a column, that the realm has not.
        case extra
        /// The column is of another type.
        case retyped
        /// Rows that the realm has and the export has not.
        case missing
        /// Rows that the export has and the realm has not.
        case added
        /// Rows with another value in the column.
        case changed
        /// A file with other bytes than the realm gives.
        case bytes
    }

    /// The kind of the difference.
    public let kind: Kind
    /// The name of the table.
    public let table: String
    /// The name of the column; nil where the whole table or its rows differ.
    public let column: String?
    /// The number of rows; nil of what is absent or of another type.
    public let count: Int?

    /// Describes a difference.
    public init(kind: Kind, table: String, column: String?, count: Int?) {
        self.kind = kind
        self.table = table
        self.column = column
        self.count = count
    }
}

extension ExportDifference: CustomStringConvertible {
    /// One line without any value.
    public var description: String {
        let place = column.map { "\(table).\($0)" } ?? table
        return switch kind {
        case .absent: "\(place): not there"
        case .extra: "\(place): the realm has none"
        case .retyped: "\(place): another type"
        case .missing: "\(place): \(rows) missing"
        case .added: "\(place): \(rows) that the realm has not"
        case .bytes:
            "\(place): other bytes than the realm gives; those of the same values differ where another version wrote the file, "
                + "and where classes, properties or row groups stand in another order"
        case .changed: "\(place): another value in \(rows)"
        }
    }

    private var rows: String { count == 1 ? "1 row" : "\(count ?? 0) rows" }
}
