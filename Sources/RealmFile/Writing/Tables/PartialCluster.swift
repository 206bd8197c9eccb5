/// A leaf of objects that come from more than one row group: Realm fills its leaves, whatever row groups we have.
///
/// Realm Core relies on it: where a leaf is short it joins it with the next one as soon as an object goes, and that
/// fails where a mixed value of them holds a collection.
struct PartialCluster {
    var keys: [Int64] = []
    var columns: [PartialLeaf]
    /// The cells of each column of backlinks.
    var backlinks: [[Int64]]

    init(_ columns: [ColumnLeafWriter], backlinks: Int) {
        self.columns = columns.map { $0.makePartialLeaf() }
        self.backlinks = [[Int64]](repeating: [], count: backlinks)
    }
}
