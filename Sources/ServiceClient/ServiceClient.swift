import Glibc
import Problems
import RealmJSON

/// A service, as a program in a shell uses it: with its address and a key.
public final class ServiceClient {
    private let address: ServiceAddress
    private let key: String
    private let http: HTTPClient
    /// How long it waits before it tries again, in seconds, where the service does not say itself.
    private let pauses: [Double] = [0.2, 0.5, 1, 2, 4]

    /// - Parameter key: an API key or a token.
    /// - Throws: where libcurl can't be started.
    public init(_ address: ServiceAddress, key: String) throws(ServiceUnreachable) {
        (self.address, self.key) = (address, key)
        http = try HTTPClient(caFile: address.caFile)
    }

    /// Where the service is.
    public var url: String { address.url }

    /// Sends a document and reads one; tries again where the service can't be reached or asks for that.
    ///
    /// - Parameter path: with its query, escaped.
    /// - Throws: `ServiceRefusal` with the service's problem, `ServiceUnreachable`.
    public func call(
        _ method: String, _ path: String, _ document: JSONValue? = nil, fields: [(String, String)] = []
    ) throws -> JSONValue {
        let answer = try ask(method, path, body: document.map { .bytes($0.encoded()) } ?? .none, fields: fields)
        return answer.body.isEmpty ? .null : try JSONValue.parse(answer.body)
    }

    /// Sends a request; tries again where the service can't be reached or asks for that.
    ///
    /// - Throws: `ServiceRefusal`, `ServiceUnreachable`.
    public func ask(
        _ method: String, _ path: String, body: HTTPRequest.Body = .none, fields: [(String, String)] = []
    ) throws -> HTTPAnswer {
        var fields = fields
        // So that a request whose answer was lost is not done twice.
        if method == "POST" { fields.append(("Idempotency-Key", Self.chance())) }
        var pauses = pauses[...]
        while true {
            do {
                return try once(method, path, body: body, fields: fields)
            } catch let refusal as ServiceRefusal where refusal.isTemporary {
                guard let pause = pauses.popFirst() else { throw refusal }
                Self.sleep(min(max(refusal.retryAfter ?? pause, 0), 5))
            } catch let error as ServiceUnreachable {
                guard let pause = pauses.popFirst() else { throw error }
                Self.sleep(pause)
            }
        }
    }

    /// Another client of the same service, for requests that are made while an answer comes in.
    func another() throws(ServiceUnreachable) -> ServiceClient { try ServiceClient(address, key: key) }

    /// Sends a request once; `receive` makes none by this client.
    ///
    /// - Throws: `ServiceRefusal`, `ServiceUnreachable`, or what `receive` throws.
    public func once(
        _ method: String, _ path: String, body: HTTPRequest.Body = .none, fields: [(String, String)] = [],
        sent: (Int) -> Void = { _ in }, receive: ((UnsafeRawBufferPointer) throws -> Void)? = nil
    ) throws -> HTTPAnswer {
        var all = [("Authorization", "Bearer " + key), ("User-Agent", "realmshift")] + fields
        let isTyped = fields.contains { $0.0 == "Content-Type" }
        if case .bytes = body, !isTyped { all.append(("Content-Type", "application/json")) }
        let answer: HTTPAnswer
        do {
            answer = try http.send(
                HTTPRequest(method, address.url + path, fields: all, body: body), sent: sent, receive: receive)
        } catch var error as ServiceUnreachable {
            error.address = address.url
            throw error
        }
        guard answer.succeeded else { throw ServiceRefusal(answer) }
        return answer
    }

    /// All items of a list, page by page.
    public func list(_ path: String) throws -> [JSONValue] {
        var items: [JSONValue] = []
        var cursor: String?
        repeat {
            let mark = path.contains("?") ? "&" : "?"
            let page = try call("GET", path + (cursor.map { "\(mark)cursor=\(Self.escaped($0))" } ?? ""))
            items += try elements(page)
            let next = page["next"]?.string
            // A server that leads in a circle would have this go on for ever.
            guard next == nil || next != cursor else {
                throw ServiceUnreachable(address: address.url, reason: "its list has no end")
            }
            cursor = next
        } while cursor != nil
        return items
    }

    /// The items of a list's first page.
    public func page(_ path: String) throws -> [JSONValue] { try elements(try call("GET", path)) }

    private func elements(_ page: JSONValue) throws(UnexpectedAnswer) -> [JSONValue] {
        guard let elements = page["items"]?.elements else {
            throw UnexpectedAnswer(address: address.url, reason: "a list has no items")
        }
        return elements
    }

    /// A name as a part of a path or of a query.
    public static func escaped(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: text.utf8.flatMap { byte -> [UInt8] in
                plain.contains(byte)
                    ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }, as: UTF8.self)
    }

    /// A text that nobody else has.
    private static func chance() -> String {
        (0..<4).map { _ in String(UInt32.random(in: 1 << 28...UInt32.max), radix: 16) }.joined()
    }

    static func sleep(_ seconds: Double) { usleep(UInt32(seconds * 1e6)) }
}
