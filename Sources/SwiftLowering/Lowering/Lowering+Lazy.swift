import SwiftSyntax

/// Lazy views: `lazy` and what is called of it, which asks for an element when it is needed, and for each anew.
extension Lowering {
    /// The letters of the steps of a lazy view.
    private static let steps = ["map": "M", "filter": "F", "compactMap": "C", "prefix": "P", "drop": "D"]

    /// The type of what a function of the library gives, with the steps of the lazy view that it is.
    ///
    /// - Throws: `Refusal` where it is not known how often the compiler's program calls the closures of the steps.
    func lazily(_ result: SwiftType, _ entry: Library.Entry, _ base: SwiftType, at node: some SyntaxProtocol) throws
        -> SwiftType
    {
        guard case .lazy(_, let steps) = base else { return result }
        guard isSure(entry, steps) else {
            throw Refusal(
                "How often the closures of this lazy view are called is not known here: make an ‘Array’ of it first.",
                at: node)
        }
        guard case .lazy(let element, _) = result else { return result }
        let isPart = entry.name == "prefix" && entry.parameters?.first?.label == nil
        return .lazy(element, steps + (isPart ? "S" : Self.steps[entry.name] ?? "M"))
    }

    /// Whether the runtime calls the closures of the steps as the compiler's program does.
    private func isSure(_ entry: Library.Entry, _ steps: String) -> Bool {
        switch entry.name {
        // The indices of all elements are gone through.
        case "count" where entry.parameters == nil:
            !steps.contains("P")
                && (!steps.contains("C")
                    || steps.filter { $0 == "C" }.count == 1 && steps.allSatisfy { "MC".contains($0) })
        // The index of the first element is looked for, and the element made of it.
        case "first" where entry.parameters == nil, "isEmpty":
            !steps.contains("P") || steps.allSatisfy { "MPS".contains($0) }
        // Ranges and sets tell it without going through their elements.
        case "contains" where entry.parameters?.first?.label == nil:
            steps.isEmpty || !steps.allSatisfy { $0 == "F" }
        case "prefix" where entry.parameters?.first?.label == nil: steps.allSatisfy { $0 == "M" || $0 == "S" }
        default: true
        }
    }
}
