/// A column's part of a row group, as the end of the file says where it is.
struct ParquetChunk {
    let path: [String]
    let type: ParquetType
    let valueCount: Int
    let plainBytes: Int
    let storedBytes: Int
    let offset: Int64
    let statistics: ParquetStatistics
}

/// A row group, as the end of the file describes it.
struct ParquetRowGroup {
    let rowCount: Int
    let chunks: [ParquetChunk]
}

/// Parquet's own structures (parquet.thrift), by the numbers of their fields.
enum ParquetFooter {
    static let magic = Array("PAR1".utf8)
    private static let zstd: Int32 = 6
    private static let plain: Int32 = 0
    private static let runs: Int32 = 3

    /// The head of a page of values.
    static func pageHead(plainBytes: Int, storedBytes: Int, valueCount: Int) -> [UInt8] {
        var writer = ThriftWriter()
        writer.field(1, Int32(0))
        writer.field(2, Int32(plainBytes))
        writer.field(3, Int32(storedBytes))
        writer.field(5) { page in
            page.field(1, Int32(valueCount))
            page.field(2, plain)
            page.field(3, runs)
            page.field(4, runs)
        }
        writer.end()
        return writer.bytes
    }

    /// The end of a file.
    ///
    /// - Parameters:
    ///   - schema: the elements, depth first, the root's included.
    ///   - notes: names and texts that are kept with the file.
    static func bytes(
        schema: [ParquetSchemaElement], rowCount: Int, groups: [ParquetRowGroup], notes: [(String, String)],
        leafCount: Int
    ) -> [UInt8] {
        var writer = ThriftWriter()
        writer.field(1, Int32(2))
        writer.field(2, structures: schema) { $1.write(to: &$0) }
        writer.field(3, Int64(rowCount))
        writer.field(4, structures: groups) { write($1, to: &$0) }
        writer.field(5, structures: notes) {
            $0.field(1, $1.0)
            $0.field(2, $1.1)
        }
        writer.field(6, "realmshift")
        // Extremes are in the order that the types have.
        writer.field(7, structures: Array(0..<leafCount)) { order, _ in order.field(1) { _ in } }
        writer.end()
        var out = writer.bytes
        out.append(littleEndian: UInt32(out.count))
        return out + magic
    }

    private static func write(_ group: ParquetRowGroup, to writer: inout ThriftWriter) {
        writer.field(1, structures: group.chunks) { chunk, part in
            chunk.field(2, part.offset)
            chunk.field(3) { write(part, to: &$0) }
        }
        writer.field(2, Int64(group.chunks.reduce(0) { $0 + $1.plainBytes }))
        writer.field(3, Int64(group.rowCount))
        writer.field(6, Int64(group.chunks.reduce(0) { $0 + $1.storedBytes }))
    }

    private static func write(_ chunk: ParquetChunk, to writer: inout ThriftWriter) {
        writer.field(1, chunk.type.physical)
        writer.field(2, numbers: [plain, runs])
        writer.field(3, texts: chunk.path)
        writer.field(4, zstd)
        writer.field(5, Int64(chunk.valueCount))
        writer.field(6, Int64(chunk.plainBytes))
        writer.field(7, Int64(chunk.storedBytes))
        writer.field(9, chunk.offset)
        writer.field(12) { statistics in
            statistics.field(3, Int64(chunk.statistics.nullCount))
            guard chunk.type != .bool, let (minimum, maximum) = chunk.statistics.encoded else { return }
            statistics.field(5, maximum)
            statistics.field(6, minimum)
        }
    }
}

/// One element of a file's schema.
struct ParquetSchemaElement {
    /// How often a value is there.
    enum Repetition: Int32 {
        case required
        case optional
        case repeated
    }

    /// The kind of a group.
    enum Group {
        case plain, list, map
    }

    let name: String
    /// Nil of the root alone.
    let repetition: Repetition?
    let content: Content

    /// A leaf, or a group of so many elements that follow.
    enum Content {
        case leaf(ParquetType)
        case group(Group, children: Int)
    }

    func write(to writer: inout ThriftWriter) {
        if case .leaf(let type) = content {
            writer.field(1, type.physical)
            if type == .uuid { writer.field(2, Int32(16)) }
        }
        if let repetition { writer.field(3, repetition.rawValue) }
        writer.field(4, name)
        switch content {
        case .leaf(let type): type.describe(in: &writer)
        case .group(let group, let children):
            writer.field(5, Int32(children))
            switch group {
            case .plain: break
            case .list:
                writer.field(6, Int32(3))
                writer.field(10) { $0.field(3) { _ in } }
            case .map:
                writer.field(6, Int32(1))
                writer.field(10) { $0.field(2) { _ in } }
            }
        }
    }
}
