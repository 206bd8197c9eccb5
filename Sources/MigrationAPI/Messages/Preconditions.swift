import HTTPServer
import RealmJSON
import SnapshotStore

/// A client's conditions on the state of the thing that it reads or changes (RFC 9110, section 13).
struct Preconditions: Sendable {
    private enum Tags {
        case any
        case some([Substring])

        init(_ field: String) {
            let tags = field.split(separator: ",").map {
                $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            }
            self = tags == ["*"] ? .any : .some(tags)
        }

        func contain(_ tag: String, weakly: Bool) -> Bool {
            switch self {
            case .any: true
            case .some(let tags): tags.contains { $0 == tag || weakly && $0.hasPrefix("W/") && $0.dropFirst(2) == tag }
            }
        }

        /// Whether they have the tag of a state, or one of it with what stands beside it.
        func containState(_ tag: String) -> Bool {
            switch self {
            case .any: true
            case .some(let tags):
                tags.contains {
                    $0 == tag
                        || $0.hasPrefix(tag.dropLast() + ".") && $0.dropFirst().firstIndex(of: "\"") == $0.indices.last
                }
            }
        }
    }

    private let match: Tags?
    private let noneMatch: Tags?

    init(_ head: HTTPRequestHead) {
        match = head.fields["If-Match"].map(Tags.init)
        noneMatch = head.fields["If-None-Match"].map(Tags.init)
    }

    /// Whether a change asks for a state.
    var areGiven: Bool { match != nil }

    /// Refuses a request for another state than there is.
    ///
    /// - Parameter tag: of the state that there is; nil where there is nothing.
    func check(_ tag: String?) throws(APIError) {
        guard let match else { return }
        guard let tag, match.contain(tag, weakly: false) else { throw .preconditionFailed }
    }

    /// Refuses a change of another state than there is, whatever else the client has seen of the thing.
    ///
    /// - Parameter tag: of the state that there is; nil where there is nothing.
    func checkState(_ tag: String?) throws(APIError) {
        guard let match else { return }
        guard let tag, match.containState(tag) else { throw .preconditionFailed }
    }

    /// The answer to a `GET`: the thing with its tag, or that the client has it.
    func answer(_ value: JSONValue, tag: String) throws(APIError) -> HTTPResponse {
        try check(tag)
        return clientHas(tag) ? HTTPResponse(status: 304, fields: ["ETag": tag]) : .json(value, fields: ["ETag": tag])
    }

    /// Whether the client that reads a state has it already.
    func clientHas(_ tag: String) -> Bool { noneMatch?.contain(tag, weakly: true) ?? false }
}

extension JSONValue {
    /// A strong validator of what clients see: another one with every change of it.
    var entityTag: String {
        let digits = SHA256.digest(encoded()).prefix(12).map { byte in
            String(UInt16(byte) + 0x100, radix: 16).dropFirst()
        }
        return "\"\(digits.joined())\""
    }
}

extension APIRequest {
    /// The request's condition on the realm that it changes, checked by the holder of the realm's lock; nil where it sets
    /// none.
    func realmCondition(unsyncedLimit: Int) -> RealmCondition? {
        let preconditions = Preconditions(head)
        guard preconditions.areGiven else { return nil }
        return { realm in try preconditions.checkState(realm?.json(unsyncedLimit: unsyncedLimit).entityTag) }
    }
}
