import Columns

/// A column's part of a leaf whose objects come from more than one row group.
///
/// Holds what is small; collections and long values are in the file already.
enum PartialLeaf {
    /// References to a collection a row, 0 for an empty one.
    case collections([Int64])
    case texts(TextLeaf)
    case mixed(MixedLeafWriter.Leaf)
    /// Values that take some bytes each.
    case cells(ColumnBuilder)
}
