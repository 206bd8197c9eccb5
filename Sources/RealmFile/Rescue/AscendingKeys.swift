/// Picks of the keys in a cluster those that are in order beyond doubt.
enum AscendingKeys {
    /// The rows whose keys ascend; of several ways to leave out as few as possible, what all have in common.
    ///
    /// - Parameter keys: those that lie within the cluster's range; nil for others.
    static func rows(of keys: [Int64?]) -> [Int] {
        let known = keys.indices.filter { keys[$0] != nil }
        let values = known.compactMap { keys[$0] }
        guard !zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) else { return known }
        // How long a run can be that ends, or that begins, at each key: at most 256 of them.
        var ending = [Int](repeating: 1, count: values.count)
        var beginning = ending
        for index in values.indices {
            for earlier in 0..<index where values[earlier] < values[index] {
                ending[index] = max(ending[index], ending[earlier] + 1)
            }
        }
        for index in values.indices.reversed() {
            for later in index + 1..<values.count where values[later] > values[index] {
                beginning[index] = max(beginning[index], beginning[later] + 1)
            }
        }
        let longest = ending.max() ?? 0
        var inLongest: [Int: [Int]] = [:]
        for index in values.indices where ending[index] + beginning[index] - 1 == longest {
            inLongest[ending[index], default: []].append(index)
        }
        return inLongest.values.filter { $0.count == 1 }.map { known[$0[0]] }.sorted()
    }
}
