import HTTPServer
import RealmJSON
import StoreCore

extension [String] {
    /// The query parameters of a list.
    static let page = ["limit", "cursor"]
}

extension HTTPRequestHead {
    /// The part of a list that `?limit=` and `?cursor=` ask for.
    func page() throws(APIError) -> PageRequest {
        let cursor = queryValue("cursor").flatMap { $0.isEmpty ? nil : $0 }
        guard let limit = queryValue("limit") else { return PageRequest(cursor: cursor) }
        guard let count = Int(limit), (1...PageRequest.largestLimit).contains(count) else {
            let message = "has to be an integer from 1 to \(PageRequest.largestLimit)."
            throw .invalidParameter(name: "limit", message: message)
        }
        return PageRequest(limit: count, cursor: cursor)
    }
}

extension Page where Item == JSONValue {
    /// The list as clients see it.
    var json: JSONValue {
        ["items": .array(items), "next": next.map { .string($0) } ?? .null]
    }
}
