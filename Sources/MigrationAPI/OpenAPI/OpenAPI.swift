import CEmbeddedFiles
import RealmFormats
import RealmJSON

/// The description of the API, written by hand in `openapi.json` and built into the program.
///
/// Formats that are not described there are added from the table of formats.
enum OpenAPI {
    /// The OpenAPI 3.1 document.
    static let document: [UInt8] = describing(readable: RealmFormat.readable, writable: RealmFormat.writable)

    /// The document with every format in the operations that take or give one.
    static func describing(readable: [RealmFormat], writable: [RealmFormat]) -> [UInt8] {
        let uploads = ["paths", "/v1/apps/{app}/realms/{realm}/snapshots", "post", "requestBody", "content"]
        let downloads = [
            "paths", "/v1/snapshots/{snapshot}/content", "get", "responses", "200", "content",
        ]
        let bytes = [UInt8](UnsafeBufferPointer(start: openapi_json.bytes, count: openapi_json.count))
        guard let written = try? JSONValue.parse(bytes) else {
            preconditionFailure("openapi.json is no JSON; the program was built with it, and a test reads it.")
        }
        let described = written.adding(readable, at: uploads[...]).adding(writable, at: downloads[...])
        return described == written ? bytes : described.encoded()
    }
}

extension JSONValue {
    /// The value with a description of each format that the object at a path has none of.
    fileprivate func adding(_ formats: [RealmFormat], at path: ArraySlice<String>) -> JSONValue {
        var members = members ?? []
        guard let name = path.first else {
            let missing = formats.filter { self[$0.mediaType] == nil }
            return .object(
                members
                    + missing.map {
                        JSONMember($0.mediaType, ["schema": ["type": "string", "format": "binary"]])
                    })
        }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = members[index].value.adding(formats, at: path.dropFirst())
        }
        return .object(members)
    }
}
