import RealmFile
import RealmJSON

extension FileSpace {
    /// One paragraph: the file in all, then a line a class and a line a property, the largest first.
    var text: String {
        func bytes(_ count: Int) -> String { Quantity.count(count, "byte", "bytes") }
        var lines = [
            "space: \(bytes(fileBytes)): classes \(Quantity.grouped(liveBytes)), history \(Quantity.grouped(historyBytes)), "
                + "Realm's own \(Quantity.grouped(ownBytes)), unused \(Quantity.grouped(unusedBytes))",
            "rewriting saves about \(bytes(savedByRewriting))",
        ]
        for stored in classes.sorted(by: { $0.bytes > $1.bytes }) {
            lines.append(
                "    \(stored.name): \(bytes(stored.bytes)), of which keys and structure "
                    + "\(Quantity.grouped(stored.structureBytes)), backlinks \(Quantity.grouped(stored.backlinkBytes))")
            for property in stored.properties.sorted(by: { $0.bytes > $1.bytes }) {
                let index = property.indexBytes > 0 ? ", index \(Quantity.grouped(property.indexBytes))" : ""
                lines.append("        \(property.name): \(Quantity.grouped(property.valueBytes))\(index)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The same as JSON, in the order of the file.
    var json: JSONValue {
        [
            "fileBytes": .int(Int64(fileBytes)), "liveBytes": .int(Int64(liveBytes)),
            "historyBytes": .int(Int64(historyBytes)), "ownBytes": .int(Int64(ownBytes)),
            "unusedBytes": .int(Int64(unusedBytes)), "savedByRewriting": .int(Int64(savedByRewriting)),
            "classes": .array(classes.map(\.json)),
        ]
    }
}

extension FileSpace.Class {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "bytes": .int(Int64(bytes)), "structureBytes": .int(Int64(structureBytes)),
            "backlinkBytes": .int(Int64(backlinkBytes)), "properties": .array(properties.map(\.json)),
        ]
    }
}

extension FileSpace.Property {
    fileprivate var bytes: Int { valueBytes + indexBytes }

    fileprivate var json: JSONValue {
        ["name": .string(name), "valueBytes": .int(Int64(valueBytes)), "indexBytes": .int(Int64(indexBytes))]
    }
}
