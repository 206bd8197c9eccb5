import HTTPServer
import RealmJSON

extension HTTPResponse {
    /// A JSON document.
    static func json(_ value: JSONValue, status: Int = 200, fields: HTTPFields = [:]) -> HTTPResponse {
        var all: HTTPFields = ["Content-Type": MediaType.json]
        for line in fields.lines { all.append(line.name, line.value) }
        return HTTPResponse(status: status, fields: all, body: .bytes(value.encoded() + [UInt8(ascii: "\n")]))
    }

    /// Server-Sent Events, which no proxy is to hold back.
    static func events(_ body: HTTPLiveBody) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"],
            body: .live(body))
    }

    /// Nothing, after something was removed.
    static var noContent: HTTPResponse { HTTPResponse(status: 204) }

    /// A text of another type.
    static func text(_ text: String, type: String) -> HTTPResponse {
        HTTPResponse(status: 200, fields: ["Content-Type": type], body: .bytes(Array(text.utf8)))
    }
}
