/// A rehearsal found what fails whoever asked for it.
public struct RehearsalFailure: Error, Hashable, Sendable {
    /// Findings that are told of, at most.
    private static let toldLimit = 20

    /// The first of the findings, what matters most first.
    public let findings: [RehearsalFinding]
    /// All of them.
    public let count: Int

    /// - Parameter failures: at least one.
    public init(_ failures: [RehearsalFinding]) {
        findings = Array(failures.prefix(Self.toldLimit))
        count = failures.count
    }

    /// The number of findings and the first of them, in a sentence or two.
    public var message: String {
        let first = findings.first.map { " The first: \($0.message)" } ?? ""
        return "The rehearsal has \(count == 1 ? "1 finding" : "\(count) findings") that failOn names.\(first)"
    }
}
