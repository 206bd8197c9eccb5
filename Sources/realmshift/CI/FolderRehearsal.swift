import Columns
import FileStore
import Glibc
import Problems
import RealmComparison
import RealmFile
import RealmFormats
import RealmMigration
import RealmModel
import ScriptParent

/// The checks of a folder of versions: its declarations against each other, then each sample from every version.
struct FolderRehearsal {
    /// A report with what it is about.
    struct Entry {
        /// The name of the test, with the versions.
        let name: String
        /// The file that the findings are about.
        let file: String
        var report: RehearsalReport
    }

    private let folder: VersionFolder
    private let key: EncryptionKey?
    private let policy: FailurePolicy
    private let progress: TerminalProgress
    private let told: (Entry) throws -> Void

    /// - Parameters:
    ///   - key: of samples that are encrypted.
    ///   - told: is given each report as it is there.
    init(
        _ folder: VersionFolder, key: EncryptionKey?, policy: FailurePolicy, progress: TerminalProgress,
        told: @escaping (Entry) throws -> Void
    ) {
        self.folder = folder
        self.key = key
        self.policy = policy
        self.progress = progress
        self.told = told
    }

    private struct Target {
        let version: VersionFolder.Version
        let target: FileMigration.Target
    }

    /// Checks all.
    ///
    /// - Returns: the reports; of samples, and of scripts that none of them met, only where every declaration can be used.
    /// - Throws: what `told` throws; errors that say nothing of the folder, such as a script host that can't be started.
    func run() throws -> [Entry] {
        var entries: [Entry] = []
        var targets: [Target] = []
        func add(_ entry: Entry) throws {
            var entry = entry
            entry.report.policy = policy
            let known = targets.flatMap { $0.target.schema.classes.map { NameKey($0.name) } }
            entry.report.judgeUnknownClasses(known: Set(known))
            entries.append(entry)
            try told(entry)
        }
        var ran: Set<UInt64> = []
        for version in folder.versions {
            let (entry, target) = try declaration(version, after: targets)
            if let target { targets.append(Target(version: version, target: target)) }
            try add(entry)
        }
        guard targets.count == folder.versions.count else { return entries }
        let checks = try folder.checkPath.map { [try ScriptFile.source($0)] } ?? []
        for sample in folder.samples {
            do {
                ran.formUnion(try rehearse(sample, to: targets, checks, add))
            } catch {
                // A sample that can't be read says nothing of the others.
                guard let failure = Self.failure(error) else { throw error }
                var report = RehearsalReport(fromVersion: nil, toVersion: targets.last?.version.number)
                (report.error, report.errorFile) = (failure.problem.json(), failure.file)
                try add(Entry(name: sample, file: failure.file, report: report))
            }
        }
        for target in targets where !ran.contains(target.version.number) {
            if let entry = unrun(target) { try add(entry) }
        }
        if let path = folder.checkPath, folder.samples.isEmpty {
            var report = RehearsalReport(fromVersion: nil, toVersion: targets.last?.version.number)
            report.add(unrun: ["\(path) was not run: there is no sample."])
            try add(Entry(name: "\(folder.path): check", file: path, report: report))
        }
        return entries
    }

    /// The report of a script that no sample came to; nil where the version has none.
    private func unrun(_ target: Target) -> Entry? {
        guard let script = target.version.migration.scriptPath else { return nil }
        var report = RehearsalReport(fromVersion: nil, toVersion: target.version.number)
        let reason =
            folder.samples.isEmpty ? "there is none" : "none with an object is of an older version that leads to it"
        report.add(unrun: ["\(script) was not run on any sample: \(reason)."])
        return Entry(
            name: "\(folder.path): script of version \(target.version.number)", file: script, report: report)
    }

    // MARK: Declarations

