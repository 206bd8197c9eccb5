import RealmModel

/// How a mode treats the differences between the stored and the target schema.
enum MigrationPlan {
    /// Nothing but the version is written: the target is a view of what is stored.
    case view(version: UInt64?)
    /// Start empty.
    case reset
    /// Change the schema alone, and store a version (none: as it was).
    case apply([SchemaChange], SchemaPreparation.Extent, version: UInt64?)
    /// Fail, unless one of the changes that would be permitted fails before.
    case refuse(after: [SchemaChange], MigrationError)
    /// The whole migration, with its script.
    case migrate([SchemaChange])

    /// - Throws: `MigrationError` where the target is invalid, the version too low, or the mode permits less.
    init(_ request: MigrationRequest) throws(MigrationError) {
        let target = request.target
        let errors = target.validate(request.mode == .additiveExplicit ? [.rejectsUnreachableEmbedded] : [])
        guard errors.isEmpty else { throw MigrationError(errors) }
        let changes = SchemaDifference.compare(existing: request.source.storedSchema, target: target)
        self = try Self.plan(request, changes)
        guard case .migrate = self else { return }
        for policy in request.migration.primaryKeyPolicies { try policy.check(in: target) }
        // Classes are renamed where there is a migration, and nowhere else.
        if !request.migration.classRenames.isEmpty {
            let existing = try request.renamedSource().storedSchema
            self = .migrate(SchemaDifference.compare(existing: existing, target: target))
        }
    }

    private static func plan(
        _ request: MigrationRequest, _ changes: [SchemaChange]
    ) throws(MigrationError) -> MigrationPlan {
        let stored = request.source.schemaVersion
        if stored == request.targetVersion, changes.isEmpty { return .apply([], .sameVersion, version: stored) }
        switch request.mode {
        case .automatic:
            try refuseLowerVersion(request)
            return automatic(request, changes)
        case .manual:
            try refuseLowerVersion(request)
            guard let stored else { return .apply(changes, .initial, version: request.targetVersion) }
            guard stored != request.targetVersion else {
                throw MigrationError(.schemaMismatch, .migrationRequired, changes)
            }
            return .migrate(changes)
        case .immutable, .readOnly:
            return try readOnly(request, changes)
        case .softResetFile:
            guard let stored else { return .apply(changes, .initial, version: request.targetVersion) }
            let isSmall = stored == request.targetVersion && changes.allSatisfy(\.isPermittedAtSameVersion)
            return isSmall ? .apply(changes, .sameVersion, version: stored) : .reset
        case .hardResetFile: return .reset
        case .additiveDiscovered, .additiveExplicit: return try additive(request, changes)
        }
    }

    private static func automatic(_ request: MigrationRequest, _ changes: [SchemaChange]) -> MigrationPlan {
        guard let stored = request.source.schemaVersion else {
            return .apply(changes, .initial, version: request.targetVersion)
        }
        guard stored == request.targetVersion else { return .migrate(changes) }
        let permitted = changes.filter(\.isPermittedAtSameVersion)
        guard permitted.count < changes.count else { return .apply(changes, .sameVersion, version: stored) }
        let refused = changes.filter { !$0.isPermittedAtSameVersion }
        return .refuse(after: permitted, MigrationError(.schemaMismatch, .migrationRequired, refused))
    }

    private static func readOnly(
        _ request: MigrationRequest, _ changes: [SchemaChange]
    ) throws(MigrationError) -> MigrationPlan {
        let stored = request.source.schemaVersion
        if request.mode == .immutable, stored != request.targetVersion {
            throw .versionDiffers(request.targetVersion, stored: stored ?? .max)
        }
        let refused = changes.filter { !$0.isPermittedReadOnly }
        guard refused.isEmpty else { throw MigrationError(.invalidSchemaChange, .readOnly, refused) }
        return .view(version: stored ?? request.targetVersion)
    }

    private static func additive(
        _ request: MigrationRequest, _ changes: [SchemaChange]
    ) throws(MigrationError) -> MigrationPlan {
        let refused = changes.filter { !$0.isPermittedInAdditiveMode }
        guard refused.isEmpty else { throw MigrationError(.invalidSchemaChange, .additiveOnly, refused) }
        let skipped = request.mode == .additiveDiscovered ? skippedClasses(request) : []
        let made = changes.filter { $0.isWrittenInAdditiveMode && !skipped.contains(NameKey($0.className)) }
        // Indexes do not make Realm write, but come along with anything that does.
        let isWritten = !made.isEmpty || request.source.schemaVersion != request.targetVersion
        let applied = changes.filter {
            $0.isOfIndex ? isWritten : $0.isWrittenInAdditiveMode && !skipped.contains(NameKey($0.className))
        }
        return .apply(applied, .additive, version: request.targetVersion)
    }

    /// The new embedded classes that nothing links to; one that is stored gets its properties all the same, and what
    /// these lead to has to be there.
    private static func skippedClasses(_ request: MigrationRequest) -> Set<NameKey> {
        let stored = Set(request.source.classes.map { NameKey($0.schema.name) })
        let byName = Dictionary(request.target.classes.map { (NameKey($0.name), $0) }) { first, _ in first }
        var skipped = Set(request.target.unreachableEmbeddedClasses.map { NameKey($0) }).subtracting(stored)
        var waiting = stored.compactMap { byName[$0] }
        while let next = waiting.popLast() {
            for property in next.properties where property.isLink {
                guard let key = skipped.remove(NameKey(property.objectType ?? "")) else { continue }
                if let target = byName[key] { waiting.append(target) }
            }
        }
        return skipped
    }

    private static func refuseLowerVersion(_ request: MigrationRequest) throws(MigrationError) {
        guard let stored = request.source.schemaVersion, request.targetVersion < stored else { return }
        throw .versionTooLow(request.targetVersion, stored: stored)
    }
}
