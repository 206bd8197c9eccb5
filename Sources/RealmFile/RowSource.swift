import Columns
import RealmModel

/// The rows of a table, run by run, whatever the layout of the file.
protocol RowSource: AnyObject {
    /// Goes to the next run of rows, whose leaves are then open in every column.
    ///
    /// - Returns: the number of its rows, which may be 0; nil after the last.
    func nextRun() throws(InputError) -> Int?

    /// How many rows of the run, from one on, fit into so many bytes; at least 1.
    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int

    /// Appends rows of the run to the columns; those before them have been appended.
    func append(_ rows: Range<Int>) throws(InputError)

    /// Writes the object keys of rows of the run to memory for as many.
    func copyKeys(_ rows: Range<Int>, to keys: UnsafeMutableBufferPointer<Int64>) throws(InputError)

    /// Bytes of memory that the appended rows take.
    var byteCount: Int { get }

    /// How many texts of each column that was appended so far are no valid UTF-8 and came back as others.
    var repairedTexts: [Int] { get }

    /// The arrays of the columns; they are empty again afterwards.
    func take() -> [ColumnArray]
}

extension Table {
    /// The rows of the table.
    ///
    /// - Parameter targets: the classes that links lead to.
    func rows(in image: Image, targets: LinkTargets) throws(InputError) -> any RowSource {
        switch layout {
        case .clusters(let root): try ClusterRows(self, root: root, in: image, targets: targets)
        case .trees(let trees): try TreeRows(self, trees: trees, in: image, targets: targets)
        }
    }

    /// The number of rows that the table says it has.
    func rowCount(in image: Image) throws(InputError) -> Int {
        switch layout {
        case .clusters(let root): try ClusterCursor.objectCount(root: image.node(at: root), in: image)
        case .trees(let trees): try TreeRows(self, trees: trees, in: image, targets: LinkTargets()).rowCount()
        }
    }

    /// Checks that texts of a column that are no valid UTF-8 may come back as others.
    ///
    /// - Throws: `InputError.Code.damaged` where they are primary keys: two that differ may be the same without what is no text.
    func checkRepairs(_ count: Int, ofColumn index: Int) throws(InputError) {
        guard count == 0 || columns[index].key != primaryKey else {  // no name
            throw .damaged("a primary key that is no valid UTF-8", at: offset)
        }
    }

    /// Says in an error which class, and which property, it is about.
    func located<Result>(
        _ column: Int?, _ body: () throws(InputError) -> Result
    ) throws(InputError) -> Result {
        do {
            return try body()
        } catch {
            throw error.within(className: className ?? name, property: column.map { columns[$0].name })
        }
    }
}
