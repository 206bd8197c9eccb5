import HTTPServer
import RealmFormats
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore

/// `/v1/apps/{app}/realms/{realm}/uploads`: uploads that go on after a break, by tus 1.0 (creation, checksum, expiration,
/// termination).
///
/// The parts are in the database: any process goes on with them, and they outlive it.
struct PartialUploadResource: Sendable {
    let store: SnapshotStore
    /// Makes a snapshot of an upload that is whole.
    let upload: UploadResource
    let configuration: APIConfiguration
    let spool: SpoolDirectory

    private static let version = "1.0.0"
    private static let partType = "application/offset+octet-stream"
    private static let collection = "/v1/apps/{app}/realms/{realm}/uploads"
    private static let item = collection + "/{upload}"

    var routes: [APIRoute] {
        [
            APIRoute("OPTIONS", Self.collection, "describeUploads", requires: .write, tokens: .realm, query: []) {
                request in
                _ = (try store.apps.find(request.app()), try request.realm())
                return HTTPResponse(
                    status: 204,
                    fields: [
                        "Tus-Resumable": Self.version, "Tus-Version": Self.version,
                        "Tus-Extension": "creation,checksum,expiration,termination",
                        "Tus-Checksum-Algorithm": UploadChecksum.algorithms.joined(separator: ","),
                        "Tus-Max-Size": "\(configuration.uploadLimitBytes)",
                    ])
            },
            APIRoute(
                "POST", Self.collection, "createUpload", requires: .write, tokens: .realm, query: [], respond: create),
            APIRoute("GET", Self.item, "getUpload", requires: .write, tokens: .realm, query: []) { request in
                let found = try request.partialUpload(in: store)
                // A browser may look; a client of tus asks with HEAD, and says so.
                if request.head.method == "HEAD" { try Self.requireVersion(request) }
                return Self.tell(.json(found.json), of: found)
            },
            APIRoute(
                "PATCH", Self.item, "continueUpload", requires: .write, tokens: .realm, query: [],
                body: .chosen(bodyPolicy),
                // The database decides about the body, and it is asked on a worker.
                admit: { _ in }, answering: .patiently(add)),
            APIRoute("DELETE", Self.item, "deleteUpload", requires: .write, tokens: .realm, query: []) { request in
                let found = try request.partialUpload(in: store)
                try Self.requireVersion(request)
                try store.uploads.delete(found)
                return HTTPResponse(status: 204, fields: ["Tus-Resumable": Self.version])
            },
        ]
    }

    // MARK: Creation

    private func create(_ request: APIRequest) throws -> HTTPResponse {
        let (app, realm) = (try request.app(), try request.newName(.realm))
        try store.snapshots.beginDraft(of: realm, in: app).cancel()
        try store.apps.check(configuration.quota, of: app)
        try Self.requireVersion(request)
        guard let length = try Self.number(request, "Upload-Length"), length > 0 else {
            throw APIError.invalidField(name: "Upload-Length", message: "has to be the number of bytes, at least 1.")
        }
        guard length <= configuration.uploadLimitBytes else {
            throw HTTPError.contentTooLarge(limit: configuration.uploadLimitBytes)
        }
        let metadata = request.head.fields["Upload-Metadata"] ?? ""
        let (mediaType, rescues) = try (UploadMetadata(metadata).mediaType, UploadMetadata(metadata).rescues)
        guard try RealmFormat(uploaded: mediaType).rescue != nil || !rescues else {
            throw APIError.invalidField(name: "Upload-Metadata", message: "says rescue of what is no Realm file.")
        }
        let made = try store.uploads.begin(
            for: realm, in: app, length: length, mediaType: mediaType, metadata: metadata,
            totalLimit: configuration.unfinishedLimitBytes)
        var response = Self.tell(.json(made.json, status: 201), of: made)
        response.fields["Location"] = request.head.path + "/\(made.id)"
        return response
    }

    // MARK: Parts

    /// Where the part goes: to the database as it comes or, where it has to be checked first, to a file.
    private func bodyPolicy(_ request: APIRequest) throws -> HTTPBodyPolicy {
        let found = try request.partialUpload(in: store)
        try Self.requireVersion(request)
        guard request.head.fields["Content-Type"]?.isToken(Self.partType) == true else {
            throw APIError.unsupportedMediaType(accepted: [Self.partType])
        }
        guard request.head.fields["Content-Encoding"] == nil else {
            throw APIError.invalidField(name: "Content-Encoding", message: "has no meaning for a part of a file.")
        }
        guard let offset = try Self.number(request, "Upload-Offset") else {
            throw APIError.invalidField(name: "Upload-Offset", message: "is missing.")
        }
        guard offset == found.offset || offset == found.received else { throw StoreError.uploadOffset(found.offset) }
        let rest = found.length - offset
        guard try UploadChecksum(request.head.fields["Upload-Checksum"]) == nil, !found.isWhole else {
            return .spooled(limit: rest, in: spool)
        }
        return .handed(limit: rest, to: PartReceiver(found, store: store))
    }

