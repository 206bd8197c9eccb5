import Columns

/// The statements of a `SQLWriter` as a script that `psql` reads.
///
/// The tables go into the schema that `psql -v schema=…` names, or else the current one. The first error ends the script:
/// psql would take rows for statements where the table that they are of could not be made.
public struct SQLScript {
    private static let head = """
        \\set ON_ERROR_STOP on
        SET client_encoding = 'UTF8';
        SET standard_conforming_strings = on;
        \\if :{?schema}
        CREATE SCHEMA IF NOT EXISTS :"schema";
        \\else
        SELECT pg_catalog.current_schema() AS schema \\gset
        \\endif

        """

    private var writer: SQLWriter
    private var hasBegun = false

    /// Prepares to write.
    public init(_ snapshot: Snapshot, from store: any SegmentStore) {
        writer = SQLWriter(snapshot, from: store, schema: .ofScript)
    }

    /// The next bytes; nil after the last.
    ///
    /// - Throws: as `SQLWriter.next`.
    public mutating func next() throws -> [UInt8]? {
        if hasBegun { return try bytes() }
        hasBegun = true
        // With the first statement, as an error comes before any byte.
        return Array(Self.head.utf8) + (try bytes() ?? [])
    }

    private mutating func bytes() throws -> [UInt8]? {
        switch try writer.next() {
        case .statement(let text), .copy(let text, _): return Array((text + ";\n").utf8)
        case .rows(let bytes): return bytes
        case .rowsEnd: return Array("\\.\n".utf8)
        case nil: return nil
        }
    }
}
