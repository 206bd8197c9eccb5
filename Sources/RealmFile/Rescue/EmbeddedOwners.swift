import RealmModel

/// Finds the embedded objects that are in exactly one object, from the objects on that need no owner.
struct EmbeddedOwners {
    private let classes: [RescuedClass]
    /// The embedded classes, by name.
    private let embedded: [NameKey: Int]
    /// The columns of each class that lead to embedded objects, and the classes of these.
    private let columns: [[(column: Int, target: Int)]]

    init(_ classes: [RescuedClass]) {
        self.classes = classes
        let embedded = Dictionary(
            classes.indices.filter { classes[$0].schema.isEmbedded }.map { (NameKey(classes[$0].schema.name), $0) }
        ) { first, _ in first }
        self.embedded = embedded
        columns = classes.map { owner in
            owner.schema.properties.enumerated().compactMap { column, property in
                guard property.isLink, let target = property.objectType.flatMap({ embedded[name: $0] }) else {
                    return nil
                }
                return (column, target)
            }
        }
    }

    /// Gives up the embedded objects that no object or more than one has, until there is none.
    ///
    /// One that two have is given up before it is known what that leaves without an owner; a file that is not damaged
    /// is gone through once for each level of embedded classes.
    func dropOthers() {
        guard !embedded.isEmpty else { return }
        var isSettled = false
        while !isSettled {
            var search = Search(classes, columns)
            search.run()
            isSettled = true
            for index in embedded.values {
                let (reached, shared) = (search.reached[index], search.shared[index])
                var dropped: [Int] = []
                classes[index].census.forEachAlive { position in
                    if shared[position] { isSettled = false }
                    if shared[position] || !reached[position] { dropped.append(position) }
                }
                for position in dropped { classes[index].drop(position, .owner) }
            }
        }
    }

    /// One way from the objects that need no owner to all that they have.
    private struct Search {
        let classes: [RescuedClass]
        let columns: [[(column: Int, target: Int)]]
        /// The objects that one has, those that more have, and those whose own have been looked at.
        var reached: [ObjectCensus.Marks]
        var shared: [ObjectCensus.Marks]
        private var followed: [ObjectCensus.Marks]
        private var isWaiting: [Bool]

        init(_ classes: [RescuedClass], _ columns: [[(column: Int, target: Int)]]) {
            self.classes = classes
            self.columns = columns
            reached = classes.map { $0.schema.isEmbedded ? $0.census.noMarks() : .none }
            shared = reached
            followed = reached
            isWaiting = classes.map { !$0.schema.isEmbedded }
        }

        mutating func run() {
            while let index = isWaiting.firstIndex(of: true) {
                isWaiting[index] = false
                follow(index)
            }
        }

        private mutating func follow(_ index: Int) {
            guard !columns[index].isEmpty else { return }
            let targets = Dictionary(uniqueKeysWithValues: columns[index].map { ($0.column, $0.target) })
            let isEmbedded = classes[index].schema.isEmbedded
            let (before, done) = (reached[index], followed[index])
            if isEmbedded { followed[index] = before }
            classes[index].forEachLink(columns[index].map(\.column)) { position in
                !isEmbedded || before[position] && !done[position]
            } _: { column, key in
                guard let target = targets[column], let position = classes[target].census.position(of: key) else {
                    return
                }
                if reached[target][position] {
                    shared[target][position] = true
                } else {
                    reached[target][position] = true
                    isWaiting[target] = true
                }
            }
        }
    }
}
