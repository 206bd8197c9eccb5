import RealmJSON
import RealmMigration
import RealmModel

extension RehearsalReport {
    /// Everything that was found, what matters most first.
    public var findings: [RehearsalFinding] {
        let found =
            migrationFailures + checkFailures + losses.map(finding) + ownerFindings + versionFindings
            + (slowExpressions.map(finding) + others).map(placed)
        return found.filter { $0.level == .error } + found.filter { $0.level == .warning }
            + found.filter { $0.level == .note }
    }

    /// A finding about the script, in the script's file.
    private func placed(_ finding: RehearsalFinding) -> RehearsalFinding {
        guard finding.line != nil, finding.file == nil else { return finding }
        var placed = finding
        placed.file = scriptFile
        return placed
    }

    // MARK: Failures

    /// Why the migration fails, by the nearest rule.
    private var migrationFailures: [RehearsalFinding] {
        let collisions = collisions.map { collision in
            RehearsalFinding(
                // Where the migration goes on, a policy says which object stays.
                .duplicateKeys, error == nil ? .warning : .error,
                "\(collision.className).\(collision.property): object \(collision.second) has the primary key of object "
                    + "\(collision.first), which is the first that has it; \(collision.count) objects of the class share "
                    + "theirs with another.", className: collision.className, property: collision.property,
                keys: [collision.first, collision.second], count: collision.count)
        }
        guard let error, collisions.isEmpty, orphans.isEmpty, owners.isEmpty else { return collisions }
        let detail = error["detail"]?.string ?? "The migration fails."
        let item = error["errors"]?.elements?.first
        let line = error["errors"]?.elements?.lazy.compactMap { $0["line"]?.int }.first.map { Int($0) }
        let keys = error["errors"]?.elements?.compactMap { $0["key"]?.int } ?? []
        let code = error["realmCode"]?.string.flatMap(RealmErrorCode.init(rawValue:))
        let isOfType = code == .typeMismatch || code == .propertyNotNullable
        return [
            RehearsalFinding(
                isOfType ? .wrongType : .migrationFailed, .error, detail, className: item?["class"]?.string,
                property: item?["property"]?.string, keys: keys, count: keys.count, line: line,
                file: errorFile)
        ]
    }

    private var checkFailures: [RehearsalFinding] {
        checks.filter { !$0.passed }.map { check in
            RehearsalFinding(
                .checkFailed, .error, "\(check.name): \(check.message ?? "the check does not hold.")", line: check.line,
                file: check.file)
        }
    }

    // MARK: Losses

    private func finding(_ loss: Loss) -> RehearsalFinding {
        let place = [loss.className, loss.property].compactMap(\.self).joined(separator: ".")
        let (rule, usual) = Self.rule(of: loss.kind)
        // A few may be those that nobody needs.
        let level = loss.kind == .deleted && (loss.share ?? 1) >= 0.5 ? RehearsalFinding.Level.error : usual
        return RehearsalFinding(
            rule, level, "\(place): \(Self.words(of: loss))", className: loss.className, property: loss.property,
            keys: loss.objects.keys, count: loss.objects.count)
    }

    private static func rule(of kind: Rehearsal.Loss.Kind) -> (RehearsalRule, RehearsalFinding.Level) {
        switch kind {
        case .dropped: (.droppedValue, .warning)
        case .deleted: (.deletedObjects, .warning)
        case .unfilled: (.unfilledProperty, .warning)
        case .exchanged: (.exchangedValues, .warning)
        case .merged: (.mergedValues, .warning)
        case .nullToZero: (.nullToZero, .note)
        case .null: (.valueToNull, .error)
        case .link: (.linkToNull, .error)
        case .zero: (.valueToZero, .error)
        case .emptied: (.valueToEmpty, .error)
        case .uniform: (.oneValueForAll, .error)
        case .inexact: (.inexactNumber, .error)
        case .rounded: (.roundedNumber, .error)
        case .truncated: (.truncatedValue, .error)
        case .wrongType: (.wrongType, .error)
        case .wrongTimeUnit: (.wrongTimeUnit, .warning)
        }
    }