    /// Reads a version, and migrates a realm without objects to it from the version before.
    private func declaration(
        _ version: VersionFolder.Version, after targets: [Target]
    ) throws -> (Entry, FileMigration.Target?) {
        var report = RehearsalReport(fromVersion: targets.last?.version.number, toVersion: version.number)
        var target: FileMigration.Target?
        var file = version.schemaPath
        do {
            let read = try version.target()
            try checkScript(read, of: version)
            let store = try FileSegmentStore()
            let rehearsal = FileRehearsal(
                version.migration, source: try emptyRealm(targets.last, store), origin: nil,
                input: "a realm without objects", store: store, progress: progress)
            report = try rehearsal.run(to: read).report
            // The samples show whether it is run.
            report.others.removeAll { $0.rule == .scriptNotRun }
            if report.error == nil { target = read }
            lint(read, after: targets, &report)
        } catch {
            guard let failure = Self.failure(error) else { throw error }
            report.error = failure.problem.json()
            report.errorFile = failure.file
            file = failure.file
        }
        return (Entry(name: "\(folder.path): version \(version.number)", file: file, report: report), target)
    }

    /// The problem of an error that is in one of the folder's files, with the file; nil for one of the machine.
    private static func failure(_ error: any Error) -> (file: String, problem: ProblemDocument)? {
        switch error {
        case let error as FileError: (error.path, ProblemDocument(error))
        case let error as ErrorInFile: problem(error.cause).map { (error.file, $0) }
        default: nil
        }
    }

    private static func problem(_ error: any Error) -> ProblemDocument? {
        switch error {
        case let error as InputError: ProblemDocument(error)
        case let error as MigrationError where error.script != .unavailable && error.script != .crash:
            ProblemDocument(error)
        default: nil
        }
    }

    private func checkScript(_ target: FileMigration.Target, of version: VersionFolder.Version) throws {
        guard let script = target.script, script.language == .javaScript else { return }
        try ErrorInFile.naming(version.migration.scriptPath ?? version.schemaPath) {
            try SandboxedScriptRunner().check(script, of: nil, limits: ScriptLimits())
        }
    }

    /// A realm of a version without an object, or one of no version.
    private func emptyRealm(_ before: Target?, _ store: FileSegmentStore) throws -> Snapshot {
        let nothing = Snapshot(schemaVersion: nil, declared: Schema(), classes: [])
        guard let before else { return nothing }
        let request = MigrationRequest(
            source: nothing, target: before.target.schema, targetVersion: before.version.number)
        return try Migration(request, store: store).run(script: nil).snapshot
    }

    /// Adds what Realm permits in a declaration and is seldom meant.
    private func lint(_ target: FileMigration.Target, after targets: [Target], _ report: inout RehearsalReport) {
        let earlier = targets.map { (version: $0.version.number, schema: $0.target.schema) }
        let hints = DeclarationHint.all(
            version: target.version, schema: target.schema, script: target.script?.source, earlier: earlier)
        report.others += hints.map { hint in
            RehearsalFinding(
                RehearsalRule(hint.rule), .warning, hint.message, className: hint.className, property: hint.property)
        }
    }

    // MARK: Samples

