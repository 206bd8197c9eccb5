import HTTPServer
import RealmJSON
import StoreCore

extension [String] {
    /// The query parameters of a list.
    static let page = ["limit", "cursor"]
    /// Those of a list that counts its items where it is asked to.
    static let countedPage = ["limit", "cursor", "total"]
}

extension HTTPRequestHead {
    /// The part of a list that `?limit=` and `?cursor=` ask for.
    func page() throws(APIError) -> PageRequest {
        let cursor = queryValue("cursor").flatMap { $0.isEmpty ? nil : $0 }
        let wantsTotal = try flag("total")
        guard let limit = queryValue("limit") else { return PageRequest(cursor: cursor, wantsTotal: wantsTotal) }
        guard let count = Int(limit), (1...PageRequest.largestLimit).contains(count) else {
            let message = "has to be an integer from 1 to \(PageRequest.largestLimit)."
            throw .invalidParameter(name: "limit", message: message)
        }
        return PageRequest(limit: count, cursor: cursor, wantsTotal: wantsTotal)
    }
}

extension Page where Item == JSONValue {
    /// The list as clients see it.
    var json: JSONValue {
        let members: JSONValue = ["items": .array(items), "next": next.map { .string($0) } ?? .null]
        return total.map { members.adding([JSONMember("total", $0.json)]) } ?? members
    }
}

extension ListTotal {
    /// The total as clients see it: more than `count` where that is not exact.
    var json: JSONValue { ["count": .int(Int64(count)), "isExact": .bool(isExact)] }
}
