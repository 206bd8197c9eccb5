import RealmModel

/// The bytes of a file that may be damaged, and the work that a rescue may still do on them.
struct DamagedFile {
    let bytes: UnsafeRawBufferPointer
    /// Pages of 4,096 bytes, counted from 0, that are known not to be what was written.
    let damagedPages: Set<Int>
    let effort: RescueEffort

    /// The nodes, whatever is known of them.
    func image(formatVersion: Int) -> Image { Image(bytes, formatVersion: formatVersion, effort: effort) }

    /// The nodes that some references lead to, and what is known of these.
    func surveyed(from refs: [Int64], formatVersion: Int) -> (Image, NodeSurvey) {
        let survey = NodeSurvey(self)
        let plain = image(formatVersion: formatVersion)
        for ref in refs { survey.follow(ref, in: plain) }
        return (Image(bytes, formatVersion: formatVersion, effort: effort, survey: survey), survey)
    }
}
