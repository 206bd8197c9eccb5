extension ArraySlice<RowGroup> {
    /// The index of the row group that an object key falls in; nil where it is in none.
    public func index(of key: Int64) -> Int? {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if self[middle].lastKey.value < key { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low].firstKey.value <= key ? low : nil
    }
}
