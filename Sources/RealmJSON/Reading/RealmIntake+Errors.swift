import Columns
import RealmModel

extension RealmIntake {
    /// The place of a run of its text, as far as the document's reader knows it.
    struct RunPlace {
        /// Bytes from the start of the input to the run.
        let offset: Int
        /// The JSON pointer of the object in the run.
        let pointer: JSONPointer
    }

    /// The error of an object that can't be taken.
    ///
    /// - Parameters:
    ///   - run: the text whose tape the refusal's word is in.
    ///   - place: where it stands.
    func error(
        _ refusal: Refusal, in run: UnsafeRawBufferPointer, at place: RunPlace, of source: any ByteSource
    ) throws -> InputError {
        let objectSchema = classes[currentClass].schema
        let isAboutProperty = currentProperty != nil && refusal.code != .unknownProperty
        let property = isAboutProperty ? currentProperty.map { objectSchema.properties[$0].publicName } : nil
        let name = property.map { "\(objectSchema.name).\($0)" } ?? objectSchema.name
        let text = try source.place(of: place.offset + JSONScanner.offset(ofWord: refusal.word, in: run))
        var item = text.item(
            "\(name) \(refusal.clause), at \(text).", pointer: pointer(from: place.pointer, property).description,
            className: objectSchema.name, property: property,
            key: path.isEmpty ? currentKey.map { ObjectKey($0) } : nil)
        item.hint = refusal.hint
        return InputError(refusal.code, item)
    }

    private func pointer(from start: JSONPointer, _ property: String?) -> JSONPointer {
        let inner = path.reduce(start) { pointer, step in
            let member = pointer.member(step.property)
            return step.element.map { member.element($0) } ?? member
        }
        return property.map { inner.member($0) } ?? inner
    }
}
