import CLibPQ

/// The columns of a statement's results, by their names; those of a prepared statement don't change.
struct PostgresColumns {
    let indices: [String: Int32]

    init(of result: OpaquePointer) {
        var indices: [String: Int32] = [:]
        for index in 0..<PQnfields(result) {
            if let name = PQfname(result, index) { indices[String(cString: name)] = index }
        }
        self.indices = indices
    }
}

/// The rows that a statement gave, held in libpq's memory until the result is let go of.
final class PostgresResult {
    private let handle: OpaquePointer
    let rowCount: Int
    private let columns: PostgresColumns

    /// Takes the result over; it is cleared with this object.
    ///
    /// - Parameter columns: its columns, where they are known from a result of the same statement.
    init(taking handle: OpaquePointer, columns: PostgresColumns? = nil) {
        self.handle = handle
        self.columns = columns ?? PostgresColumns(of: handle)
        rowCount = Int(PQntuples(handle))
    }

    deinit { PQclear(handle) }

    /// Rows that an INSERT, UPDATE or DELETE touched.
    var affectedRows: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    func bytes(row: Int, column name: String) throws(PostgresError) -> UnsafeRawBufferPointer? {
        guard let column = columns.indices[name] else { throw .unexpected("A result has no column \(name).") }
        guard PQgetisnull(handle, Int32(row), column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(handle, Int32(row), column), count: Int(PQgetlength(handle, Int32(row), column)))
    }
}

/// One row of a result.
public struct PostgresRow {
    let result: PostgresResult
    let index: Int

    /// The value of a column.
    ///
    /// - Throws: `PostgresError` where the column is null, of another type, or not there.
    public func value<Value: PostgresCodable>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard let value = try optional(column, as: type) else { throw .unexpected("Column \(column) is null.") }
        return value
    }

    /// The value of a column that may be null.
    ///
    /// - Throws: `PostgresError` where the column is of another type or not there.
    public func optional<Value: PostgresCodable>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value? {
        guard let bytes = try result.bytes(row: index, column: column) else { return nil }
        guard let value = Value(postgresBytes: bytes) else {
            throw .unexpected("Column \(column) is no \(Value.self).")
        }
        return value
    }
}
