import Columns
import RealmModel

/// Writes a realm file out of the leaves of another one, for a migration that changes no value: classes and columns come and go.
///
/// Every byte that is copied is checked as it would be where it is decoded; links are compared with their backlinks. Where anything
/// is not as this program would write it, and can't be decoded and encoded by itself, the copy fails and the file is to be decoded:
/// an error says no more than that.
///
/// Memory is bounded by what 256 objects take, `Options.indexBytes` of the index that is sorted, and a chunk.
public final class RealmFileCopy {
    /// Bytes after which a chunk is handed out.
    private static let chunkBytes = 1 << 18

    /// The file as a snapshot whose segments nobody has.
    ///
    /// A migration of it may be done in a store that has nothing: one that asks for values can't be copied.
    public var outline: Snapshot { file.snapshot }

    private let file: FileOutline
    private let image: Image
    private let header: FileHeader

    /// Describes a file.
    ///
    /// - Parameter bytes: the whole file, not encrypted; it outlives the copy and does not change.
    /// - Throws: `InputError` where it can't be copied, or read.
    public init(bytes: UnsafeRawBufferPointer) throws(InputError) {
        header = try FileHeader(bytes)
        guard header.topRef != 0 else { throw .uncopied("a file without tables") }
        image = Image(
            UnsafeRawBufferPointer(rebasing: bytes[..<header.nodesEnd]), formatVersion: header.formatVersion)
        file = try FileOutline(header, in: image)
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - result: what a migration made of the outline.
    ///   - endsPage: whether the file will be encrypted.
    ///   - seed: a number that nobody can know.
    ///   - options: the memory for an index.
    ///   - scratch: makes an empty store for an index that takes more than memory may, which is let go when it is written.
    ///   - send: takes the file's bytes, in order.
    /// - Throws: `InputError` where the file has to be decoded, whatever was sent; what `send` throws.
    public func write(
        _ result: Snapshot, endsPage: Bool, seed: UInt64, options: RealmFileWriter.Options = .init(),
        scratch: @escaping () throws -> any SegmentStore = { MemorySegmentStore() },
        to send: @escaping ([UInt8]) throws -> Void
    ) throws {
        let output = NodeOutput()
        func flush(atLeast count: Int) throws { if output.pendingCount >= count { try send(output.take()) } }
        let columns = try CopiedColumns(
            result, of: file, seed: seed, in: image, options: options, scratch: scratch, to: output,
            flush: { try flush(atLeast: Self.chunkBytes) })
        let frame = FileFrameWriter(layout: columns.layout, format: .current, output: output)
        var tables = frame.begin(version: result.schemaVersion)
        for index in result.classes.indices { tables.append(try columns.append(table: index)) }
        try columns.checkLinks()
        frame.finish(tables: tables, endsPage: endsPage)
        try flush(atLeast: 1)
    }
}
