import Foundation
import RealmModel

/// The cases that Realm Core itself answered, where they are beside the package.
enum Corpus {
    /// One migration case, without its objects.
    struct Case: Sendable, CustomStringConvertible {
        var id: String
        var mode: String
        var stored: Schema
        var storedVersion: Int?
        var target: Schema
        var targetVersion: Int
        var errorCode: String?
        var errorMessage: String?

        var description: String { id }
    }

    /// All cases; empty, and said so, where there are none.
    static let cases: [Case] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/cases/cases")
        guard let ids = try? FileManager.default.contentsOfDirectory(atPath: root.path) else {
            print("Skipped: no cases at \(root.path)")
            return []
        }
        return ids.sorted().compactMap { id in
            guard let data = try? Data(contentsOf: root.appending(path: "\(id)/case.json")) else { return nil }
            var parser = OrderedJSONParser(Array(data))
            return (try? parser.parse()).flatMap { Case($0) }
        }
    }()

    /// The cases that failed with one of Realm's errors.
    static func cases(failingWith code: String) -> [Case] {
        cases.filter { $0.errorCode == code }
    }
}

extension Corpus.Case {
    init?(_ json: OrderedJSON) {
        guard let id = json["id"]?.text, let before = json["before"], let target = json["target"],
            let version = target["schemaVersion"]?.integer
        else { return nil }
        self.id = id
        mode = json["mode"]?.text ?? "Automatic"
        stored = Schema(before["schema"]?.elements ?? [])
        storedVersion = before["schemaVersion"]?.integer
        self.target = Schema(target["schema"]?.elements ?? [])
        targetVersion = version
        let error = json["expected"]?["error"]
        errorCode = error?["code"]?.text
        errorMessage = error?["message"]?.text
    }
}

extension Schema {
    init(_ classes: [OrderedJSON]) {
        self.init(classes.map { ObjectSchema($0) })
    }
}

extension ObjectSchema {
    init(_ json: OrderedJSON) {
        let kind: ClassKind =
            json["embedded"]?.isTrue == true ? .embedded : json["asymmetric"]?.isTrue == true ? .asymmetric : .topLevel
        self.init(
            json["name"]?.text ?? "", kind: kind, primaryKey: json["primaryKey"]?.text,
            properties: json["properties"]?.members.map { Property($0.name, json: $0.value) } ?? [])
    }
}

extension Property {
    init(_ name: String, json: OrderedJSON) {
        let declared = json["type"]?.text ?? ""
        let collection = CollectionKind(rawValue: declared) ?? .none
        let target = json["objectType"]?.text
        let element = PropertyType(rawValue: (collection == .none ? declared : target) ?? "")
        let type = element ?? .object
        self.init(
            name, type, collection: collection,
            objectType: type == .object || type == .linkingObjects ? target : nil,
            isOptional: json["optional"]?.isTrue ?? false,
            index: json["indexed"]?.text == "full-text"
                ? .fullText : json["indexed"]?.isTrue == true ? .general : .none,
            originProperty: json["property"]?.text)
    }
}
