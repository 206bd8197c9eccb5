import RealmJSON
import RealmMigration
import RealmModel
import Sandbox
import SwiftParent
import SwiftWire

/// A script as hosts run it: of Swift what it was lowered to, with the way back to its lines.
package struct LoweredSwift {
    /// The script that hosts run.
    let script: ScriptSource
    private let lowered: LoweredScript?

    /// Lowers a script that is Swift; any other is what it is.
    ///
    /// - Parameters:
    ///   - app: whose script it is; its hosts may have read others of the same app.
    ///   - timeoutSeconds: how long the script may run, and its reading take.
    /// - Throws: `MigrationError` of the script, with line and column where it is at fault.
    init(_ script: ScriptSource, by frontEnd: SwiftFrontEnd, of app: UUID?, timeoutSeconds: Double) throws {
        guard script.language == .swift else {
            (self.script, lowered) = (script, nil)
            return
        }
        let program = try Self.program(script.source)
        do {
            let lowered = try frontEnd.lower(program, of: app, timeoutSeconds: timeoutSeconds)
            self.script = ScriptSource(.loweredSwift, lowered.javaScript)
            self.lowered = lowered
        } catch let refusal as SwiftRefusal {
            throw MigrationError(refusal, fileCount: program.sources.count)
        } catch let unavailable as SwiftFrontEnd.Unavailable {
            throw MigrationError(nil, unavailable.description, script: .unavailable)
        } catch let failure as HostFailure {
            // For the job it means the same as a failure of a script's host.
            let meaning = MigrationError(failure, limits: ScriptLimits()).script
            throw MigrationError(nil, Self.message(of: failure, timeoutSeconds), script: meaning)
        }
    }

    private static func message(of failure: HostFailure, _ timeoutSeconds: Double) -> String {
        switch failure {
        case .timeLimit: "Reading the Swift files took longer than \(timeoutSeconds) seconds."
        case .memoryLimit: "Reading the Swift files took more than \(SwiftFrontEnd.memoryBytes) bytes of memory."
        default: "The Swift files could not be read: \(failure)"
        }
    }

    private static func program(_ text: String) throws(MigrationError) -> SwiftProgram {
        do throws(InputError) {
            return try SwiftProgram(try JSONValue.parse(Array(text.utf8)))
        } catch {
            throw MigrationError(nil, error.message, script: .syntax)
        }
    }

    /// An error with the places that it has in the Swift files.
    func placed(_ error: MigrationError) -> MigrationError {
        guard let lowered, error.script != .unavailable else { return error }
        var error = error
        // For the script, the library's own code stops where the script calls it.
        let calls = error.stack.lazy.compactMap { Self.line(of: $0) }.first { lowered.place(ofLine: $0) != nil }
        error.details = error.details.map { item in
            var item = item
            if let line = item.line, lowered.place(ofLine: line) == nil { item.line = calls ?? line }
            return Self.placed(item, in: lowered)
        }
        error.stack = error.stack.compactMap { frame in Self.frame(frame, in: lowered) }
        return error
    }

    /// A result, whose quarantined objects are said with the places in the Swift files.
    func placed(_ result: MigrationResult) -> MigrationResult {
        guard let lowered else { return result }
        var result = result
        result.quarantined = result.quarantined.map { Self.placed($0, in: lowered) }
        return result
    }

    private static func placed(_ item: ProblemItem, in lowered: LoweredScript) -> ProblemItem {
        guard let line = item.line else { return item }
        var item = item
        let place = lowered.place(ofLine: line)
        (item.line, item.column) = (place?.line, place?.column)
        if let place, lowered.files.count > 1 { item.message = "\(lowered.files[place.file]): \(item.message)" }
        return item
    }

    /// The line of `name (line:column)`.
    private static func line(of frame: String) -> Int? {
        guard let open = frame.lastIndex(of: "("), let colon = frame.lastIndex(of: ":"), open < colon else {
            return nil
        }
        return Int(frame[frame.index(after: open)..<colon])
    }

    /// `name (line:column)` of JavaScript as that of Swift; nil of what is in no file.
    private static func frame(_ frame: String, in lowered: LoweredScript) -> String? {
        guard let open = frame.lastIndex(of: "("), let line = line(of: frame), let place = lowered.place(ofLine: line)
        else { return nil }
        // Names of JavaScript have a number behind a dollar sign.
        let name = frame[..<open].split(separator: "$").first.map { String($0).trimmed } ?? ""
        let file = lowered.files.count > 1 ? lowered.files[place.file] + ":" : ""
        let shown = name.isEmpty || name == "(anonymous)" || name == "migrate" ? "(closure)" : name
        return "\(shown) (\(file)\(place.line):\(place.column))"
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension MigrationError {
    /// The errors in Swift files, all at once.
    ///
    /// - Parameter fileCount: how many files there are; each thing names its own where there are several.
    public init(_ refusal: SwiftRefusal, fileCount: Int) {
        let items = refusal.diagnostics.map { diagnostic in
            ProblemItem(
                fileCount > 1 ? "\(diagnostic.file): \(diagnostic.message)" : diagnostic.message, line: diagnostic.line,
                column: diagnostic.column)
        }
        self.init(nil, items.first?.message ?? "The Swift files are not understood.", script: .syntax, details: items)
    }
}