    /// Rehearses a sample.
    ///
    /// - Returns: the versions whose scripts were run, on some object at least.
    private func rehearse(
        _ sample: String, to targets: [Target], _ checks: [ScriptSource], _ add: (Entry) throws -> Void
    ) throws -> Set<UInt64> {
        let store = try FileSegmentStore()
        progress.show("reading \(sample)")
        guard let newest = targets.last, let format = RealmFormat.ofSample(sample) else {
            throw ErrorInFile(
                file: sample, cause: InputError(.notARealm, "A sample's name ends in .realm, .json or .ndjson."))
        }
        let (source, origin) = try RealmInput.readWithOrigin(
            sample, format: format, key: key, into: store, rowGroups: newest.version.migration.rowGroups)
        if let version = source.schemaVersion, version > newest.version.number {
            throw ErrorInFile(
                file: sample,
                cause: InputError(
                    .malformedDocument,
                    "Its schema version is \(version), and the newest in \(folder.path) is \(newest.version.number)."))
        }
        var (difference, ran) = (difference(of: source, from: targets), Set<UInt64>())
        func rehearsal(_ start: Snapshot, _ target: Target, _ checks: [ScriptSource]) throws -> Snapshot? {
            var (report, result) = try FileRehearsal(
                target.version.migration, source: start, origin: origin, input: sample, store: store,
                progress: progress
            ).run(to: target.target, checks, in: folder.checkPath)
            let isRun = !report.others.contains { $0.rule == .scriptNotRun }
            if isRun, start.classes.contains(where: { $0.objectCount > 0 }) { ran.insert(target.version.number) }
            // An app of the realm's own version runs no script either.
            if start.schemaVersion == target.version.number { report.others.removeAll { $0.rule == .scriptNotRun } }
            report.others += difference
            difference = []
            let from = start.schemaVersion.map(String.init) ?? "none"
            try add(
                Entry(name: "\(sample): version \(from) to \(target.version.number)", file: sample, report: report))
            return result
        }
        let later = targets.filter { $0.version.number > source.schemaVersion ?? 0 || source.schemaVersion == nil }
        switch folder.steps {
        case .direct:
            _ = try rehearsal(source, newest, checks)
            // As it would be had its app been of a version between, and skipped those behind it.
            for target in later.dropLast() {
                let migrated = try rehearsal(source, target, [])
                if let migrated { _ = try rehearsal(migrated, newest, checks) }
            }
        case .chain:
            var realm: Snapshot? = source
            for target in later.isEmpty ? [newest] : later {
                realm = try realm.flatMap {
                    try rehearsal($0, target, target.version.number == newest.version.number ? checks : [])
                }
            }
        }
        return ran
    }
}

extension FolderRehearsal {
    /// The finding that a sample is not what is declared for its version, as an app of the version can't have made it.
    private func difference(of sample: Snapshot, from targets: [Target]) -> [RehearsalFinding] {
        if let foreign = foreign(sample, to: targets) { return [foreign] }
        guard let declared = targets.first(where: { $0.version.number == sample.schemaVersion }) else { return [] }
        let changes = SchemaDifference.compare(existing: sample.storedSchema, target: declared.target.schema)
        func finding(_ level: RehearsalFinding.Level, _ changes: [SchemaChange]) -> [RehearsalFinding] {
            guard let first = changes.first else { return [] }
            return [
                RehearsalFinding(
                    .schemaDiffers, level,
                    "Its schema is not that of version \(declared.version.number), to which it would have to be changed: "
                        + changes.compactMap(\.message).joined(separator: " "), className: first.className)
            ]
        }
        // An app of the version adds classes that are not there, and indexes, without a migration.
        return finding(.error, changes.filter { !$0.isPermittedAtSameVersion })
            + finding(.warning, changes.filter { if case .addTable = $0 { true } else { false } })
    }

    /// The finding that a sample has classes, and none that any version has: it is of another app.
    private func foreign(_ sample: Snapshot, to targets: [Target]) -> RehearsalFinding? {
        let known = Set(targets.flatMap { $0.target.schema.classes.map { NameKey($0.name) } })
        let names = sample.storedSchema.classes.map(\.name)
        guard let first = names.first, !names.contains(where: { known.contains(NameKey($0)) }) else { return nil }
        return RehearsalFinding(
            .schemaDiffers, .error, "It has no class that any version has: is it a realm of this app?", className: first
        )
    }
}

extension RehearsalRule {
    fileprivate init(_ rule: DeclarationHint.Rule) {
        self =
            switch rule {
            case .versionNotAsked: .versionNotAsked
            case .propertyComesBack: .propertyComesBack
            }
    }
}

extension RealmFormat {
    /// The format that the name of a sample says.
    fileprivate static func ofSample(_ path: String) -> RealmFormat? {
        readable.first { path.lowercased().hasSuffix("." + $0.fileEnding) }
    }
}
