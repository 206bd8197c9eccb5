import Columns
import Foundation
import RealmEditing
import RealmMigration
import RealmModel

/// Runs the real engine in this process with scripts of a few words, which do what scripts do.
struct TestHost: ScriptRunner {
    /// Runs the first one.
    func run(
        _ migrations: [ScriptedMigration], of app: RealmModel.UUID?, limits: ScriptLimits
    ) throws -> [Result<MigrationResult, MigrationError>] {
        do {
            return try migrations.prefix(1).map { .success(try run($0, limits)) }
        } catch let error as MigrationError {
            return [.failure(error)]
        }
    }

    private func run(_ migration: ScriptedMigration, _ limits: ScriptLimits) throws -> MigrationResult {
        let (source, observer) = (migration.request.migration.script?.source ?? "", migration.observer)
        var result = try Migration(migration.request, store: migration.store).run(
            script: { try Self.perform(source, $0, observer) }, progress: observer.progressed)
        let words = source.split(separator: " ")
        guard words.first == "make" else { return result }
        result.output.createdCount = Int(words[1]) ?? 0
        guard result.output.createdCount <= limits.outputLeft.createdCount else {
            throw MigrationError(exceeding: .createdCount, of: limits)
        }
        return result
    }

    private static func perform(
        _ source: String, _ migration: MigrationTransaction, _ observer: any MigrationObserver
    ) throws {
        let words = source.split(separator: " ").map(String.init)
        switch words.first {
        case "append": try append(words[1], migration, observer)
        case "linger":
            // As one that is told to stop and takes no notice.
            try append("!", migration, observer)
            Thread.sleep(forTimeInterval: 0.5)
        case "log": for number in 0..<(Int(words[1]) ?? 0) { observer.logged("line \(number)\0", level: .log) }
        case "throw":
            throw MigrationError(
                nil, "Error: no", script: .exception, details: [place],
                stack: ["change (3:7)"], objectsDone: 5)
        case "overtime": throw MigrationError(nil, "The script ran longer than 0.1 seconds.", script: .timeLimit)
        case "wait":
            if words.count > 1 { observer.logged(words[1], level: .log) }
            while !observer.isCancelled { Thread.sleep(forTimeInterval: 0.005) }
            throw MigrationError(nil, "stopped", script: .cancelled)
        default: break
        }
    }

    private static let place = ProblemItem("no", line: 3, column: 7)

    private static func append(
        _ suffix: String, _ migration: MigrationTransaction, _ observer: any MigrationObserver
    ) throws {
        guard let all = try migration.enumeration(of: "Person"), let classIndex = all.newClass else { return }
        let name = migration.newSchema.classes[classIndex].properties.firstIndex { $0.name == "name" } ?? 0
        for batch in all.batches {
            for key in try migration.batch(batch, of: all).keys {
                let person = ObjectReference(side: .new, classIndex: classIndex, key: ObjectKey(key))
                guard case .string(let text) = try migration.value(name, of: person) else { continue }
                try migration.set(name, of: person, to: .string(text + suffix))
            }
        }
        observer.progressed(
            to: MigrationProgress(
                phase: "script", className: "Person", objectsDone: all.objectCount, objectsTotal: all.objectCount))
    }
}
