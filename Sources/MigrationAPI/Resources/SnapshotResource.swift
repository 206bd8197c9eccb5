import Columns
import HTTPServer
import JobStore
import RealmAnonymizing
import RealmExport
import RealmFile
import RealmFormats
import RealmJSON
import SnapshotStore

/// `/v1/snapshots` and the list of a realm's.
struct SnapshotResource: Sendable {
    let jobs: JobStore
    /// Makes an empty store for what a download has to sort.
    let makeScratch: @Sendable () throws -> any SegmentStore
    /// Makes an empty file and names it, for a download that comes about in one.
    let makeFile: (@Sendable () throws -> String)?

    private var store: SnapshotStore { jobs.store }

    var routes: [APIRoute] {
        [
            APIRoute(
                "GET", "/v1/apps/{app}/realms/{realm}/snapshots", "listSnapshots", requires: .read, tokens: .realm,
                query: .page
            ) {
                request in
                let page = try store.snapshots.list(
                    of: request.realm(), in: request.app(), request.head.page())
                let hidden = try request.hiddenJobs(of: page.items, in: jobs)
                return .json(page.map { $0.json(showingJob: !hidden.contains($0.id)) }.json)
            },
            APIRoute("GET", "/v1/snapshots/{snapshot}", "getSnapshot", requires: .read, tokens: .snapshot, query: []) {
                request in
                let info = try request.snapshot(in: store)
                let hidden = try request.hiddenJobs(of: [info], in: jobs)
                return try Preconditions(request.head).answer(
                    info.json(showingJob: hidden.isEmpty), tag: info.entityTag)
            },
            APIRoute(
                "DELETE", "/v1/snapshots/{snapshot}", "deleteSnapshot", requires: .write, tokens: .snapshot, query: []
            ) { request in
                let info = try request.snapshot(in: store)
                try store.snapshots.delete(info.id)
                jobs.note(.realm(info.realm), of: info.app)
                return .noContent
            },
            APIRoute(
                "GET", "/v1/snapshots/{snapshot}/schema", "getSnapshotSchema", requires: .read, tokens: .snapshot,
                query: []
            ) {
                request in
                let opened = try request.openSnapshot(in: store)
                let target = TargetJSON(
                    schemaVersion: opened.snapshot.schemaVersion, schema: opened.snapshot.declared)
                return .json(target.json)
            },
            APIRoute(
                "GET", "/v1/snapshots/{snapshot}/models", "getSnapshotModels", requires: .read, tokens: .snapshot,
                query: ["target", "dates", "flatten"], answering: .patiently { .response(try models($0)) }),
            APIRoute(
                "GET", "/v1/snapshots/{snapshot}/manifest", "getSnapshotManifest", requires: .read, tokens: .snapshot,
                query: [], answering: .patiently { .response(try manifest($0)) }),
            APIRoute(
                "GET", "/v1/snapshots/{snapshot}/content", "getSnapshotContent", requires: .deviceOr(.read),
                tokens: .snapshot,
                query: ["format", "fileFormat", "dates", "flatten", "class", "anonymize"],
                answering: .patiently { .response(try content($0)) }),
        ]
    }

    private func models(_ request: APIRequest) throws -> HTTPResponse {
        let opened = try request.openSnapshot(in: store)
        guard let target = try request.head.choice("target", of: ModelTarget.allCases) else {
            let names = ModelTarget.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError.invalidParameter(name: "target", message: "has to be one of \(names).")
        }
        let options = try Self.exportOptions(
            of: request, isFor: target.fitsTables, "the targets grdb and room; ask for one of these")
        let source = try target.source(of: opened.snapshot, in: opened.store, options: options)
        return HTTPResponse(
            status: 200,
            fields: [
                "Content-Type": "text/plain; charset=utf-8",
                "Content-Disposition": "attachment; filename=\"\(target.fileName)\"",
            ], body: .bytes(Array(source.utf8)))
    }

    private func manifest(_ request: APIRequest) throws -> HTTPResponse {
        let opened = try request.openSnapshot(in: store)
        var manifest = SnapshotManifest(opened.snapshot, from: opened.store)
        WorkBudget.current?.announce(answerOf: opened.snapshot.writingFootprint)
        return HTTPResponse(
            status: 200, fields: ["Content-Type": "application/json"],
            body: .stream(.working) { try manifest.next() })
    }

