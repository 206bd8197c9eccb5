import RealmMigration
import RealmModel
import ScriptWire

/// The worlds of a host: some that are made ahead, and one that the realms of a script share.
///
/// A script's first run has a world of its own. If it succeeds, and the text can leave nothing behind, the runs that follow it share one,
/// until one of them fails or leaves something after all.
final class ScriptWorlds {
    /// A script that may share a world.
    struct Key: Equatable {
        let source: String
        let words: ScriptWords

        static func == (one: Key, other: Key) -> Bool { one.source.hasSameBytes(as: other.source) }
    }

    private enum Sharing {
        case none
        /// It has succeeded in a world of its own.
        case proven(Key)
        /// It has succeeded in a world that it may have again.
        case shared(Key, JavaScriptWorld)
        /// It needs a world for each run.
        case refused(Key)
    }

    private let machine: JavaScriptMachine
    private let pace: ScriptPace
    private let log: (String, LogLevel) -> Void
    /// Made before somebody asks, since that takes time and needs to know nothing of a script.
    private var ahead: [JavaScriptMigration] = []
    /// Worlds that are made ahead, at most.
    private static let mostAhead = 4
    /// How many worlds of its own the next task is likely to take: as many as the last one took.
    private var wanted = 1
    private var sharing = Sharing.none

    init(in machine: JavaScriptMachine, at pace: ScriptPace, log: @escaping (String, LogLevel) -> Void) throws {
        self.machine = machine
        self.pace = pace
        self.log = log
        try prepare()
    }

    /// Makes worlds for the next task.
    func prepare() throws {
        let count = min(max(wanted, 1), Self.mostAhead)
        ahead.removeFirst(max(ahead.count - count, 0))
        while ahead.count < count { ahead.append(try make()) }
        wanted = 0
    }

    /// A world that no script has been in.
    func unused() throws -> JavaScriptMigration {
        wanted += 1
        return try ahead.popLast() ?? make()
    }

    /// The key of a script whose run for a request may share a world; nil where it has its own.
    ///
    /// It is given time and chance of its own, and does the whole script. Where objects are set aside, their errors are caught, which would
    /// tell how deep the calls were.
    func key(_ script: ScriptSource, for request: MigrationRequest) -> Key? {
        // Where many objects are to come, the engine's compilers make more of a world that has seen no other.
        guard pace == .brief, script.language == .javaScript, request.origin != nil, request.share == nil,
            request.quarantineLimit == nil, request.migration.primaryKeyPolicies.allSatisfy({ $0.merge == nil }),
            let words = machine.traits(of: script.source).sharingWords
        else { return nil }
        return Key(source: script.source, words: words)
    }

    /// A world for a run of a script.
    func world(for key: Key?) throws -> JavaScriptMigration {
        if case .refused(let known) = sharing, known == key { return try unused() }
        let before = sharing
        // One that fails has to succeed by itself again.
        sharing = .none
        switch before {
        case .shared(let known, let world) where known == key:
            if let migration = try? JavaScriptMigration(in: world, of: machine, log: log) { return migration }
            sharing = .refused(known)
        case .proven(let known) where known == key:
            if let world = try? JavaScriptWorld(in: machine, sharedBy: known.source, known.words),
                let migration = try? JavaScriptMigration(in: world, of: machine, log: log)
            {
                return migration
            }
            sharing = .refused(known)
        default: break
        }
        return try unused()
    }

    /// A run of a script has succeeded.
    func keep(_ world: JavaScriptWorld, for key: Key?) {
        guard let key else { return }
        if case .refused(key) = sharing { return }
        switch world.remains() {
        case .nothing: sharing = .shared(key, world)
        case .everything: sharing = .proven(key)
        case .something: sharing = .refused(key)
        }
    }

    private func make() throws -> JavaScriptMigration {
        do {
            return try JavaScriptMigration(in: try JavaScriptWorld(in: machine), of: machine, log: log)
        } catch is JavaScriptContext.Exception {
            preconditionFailure("The prelude can't be made.")
        }
    }
}
