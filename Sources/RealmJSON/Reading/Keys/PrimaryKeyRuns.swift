/// Ascending integers and the numbers that ascend with them, as runs of consecutive ones.
///
/// Takes 24 bytes a run, and no more runs than one for 64 keys: next to no memory for keys that a counter made.
struct PrimaryKeyRuns {
    private static let runsInAnyCase = 64
    private static let keysPerRun = 64

    private struct Run {
        let firstKey: Int64
        let firstValue: Int64
        var count: Int64
    }

    private var runs: [Run] = []
    private var count = 0

    /// Puts a key that is not there behind those that are; false where it does not belong there.
    mutating func append(_ digest: PrimaryKeyDigest, _ value: Int64) -> Bool {
        guard digest.high == 0 else { return false }
        let key = Int64(bitPattern: digest.low)
        if let last = runs.last {
            guard key > last.firstKey else { return false }
            let distance = key.subtractingReportingOverflow(last.firstKey)
            guard !distance.overflow, distance.partialValue >= last.count else { return false }
            if distance.partialValue == last.count, value == last.firstValue + last.count {
                runs[runs.count - 1].count += 1
                count += 1
                return true
            }
        }
        guard runs.count < Self.runsInAnyCase + count / Self.keysPerRun else { return false }
        runs.append(Run(firstKey: key, firstValue: value, count: 1))
        count += 1
        return true
    }

    /// The number of a key; nil where it is in no run.
    @inline(__always)
    func value(of digest: PrimaryKeyDigest) -> Int64? {
        guard digest.high == 0, let last = runs.last else { return nil }
        let key = Int64(bitPattern: digest.low)
        // Most keys are asked for when they come: behind all others.
        if key >= last.firstKey { return Self.value(of: key, in: last) }
        let place = runs.partitioningIndex { $0.firstKey > key } - 1
        return place < 0 ? nil : Self.value(of: key, in: runs[place])
    }

    private static func value(of key: Int64, in run: Run) -> Int64? {
        let (distance, overflow) = key.subtractingReportingOverflow(run.firstKey)
        return !overflow && distance < run.count ? run.firstValue + distance : nil
    }
}
