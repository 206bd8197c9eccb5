extension RandomAccessCollection {
    /// The first index whose element a predicate holds for; `endIndex` where it holds for none.
    ///
    /// - Parameter isBehind: holds for all elements behind the first that it holds for. It is asked about as many of them as their
    ///   number has binary digits.
    @inlinable
    public func partitioningIndex<Failure: Error>(
        where isBehind: (Element) throws(Failure) -> Bool
    ) throws(Failure) -> Index {
        var (low, rest) = (startIndex, count)
        while rest > 0 {
            let half = rest / 2
            let middle = index(low, offsetBy: half)
            if try isBehind(self[middle]) {
                rest = half
            } else {
                low = index(after: middle)
                rest -= half + 1
            }
        }
        return low
    }
}

extension RandomAccessCollection where Element: Comparable {
    /// The index of the first element that is not less than a value, of ascending ones; `endIndex` where all are less.
    @inlinable
    public func lowerBound(_ value: Element) -> Index { partitioningIndex { $0 >= value } }

    /// The index of a value among ascending elements; nil where it is not there.
    @inlinable
    public func index(ofSorted value: Element) -> Index? {
        let place = lowerBound(value)
        return place < endIndex && self[place] == value ? place : nil
    }

    /// Whether a value is among ascending elements.
    @inlinable
    public func containsSorted(_ value: Element) -> Bool { index(ofSorted: value) != nil }
}

extension [Int64] {
    /// The index of an object key among ascending ones; nil where it is not there.
    ///
    /// Most keys are consecutive, so that the place of one is known.
    public func index(ofKey key: Int64) -> Int? {
        // Two keys may be further apart than the type of keys goes.
        if let first, key >= first, UInt64(bitPattern: key &- first) < UInt64(count), self[Int(key &- first)] == key {
            return Int(key &- first)
        }
        return index(ofSorted: key)
    }
}
