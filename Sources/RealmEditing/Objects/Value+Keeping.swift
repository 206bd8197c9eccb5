import RealmModel

extension Value {
    /// Whether the value stays where a script writes another over it: Realm compares before it writes, and has −0 for
    /// an equal of 0, and decimals of one number for equals.
    func isKept(over new: Value) -> Bool {
        switch (self, new) {
        case (.float(let old), .float(let new)): old == new
        case (.double(let old), .double(let new)): old == new
        case (.decimal128(let old), .decimal128(let new)): old.isNumericallyEqual(to: new)
        default: false
        }
    }

    /// Whether what a property has may have to stay instead of the value, so that it is worth a look.
    ///
    /// Only zeros have equals that differ; decimals have many, but Realm writes them wherever they stand alone.
    func mayBeKept(in property: Property) -> Bool {
        switch self {
        case .float(let number): number == 0
        case .double(let number): number == 0
        case .decimal128: property.type == .mixed
        default: false
        }
    }
}
