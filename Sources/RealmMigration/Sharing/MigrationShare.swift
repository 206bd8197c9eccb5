import Columns
import RealmModel

/// One of the shares that a migration's independent classes are divided into: of each class a run of row groups.
///
/// Each share runs the whole script in a world of its own; its enumerations visit its own row groups.
public struct MigrationShare: Hashable, Sendable {
    /// Its number among the shares, from 0.
    public let index: Int
    /// How many there are.
    public let count: Int

    /// The only share of a migration that nobody divides.
    public static let whole = MigrationShare(0, of: 1)

    /// Names a share.
    ///
    /// - Parameter index: from 0 up to `count`.
    public init(_ index: Int, of count: Int) {
        self.count = max(count, 1)
        self.index = min(max(index, 0), self.count - 1)
    }

    /// The row groups of a class that belong to the share.
    func rowGroups(of count: Int) -> Range<Int> {
        count * index / self.count..<count * (index + 1) / self.count
    }
}

/// How large the shares of a migration are.
///
/// The shares follow from the source alone and not from how many hosts there are: a script that keeps something between calls is given
/// the same worlds, and makes the same of them, wherever it runs.
public struct ShareDivision: Hashable, Sendable {
    /// Objects of the largest class that make a share, at least.
    public var objectsPerShare: Int
    /// The numbers of shares that there may be, ascending.
    public var counts: [Int]

    /// Shares of 262,144 objects or more, as many as some processors do in equal turns.
    ///
    /// The compilers begin anew with each world: of a heavy script they take some tenths of a second of a processor.
    public static let standard = ShareDivision(objectsPerShare: 1 << 18, counts: [2, 4, 8, 16, 32])

    /// Describes a division.
    public init(objectsPerShare: Int, counts: [Int]) {
        self.objectsPerShare = max(objectsPerShare, 1)
        self.counts = counts.sorted()
    }

    /// The division of a rehearsal, which looks at what comes of a division in realms that are small, too.
    func forRehearsal(_ rowGroups: RowGroupLimits) -> ShareDivision {
        ShareDivision(
            objectsPerShare: min(objectsPerShare, max(rowGroups.rows / 2, 1)), counts: counts.filter { $0 <= 4 })
    }

    /// The number of shares of a migration; 1 where nothing runs side by side.
    ///
    /// A realm with patches is not divided, since each share would write all of such a class anew; nor is a migration that sets objects
    /// aside, or does that once more.
    func shareCount(of request: MigrationRequest) -> Int {
        let migration = request.migration
        guard migration.script != nil, request.retry == nil, request.quarantineLimit == nil, request.origin != nil
        else {
            return 1
        }
        guard request.source.classes.allSatisfy(\.patches.isEmpty) else { return 1 }
        let classes = request.source.classes.filter { migration.isIndependent($0.schema.name) }
        let objectCount = classes.map(\.objectCount).max() ?? 0
        return counts.last { $0 <= objectCount / objectsPerShare } ?? 1
    }
}

extension DeclaredMigration {
    /// Whether a class is declared independent, by its name before or after a declared rename.
    func isIndependent(_ className: String) -> Bool {
        let renames = classRenames.filter { $0.from.hasSameBytes(as: className) || $0.to.hasSameBytes(as: className) }
        let names = [className] + renames.flatMap { [$0.from, $0.to] }
        return independent.contains { declared in names.contains { $0.hasSameBytes(as: declared) } }
    }
}