    private func add(_ request: APIRequest) throws -> APIAnswer {
        let before = try request.partialUpload(in: store)
        switch request.whole?.body {
        case .handed(let receiver as PartReceiver)?: _ = try receiver.finish()
        case .file(let file)?:
            guard try UploadChecksum(request.head.fields["Upload-Checksum"])?.fits(file) != false else {
                throw APIError.checksumMismatch
            }
            // The last byte once more.
            if before.isWhole { break }
            guard let offset = try Self.number(request, "Upload-Offset") else {
                throw StoreError.uploadOffset(before.offset)
            }
            let receiver = PartReceiver(before, startingAt: offset, store: store)
            try file.readAll { try receiver.receive($0) }
            _ = try receiver.finish()
        default: break
        }
        let found = try request.partialUpload(in: store)
        guard found.isWhole else {
            return .response(Self.tell(HTTPResponse(status: 204), of: found))
        }
        return try finish(found, request)
    }

    /// Answers as an upload in one piece is answered; where that was done already, with what came of it.
    private func finish(_ found: PartialUpload, _ request: APIRequest) throws -> APIAnswer {
        if let snapshot = found.snapshot {
            return .response(
                Self.tell(UploadResource.made(try store.snapshots.find(snapshot, in: found.appID)), of: found))
        }
        let file = try SpooledBody(in: spool)
        try store.uploads.read(found) { bytes in try bytes.withUnsafeBytes { try file.write($0) } }
        try file.rewind()
        return try follow(found, request) {
            try upload.take(
                file, as: try RealmFormat(uploaded: found.mediaType),
                rescuing: try UploadMetadata(found.metadata).rescues, request, finishing: found)
        }
    }

    private func follow(
        _ found: PartialUpload, _ request: APIRequest, _ ask: () throws -> APIAnswer
    ) throws -> APIAnswer {
        do {
            switch try ask() {
            case .response(let response): return .response(Self.tell(response, of: found, upTo: found.length))
            case .later(let time, let goOn): return .later(until: time) { try follow(found, request, goOn) }
            }
        } catch {
            // An upload that can't be read today can't be read tomorrow; objections of the realm or the service pass.
            if [400, 422].contains(ErrorResponse.problem(for: error).status) { try store.uploads.delete(found) }
            throw error
        }
    }

    // MARK: Fields

    /// Refuses a client that does not say that it speaks this version.
    private static func requireVersion(_ request: APIRequest) throws(APIError) {
        guard request.head.fields["Tus-Resumable"] == version else { throw .tusVersion }
    }

    private static func number(_ request: APIRequest, _ field: String) throws(APIError) -> Int? {
        guard let text = request.head.fields[field] else { return nil }
        guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .invalidField(name: field, message: "has to be a number of bytes.")
        }
        return Int(text)
    }

    /// A response that tells how the upload stands.
    ///
    /// - Parameter offset: where it has come to; nil for where it had come to when it was looked up.
    private static func tell(
        _ response: HTTPResponse, of upload: PartialUpload, upTo offset: Int? = nil
    ) -> HTTPResponse {
        var response = response
        response.fields["Tus-Resumable"] = version
        response.fields["Upload-Offset"] = "\(offset ?? upload.offset)"
        response.fields["Upload-Length"] = "\(upload.length)"
        response.fields["Upload-Expires"] = HTTPDate.text(Int(upload.expiresAt.seconds))
        response.fields["Cache-Control"] = "no-store"
        if !upload.metadata.isEmpty { response.fields["Upload-Metadata"] = upload.metadata }
        return response
    }
}

extension PartialUpload {
    /// The upload as clients see it.
    var json: JSONValue {
        [
            "id": id.json, "realm": .string(realm), "mediaType": .string(mediaType),
            "offset": .int(Int64(offset)), "length": .int(Int64(length)), "expiresAt": expiresAt.json,
            "snapshot": snapshot?.json ?? .null,
        ]
    }
}
