import RealmJSON
import RealmModel

/// Why a job failed: the members of a problem document (RFC 9457) that do not depend on HTTP.
public struct JobProblem: Hashable, Sendable {
    /// The stable code, in snake_case.
    public var code: String
    /// Realm's name of the error, where it has one.
    public var realmCode: String?
    /// The whole message, Realm's own text where there is one.
    public var detail: String
    /// The single things that are wrong.
    public var errors: [ProblemItem]
    /// The frames of the user's script where it threw, innermost first.
    public var stack: [String]
    /// The objects of the enumeration that were done before the script threw; nil outside of any.
    public var objectsDone: Int?

    /// The most single things that are kept, and their bytes: a last one counts those that are not.
    private static let longestList = 100
    private static let listBytes = 64 << 10
    private static let countBytes = 64
    private static let longestStack = 50
    private static let frameBytes = 1 << 10

    /// Describes a failure; texts and lists are cut where they are too long, wherever they come from.
    public init(
        code: String, realmCode: String? = nil, detail: String, errors: [ProblemItem] = [], stack: [String] = [],
        objectsDone: Int? = nil
    ) {
        self.code = code
        self.realmCode = realmCode
        self.detail = detail.bounded()
        self.errors = Self.bounded(errors)
        self.stack = stack.prefix(Self.longestStack).map { $0.bounded(toBytes: Self.frameBytes) }
        self.objectsDone = objectsDone
    }
}

extension JobProblem {
    private static func bounded(_ items: [ProblemItem]) -> [ProblemItem] {
        let first = items.prefix(longestList).map(bounded)
        guard items.count > longestList || first.reduce(0, { $0 + $1.byteCount }) > listBytes else { return first }
        var bytes = countBytes
        var kept = first.dropLast().prefix { item in
            bytes += item.byteCount
            return bytes <= listBytes
        }
        let more = items.count - kept.count
        kept.append(ProblemItem(more == 1 ? "One more is left out." : "\(more) more are left out."))
        return Array(kept)
    }

    /// A key that is too long is left out rather than cut: a part of it would name another object.
    private static func bounded(_ item: ProblemItem) -> ProblemItem {
        var item = item
        item.message = item.message.bounded()
        item.pointer = item.pointer?.bounded()
        item.className = item.className?.bounded(toBytes: frameBytes)
        item.property = item.property?.bounded(toBytes: frameBytes)
        if case .string(let text)? = item.primaryKey, text.utf8.count > String.messageBytes { item.primaryKey = nil }
        return item
    }

    /// The problem as the column `problem` holds it.
    var json: JSONValue {
        .object([
            JSONMember("code", .string(code)), JSONMember("realmCode", realmCode.map { .string($0) } ?? .null),
            JSONMember("detail", .string(detail)), JSONMember("errors", .array(errors.map(\.json))),
            JSONMember("stack", .array(stack.map { .string($0) })),
            JSONMember("objectsDone", objectsDone.map { .int(Int64($0)) } ?? .null),
        ])
    }

    /// Reads a problem back; what an older program did not write is empty.
    ///
    /// - Throws: `InputError` where it is none.
    init(json: JSONValue) throws(InputError) {
        guard let code = json["code"]?.string, let detail = json["detail"]?.string else {
            throw InputError(.malformedDocument, "A problem needs its code and its detail.")
        }
        var errors: [ProblemItem] = []
        for item in json["errors"]?.elements ?? [] { errors.append(try ProblemItem(json: item)) }
        self.init(
            code: code, realmCode: json["realmCode"]?.string, detail: detail, errors: errors,
            stack: json["stack"]?.elements?.compactMap(\.string) ?? [],
            objectsDone: json["objectsDone"]?.int.map { Int($0) })
    }
}

extension ProblemItem {
    fileprivate var byteCount: Int {
        let key = if case .string(let text)? = primaryKey { text.utf8.count } else { 0 }
        return [message, pointer, className, property].reduce(key) { $0 + ($1?.utf8.count ?? 0) }
    }
}
