import Columns
import RealmModel

/// A synced realm as the clients of one declared schema version see it.
///
/// The realm has one schema, that of its current snapshot: the server-side schema. A declared version shows the part of it
/// that it declares: additions to the server's schema since are hidden from it, and parts that another version declares no
/// more are there. Parts that it declares beyond the server's schema are empty until that has them, too. Which differences
/// are served is the client-side column of Realm's table; versions' numbers are never compared. The law: the shown and the
/// hidden part of the server's schema are together all of it.
public struct SchemaView: Hashable, Sendable {
    /// The schema of the realm's current snapshot.
    public let server: Schema
    /// The shown part of it, in the order, under the names and with the defaults that the version declares.
    public let shown: Schema
    /// The declared version; nil for those who name none and see all of the server's schema.
    public let version: UInt64?

    /// A property that is stored and not shown.
    public struct Hidden: Hashable, Sendable {
        /// The property, as the server's schema has it.
        public let property: Property
        /// Its value in an object that is created through the view: the default of the server's schema, else null, nothing
        /// in a collection, or the type's empty value where a value is required.
        public let initialValue: Value
    }

    /// All of the server's schema.
    public init(server: Schema) {
        self.server = server
        shown = server
        version = nil
    }

    /// The view of a declared version.
    ///
    /// - Parameters:
    ///   - retired: what the server's schema had before sync was terminated and enabled with another.
    ///   - declared: the version's schema.
    ///   - renames: what the version's migration renames.
    /// - Throws: `SchemaViewError` where the version's model breaks with the server's schema.
    public init(
        server: Schema, retired: Schema = Schema(), version: UInt64, declared: Schema, renames: [SchemaRename] = []
    ) throws(SchemaViewError) {
        let conflicts =
            SchemaChangeReport.compare(existing: server, target: declared, renames: renames)
            .filter { $0.client == .breaking }
            + SchemaChangeReport.compare(existing: declared, target: server)
            .filter { $0.kind.isRemoval && retired.has($0) }
        guard conflicts.isEmpty else {
            let told = conflicts.told(as: SchemaChangeReport.compare(existing: declared, target: server))
            throw SchemaViewError(version: version, conflicts: told)
        }
        self.server = server
        shown = declared
        self.version = version
    }

    /// A snapshot as the view shows it.
    ///
    /// - Parameter snapshot: one whose declared schema is `server`.
    public func callAsFunction(_ snapshot: Snapshot) -> Snapshot {
        var viewed = snapshot
        viewed.declared = shown
        return viewed
    }

    /// Whether a class is shown.
    public func shows(_ className: String) -> Bool { shown[className] != nil }

    /// Whether the server's schema has a property, by its stored name, so that a value of it can be kept.
    public func stores(_ property: String, of className: String) -> Bool {
        server[className]?.property(named: property) != nil
    }

    /// The hidden properties of a class that is shown; in the server's order.
    public func hidden(in className: String) -> [Hidden] {
        guard let stored = server[className], let seen = shown[className], version != nil else { return [] }
        let names = Set(seen.properties.map { NameKey($0.name) })
        return stored.persistedProperties.filter { !names.contains(NameKey($0.name)) }.map {
            Hidden(property: $0, initialValue: $0.defaultValue ?? $0.initialValue)
        }
    }
}

/// Why clients of a declared version are not served any more: they have to start over with another version.
public struct SchemaViewError: Error, Hashable, Sendable {
    /// The declared version.
    public let version: UInt64
    /// The differences of the version's model from the server's schema, as far as no view bridges them; then the parts of
    /// it that the server's schema once had.
    public let conflicts: [SchemaChangeReport]
}

extension [SchemaChangeReport] {
    /// The same changes in the words of the clients: what they have has become what the server's schema has now.
    ///
    /// - Parameter changes: those from the clients' model to the server's schema.
    fileprivate func told(as changes: [SchemaChangeReport]) -> [SchemaChangeReport] {
        map { conflict in
            let same = changes.first { change in
                change.className.hasSameBytes(as: conflict.className) && change.kind == conflict.kind
                    && (change.property ?? "").hasSameBytes(as: conflict.property ?? "")
            }
            guard let same else { return conflict }
            var told = conflict
            (told.from, told.to, told.message) = (same.from, same.to, same.message)
            return told
        }
    }
}

extension Schema {
    /// Whether the schema has what a change removes.
    fileprivate func has(_ removal: SchemaChangeReport) -> Bool {
        guard let found = self[removal.className] else { return false }
        return removal.property.map { found.property(named: $0) != nil } ?? true
    }
}
