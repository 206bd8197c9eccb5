import RealmModel

extension RandomAccessCollection<RowGroup> {
    /// The index of the row group that an object key falls in; nil where it is in none.
    @inlinable
    public func index(of key: Int64) -> Index? {
        let place = partitioningIndex { $0.lastKey.value >= key }
        return place < endIndex && self[place].firstKey.value <= key ? place : nil
    }
}
