extension [Int] {
    /// Some rows, parted so that each part has at most a number of values, or is one row.
    ///
    /// - Parameter count: the values of a row.
    public func pieces(ofValues most: Int, each count: Int) -> [ArraySlice<Int>] {
        let size = Swift.max(1, most / Swift.max(1, count))
        return stride(from: 0, to: self.count, by: size).map { self[$0..<Swift.min($0 + size, self.count)] }
    }
}
