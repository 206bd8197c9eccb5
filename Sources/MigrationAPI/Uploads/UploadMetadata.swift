import RealmFormats
import RealmModel

/// A client's metadata of an upload (`Upload-Metadata` of tus 1.0): names, each with a value in Base64.
struct UploadMetadata {
    private var values: [String: String] = [:]

    /// - Throws: `APIError.invalidField`, which does not repeat the values.
    init(_ field: String) throws(APIError) {
        for item in field.split(separator: ",") {
            let words = item.split(separator: " ")
            guard let name = words.first, words.count <= 2, values[String(name)] == nil,
                let bytes = Base64.decode(words.count == 2 ? String(words[1]) : ""),
                let text = String(validating: bytes, as: UTF8.self)
            else {
                throw .invalidField(name: "Upload-Metadata", message: "has to be names, each with a value in Base64.")
            }
            values[String(name)] = text
        }
    }

    /// The upload's media type; that of a Realm file where none is given.
    var mediaType: String { values["filetype"] ?? values["type"] ?? RealmFormat.realm.mediaType }

    /// Whether what can be read of a damaged file is wanted.
    var rescues: Bool { values["rescue"] == "true" }
}
