/// One Swift file as an app has it.
public struct SwiftSource: Hashable, Sendable {
    /// Its name in messages.
    public var name: String
    /// Its text.
    public var text: String

    /// Wraps a file.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// The value of a name that no file declares.
public enum SwiftParameter: Hashable, Sendable {
    case int(Int64)
    case double(Double)
    case bool(Bool)
    case string(String)
}

/// Swift files, and what stands for what they name and do not have.
public struct SwiftProgram: Hashable, Sendable {
    /// The files.
    public var sources: [SwiftSource]
    /// Names whose calls do nothing: loggers, crash reporters.
    public var stubs: [String]
    /// Values of names that no file declares, by the path that the files write: `server.chainID`.
    public var parameters: [String: SwiftParameter]
    /// The migration block that is meant, by the name of what holds it; nil where there is one alone.
    public var block: String?

    /// Puts a program together.
    public init(
        sources: [SwiftSource], stubs: [String] = [], parameters: [String: SwiftParameter] = [:], block: String? = nil
    ) {
        self.sources = sources
        self.stubs = stubs
        self.parameters = parameters
        self.block = block
    }
}

/// One thing that is wrong with a Swift file.
public struct SwiftDiagnostic: Hashable, Sendable {
    /// The file's name.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column in the line, from 1, in bytes as the compiler counts.
    public var column: Int
    /// The problem, and what can be done.
    public var message: String

    /// Describes it.
    public init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// As editors read it: `FILE:LINE:COLUMN: error: MESSAGE`.
    public var text: String { "\(file):\(line):\(column): error: \(message)" }
}

/// The errors in a Swift program: all of them at once.
public struct SwiftRefusal: Error, Hashable, Sendable {
    /// At least one thing.
    public var diagnostics: [SwiftDiagnostic]

    /// Wraps what is wrong.
    public init(_ diagnostics: [SwiftDiagnostic]) { self.diagnostics = diagnostics }
}

/// A migration block as JavaScript, and where each of its lines comes from.
public struct LoweredScript: Hashable, Sendable {
    /// A place in a Swift file.
    public struct Place: Hashable, Sendable {
        /// The number of the file among the sources; their count where it is the library that has the code.
        public var file: Int
        /// The line, from 1.
        public var line: Int
        /// The column, from 1.
        public var column: Int

        /// Describes a place.
        public init(file: Int, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }
    }

    /// The program, which declares `migrate` and needs the Swift library of script hosts.
    public var javaScript: String
    /// The place that each line comes from; nil for what stands in no file.
    public var places: [Place?]
    /// The names of the files.
    public var files: [String]
    /// The literal `schemaVersion` of the block's configuration; nil where it has none.
    public var schemaVersion: UInt64?

    /// Puts a script together.
    public init(javaScript: String, places: [Place?], files: [String], schemaVersion: UInt64?) {
        self.javaScript = javaScript
        self.places = places
        self.files = files
        self.schemaVersion = schemaVersion
    }

    /// The place of a line of JavaScript, counted from 1: its own, or that of the nearest line above that has one; nil of what
    /// stands in no file.
    public func place(ofLine line: Int) -> Place? {
        guard let place = places.prefix(max(line, 0)).last(where: { $0 != nil }) ?? nil else { return nil }
        return files.indices.contains(place.file) ? place : nil
    }
}

extension SwiftProgram {
    /// Adds a file, unless it is there already, by this name or another: a file that is given as the schema and as the script
    /// declares what it declares once.
    package mutating func add(_ source: SwiftSource) {
        guard !sources.contains(where: { $0.name == source.name || $0.text.hasSameBytes(as: source.text) }) else {
            return
        }
        sources.append(source)
    }
}
