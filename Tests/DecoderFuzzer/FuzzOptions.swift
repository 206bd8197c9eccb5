import Foundation

/// The options of the command line.
struct FuzzOptions {
    /// The work of the process.
    enum Mode: String {
        /// Runs fuzzing processes one after the other and keeps what made them fail.
        case supervise
        /// Decodes inputs until one fails.
        case fuzz
        /// Writes an input to a file.
        case write
        /// Decodes a file's bytes, or one input.
        case replay
    }

    struct Wrong: Error {
        let message: String
    }

    static let usage = """
        usage: DecoderFuzzer [--seconds N | --inputs N] [--kind KIND] [--seed N] [--iteration N] [--failures FOLDER]
                             [FOLDER...]
               DecoderFuzzer replay [--kind KIND] --seed N --iteration N [FOLDER...]
               DecoderFuzzer replay FILE   (its extension says of which kind it is)
        """

    var mode = Mode.supervise
    var seconds = 60.0
    /// How many inputs there are to be; nil where it is the time that ends.
    var inputs: UInt64?
    /// The only kind of inputs; nil where they are of all kinds.
    var kind: InputKind?
    var seed: UInt64 = 1
    /// The first iteration; the only one of `write` and `replay`.
    var iteration: UInt64 = 0
    var failures = ".build/fuzz"
    /// Where a fuzzing process notes its iteration.
    var progress: String?
    var paths: [String] = []

    init(_ arguments: [String]) throws(Wrong) {
        var rest = arguments[...]
        if let name = rest.first, let mode = Mode(rawValue: name) {
            self.mode = mode
            rest.removeFirst()
        }
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else { paths.append(argument); continue }
            guard let value = rest.popFirst() else { throw Wrong(message: "\(argument) needs a value") }
            try set(argument, value)
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(Wrong) {
        func number<Number: LosslessStringConvertible>(_ type: Number.Type) throws(Wrong) -> Number {
            guard let number = Number(value) else { throw Wrong(message: "\(name) needs a number") }
            return number
        }
        switch name {
        case "--seconds": seconds = try number(Double.self)
        case "--inputs": inputs = try number(UInt64.self)
        case "--kind":
            guard let kind = InputKind(rawValue: value) else { throw Wrong(message: "there is no kind \(value)") }
            self.kind = kind
        case "--seed": seed = try number(UInt64.self)
        case "--iteration": iteration = try number(UInt64.self)
        case "--failures": failures = value
        case "--progress": progress = value
        default: throw Wrong(message: "there is no option \(name)")
        }
    }

    /// When the last input begins at the latest.
    var deadline: Date { inputs == nil ? Date(timeIntervalSinceNow: seconds) : .distantFuture }

    /// The iteration before which to end; nil where it is the time that ends.
    var end: UInt64? { inputs.map { iteration + $0 } }

    /// The corpus: the given folders, or those of the package in the working directory and beside it.
    var folders: [String] {
        guard paths.isEmpty else { return paths }
        return [
            "Tests/RealmFileTests/Fixtures", "examples", "Tests/Conformance/cases", "../shared/cases",
            "../shared/realms",
        ].filter { FileManager.default.fileExists(atPath: $0) }
    }
}
