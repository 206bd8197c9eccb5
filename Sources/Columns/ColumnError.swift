/// Why columns could not be written or read.
public enum ColumnError: Error, Hashable, Sendable {
    /// A value is not of the column's type.
    case typeMismatch(expected: ColumnType)
    /// One row group would need offsets past 31 bits.
    case rowGroupTooLarge
    /// Stored bytes are not what the codec wrote.
    ///
    /// - Parameters:
    ///   - what: the part that could not be read.
    ///   - offset: bytes from the start of the decompressed segment.
    case damaged(what: String, offset: Int)
    /// The store has no segment or column of an id.
    case missing(SegmentID)
}

extension ColumnError: CustomStringConvertible {
    /// One sentence without any value of an object.
    public var description: String {
        switch self {
        case .typeMismatch(let expected): "A value is not of the column's type \(expected.element.rawValue)."
        case .rowGroupTooLarge: "A row group holds more than 2 GiB of values."
        case .damaged(let what, let offset): "Stored columns are damaged: \(what) at byte \(offset)."
        case .missing(let id): "The segment \(id) does not exist."
        }
    }
}
