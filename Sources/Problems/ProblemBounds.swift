import RealmModel

/// How much a problem says at most, so that what a script or an upload is full of does not fill the service.
enum ProblemBounds {
    /// The most single things that are kept, and their bytes: a last one counts those that are not.
    private static let longestList = 100
    private static let listBytes = 64 << 10
    private static let countBytes = 64
    private static let longestStack = 50
    private static let frameBytes = 1 << 10

    static func bounded(_ items: [ProblemItem]) -> [ProblemItem] {
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

    static func bounded(stack: [String]) -> [String] {
        stack.prefix(longestStack).map { $0.bounded(toBytes: frameBytes) }
    }
}

extension ProblemItem {
    fileprivate var byteCount: Int {
        let key = if case .string(let text)? = primaryKey { text.utf8.count } else { 0 }
        return [message, pointer, className, property, hint].reduce(key) { $0 + ($1?.utf8.count ?? 0) }
    }
}
