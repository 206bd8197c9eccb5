import Columns
import HTTPServer
import Problems
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore

/// Says of a declaration what declaring it would, and keeps nothing: for editors that check while somebody types.
///
/// A declaration is refused for its first fault; here each part that can be looked at by itself tells its own.
struct DeclarationTrial: Sendable {
    let store: SnapshotStore
    let check: DeclarationCheck
    let recent: RecentSchemas

    /// The answer: what would come of it, what is wrong, what changes, and whom that concerns.
    ///
    /// - Throws: where the request is at fault, or the service.
    func answer(_ request: APIRequest) throws -> JSONValue {
        let app = try store.apps.find(request.app())
        let declaration = try DeclarationBody(request)
        var faults = Faults()
        let schema = try faults.catching { try declaration.schema() }
        let migration = try faults.catching { () -> DeclaredMigration? in
            let migration = try declaration.migration()
            try DeclarationCheck.checkRuns(migration, at: declaration.number, in: declaration.body)
            return migration
        }
        if let migration {
            try faults.catching { try check.check(migration, in: declaration.body, of: app) }
        }
        try WorkBudget.current?.look()
        let known = try recent.known(before: declaration.number, of: app, in: store)
        var outcome: Declaration?
        if let schema, let migration {
            try faults.catching {
                try check.checkWay(
                    to: declaration.number, schema, migration, in: declaration.body, after: known.declared.last,
                    known: known)
                outcome = try store.schemaVersions.outcome(
                    of: declaration.number, of: app.name, schema: schema, migration: migration)
            }
        }
        return json(declaration, schema, migration ?? nil, faults.isEmpty ? outcome : nil, faults, known)
    }

    private func json(
        _ declaration: DeclarationBody, _ schema: Schema?, _ migration: DeclaredMigration?, _ outcome: Declaration?,
        _ faults: Faults, _ known: KnownSchemas
    ) -> JSONValue {
        let version = declaration.number
        let changes = schema.map { SchemaChangeReport.between(known.newest, and: version, $0, migration) } ?? []
        let hints = schema.map { DeclarationHint.all(of: version, $0, migration, earlier: known.declared) } ?? []
        let counts = known.counts.map { version, count -> JSONValue in
            ["version": version.map { JSONValue($0) } ?? .null, "count": .int(Int64(count))]
        }
        return [
            "version": JSONValue(version), "outcome": outcome.map { .string($0.name) } ?? .null,
            "problem": faults.json, "changes": .array(changes.map(\.json)), "lint": .array(hints.map(\.json)),
            "suggestions": .array(Self.suggestions(changes)),
            // A declaration that is refused does nothing to any realm.
            "impact": !faults.isEmpty
                ? .null
                : [
                    "realms": .int(Int64(known.counts.reduce(0) { $0 + $1.count })), "versions": .array(counts),
                    "breaksServer": .bool(changes.contains { $0.serverSide == .breaking }),
                    "breaksClients": .bool(changes.contains { $0.client == .breaking }),
                ],
        ]
    }

    /// The renames that removals and additions may be together, each once, in the form that a migration's `renames` have.
    private static func suggestions(_ changes: [SchemaChangeReport]) -> [JSONValue] {
        var seen: Set<JSONValue> = []
        return changes.flatMap { change -> [JSONValue] in
            guard let suggested = change.suggests else { return [] }
            return suggested.kind == .changeObjectTypeName
                ? [["fromClass": .string(suggested.from), "toClass": .string(suggested.to)]]
                : [["class": .string(change.className), "from": .string(suggested.from), "to": .string(suggested.to)]]
        }.filter { seen.insert($0).inserted }
    }
}

/// The faults of one declaration, in the order in which they were found.
private struct Faults {
    private var problems: [ProblemDocument] = []

    var isEmpty: Bool { problems.isEmpty }

    /// Keeps an error that tells what is wrong with the declaration; any other is thrown.
    mutating func catching<Part>(_ body: () throws -> Part) throws -> Part? {
        do {
            return try body()
        } catch let error where error is WorkBudget.Excess || error is HTTPError {
            throw error
        } catch {
            let problem = ErrorResponse.problem(for: error).document
            guard [400, 409, 422].contains(problem.status) else { throw error }
            problems.append(problem)
            return nil
        }
    }

    /// The first problem, with the single things of all; null where there is none.
    var json: JSONValue {
        guard var problem = problems.first else { return .null }
        problem.errors = problems.flatMap(\.errors)
        return problem.json()
    }
}

extension Declaration {
    /// The outcome of declaring it, as the API names it.
    fileprivate var name: String {
        switch self {
        case .new: "new"
        case .same: "same"
        case .revised: "revised"
        }
    }
}
