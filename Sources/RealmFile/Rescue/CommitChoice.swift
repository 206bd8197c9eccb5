import RealmModel

/// Which commit of a damaged file is read.
///
/// The current one, where nine tenths of its objects can be read, and the header has no newer one beside it that is complete. Else
/// the newest one that is complete, unless more can be read of one that is newer still. Where there is none, the one under which
/// most objects can be read, of two alike the newer; and tables that were found one by one where these have much more.
struct CommitChoice {
    /// By how much tables that were found one by one have to have more than the best of the commits.
    private static let tablesAdvantage = 2.0

    /// The group that is read; nil where none is found.
    private(set) var group: RescuedGroup?
    /// The newest commit that is known of, where another is read.
    private(set) var newerCommit: RescueReport.NewerCommit?
    /// Whether tables lie about in the file, where it was looked for them.
    private(set) var hasFoundTables = false

    init(of search: TopSearch, in file: DamagedFile) {
        let current = search.named.first { $0.source == .current }
        let currentGroup = current.flatMap { RescuedGroup($0, of: file) }
        if let currentGroup, currentGroup.isSufficient {
            group = Self.newerBeside(currentGroup, of: search, in: file) ?? currentGroup
            return
        }
        let scan = search.scan()
        hasFoundTables = !scan.tables.isEmpty
        var newest: RescueReport.NewerCommit?
        for candidate in Self.newestFirst(search.named + scan.tops, in: file) {
            guard let found = candidate == current ? currentGroup : RescuedGroup(candidate, of: file) else { continue }
            newest = newest ?? found.asNewerCommit
            // An older commit may have objects that were deleted since: it has to have more than the newer one.
            if group.map({ found.worth > $0.worth * RescuedGroup.advantage }) ?? true { group = found }
            if found.isWhole { break }
        }
        let tables = RescuedGroup(scan.tables, named: scan.names, formatVersion: search.format, of: file)
        // Among tables that nothing leads to may be some that were removed.
        if let tables, group.map({ tables.worth > $0.worth * Self.tablesAdvantage }) ?? true { group = tables }
        // That of the header, of which not even the top array can be read, is newer than any other. A reference that is no multiple of
        // eight is damaged itself, and names none.
        if currentGroup == nil, case .named(let ref) = search.currentPlace, ref != 0, ref & 7 == 0 {
            newest = RescueReport.NewerCommit(topRef: ref)
        }
        newerCommit = newest.flatMap { $0.topRef == group?.candidate.ref ? nil : $0 }
    }

    /// The commit that the header has beside the current one, where it is the next one and complete.
    ///
    /// One bit of the header says which is which. A number that is further away is damaged itself.
    private static func newerBeside(
        _ current: RescuedGroup, of search: TopSearch, in file: DamagedFile
    ) -> RescuedGroup? {
        let image = current.image
        guard current.isWhole, let own = try? image.node(at: current.candidate.ref), image.doubts(in: own).isEmpty,
            let number = try? own.tagged(at: Group.versionSlot),
            let other = search.named.first(where: { $0.source == .other }),
            let top = try? file.image(formatVersion: other.formatVersion).uncheckedHeader(at: other.ref),
            let version = try? top.tagged(at: Group.versionSlot), version == number &+ 1,
            !freedSpaceLater(than: number, own, image),
            let found = RescuedGroup(other, of: file), found.isWhole
        else { return nil }
        return found
    }

    /// Whether a commit has free space of a later transaction than its own, whose number is damaged then.
    private static func freedSpaceLater(than version: Int64, _ top: Node, _ image: Image) -> Bool {
        guard let versions = try? image.child(Group.freeVersionsSlot, of: top) else { return false }
        return (0..<versions.count).contains { (try? versions.integer(at: $0)).map { $0 > version } ?? false }
    }

    private static func newestFirst(_ candidates: [TopCandidate], in file: DamagedFile) -> [TopCandidate] {
        let versioned = candidates.map { candidate in
            let top = try? file.image(formatVersion: candidate.formatVersion).uncheckedHeader(at: candidate.ref)
            return (candidate, version: top.flatMap { try? $0.tagged(at: Group.versionSlot) } ?? 1)
        }
        // Two alike keep their order: the current one stands before any other.
        return versioned.enumerated().sorted {
            ($1.element.version, $0.offset) < ($0.element.version, $1.offset)
        }.map(\.element.0)
    }
}

extension RescuedGroup {
    fileprivate var asNewerCommit: RescueReport.NewerCommit {
        RescueReport.NewerCommit(
            topRef: candidate.ref, snapshotVersion: snapshotVersion, expected: expected,
            readable: Int(min(worth, Double(1 << 52))))
    }
}
