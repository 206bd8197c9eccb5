import Testing

@testable import ScriptChild

/// The comments of a script are left out where they can be told, and nothing else ever is.
@Suite struct ScriptTextTests {
    @Test(arguments: [
        ("a; // this\nb", "a;        \nb"), ("a /* this\n b */ c", "a        \n      c"), ("'// a' + \"/* b */\"", nil),
        ("`// a ${ b /* c */ } // d`", "`// a ${ b         } // d`"), ("'it\\'s // a'", nil), ("a / b // c", nil),
        ("/'/; // it's\n", nil), ("// a\u{2028}b", "    \nb"), ("a\u{a0}b\u{feff}\u{3000}c // d", "a b  c     "),
        ("'\\\n// a'", nil), ("#!/bin/sh // a", nil),
        ("a <!-- `\n// b", nil), ("a --> b // c", nil), ("/**/ a", "     a"), ("// a", "    "), ("/* a", "    "),
        ("'a", nil),
        ("`${`${a}` /* } */}` // `", "`${`${a}`        }`     "), ("`${{ a: '}' }} // b`", nil),
    ])
    func `leaves out what is a comment`(text: String, code: String?) {
        #expect(ScriptText(text).code == code ?? text)
    }

    @Test func `a trait that only a comment names is none`() {
        let plain = "function migrate(m) { m.deleteData('A'); }"
        #expect(!ScriptTraits("// this.Object[name] /a/ console\n\(plain) /* Date, {...o} */").needsPreparation)
        #expect(ScriptTraits("/a/; // console\n\(plain)").usesConsole)
    }
}
