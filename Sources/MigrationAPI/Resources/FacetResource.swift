import HTTPServer
import RealmJSON
import RealmQuery
import SnapshotStore
import StoreCore

/// `/v1/snapshots/{snapshot}/facets`: how often which values of a property are there.
struct FacetResource: Sendable {
    private static let mostValues = 1000

    let store: SnapshotStore

    var routes: [APIRoute] {
        [
            APIRoute(
                "GET", "/v1/snapshots/{snapshot}/facets/{class}", "getFacets", requires: .read, tokens: .snapshot,
                query: ["property", "where", "limit"], respond: facets)
        ]
    }

    private func facets(_ request: APIRequest) throws -> HTTPResponse {
        let (head, name) = (request.head, request.parameter("class"))
        let opened = try request.openSnapshot(in: store)
        guard let property = head.queryValue("property") else {
            throw APIError.invalidParameter(name: "property", message: "has to name a property.")
        }
        let limit = try Self.limit(head)
        guard let declared = opened.snapshot.declared[name], !declared.isEmbedded else {
            throw APIError.notFound(.objectClass, name)
        }
        opened.store.looksUpObjects = false
        let search = try ObjectSearch.unordered(head.queryValue("where"), on: name, in: opened)
        let counts: ValueCounts
        do {
            counts = try search.values(of: property)
        } catch let error as QueryError {
            throw APIError.invalidParameter(name: "property", message: "is refused: \(error.description.bounded())")
        }
        let values = counts.mostFrequent(limit).map { value, count -> JSONValue in
            ["value": JSONValue(value, isMixed: counts.isMixed), "count": .int(Int64(count))]
        }
        return .json([
            "property": .string(property), "values": .array(values), "nullCount": .int(Int64(counts.nullCount)),
            "otherCount": .int(Int64(counts.otherCount)), "distinctCount": .int(Int64(counts.distinctCount)),
            "objectCount": .int(Int64(counts.objectCount)), "isExact": .bool(counts.isExact),
            "isCutOff": .bool(counts.distinctCount > values.count || !counts.isExact),
        ])
    }

    private static func limit(_ head: HTTPRequestHead) throws(APIError) -> Int {
        guard let text = head.queryValue("limit") else { return 20 }
        guard let limit = Int(text), (1...mostValues).contains(limit) else {
            throw .invalidParameter(name: "limit", message: "has to be an integer from 1 to \(mostValues).")
        }
        return limit
    }
}
