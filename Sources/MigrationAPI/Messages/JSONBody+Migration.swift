import RealmJSON
import RealmMigration
import RealmModel

extension JSONBody {
    /// A migration; its Swift has the model classes beside it where the body's schema is Swift too.
    func migration(_ name: String) throws(InputError) -> DeclaredMigration? {
        try member(name).map { value throws(InputError) in
            try DeclaredMigration(value, at: pointer(to: name)) { members throws(InputError) in
                try SwiftMembers.script(members, in: self)
            }
        }
    }
}
