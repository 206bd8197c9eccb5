import CLibPQ

/// One row of a `COPY … TO STDOUT (FORMAT binary)`.
public struct PostgresCopyRow {
    /// The bytes of each column in PostgreSQL's binary format; nil is null.
    public let columns: [[UInt8]?]

    /// The value of a column that may be null.
    public func optional<Value: PostgresCodable>(
        _ index: Int, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value? {
        guard columns.indices.contains(index) else { throw .unexpected("A copied row has no column \(index).") }
        guard let bytes = columns[index] else { return nil }
        guard let value = bytes.withUnsafeBytes({ Value(postgresBytes: $0) }) else {
            throw .unexpected("Column \(index) is no \(Value.self).")
        }
        return value
    }
}

extension PostgresConnection {
    /// Runs a `COPY … TO STDOUT (FORMAT binary)` and hands each row to a body as it arrives.
    ///
    /// Memory is bounded by one row. Where the body throws, the statement is cancelled and the connection stays usable.
    public func copyOut(_ statement: StaticString, _ body: (PostgresCopyRow) throws -> Void) throws {
        PQclear(try check(PQexec(handle, String(describing: statement))))
        var parser = CopyParser()
        do {
            while let message = try nextCopyMessage() {
                parser.append(message)
                while let row = try parser.nextRow() { try body(row) }
            }
        } catch {
            cancel()
            while (try? nextCopyMessage()) != nil {}
            _ = try? finishCopy()
            throw error
        }
        _ = try finishCopy()
    }

    /// Asks the server to stop the statement that is running; may be called from any thread while it runs.
    public func cancel() {
        guard let cancel = PQgetCancel(handle) else { return }
        defer { PQfreeCancel(cancel) }
        var message = [CChar](repeating: 0, count: 256)
        PQcancel(cancel, &message, Int32(message.count))
    }

    private func nextCopyMessage() throws(PostgresError) -> [UInt8]? {
        var buffer: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(handle, &buffer, 0)
        defer { if let buffer { PQfreemem(buffer) } }
        switch count {
        case -1: return nil
        case -2: throw .connection(lastMessage)
        default: return Array(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
        }
    }
}

/// Cuts the bytes of a binary COPY into rows.
struct CopyParser {
    private var buffer: [UInt8] = []
    private var hasHeader = false

    mutating func append(_ bytes: [UInt8]) {
        buffer = buffer.isEmpty ? bytes : buffer + bytes
    }

    /// The next whole row; nil where more bytes are needed, and at the trailer.
    mutating func nextRow() throws(PostgresError) -> PostgresCopyRow? {
        var position = 0
        if !hasHeader {
            // Signature 11, flags 4, then an extension behind its length.
            guard let extensionLength = word(at: 15) else { return nil }
            guard extensionLength >= 0 else { throw .unexpected("The header of a COPY is damaged.") }
            position = 19 + Int(extensionLength)
        }
        guard let columnCount = short(at: position), columnCount >= 0 else { return nil }
        position += 2
        var columns: [[UInt8]?] = []
        for _ in 0..<columnCount {
            guard let length = word(at: position) else { return nil }
            position += 4
            guard length >= 0 else {
                columns.append(nil)
                continue
            }
            guard Int(length) <= buffer.count - position else { return nil }
            columns.append(Array(buffer[position..<position + Int(length)]))
            position += Int(length)
        }
        hasHeader = true
        buffer.removeFirst(position)
        return PostgresCopyRow(columns: columns)
    }

    private func word(at position: Int) -> Int32? {
        guard position + 4 <= buffer.count else { return nil }
        return buffer[position..<position + 4].reduce(0) { $0 << 8 | Int32($1) }
    }

    private func short(at position: Int) -> Int16? {
        guard position + 2 <= buffer.count else { return nil }
        return Int16(bitPattern: UInt16(buffer[position]) << 8 | UInt16(buffer[position + 1]))
    }
}
