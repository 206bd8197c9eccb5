/// The state of a search for the strongly connected components of a graph of classes: Tarjan's algorithm, with a path of
/// its own in place of recursion.
struct ComponentSearch {
    /// The component of each class that was left, by the class that was entered first of it.
    private(set) var components: [NameKey: Int] = [:]
    private var order: [NameKey: Int] = [:]
    private var lowest: [NameKey: Int] = [:]
    private var open: [NameKey] = []
    private var path: [(key: NameKey, children: ArraySlice<ObjectSchema>)] = []

    func hasSeen(_ object: ObjectSchema) -> Bool { order[NameKey(object.name)] != nil }

    mutating func enter(_ object: ObjectSchema, _ children: [ObjectSchema]) {
        let key = NameKey(object.name)
        lowest[key] = order.count
        order[key] = order.count
        open.append(key)
        path.append((key, children[...]))
    }

    /// Goes a step along the path: the class to enter next, or nil within where there is none; nil at the end.
    mutating func nextChild() -> ObjectSchema?? {
        guard let key = path.last?.key else { return nil }
        guard let child = path[path.count - 1].children.popFirst() else {
            leave(key)
            return .some(nil)
        }
        let childKey = NameKey(child.name)
        guard let seen = order[childKey] else { return child }
        if components[childKey] == nil { lower(key, to: seen) }
        return .some(nil)
    }

    private mutating func leave(_ key: NameKey) {
        path.removeLast()
        if lowest[key] == order[key], let start = open.lastIndex(of: key) {
            for member in open[start...] { components[member] = order[key] }
            open.removeSubrange(start...)
        }
        if let parent = path.last?.key, let reached = lowest[key] { lower(parent, to: reached) }
    }

    private mutating func lower(_ key: NameKey, to order: Int) {
        lowest[key] = min(lowest[key] ?? order, order)
    }
}
