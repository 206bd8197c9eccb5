/// When a row group closes: at `rows` objects or at `bytes` of values, whichever comes first.
public struct RowGroupLimits: Hashable, Sendable {
    /// The most rows that any row group may have, so that a constant stays small where it is spread over them.
    public static let rowCeiling = 1 << 20

    /// The most rows of a group, from 1 to `rowCeiling`.
    public var rows: Int
    /// Bytes of values after which a group takes no further row.
    public var bytes: Int

    /// Sets both limits.
    public init(rows: Int, bytes: Int) {
        self.rows = min(max(rows, 1), Self.rowCeiling)
        self.bytes = bytes
    }

    /// 16,384 objects or 8 MiB.
    public static let standard = RowGroupLimits(rows: 16_384, bytes: 8 << 20)
}
