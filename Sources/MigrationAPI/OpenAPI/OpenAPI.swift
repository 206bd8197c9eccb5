/// The description of the API, written by hand in `openapi.json` and built into the program.
enum OpenAPI {
    /// The OpenAPI 3.1 document.
    static let document: [UInt8] = PackageResources.openapi_json
}
