/// A choice of a migration among a few words, in the form that its JSON and the command line share.
public struct MigrationChoice: Sendable {
    /// The name of its member in JSON; the command line's option has the same words.
    public let name: String
    /// The words that there are to choose from.
    public let words: [String]
    /// The help of the command line's option.
    public let help: String
    fileprivate let read: @Sendable (DeclaredMigration) -> String?
    fileprivate let write: @Sendable (inout DeclaredMigration, String?) -> Void

    init<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ member: any WritableKeyPath<DeclaredMigration, Choice?> & Sendable, help: String
    ) {
        self.name = name
        words = Choice.allCases.map(\.rawValue)
        self.help = help
        read = { $0[keyPath: member]?.rawValue }
        write = { $0[keyPath: member] = $1.flatMap { Choice(rawValue: $0) } }
    }
}

extension DeclaredMigration {
    /// The word that was chosen; nil for what Realm does, as any word that is not among the choice's.
    public subscript(choice: MigrationChoice) -> String? {
        get { choice.read(self) }
        set { choice.write(&self, newValue) }
    }
}
