/// The features that a world has to be prepared for, as far as its script's text tells.
struct ScriptTraits {
    let changesLanguage: Bool
    let usesConsole: Bool
    let makesValues: Bool
    let asksForTime: Bool
    let spreadsObjects: Bool
    let reflects: Bool
    let matchesExpressions: Bool
    let callsExec: Bool
    let mayWait: Bool
    /// The words of a script that may run for one realm after the other in a world; nil for every other.
    let sharingWords: ScriptWords?

    init(_ text: String) {
        let text = ScriptText(text)
        let source = text.code
        changesLanguage = ScriptSyntax.mayChangeLanguage(source)
        usesConsole = ScriptSyntax.mayUseConsole(source)
        makesValues = ScriptSyntax.mayMakeValues(source)
        asksForTime = ScriptSyntax.mayAskForTime(source)
        spreadsObjects = ScriptSyntax.maySpreadObjects(source)
        reflects = ScriptSyntax.mayReflect(source)
        matchesExpressions = ScriptSyntax.mayMatchExpressions(source)
        callsExec = ScriptSyntax.mayCallExec(source)
        mayWait = ScriptSyntax.mayWait(source)
        sharingWords = changesLanguage || matchesExpressions || callsExec ? nil : ScriptWords(sharing: text)
    }

    /// Whether there is anything to prepare before the text is run.
    var needsPreparation: Bool { changesLanguage || usesConsole || makesValues || asksForTime }
}
