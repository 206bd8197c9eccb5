import Foundation

/// The fault of a decoder, as the exit code of the process that met it.
enum Finding: Int32 {
    case wrongError = 70
    case tooMuchOutput
    case wrongAnswer
    case tooSlow
    case tooMuchMemory
    case tooManySteps

    /// Ends the process at once, and says why.
    static func end(_ finding: Finding, _ reason: String) -> Never {
        FileHandle.standardError.write(Data("finding: \(reason)\n".utf8))
        _exit(finding.rawValue)
    }

    init(_ fault: InputDecoding.Fault) {
        self =
            switch fault {
            case .foreignError: .wrongError
            case .tooMuchOutput: .tooMuchOutput
            case .tooManySteps: .tooManySteps
            case .unreadableSnapshot, .unstableArray, .unnamedLoss: .wrongAnswer
            }
    }
}
