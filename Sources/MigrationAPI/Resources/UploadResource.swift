import Columns
import HTTPServer
import RealmFile
import RealmFormats
import RealmModel
import SnapshotStore

/// `POST /v1/apps/{app}/realms/{realm}/snapshots`.
struct UploadResource: Sendable {
    let store: SnapshotStore
    let decoder: any RealmDecoder
    let limits: DecodingLimits
    /// How many uploads are decoded at once; others wait for their turn.
    let slots: Slots
    let quota: AppQuota
    /// The exports that waiting clients get in place of the snapshot's description, where their app says so.
    let exports: RealmExports

    var routes: [APIRoute] {
        [
            APIRoute(
                "POST", "/v1/apps/{app}/realms/{realm}/snapshots", "uploadSnapshot", requires: .deviceOr(.write),
                tokens: .realm,
                query: ["rescue"],
                body: .realm,
                admit: admit, endsEarly: true, answering: .patiently(upload))
        ]
    }

    /// Refuses what can be refused before gigabytes are read.
    private func admit(_ request: APIRequest) throws {
        _ = try Self.isRescue(request, try RealmFormat(uploaded: request.head.fields["Content-Type"]))
        _ = try request.encryptionKey()
        _ = try request.newName(.realm)
        // A repeat is answered as the first request was, which the realm may have changed by.
        if !Self.mayBeRepeat(request) { try admitToRealm(request) }
    }

    private static func mayBeRepeat(_ request: APIRequest) -> Bool {
        request.head.fields[IdempotentRequests.field] != nil
    }

    /// Refuses what the realm, or its app, does not take now.
    private func admitToRealm(_ request: APIRequest) throws {
        try store.snapshots.beginDraft(of: request.realm(), in: request.app()).cancel()
        try store.apps.check(quota, of: request.app())
        if let condition = request.realmCondition(unsyncedLimit: store.unsyncedLimit) {
            try condition(try store.realms.findIfThere(request.realm(), in: request.app()))
        }
    }

    private func upload(_ request: APIRequest) throws -> APIAnswer {
        guard let whole = request.whole, case .file(let file) = whole.body else {
            throw InputError(.truncated, "There is no body.")
        }
        if Self.mayBeRepeat(request) { try admitToRealm(request) }
        let format = try RealmFormat(uploaded: request.head.fields["Content-Type"])
        return try take(file, as: format, rescuing: try Self.isRescue(request, format), request)
    }

    /// Whether the client wants what can be read of a damaged file.
    ///
    /// - Throws: `invalidParameter` for another word than `true` and `false`, or for a format of which nothing is rescued.
    private static func isRescue(_ request: APIRequest, _ format: RealmFormat) throws(APIError) -> Bool {
        switch request.head.queryValue("rescue") {
        case nil, "false": return false
        case "true" where format.rescue != nil: return true
        case "true":
            let types = RealmFormat.rescuable.map(\.mediaType).joined(separator: ", ")
            throw .invalidParameter(name: "rescue", message: "is for \(types) only.")
        default: throw .invalidParameter(name: "rescue", message: "is true or false.")
        }
    }

    /// Makes a file the realm's next snapshot, when it is its turn to be decoded.
    ///
    /// - Parameters:
    ///   - rescuing: whether a damaged file is read past the damage.
    ///   - parts: the upload whose parts the file is made of.
    func take(
        _ file: SpooledBody, as format: RealmFormat, rescuing: Bool, _ request: APIRequest,
        finishing parts: PartialUpload? = nil
    ) throws -> APIAnswer {
        guard let waker = request.whole?.waker else { throw HTTPError.overloaded }
        let turn = slots.turn(of: request.access.key) { waker.wake() }
        return try request.wait(for: turn) {
            defer { turn.end() }
            return try decode(file, as: format, rescuing: rescuing, request, finishing: parts)
        }
    }

    private func decode(
        _ file: SpooledBody, as format: RealmFormat, rescuing: Bool, _ request: APIRequest,
        finishing parts: PartialUpload?
    ) throws -> APIAnswer {
        let (info, made) = try commit(file, as: format, rescuing: rescuing, request, finishing: parts)
        // Who uploads in parts asks for the export by itself.
        return parts == nil ? try exports.answer(request, uploaded: info, made: made) : .response(made)
    }

    private func commit(
        _ file: SpooledBody, as format: RealmFormat, rescuing: Bool, _ request: APIRequest,
        finishing parts: PartialUpload?
    ) throws -> (SnapshotInfo, HTTPResponse) {
        let draft = try store.snapshots.beginDraft(of: request.realm(), in: request.app())
        do {
            let realm = try decoder.decode(
                file.fileDescriptor, as: format, rescuing: rescuing, key: try request.encryptionKey(),
                into: draft.store,
                of: draft.store.appID, rowGroups: .standard, limits: limits)
            try WorkBudget.current?.beginChanging()
            let info = try draft.commit(
                realm.snapshot, where: request.realmCondition(unsyncedLimit: store.unsyncedLimit), finishing: parts)
            return (info, Self.made(info, report: realm.report))
        } catch {
            draft.cancel()
            throw error
        }
    }

    /// The answer to an upload that became a snapshot.
    ///
    /// - Parameter report: what was found in the file, which is told once.
    static func made(_ info: SnapshotInfo, report: ReadingReport = ReadingReport()) -> HTTPResponse {
        .json(info.json(report), status: 201, fields: ["Location": "/v1/snapshots/\(info.id)", "ETag": info.entityTag])
    }
}
