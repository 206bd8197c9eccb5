import Problems
import RealmModel
import RealmSync

extension ProblemDocument {
    /// The problem of a partner that a realm's schema can't have, or can't be without.
    public init(_ error: PartnerError) {
        switch error {
        case .unfit(let message, let pointer, let className, let property):
            self.init(
                .partnerInvalid, message,
                errors: [ProblemItem(message, pointer: pointer, className: className, property: property)])
        case .linked(let className, let links):
            let names = links.map { "\($0.className).\($0.property)" }.joined(separator: ", ")
            self.init(
                .partnerState,
                "\(names) would lead to the class '\(className)', which leaves the schema: give them partners, and cut over to "
                    + "those first.",
                errors: links.map {
                    ProblemItem("This links to '\(className)'.", className: $0.className, property: $0.property)
                })
        case .changesPrimaryKey(let className):
            self.init(.partnerInvalid, "The function changes the primary key of '\(className)'.")
        }
    }

    /// The problem of a realm that can have no partner.
    public init(_ error: PartnerRefusal) {
        switch error {
        case .localRealm:
            self.init(
                .realmNotSynced,
                "The realm is local: its classes have no clients of other versions, and a migration changes them.",
                status: 422)
        case .emptyRealm: self.init(.realmWithoutSnapshot, "The realm has no snapshot yet: upload one first.")
        case .stored(let className):
            self.init(
                .partnerState,
                "The realm stores objects of a class '\(className)' from before, which its schema does not show: take another name."
            )
        case .misfit(let className, let reason):
            let why = ProblemDocument(reason)
            self.init(
                .partnerState,
                "The realm's schema does not have both sides of the partner of '\(className)' any more: \(why.detail)",
                errors: why.errors.map {
                    ProblemItem($0.message, className: $0.className, property: $0.property)
                })
        }
    }
}
