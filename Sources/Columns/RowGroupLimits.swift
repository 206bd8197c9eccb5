/// When a row group closes: at `rows` objects or at `bytes` of values, whichever comes first.
public struct RowGroupLimits: Hashable, Sendable {
    /// The most rows of a group, at least 1.
    public var rows: Int
    /// Bytes of values after which a group takes no further row.
    public var bytes: Int

    /// Sets both limits.
    public init(rows: Int, bytes: Int) {
        self.rows = max(rows, 1)
        self.bytes = bytes
    }

    /// 16,384 objects or 8 MiB.
    public static let standard = RowGroupLimits(rows: 16_384, bytes: 8 << 20)
}
