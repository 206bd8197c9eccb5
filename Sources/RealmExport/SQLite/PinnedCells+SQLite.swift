import CSQLite
import Columns

extension PinnedCells {
    /// Binds the cell of a row; what text and bytes are bound to has to hold until the statement has run.
    @inline(__always)
    func bind(_ row: Int, to statement: SQLiteStatement, at index: Int32) {
        if let validity, !validity[row] {
            sqlite3_bind_null(statement.handle, index)
            return
        }
        switch content {
        case .integer(let cells): sqlite3_bind_int64(statement.handle, index, cells[row])
        case .real(let cells): sqlite3_bind_double(statement.handle, index, cells[row])
        case .text(let offsets, let bytes):
            sqlite3_bind_text(
                statement.handle, index, bytes + Int(offsets[row]), offsets[row + 1] - offsets[row], nil)
        case .blob(let offsets, let bytes):
            sqlite3_bind_blob(
                statement.handle, index, bytes + Int(offsets[row]), offsets[row + 1] - offsets[row], nil)
        }
    }
}
