import RealmModel

/// What a mode makes of the differences between the stored and the target schema.
enum MigrationPlan {
    /// Nothing is written: the target is a view of what is stored.
    case view
    /// Start empty.
    case reset
    /// Change the schema alone, and store a version (none: as it was).
    case apply([SchemaChange], version: UInt64?)
    /// The whole migration, with its script.
    case migrate([SchemaChange])

    /// - Throws: `MigrationError` where the target is invalid, the version too low, or the mode permits less.
    init(_ request: MigrationRequest) throws(MigrationError) {
        let target = request.target
        let errors = target.validate(request.mode == .additiveExplicit ? [.rejectsUnreachableEmbedded] : [])
        guard errors.isEmpty else { throw MigrationError(errors) }
        let changes = SchemaDifference.compare(existing: request.source.storedSchema, target: target)
        self = try Self.plan(request, changes)
    }

    private static func plan(
        _ request: MigrationRequest, _ changes: [SchemaChange]
    ) throws(MigrationError) -> MigrationPlan {
        let stored = request.source.schemaVersion
        if stored == request.targetVersion, changes.isEmpty { return .apply([], version: stored) }
        switch request.mode {
        case .automatic:
            try refuseLowerVersion(request)
            return try automatic(request, changes)
        case .manual:
            try refuseLowerVersion(request)
            guard let stored else { return .apply(changes, version: request.targetVersion) }
            guard stored != request.targetVersion else {
                throw MigrationError(.schemaMismatch, .migrationRequired, changes)
            }
            return .migrate(changes)
        case .immutable, .readOnly:
            return try readOnly(request, changes)
        case .softResetFile:
            guard let stored else { return .apply(changes, version: request.targetVersion) }
            let isSmall = stored == request.targetVersion && changes.allSatisfy(\.isPermittedAtSameVersion)
            return isSmall ? .apply(changes, version: stored) : .reset
        case .hardResetFile: return .reset
        case .additiveDiscovered, .additiveExplicit: return try additive(request, changes)
        }
    }

    private static func automatic(
        _ request: MigrationRequest, _ changes: [SchemaChange]
    ) throws(MigrationError) -> MigrationPlan {
        guard let stored = request.source.schemaVersion else { return .apply(changes, version: request.targetVersion) }
        guard stored == request.targetVersion else { return .migrate(changes) }
        let refused = changes.filter { !$0.isPermittedAtSameVersion }
        guard refused.isEmpty else { throw MigrationError(.schemaMismatch, .migrationRequired, refused) }
        return .apply(changes, version: stored)
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
        return .view
    }

    private static func additive(
        _ request: MigrationRequest, _ changes: [SchemaChange]
    ) throws(MigrationError) -> MigrationPlan {
        let refused = changes.filter { !$0.isPermittedInAdditiveMode }
        guard refused.isEmpty else { throw MigrationError(.invalidSchemaChange, .additiveOnly, refused) }
        let isRaised = request.source.schemaVersion.map { $0 < request.targetVersion } ?? true
        let skipped = request.mode == .additiveDiscovered ? request.target.unreachableEmbeddedClasses : []
        let applied = changes.filter {
            $0.isMadeInAdditiveMode(versionBumped: isRaised) && !skipped.contains($0.className)
        }
        return .apply(applied, version: request.targetVersion)
    }

    private static func refuseLowerVersion(_ request: MigrationRequest) throws(MigrationError) {
        guard let stored = request.source.schemaVersion, request.targetVersion < stored else { return }
        throw .versionTooLow(request.targetVersion, stored: stored)
    }
}
