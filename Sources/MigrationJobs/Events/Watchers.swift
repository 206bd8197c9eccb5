/// Who waits for changes of what, and what each of these was when it was last looked at.
///
/// A thing of which there may be thousands is looked up and forgotten by itself.
struct Watchers<Watched: Hashable & Sendable, Seen: Equatable & Sendable>: Sendable {
    typealias Watcher = @Sendable (Seen?) -> Void

    private var nextID = 0
    private var watchers: [Watched: [Int: Watcher]] = [:]
    private var seen: [Watched: Seen?] = [:]

    /// The watched things.
    var watched: [Watched] { Array(watchers.keys) }

    var isEmpty: Bool { watchers.isEmpty }

    func contains(_ watched: Watched) -> Bool { watchers[watched] != nil }

    /// - Returns: the number to remove it by.
    mutating func add(_ watched: Watched, _ changed: @escaping Watcher) -> Int {
        nextID += 1
        watchers[watched, default: [:]][nextID] = changed
        return nextID
    }

    mutating func remove(_ id: Int, of watched: Watched) {
        watchers[watched]?[id] = nil
        guard watchers[watched]?.isEmpty == true else { return }
        watchers[watched] = nil
        seen[watched] = nil
    }

    /// Notes what something is now.
    ///
    /// - Parameter now: nil where it is not there.
    /// - Returns: those to tell; none where it is as it was when it was last looked at.
    mutating func note(_ watched: Watched, _ now: Seen?) -> [Watcher] {
        guard let watching = watchers[watched], seen[watched] != .some(now) else { return [] }
        seen[watched] = .some(now)
        return Array(watching.values)
    }
}
