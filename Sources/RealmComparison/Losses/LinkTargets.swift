import Columns
import RealmModel

/// Says whether objects are there in a snapshot that links led to before it.
///
/// Holds the keys of one row group of each class that was asked about.
final class LinkTargets {
    private final class Target {
        let reader: ClassReader
        var group: Int?
        var keys: [Int64] = []

        init(_ stored: StoredClass, _ store: any SegmentStore) throws {
            reader = try ClassReader(stored, store: store)
        }
    }

    private let snapshot: Snapshot
    private let newNames: [NameKey: String]
    private let store: any SegmentStore
    private var targets: [NameKey: Target?] = [:]

    /// - Parameter newNames: of classes that have another name in the snapshot, by the one before.
    init(in snapshot: Snapshot, newNames: [NameKey: String], store: any SegmentStore) {
        self.snapshot = snapshot
        self.newNames = newNames
        self.store = store
    }

    /// The name that a class has in the snapshot.
    func newName(of className: String) -> String { newNames[NameKey(className)] ?? className }

    /// Whether a collection of links had one to an object that is not there any more.
    ///
    /// Embedded objects are parts of their owner's values, so that an owner may lose them here.
    ///
    /// - Parameter className: the class that it links to, by its name before.
    func hasLost(_ value: Value, of className: String) throws -> Bool {
        switch value {
        case .list(let elements): try elements.contains { try isLost($0, of: className) }
        case .dictionary(let entries): try entries.contains { try isLost($0.value, of: className) }
        default: false
        }
    }

    private func isLost(_ value: Value, of className: String) throws -> Bool {
        guard case .link(let key) = value else { return false }
        let name = NameKey(className)
        if targets[name] == nil {
            let stored = snapshot[newNames[name] ?? className]
            let isFree = stored.map { $0.schema.kind != .embedded } ?? true
            // Objects that have become embedded are looked for in vain: their owners say where they are.
            guard isFree else {
                targets[name] = .some(nil)
                return false
            }
            targets[name] = try stored.map { try Target($0, store) }
            if stored == nil { return true }
        }
        guard let known = targets[name], let target = known else { return false }
        return try !contains(key.value, target)
    }

    private func contains(_ key: Int64, _ target: Target) throws -> Bool {
        let groups = target.reader.rowGroups
        guard let group = groups.index(of: key) else { return false }
        if target.group != group {
            target.keys = try target.reader.keys(inGroup: group)
            target.group = group
        }
        return target.keys.index(ofKey: key).map { groups[group].deleted?[$0] != true } ?? false
    }
}
