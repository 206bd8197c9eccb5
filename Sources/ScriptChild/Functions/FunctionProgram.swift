import RealmModel

/// The two programs in JavaScript that name the properties of a function's objects and answers.
///
/// Written for each function, so that the engine knows the shape of the objects: a member that is named is several times as fast
/// as one by a variable.
enum FunctionProgram {
    /// `(readers…) => row => object`.
    static func maker(of inputs: [Property]) -> String {
        let readers = inputs.indices.map { "r\($0)" }.joined(separator: ",")
        // Computed, because `__proto__: value` is no member.
        let members = inputs.enumerated().map { "[\(name($1))]:r\($0)(row)" }.joined(separator: ",")
        return "(function(\(readers)){return row=>({\(members)})})"
    }

    /// `(arrays…) => (answer, row, has) => {…}`; `has` tells which properties the answer has.
    static func taker(of outputs: [Property]) -> String {
        let arrays = outputs.indices.map { "a\($0)" }.joined(separator: ",")
        let members = outputs.enumerated().map { "if(has[\($0)])a\($0)[row]=answer[\(name($1))];" }.joined()
        return "(function(\(arrays)){return(answer,row,has)=>{\(members)}})"
    }

    private static func name(_ property: Property) -> String { SchemaDescription.quote(property.publicName) }
}
