/// Facts for whoever hands in a file, beside the realm that was read.
public struct ReadingReport: Hashable, Sendable {
    /// Changesets of a sync client that its server never acknowledged.
    ///
    /// They are changes that are in this file and may be nowhere else. Nil where the file was never synced, where its history is of a kind that is not understood, or, in a file that was
    /// rescued, can't be read.
    public var unsentChangesets: Int?
    /// The texts that are no valid UTF-8, and that came back with U+FFFD in the place of what is no text; those of a
    /// rescue are among its suspect values.
    public var repairedTexts: [RepairedTexts]
    /// The amounts that were read and lost of a file that was rescued; nil of one that was read.
    public var rescue: RescueReport?

    /// Texts of one property that came back as others: values, elements, keys of dictionaries, and texts in mixed values.
    public struct RepairedTexts: Hashable, Sendable {
        /// The class.
        public var className: String
        /// The stored name of the property.
        public var property: String
        /// How many texts.
        public var count: Int

        /// Texts of a property.
        public init(className: String, property: String, count: Int) {
            self.className = className
            self.property = property
            self.count = count
        }
    }

    /// Reports nothing by default.
    public init(
        unsentChangesets: Int? = nil, repairedTexts: [RepairedTexts] = [], rescue: RescueReport? = nil
    ) {
        self.unsentChangesets = unsentChangesets
        self.repairedTexts = repairedTexts
        self.rescue = rescue
    }
}
