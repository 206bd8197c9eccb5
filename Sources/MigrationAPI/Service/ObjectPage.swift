import Columns
import HTTPServer
import RealmJSON
import RealmModel
import RealmQuery
import SnapshotStore
import StoreCore

/// A page of the objects of a class: all or those that a query finds, by their keys or in another order.
struct ObjectPage {
    /// The most properties that decide the order.
    private static let mostSortKeys = 4

    let objects: [ObjectJSON.Object]
    let next: String?
    /// The objects of all pages; nil where nobody asked.
    let total: Int?

    /// Finds the page that a request asks for by `where`, `sort`, `total`, `limit` and `cursor`.
    init(_ head: HTTPRequestHead, _ page: PageRequest, of name: String, in opened: OpenSnapshot) throws {
        guard let declared = opened.snapshot.declared[name], !declared.isEmbedded else {
            throw APIError.notFound(.objectClass, name)
        }
        let order = try Self.order(head)
        let after = try page.cursor.map { try ObjectCursor.key($0, isSorted: order != nil) }
        let query = head.queryValue("where")
        let reader = ObjectJSON(opened.snapshot, from: opened.store)
        guard query != nil || order != nil else {
            // One more than asked for tells whether there is a next page.
            let found = try reader.objects(ofClass: name, after: after, limit: page.limit + 1) ?? []
            objects = Array(found.prefix(page.limit))
            next = found.count > page.limit ? objects.last.map { ObjectCursor.encode($0.key) } : nil
            total =
                page.wantsTotal
                ? opened.info.objectCounts.first { $0.className.hasSameBytes(as: name) }?.count ?? 0 : nil
            return
        }
        // Passes over columns, which are not kept; the objects that were found are looked up then.
        opened.store.looksUpObjects = false
        let search = try ObjectSearch.unordered(query, on: name, in: opened)
        let keys: [ObjectKey]
        if let order {
            do {
                keys = try search.keys(sorted: order, after: after, limit: page.limit + 1)
            } catch let error as QueryError {
                throw APIError.invalidParameter(name: "sort", message: "is refused: \(error.description.bounded())")
            }
        } else {
            keys = try search.keys(after: after, limit: page.limit + 1)
        }
        total = page.wantsTotal ? try search.count() : nil
        opened.store.looksUpObjects = true
        objects = try keys.prefix(page.limit).compactMap { try reader.object($0, ofClass: name) }
        next =
            keys.count > page.limit
            ? objects.last.map { ObjectCursor.encode($0.key, isSorted: order != nil) } : nil
    }

    /// The paths that `sort` names, a minus before those that begin with the greatest; nil where it is left out.
    private static func order(_ head: HTTPRequestHead) throws(APIError) -> [(path: String, isReversed: Bool)]? {
        guard let text = head.queryValue("sort") else { return nil }
        let paths = text.split(separator: ",", omittingEmptySubsequences: false)
        guard paths.count <= mostSortKeys, paths.allSatisfy({ !$0.isEmpty && $0 != "-" }) else {
            throw .invalidParameter(
                name: "sort",
                message: "has to be 1 to \(mostSortKeys) properties with commas between, a minus before reversed ones.")
        }
        return paths.map { $0.hasPrefix("-") ? (String($0.dropFirst()), true) : (String($0), false) }
    }
}

extension ObjectSearch {
    /// Reads a query that says nothing of an order, of a class that there is.
    ///
    /// - Throws: `APIError.invalidParameter` with the place of what is wrong.
    static func unordered(_ query: String?, on name: String, in opened: OpenSnapshot) throws -> ObjectSearch {
        let search: ObjectSearch?
        do {
            search = try ObjectSearch(query, on: name, in: opened.snapshot, from: opened.store)
        } catch {
            throw APIError.invalidQuery(query ?? "", error)
        }
        guard let search else { throw APIError.notFound(.objectClass, name) }
        guard !search.isOrdered else {
            throw APIError.invalidParameter(
                name: "where",
                message: "can't have SORT, DISTINCT or LIMIT: `sort` says the order, and objects come in pages.")
        }
        return search
    }
}

/// Where a page of objects ended.
enum ObjectCursor {
    static func encode(_ key: ObjectKey, isSorted: Bool = false) -> String {
        (isSorted ? "s" : "k") + String(key.value, radix: 36)
    }

    static func decode(_ text: String, isSorted: Bool = false) -> ObjectKey? {
        guard text.first == (isSorted ? "s" : "k"), let key = Int64(text.dropFirst(), radix: 36), key >= 0 else {
            return nil
        }
        return ObjectKey(key)
    }

    /// - Throws: `StoreError.invalidCursor` for one of another order.
    static func key(_ text: String, isSorted: Bool) throws(StoreError) -> ObjectKey {
        guard let key = decode(text, isSorted: isSorted) else { throw .invalidCursor }
        return key
    }
}
