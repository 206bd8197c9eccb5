import Postgres
import RealmModel

/// The place in a list where a page ended, in a form that clients hand back as it is.
package struct Cursor {
    /// The lists; a cursor of one is none of another.
    package enum List: String {
        case apps
        case schemaVersions
        case realms
        case snapshots
        case jobs
        case log
        case apiKeys
        case tokens
        case partners
        case findings
        case audit
        case fleets
        case fleetMembers
        case quarantine
        case webhooks
        case webhookDeliveries
    }

    /// Base64url of the list's name and the last item's key.
    package static func text(_ list: List, _ key: String) -> String {
        let base64 = Base64.encode(Array("\(list.rawValue)/\(key)".utf8))
        return base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The key of a cursor; nil where the page is the first.
    package static func key(_ list: List, _ page: PageRequest) throws(StoreError) -> String? {
        guard let cursor = page.cursor else { return nil }
        let base64 = cursor.replacing("-", with: "+").replacing("_", with: "/")
        let padded = base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let bytes = Base64.decode(padded), let text = String(validating: bytes, as: UTF8.self),
            text.hasPrefix("\(list.rawValue)/"), !text.utf8.contains(0)
        else { throw .invalidCursor }
        return String(text.dropFirst(list.rawValue.count + 1))
    }

    /// The key of a list by number.
    package static func number<Number: FixedWidthInteger>(
        _ list: List, _ page: PageRequest, as type: Number.Type = Number.self
    ) throws(StoreError) -> Number? {
        guard let key = try key(list, page) else { return nil }
        guard let number = Number(key) else { throw .invalidCursor }
        return number
    }

    /// The key of a list from the newest to the oldest, or the other way round; before all items where the page is the first.
    package static func moment(
        _ list: List, _ page: PageRequest, isAscending: Bool = false
    ) throws(StoreError) -> (time: Timestamp, id: RealmModel.UUID) {
        guard let key = try key(list, page) else {
            return (isAscending ? Timestamp(microsecondsSince2000: .min) : .infinity, .greatest)
        }
        let parts = key.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]), let id = RealmModel.UUID(String(parts[1])) else {
            throw .invalidCursor
        }
        return (Timestamp(microsecondsSince2000: time), id)
    }

    /// The key that `moment` reads.
    package static func key(_ time: Timestamp, _ id: RealmModel.UUID) -> String {
        "\(time.microsecondsSince2000).\(id)"
    }
}

extension Page {
    /// A page of a list that is bounded in bytes, too.
    ///
    /// - Parameters:
    ///   - found: the rows that there are, up to one more than wanted.
    ///   - read: how many of them the items were made of.
    package init(
        _ items: [Item], found: Int, _ read: Int, _ request: PageRequest, _ list: Cursor.List, key: (Item) -> String
    ) {
        let kept = Array(items.prefix(request.limit))
        let goesOn = read < found || kept.count < items.count
        self.init(items: kept, next: goesOn ? kept.last.map { Cursor.text(list, key($0)) } : nil)
    }

    /// A page of rows of which one more than wanted was asked for, to see whether the list goes on.
    package init(
        _ rows: [PostgresRow], _ request: PageRequest, _ list: Cursor.List, item: (PostgresRow) throws -> Item,
        key: (Item) -> String
    ) throws {
        let items = try rows.prefix(request.limit).map(item)
        let next = rows.count > request.limit ? items.last.map { Cursor.text(list, key($0)) } : nil
        self.init(items: items, next: next)
    }
}

extension PageRequest {
    /// One item more than the page has.
    package var rowLimit: Int { limit + 1 }
}
