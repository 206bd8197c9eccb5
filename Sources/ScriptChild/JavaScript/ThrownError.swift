import CJavaScriptCore
import RealmMigration
import RealmModel
import ScriptWire

/// The prelude's description of an error that nobody caught.
struct ThrownError {
    /// An object that a callback of `enumerateObjects` was called with.
    struct ObjectInHand {
        let side: Int
        let classIndex: Int
        let key: ObjectKey
        let primaryKey: Value?
        /// Objects of the enumeration that were done before.
        let objectsDone: Int
    }

    let message: String
    /// The place in the script, from 1; nil where it is unknown.
    let line: Int?
    let column: Int?
    /// The number of the error of Swift that it was, or −1.
    let index: Int
    let kind: MigrationError.ScriptFailure?
    /// The script's own frames, innermost first.
    let stack: [String]
    /// One for each enumeration that the error was thrown through, innermost first.
    let inHand: [ObjectInHand]

    /// - Parameter memoryBytes: what the script may take.
    init(_ description: JSValueRef, in context: JavaScriptContext, memoryBytes: Int) throws {
        kind = .init(rawValue: try context.string(try context.element(4, of: description)))
        let told = try context.string(try context.element(0, of: description)).bounded()
        message = kind == .memoryLimit ? MigrationError.memoryMessage(memoryBytes) : told
        let place = try [1, 2].map { try context.int(try context.element($0, of: description)) }
        line = place[0] > 0 ? place[0] : nil
        column = place[0] > 0 && place[1] > 0 ? place[1] : nil
        index = try context.int(try context.element(3, of: description))
        let frames = try context.element(5, of: description)
        stack = try (0..<max(try context.length(of: frames), 0)).map {
            try context.string(try context.element($0, of: frames)).bounded()
        }
        let objects = try context.element(6, of: description)
        inHand = try (0..<max(try context.length(of: objects), 0)).map {
            try ObjectInHand(try context.element($0, of: objects), in: context)
        }
    }

    /// The error of the migration.
    ///
    /// - Parameters:
    ///   - known: the error of the engine that it was, which says more.
    ///   - schemas: those of the two sides.
    func migrationError(
        from known: MigrationError?, script: MigrationError.ScriptFailure, schemas: [Schema]
    ) -> MigrationError {
        var error = known ?? MigrationError(nil, message, script: script)
        error.script = (known == nil ? kind : nil) ?? error.script ?? script
        error.stack = stack
        error.objectsDone = inHand.first?.objectsDone
        if let line, error.details.isEmpty, inHand.isEmpty {
            // One place says it all: what the engine refused, and where the script asked for it.
            error.details = [ProblemItem(error.message, line: line, column: column)]
        } else if line != nil, !error.details.isEmpty {
            error.details[0].line = line
            error.details[0].column = column
        }
        error.details += inHand.map { item(for: $0, error.message, schemas: schemas) }
        return error
    }

    private func item(for object: ObjectInHand, _ message: String, schemas: [Schema]) -> ProblemItem {
        let classes = schemas.indices.contains(object.side) ? schemas[object.side].classes : []
        return ProblemItem(
            message, className: classes.indices.contains(object.classIndex) ? classes[object.classIndex].name : nil,
            key: object.key, primaryKey: object.primaryKey, line: line, column: column)
    }
}

extension ThrownError.ObjectInHand {
    /// Side, class, key, primary key (undefined where there is none), objects done.
    fileprivate init(_ description: JSValueRef, in context: JavaScriptContext) throws {
        side = try context.int(try context.element(0, of: description))
        classIndex = try context.int(try context.element(1, of: description))
        key = ObjectKey(try context.int64(try context.element(2, of: description)) ?? -1)
        primaryKey =
            switch try context.input(try context.element(3, of: description)) {
            case .null: .null
            case .int(let number): .int(number)
            case .string(let text) where text.utf8.count <= String.messageBytes: .string(text)
            case .objectId(let id): .objectId(id)
            case .uuid(let id): .uuid(id)
            default: nil
            }
        objectsDone = max(try context.int(try context.element(4, of: description)), 0)
    }
}
