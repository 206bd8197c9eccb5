import Synchronization

/// Where the things of a list stand by their names: found out once, when the first is looked for; of a few things, each time anew.
///
/// A change of the list has to make it forget them.
package struct NamePlaces: Sendable {
    private final class Places: Sendable {
        let byName: [NameKey: Int]

        init(_ byName: [NameKey: Int]) { self.byName = byName }
    }

    private final class Found: Sendable {
        let places = AtomicLazyReference<Places>()
    }

    /// Things that are looked through faster than they are remembered.
    private static let few = 12

    private var found: Found?

    /// - Parameter count: how many things there are.
    package init(count: Int) { found = count > Self.few ? Found() : nil }

    /// The list has changed, and has so many things now.
    package mutating func forget(count: Int) {
        // A copy of the list may be looked through by the same object, and goes on to be what it was.
        if count > Self.few, isKnownUniquelyReferenced(&found), found?.places.load() == nil { return }
        found = count > Self.few ? Found() : nil
    }

    /// The place of the first thing of a name, compared bytewise as Realm does.
    ///
    /// - Parameter things: those that this was made for.
    package func place<Thing>(of name: String, in things: [Thing], by nameOf: (Thing) -> String) -> Int? {
        guard let found else { return things.firstIndex { nameOf($0).hasSameBytes(as: name) } }
        let places =
            found.places.load()
            ?? found.places.storeIfNil(
                Places(
                    Dictionary(things.enumerated().map { (NameKey(nameOf($1)), $0) }) { first, _ in first }))
        return places.byName[NameKey(name)]
    }
}
