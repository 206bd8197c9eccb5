import RealmModel

/// Counts the work of a rescue, and ends it where a file of its size can't need more.
///
/// A damaged file can lead to the same nodes in more ways than can be foreseen. So all that a rescue does is counted,
/// not timed: a step is a node whose header is read, or eight elements of a node, or sixteen cells of a column. A file
/// that is not damaged takes about one step for each of its bytes.
final class RescueEffort {
    private static let stepsPerByte = 16
    private static let fewestSteps = 1 << 16
    /// Elements of a node that are looked at in a step, and cells of a column that are made in one.
    static let elementsPerStep = 8
    static let cellsPerStep = 16

    /// The most steps that a file of so many bytes may take.
    static func limit(bytes: Int) -> Int {
        let steps = bytes.multipliedReportingOverflow(by: stepsPerByte)
        return steps.overflow ? .max - 1 : max(steps.partialValue, fewestSteps)
    }

    private let limit: Int
    /// The steps that were done.
    private(set) var steps = 0

    init(bytes: Int) {
        limit = Self.limit(bytes: bytes)
    }

    /// Whether no step is left.
    var isSpent: Bool { steps > limit }

    /// Counts steps; there are not as many left where it returns false.
    @discardableResult
    func take(_ count: Int = 1) -> Bool {
        guard steps <= limit - count else {
            steps = limit + 1
            return false
        }
        steps += count
        return true
    }

    /// - Throws: `InputError.Code.damaged` where the work was ended.
    func check() throws(InputError) {
        guard isSpent else { return }
        throw .damaged("its nodes lead to one another in more ways than a file of its size can have", at: 0)
    }
}
