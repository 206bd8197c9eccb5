import RealmFile
import RealmJSON

extension ReadingReport {
    /// The report as members of an object that clients and commands show; none where there is nothing.
    public var members: [JSONMember] {
        let unsent = unsentChangesets.map { JSONMember("unsentChangesets", .int(Int64($0))) }
        let repaired =
            repairedTexts.isEmpty ? nil : JSONMember("repairedTexts", .array(repairedTexts.map(\.json)))
        let rescue = rescue.map { JSONMember("rescue", $0.json) }
        return [unsent, repaired, rescue].compactMap(\.self)
    }
}

extension ReadingReport.RepairedTexts {
    fileprivate var json: JSONValue {
        ["class": .string(className), "property": .string(property), "count": .int(Int64(count))]
    }
}

extension RescueReport {
    /// The report as clients and commands show it.
    public var json: JSONValue {
        [
            "source": .string(source.rawValue), "topRef": .int(topRef), "snapshotVersion": .int(snapshotVersion),
            "formatVersion": .int(Int64(formatVersion)), "whole": .bool(isWhole),
            "newerCommit": newerCommit?.json ?? .null,
            "objectsRead": .int(Int64(readCount)), "objectsLost": .int(Int64(lostCount)),
            "damagedPages": .int(Int64(damagedPages)), "damagedNodes": .int(Int64(damagedNodes)),
            "suspect": .bool(hasSuspects), "ownStateLost": .bool(isOwnStateLost),
            "schemaVersionLost": .bool(isSchemaVersionLost),
            "schemaVersionSuspect": .bool(isSchemaVersionSuspect),
            "lostClasses": .array(lostClasses.map { .string($0) }), "lostTables": .int(Int64(lostTables)),
            "classes": .array(classes.map(\.json)),
        ]
    }
}

extension RescueReport.NewerCommit {
    fileprivate var json: JSONValue {
        [
            "topRef": .int(topRef), "snapshotVersion": snapshotVersion.map { .int($0) } ?? .null,
            "expected": expected.map { .int(Int64($0)) } ?? .null, "readable": .int(Int64(readable)),
        ]
    }
}

extension RescueReport.Class {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "expected": expected.map { .int(Int64($0)) } ?? .null, "read": .int(Int64(read)),
            "lost": .array(lost.map(\.json)), "properties": .array(properties.map(\.json)),
            "lostProperties": .array(lostProperties.map { .string($0) }),
            "suspectObjects": .int(Int64(suspectObjects)), "suspectKeys": suspectKeys.json,
            "descriptionSuspect": .bool(isDescriptionSuspect),
        ]
    }
}

extension RescueReport.LostObjects {
    fileprivate var json: JSONValue {
        let property = property.map { JSONMember("property", .string($0)) }
        return .object(
            [JSONMember("reason", .string(reason.rawValue))] + [property].compactMap(\.self)
                + [JSONMember("count", .int(Int64(count))), JSONMember("keys", keys.json)])
    }
}

extension RescueReport.Property {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "lostValues": .int(Int64(lostValues)), "lostElements": .int(Int64(lostElements)),
            "brokenLinks": .int(Int64(brokenLinks)), "keys": keys.json,
            "suspectValues": .int(Int64(suspectValues)), "suspectKeys": suspectKeys.json,
        ]
    }
}

extension KeyRanges {
    /// A pair of the first and the last key for each range.
    fileprivate var json: JSONValue { .array(ranges.map { [.int($0.first), .int($0.last)] }) }
}