    private func content(_ request: APIRequest) throws -> HTTPResponse {
        let className = request.head.queryValue("class")
        let format = try RealmFormat(wanted: request.head, ofClass: className != nil)
        let export = try Self.exportOptions(
            of: request, isFor: format == .sqlite, "\(RealmFormat.sqlite.mediaType) only; say so in Accept")
        guard let write = format.write else { throw APIError.notAcceptable(offered: []) }
        let encryption = try Self.encryption(of: request, as: format)
        let fileFormat = try Self.fileFormat(of: request, as: format)
        let opened = try request.openSnapshot(in: store)
        guard format.holdsUnsynced || opened.snapshot.unsyncedCount == 0 else {
            throw APIError.objectsUnsynced(opened.snapshot.unsyncedCount, format: format.mediaType)
        }
        if let className, opened.snapshot.declared[className]?.isEmbedded ?? true {
            throw APIError.notFound(.objectClass, className)
        }
        let name = "\(opened.info.realm)-\(opened.info.id).\(format.fileEnding(ofClass: className != nil))"
        let vary = "Accept, \(APIRequest.encryptionKeyField)"
        var fields: HTTPFields = [
            "Content-Type": format.mediaType(ofClass: className != nil),
            "Content-Disposition": "attachment; filename=\"\(name)\"", "Vary": vary,
        ]
        let anonymizes = try request.head.flag("anonymize")
        // The file of a local realm has all that is stored, as Realm's own has; in a synced one that is hidden from clients.
        let showsDeclaredAlone = format == .realm && opened.info.realmKind == .synced
        if encryption == nil, !anonymizes {
            let version = fileFormat == .current ? "" : "-\(fileFormat.rawValue)"
            let dates = (export.dates == .iso ? "" : "-\(export.dates.rawValue)") + (export.flattens ? "-flat" : "")
            let part = className.map { "-" + PercentEncoding.encode(segment: $0) } ?? ""
            // Before, the file of a synced realm had what is hidden from clients, too.
            let shown = showsDeclaredAlone ? "-shown" : ""
            let tag = "\"\(opened.info.id)-\(format.name)\(version)\(dates)\(part)\(shown)\""
            if Preconditions(request.head).clientHas(tag) {
                return HTTPResponse(status: 304, fields: ["ETag": tag, "Vary": vary])
            }
            fields["ETag"] = tag
        } else {
            // Never twice the same bytes.
            fields["Cache-Control"] = "no-store"
        }
        try opened.store.preload(opened)
        WorkBudget.current?.announce(answerOf: opened.snapshot.writingFootprint)
        if format == .realm {
            fields["Realm-File-Format"] = Self.description(of: fileFormat)
            fields["Realm-Left-Out"] = Self.leftOut(of: opened.snapshot)
        }
        let options = WritingOptions(
            scratch: makeScratch, encryption: encryption, fileFormat: fileFormat, export: export,
            className: className, makeFile: makeFile)
        let (snapshot, segments): (Snapshot, any SegmentStore) =
            try showsDeclaredAlone
            ? opened.snapshot.declaredAlone(in: opened.store) : (opened.snapshot, opened.store)
        let chunks =
            anonymizes
            ? anonymized(snapshot, segments) { write($0, $1, options) } : write(snapshot, segments, options)
        return HTTPResponse(status: 200, fields: fields, body: .stream(.working, chunks))
    }

    /// `24; readers="Kotlin 1.15, Swift 10.49 …"` (RFC 8941, an item with a parameter).
    private static func description(of format: WrittenFormat) -> String {
        let readers = format.readers.map { "\($0.sdk) \($0.since)" }.joined(separator: ", ")
        return "\(format.rawValue); readers=\"\(readers)\""
    }

    /// The classes that are not in a Realm file, as a list of strings (RFC 8941), percent-encoded; nil where there is none.
    private static func leftOut(of snapshot: Snapshot) -> String? {
        let names = RealmFileWriter.leftOut(of: snapshot).map { PercentEncoding.encode(segment: $0.schema.name) }
        return names.isEmpty ? nil : names.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// Writes a copy in which every value is replaced; it is made before the first byte goes.
    private func anonymized(
        _ snapshot: Snapshot, _ store: any SegmentStore,
        _ write: @escaping (Snapshot, any SegmentStore) -> RealmFormat.Chunks
    ) -> RealmFormat.Chunks {
        var chunks: RealmFormat.Chunks?
        return {
            if let chunks { return try chunks() }
            let scratch = try makeScratch()
            let begun = write(try Anonymizer().copy(snapshot, from: store, to: scratch), scratch)
            chunks = begun
            return try begun()
        }
    }

    /// The client's options for a SQLite database.
    ///
    /// - Parameters:
    ///   - isFitting: whether the request is for something that has them; `fitting` says what has.
    /// - Throws: `invalidParameter` for a choice that there is not, or where nothing has them.
    private static func exportOptions(
        of request: APIRequest, isFor isFitting: Bool, _ fitting: String
    ) throws -> ExportOptions {
        for name in ["dates", "flatten"] where !isFitting && request.head.queryValue(name) != nil {
            throw APIError.invalidParameter(name: name, message: "is for \(fitting), or leave it out.")
        }
        return ExportOptions(
            dates: try request.head.choice("dates", of: ExportOptions.Dates.allCases) ?? .iso,
            flattens: try request.head.flag("flatten"))
    }

    /// The version of the format that the client wants a Realm file in.
    ///
    /// - Throws: `invalidParameter` for one that is not written, or for a format without versions.
    private static func fileFormat(of request: APIRequest, as format: RealmFormat) throws(APIError) -> WrittenFormat {
        guard let text = request.head.queryValue("fileFormat") else { return .current }
        guard format == .realm else {
            throw .invalidParameter(
                name: "fileFormat",
                message: "is for \(RealmFormat.realm.mediaType) only; say so in Accept, or leave it out.")
        }
        guard let version = Int(text).flatMap(WrittenFormat.init(rawValue:)) else {
            throw .invalidParameter(name: "fileFormat", message: "is 23 or 24.")
        }
        return version
    }

    /// How the client wants a Realm file encrypted; nil for a plain one.
    ///
    /// - Throws: `invalidField` for a key that is none, or one for a format without encryption.
    private static func encryption(
        of request: APIRequest, as format: RealmFormat
    ) throws(APIError) -> PageEncryption? {
        guard let key = try request.encryptionKey() else { return nil }
        guard format.isEncryptable else {
            throw .invalidField(
                name: APIRequest.encryptionKeyField,
                message: "encrypts \(RealmFormat.realm.mediaType) only; say so in Accept, or leave the key out.")
        }
        return PageEncryption(key: key, counter: .random(in: PageEncryption.counters))
    }
}
