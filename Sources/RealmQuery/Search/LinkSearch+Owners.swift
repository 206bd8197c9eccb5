import Columns
import RealmModel

extension LinkSearch {
    /// The object that an embedded one is a part of, and that is a part of none itself.
    public struct Owner: Hashable, Sendable {
        /// The class of the owner.
        public let className: String
        /// Its key.
        public let key: ObjectKey
        /// The properties that lead from it to the embedded object.
        public let path: [String]
    }

    /// The owners of embedded objects by their keys; none where the class is not embedded.
    ///
    /// - Parameters:
    ///   - keys: those of the embedded objects.
    ///   - name: their class.
    public func owners(of keys: [ObjectKey], ofClass name: String) throws -> [ObjectKey: Owner] {
        guard isEmbedded(name) else { return [:] }
        var found = Dictionary(keys.map { ($0, Owner(className: name, key: $0, path: [])) }) { $1 }
        // No class is embedded in itself, by whichever way: a level more than there are classes is none.
        for _ in snapshot.declared.classes {
            let parts = Dictionary(grouping: found.filter { isEmbedded($0.value.className) }, by: \.value.className)
            if parts.isEmpty { break }
            for (className, parts) in parts {
                let holders = try holders(of: Set(parts.map(\.value.key.value)), className)
                for (key, part) in parts {
                    found[key] = holders[part.key.value].map {
                        Owner(className: $0.className, key: $0.key, path: $0.path + part.path)
                    }
                }
            }
        }
        return found.filter { !isEmbedded($0.value.className) }
    }

    private func isEmbedded(_ name: String) -> Bool { snapshot.declared[name]?.isEmbedded == true }

    /// The objects that hold embedded ones of a class, by the keys of these.
    private func holders(of keys: Set<Int64>, _ name: String) throws -> [Int64: Owner] {
        var holders: [Int64: Owner] = [:]
        for declared in snapshot.declared.classes {
            guard let stored = snapshot[declared.name] else { continue }
            let reader = try ClassReader(stored, store: store)
            for property in declared.properties where property.type == .object {
                guard property.objectType?.hasSameBytes(as: name) == true,
                    let column = stored.schema.index(ofProperty: property.name)
                else { continue }
                try forEachOrigin(column, of: reader, to: keys.contains, name) { holder, part in
                    holders[part] = Owner(className: declared.name, key: holder, path: [property.name])
                }
            }
        }
        return holders
    }
}
