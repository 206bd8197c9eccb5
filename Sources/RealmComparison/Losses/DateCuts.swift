import RealmModel

/// The parts that were cut off dates.
struct DateCuts {
    /// Different time zones that objects of a realm may be of.
    private static let zoneLimit = 3

    private(set) var count = 0
    private var hasUpward = false
    private var differences: Set<Int64> = []
    private var isOfTimeZone = true

    mutating func note(_ cut: DateCut?) {
        guard let cut else { return }
        count += 1
        hasUpward = hasUpward || cut.isUpward
        isOfTimeZone = isOfTimeZone && cut.isOfTimeZone
        if differences.count <= Self.zoneLimit { differences.insert(cut.seconds) }
    }

    /// Whether that is what was done to the dates, and not another time zone, nor what comes of something else by chance.
    func areCut(of changed: Int) -> Bool {
        guard count * 10 >= changed * 9, changed >= 5 || !hasUpward else { return false }
        return !isOfTimeZone || changed < 2 || differences.count > Self.zoneLimit
            || changed < 4 * differences.count
    }
}
