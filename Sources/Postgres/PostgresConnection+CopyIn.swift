import CLibPQ

/// Takes the rows of a `COPY … FROM STDIN (FORMAT binary)`, a buffer at a time.
public struct PostgresCopyWriter {
    /// Bytes that are collected before they are handed to libpq.
    private static let bufferSize = 256 << 10
    /// The signature, no flags, no extension (PostgreSQL manual, COPY, "Binary Format").
    private static let header = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0] + [UInt8](repeating: 0, count: 8)

    private let connection: PostgresConnection
    private var buffer = Self.header

    init(_ connection: PostgresConnection) {
        self.connection = connection
        buffer.reserveCapacity(Self.bufferSize * 2)
    }

    /// Writes a row of parameters in the order of the statement's columns.
    public mutating func write(_ row: [PostgresParameter]) throws(PostgresError) {
        append(Int16(row.count))
        for parameter in row {
            guard let bytes = parameter.bytes else {
                append(Int32(-1))
                continue
            }
            guard let length = Int32(exactly: bytes.count) else {
                throw PostgresError(sqlState: "54000", message: "A value is larger than 2 GiB.")
            }
            append(length)
            buffer += bytes
        }
        if buffer.count >= Self.bufferSize { try flush() }
    }

    mutating func finish() throws(PostgresError) {
        append(Int16(-1))
        try flush()
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { buffer.append(contentsOf: $0) }
    }

    private mutating func flush() throws(PostgresError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        try connection.put(buffer)
    }
}

extension PostgresConnection {
    /// Runs a `COPY table (columns) FROM STDIN (FORMAT binary)` with the rows that a body writes.
    ///
    /// Memory is bounded by one row and a buffer. Where the body throws, PostgreSQL takes nothing.
    ///
    /// - Returns: the number of rows taken.
    @discardableResult
    public func copyIn(
        _ statement: StaticString, _ body: (inout PostgresCopyWriter) throws -> Void
    ) throws -> Int {
        PQclear(try check(PQexec(handle, String(describing: statement))))
        do {
            var writer = PostgresCopyWriter(self)
            try body(&writer)
            try writer.finish()
        } catch {
            PQputCopyEnd(handle, "The rows ended early.")
            // PostgreSQL's message, where the connection or the rows were at fault, is truer than the writer's error.
            let refusal = Result { try finishCopy() }
            if error is PostgresError { _ = try refusal.get() }
            throw error
        }
        guard PQputCopyEnd(handle, nil) == 1 else { throw PostgresError.connection(lastMessage) }
        return try finishCopy()
    }

    /// Runs a `COPY … FROM stdin` in PostgreSQL's text format with the lines that a body gives piece by piece, nil at their end.
    ///
    /// Where the body throws, PostgreSQL takes nothing.
    public func copyIn(text sql: String, _ next: () throws -> [UInt8]?) throws {
        PQclear(try check(PQexec(handle, sql)))
        do {
            while let bytes = try next() { try put(bytes) }
        } catch {
            PQputCopyEnd(handle, "The rows ended early.")
            let refusal = Result { try finishCopy() }
            if error is PostgresError { _ = try refusal.get() }
            throw error
        }
        guard PQputCopyEnd(handle, nil) == 1 else { throw PostgresError.connection(lastMessage) }
        _ = try finishCopy()
    }

    /// Hands bytes over in pieces that libpq's lengths of 32 bits can say.
    fileprivate func put(_ bytes: [UInt8]) throws(PostgresError) {
        let sent = bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 1 << 30).allSatisfy { start in
                let piece = bytes[start..<min(start + 1 << 30, bytes.count)]
                let address = UnsafeRawBufferPointer(rebasing: piece).assumingMemoryBound(to: CChar.self).baseAddress
                return PQputCopyData(handle, address, Int32(piece.count)) == 1
            }
        }
        guard sent else { throw .connection(lastMessage) }
    }

    /// Takes all results of a COPY; the rows of the last.
    func finishCopy() throws(PostgresError) -> Int {
        var failure: PostgresError?
        var rows = 0
        while let result = PQgetResult(handle) {
            do {
                rows = PostgresResult(taking: try check(result)).affectedRows
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return rows
    }
}