    private static func words(of loss: Loss) -> String {
        let objects = objects(loss.objects.count)
        let isOne = loss.objects.count == 1
        let (values, links, numbers) =
            isOne ? ("the value", "the link", "the number") : ("values", "links", "numbers")
        let (are, become) = isOne ? ("is", "becomes") : ("are", "become")
        let them = isOne ? "it" : "them"
        let share = loss.share.map { ", \(percent($0)) of those that there were" } ?? ""
        let named = " (\(named(loss.objects)))"
        return switch loss.kind {
        case .dropped where loss.property == nil: "the class is dropped with \(objects)\(named)"
        case .dropped: "\(values) of \(objects) \(are) dropped, and nothing has taken \(them) over\(share)\(named)"
        case .deleted where loss.total ?? 0 <= loss.objects.count:
            "\(isOne ? "the only object" : "all \(objects)") of the class \(are) deleted\(named)"
        case .deleted:
            "\(objects) of \(loss.total ?? 0) \(are) deleted, and no other has all values of \(isOne ? "it" : "one of them")"
                + named
        case .unfilled: "the property is added, and none of \(objects) has a value of it"
        case .null: "\(values) of \(objects) \(become) null\(share)\(named)"
        case .link: "\(links) of \(objects) \(become) null\(share)\(named)"
        case .zero: "\(values) of \(objects) \(become) zero or empty by conversion\(share)\(named)"
        case .emptied where loss.to == .epoch:
            "\(isOne ? "the date" : "dates") of \(objects) \(become) 1970-01-01\(share)\(named)"
        case .emptied: "\(values) of \(objects) \(become) \(loss.to?.rawValue ?? "empty")\(share)\(named)"
        case .uniform: "values of \(objects) become one and the same\(share)\(named)"
        case .exchanged:
            "\(values) of \(objects) \(become) those that other objects or another property had, or stand where another "
                + "property's do in most objects\(share)\(named)"
        case .merged: "different \(values) of \(objects) \(become) far fewer different ones\(share)\(named)"
        case .nullToZero: "\(isOne ? "the null" : "nulls") of \(objects) \(become) zero or empty\(named)"
        case .inexact:
            "\(numbers) of \(objects) \(become) \(isOne ? "another" : "others") by conversion\(share)\(named)"
        case .rounded: "\(numbers) of \(objects) \(are) rounded\(share)\(named)"
        case .truncated: "\(values) of \(objects) \(are) cut\(share)\(named)"
        case .wrongType:
            "\(values) of \(objects) \(isOne ? "reads" : "read") “undefined”, “[object Object]” or the like, as a script "
                + "writes a value of the wrong type\(named)"
        case .wrongTimeUnit:
            "\(isOne ? "the date" : "dates") of \(objects) \(isOne ? "is" : "are") in the first weeks of 1970 or after the year "
                + "5100, as where seconds and milliseconds are taken for each other\(named)"
        }
    }

    /// A share in percent, of which no part is none and no part is all.
    private static func percent(_ share: Double) -> String {
        switch share * 100 {
        case 100...: "100 %"
        case ..<1: "less than 1 %"
        case let percent: "\(min(Int(percent.rounded()), 99)) %"
        }
    }

    // MARK: Owners

    private var ownerFindings: [RehearsalFinding] {
        // Where the migration goes on, it was asked to delete orphans, and to copy what has several owners.
        let level = error == nil ? RehearsalFinding.Level.warning : .error
        return orphans.map { found in
            let end = error == nil ? "and are deleted" : "and would be deleted"
            return RehearsalFinding(
                .orphan, level,
                "\(found.className): \(Self.objects(found.objects.count)) to be embedded have no owner \(end) "
                    + "(\(Self.named(found.objects)))", className: found.className, keys: found.objects.keys,
                count: found.objects.count)
        }
            + owners.map { found in
                let end = error == nil ? "and are copied for each" : "and would have to be copied for each"
                return RehearsalFinding(
                    .severalOwners, level,
                    "\(found.className): \(Self.objects(found.objects.count)) to be embedded have several owners \(end) "
                        + "(\(Self.named(found.objects)))", className: found.className, keys: found.objects.keys,
                    count: found.objects.count)
            }
    }

    // MARK: Versions

    private var versionFindings: [RehearsalFinding] {
        missingBranches.map { version in
            // The realm's own version is the one that is migrated.
            RehearsalFinding(
                .missingBranch, version == fromVersion ? .error : .warning,
                "The script does nothing for version \(version), although it does something for a later one.")
        }
            + skippedVersions.map { version in
                RehearsalFinding(
                    .skippedVersion, .warning,
                    "The migration that version \(version) declares is not run: the migration is direct, and its script does "
                        + "for version \(fromVersion.map(String.init) ?? "none") what it does for \(version).")
            }
            + carried.map { property in
                RehearsalFinding(
                    .carriedOver, .warning,
                    "\(property.className).\(property.property): version \(property.removedIn) removed or changed it, and "
                        + "its old values are carried over.", className: property.className, property: property.property
                )
            }
    }

    private func finding(_ expression: SlowExpression) -> RehearsalFinding {
        let place = scriptFile == nil ? expression.line.map { " in line \($0)" } ?? "" : ""
        return RehearsalFinding(
            .slowExpression, .warning,
            "The regular expression /\(expression.source)/\(place) takes \(expression.milliseconds) ms for one text.",
            line: expression.line)
    }

    // MARK: Words

    private static func objects(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }

    private static func named(_ objects: NamedObjects) -> String {
        let keys = objects.keys.prefix(Rehearsal.Loss.exampleLimit)
        let list = keys.map(String.init).joined(separator: ", ")
        return objects.count > keys.count ? "object keys \(list), …" : "object key\(keys.count == 1 ? "" : "s") \(list)"
    }
}
